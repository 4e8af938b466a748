-- The name as it is searched: without case.
alter table signatures add column name_key text not null default '';
update signatures set name_key = lower(name);

-- Who had a test mail sent when, for as long as it counts against their limit.
create table test_mails (
  workspace_id uuid not null,
  member_id uuid not null,
  id uuid not null,
  sent_at timestamptz(3) not null,
  primary key (workspace_id, member_id, id),
  foreign key (workspace_id, member_id) references members (workspace_id, id) on delete cascade
);
