-- The targeting (reach) of campaigns that changed, until the mailboxes of all its addresses have been compared. The job that
-- compares has no list in its payload: PostgreSQL keeps the remaining work when the job's worker is killed or other changes
-- follow.
create table banner_reaches (
  workspace_id uuid not null references workspaces (id),
  id bigint generated always as identity,
  -- The campaign, its signatures and its conditions, as they were then.
  reach jsonb not null,
  -- How often comparing has failed: a reach that fails does not delay the others.
  failures integer not null default 0,
  primary key (workspace_id, id)
);
