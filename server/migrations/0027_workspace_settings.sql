-- What owners and admins set for their workspace. The domains are the company's own: mail among them is internal.
alter table workspaces
  add column domains text[] not null default '{}',
  -- A name of the IANA, such as Europe/Berlin: mails write times in it.
  add column time_zone text not null default 'UTC',
  -- BCP 47, such as de or de-AT: the language of mails and pages for people who have chosen none.
  add column locale text not null default 'en',
  -- The sender name of mails; null is the name of the workspace.
  add column mail_sender_name text;

-- Mails to accounts that wait to be sent. They hold links that let their reader in, so the content is encrypted; the row
-- is deleted when the mail is sent. An account belongs to the installation, so the row has no workspace.
create table account_mails (
  id uuid primary key,
  sealed bytea not null,
  -- Set before the mail is sent, and reset only when the mail server refused it: a begun mail is never begun again.
  begun_at timestamptz(3),
  created_at timestamptz(3) not null
);
create index account_mails_age on account_mails (created_at);
