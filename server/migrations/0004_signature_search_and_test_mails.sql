-- The name as the search compares it: without case.
alter table signatures add column name_key text not null default '';
update signatures set name_key = lower(name);

-- The test mails of each member, for as long as they count against the member's limit.
create table test_mails (
  workspace_id uuid not null,
  member_id uuid not null,
  id uuid not null,
  sent_at timestamptz(3) not null,
  primary key (workspace_id, member_id, id),
  foreign key (workspace_id, member_id) references members (workspace_id, id) on delete cascade
);
