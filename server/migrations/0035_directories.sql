-- Directories: people, groups and org units that connected systems have, and the runs that read them.
alter table integrations
  -- 'directory': people and groups are read from it. 'channel': signatures are delivered through it.
  add column capabilities text[] not null default '{}',
  -- Where the next run goes on; null: the next run reads everything.
  add column cursor text,
  -- The own domains of the company, as the directory names them.
  add column domains text[] not null default '{}',
  add column people_count integer not null default 0,
  add column last_synced_at timestamptz(3),
  -- Null: runs begin by request only.
  add column next_sync_at timestamptz(3),
  -- The run whose leavers wait for an approval.
  add column held_run_id uuid,
  -- The error of the directory; error_message is that of the channel.
  add column sync_error_code text,
  add column sync_error_message text,
  add column sync_error_since timestamptz(3),
  -- Runs in a row that failed for a reason that can pass.
  add column sync_failures integer not null default 0,
  -- People or groups have changed, and the members of entities are not computed again yet.
  add column is_expansion_due boolean not null default false;
update integrations
  set capabilities = case when secret is null then array['directory'] else array['channel'] end;
create unique index integrations_one_driver on integrations (workspace_id) where drives_teammates and deleted_at is null;
create index integrations_next_sync on integrations (next_sync_at) where next_sync_at is not null and deleted_at is null;

alter table integration_entities
  -- The id in the directory, which stays the same when the entity is renamed.
  add column external_id text,
  -- Of an org unit: the one that it is part of.
  add column parent_external_id text,
  -- Not in the directory any more. The row stays while signatures use it.
  add column is_gone boolean not null default false;
create unique index integration_entities_external on integration_entities (workspace_id, integration_id, external_id)
  where external_id is not null;

-- What a directory says about a person. The attributes are complete, so that another mapping needs no request.
create table directory_people (
  workspace_id uuid not null,
  integration_id uuid not null,
  external_id text not null,
  -- Null: another person has the address, or no teammate has it and this directory does not create any.
  teammate_id uuid,
  address text not null,
  aliases text[] not null,
  -- Keys of the addresses that the teammate got from here: without those that another person has.
  given_keys text[] not null,
  is_active boolean not null,
  attributes jsonb not null,
  org_unit_id text,
  -- Changes with the photo; null: no photo.
  photo_tag text,
  -- The tag of the photo that was stored last.
  photo_stored_tag text,
  -- Hash of everything that the source says: an equal hash needs no write.
  fingerprint bytea not null,
  -- missing: a complete run did not find the person; removed after a grace. gone: the teammate is removed.
  state text not null default 'present' check (state in ('present', 'missing', 'gone')),
  missing_since timestamptz(3),
  -- The person would leave, and that run waits for an approval.
  held_run_id uuid,
  -- [{"kind", "code", "field", "message"}]
  problems jsonb not null default '[]',
  -- Of a person who is gone: the values, to restore them.
  kept_values jsonb,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, integration_id, external_id),
  foreign key (workspace_id, integration_id) references integrations (workspace_id, id) on delete cascade
);
create unique index directory_people_teammate on directory_people (workspace_id, integration_id, teammate_id)
  where teammate_id is not null;
create index directory_people_problems on directory_people (workspace_id, integration_id, external_id)
  where problems <> '[]';
create index directory_people_leaving on directory_people (workspace_id, integration_id, external_id)
  where state <> 'present' or held_run_id is not null or not is_active;
create index directory_people_org_unit on directory_people (workspace_id, integration_id, org_unit_id)
  where org_unit_id is not null;

-- The direct members of groups: people and other groups, by their ids in the directory. A member can be unknown.
create table directory_edges (
  workspace_id uuid not null,
  integration_id uuid not null,
  group_id text not null,
  member_id text not null,
  primary key (workspace_id, integration_id, group_id, member_id),
  foreign key (workspace_id, integration_id) references integrations (workspace_id, id) on delete cascade
);
create index directory_edges_by_member on directory_edges (workspace_id, integration_id, member_id);

create table sync_runs (
  workspace_id uuid not null,
  id uuid not null,
  integration_id uuid not null,
  kind text not null check (kind in ('full', 'delta', 'dry')),
  trigger text not null check (trigger in ('schedule', 'request', 'import')),
  status text not null check (status in ('running', 'succeeded', 'held', 'approved', 'superseded', 'failed')),
  -- Counts the processes that have begun this run. Only the last one is allowed to write.
  attempt integer not null default 0,
  -- Of a CSV directory: the file.
  import_id uuid,
  people_seen integer not null default 0,
  people_added integer not null default 0,
  people_changed integer not null default 0,
  people_reactivated integer not null default 0,
  people_deactivated integer not null default 0,
  people_missing integer not null default 0,
  people_removed integer not null default 0,
  people_held integer not null default 0,
  entities_added integer not null default 0,
  entities_changed integer not null default 0,
  entities_removed integer not null default 0,
  members_added integer not null default 0,
  members_removed integer not null default 0,
  members_held integer not null default 0,
  -- The first ones; `problem_count` is the number of all.
  problems jsonb not null default '[]',
  problem_count integer not null default 0,
  held_reason text,
  error_code text,
  error_message text,
  -- On whose behalf the run writes.
  member_id uuid,
  api_key_id uuid,
  session_id uuid,
  request_id text,
  via text,
  decided_by uuid,
  decided_at timestamptz(3),
  started_at timestamptz(3),
  ended_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, integration_id) references integrations (workspace_id, id) on delete cascade
);
create unique index sync_runs_one_running on sync_runs (workspace_id, integration_id) where status = 'running';
create index sync_runs_by_integration on sync_runs (workspace_id, integration_id, id);

-- Members whom a held run would remove from entities in use.
create table sync_held_members (
  workspace_id uuid not null,
  run_id uuid not null,
  entity_id uuid not null,
  teammate_id uuid not null,
  primary key (workspace_id, run_id, entity_id, teammate_id),
  foreign key (workspace_id, run_id) references sync_runs (workspace_id, id) on delete cascade,
  foreign key (workspace_id, entity_id) references integration_entities (workspace_id, id) on delete cascade
);
