-- How much of a provider's quota all processes together have used in the current minute. One row per connected system,
-- overwritten when a new minute begins.
create table channel_quotas (
  workspace_id uuid not null,
  integration_id uuid not null,
  minute timestamptz not null,
  used integer not null,
  primary key (workspace_id, integration_id),
  foreign key (workspace_id, integration_id) references integrations (workspace_id, id)
);
