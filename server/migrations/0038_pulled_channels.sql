-- Channels whose signatures are fetched: when the signature was fetched first and last, the last time to the hour.
alter table installations
  add column first_fetched_at timestamptz(3),
  add column last_fetched_at timestamptz(3);
update installations set first_fetched_at = installed_at, last_fetched_at = installed_at
where channel = 'personal_page' and installed_at is not null;
