-- People from files: what was read from an upload, and how far its import has come. A job deletes all of it after 7
-- days, because it is personal data.
create table imports (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  file_name text,
  format text not null check (format in ('csv', 'xlsx')),
  -- Of CSV.
  encoding text,
  delimiter text,
  -- [{"name", "examples"}]
  columns json not null,
  -- Smart field keys by the names of columns, in the order of the file: as the service suggests them, and as a request
  -- chose them.
  guessed_mapping json not null,
  mapping json,
  mode text check (mode in ('upsert', 'directory')),
  -- How many people the request that began the import allowed to become inactive.
  confirmed integer,
  first_rows json not null,
  row_count integer not null,
  -- The first ones; `problem_count` is the number of all.
  problems json not null,
  problem_count integer not null,
  state text not null default 'ready' check (state in ('ready', 'running', 'done', 'failed')),
  -- Failures of the service in a row: after a few the import fails.
  attempts integer not null default 0,
  processed_count integer not null default 0,
  created_count integer not null default 0,
  updated_count integer not null default 0,
  unchanged_count integer not null default 0,
  failed_count integer not null default 0,
  deactivated_count integer not null default 0,
  reactivated_count integer not null default 0,
  -- Why the import failed.
  error text,
  -- On whose behalf the job writes.
  member_id uuid,
  api_key_id uuid,
  session_id uuid,
  request_id text,
  via text,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id)
);
create index imports_by_age on imports (created_at);

-- Some hundred rows of a file. `rows` is compressed JSON, which only the service reads; null when the import has ended.
create table import_batches (
  workspace_id uuid not null,
  import_id uuid not null,
  n integer not null,
  rows bytea,
  is_done boolean not null default false,
  -- [{"line", "email", "column", "code", "message"}]
  failures jsonb not null default '[]',
  primary key (workspace_id, import_id, n),
  foreign key (workspace_id, import_id) references imports (workspace_id, id) on delete cascade
);

-- The addresses of the rows that were processed: people whose addresses are not here are missing from the file. Deleted
-- when the import has ended.
create table import_addresses (
  workspace_id uuid not null,
  import_id uuid not null,
  address_key text not null,
  -- A row was imported by this address, so a later row with it is a duplicate. False: only misread lines have it.
  is_used boolean not null,
  primary key (workspace_id, import_id, address_key),
  foreign key (workspace_id, import_id) references imports (workspace_id, id) on delete cascade
);
