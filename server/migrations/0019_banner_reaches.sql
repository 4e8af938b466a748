-- Whom a change of campaigns concerns, until their mailboxes have been compared. The job that compares carries nothing in its
-- payload: PostgreSQL keeps what is left to do when the job's worker is killed and when other changes come meanwhile.
create table banner_reaches (
  workspace_id uuid not null references workspaces (id),
  id bigint generated always as identity,
  -- The campaign, its signatures and its conditions, as they were then.
  reach jsonb not null,
  -- How often comparing has failed: those that fail keep no others waiting.
  failures integer not null default 0,
  primary key (workspace_id, id)
);
