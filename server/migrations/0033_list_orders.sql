-- Orders of long lists: a page at any offset is read from an index. Without it PostgreSQL would sort all rows for each page.

-- First and last name in the form in which people are sorted: without case and accents. Null without a name.
alter table teammates add column name_key text collate "C";
update teammates t set name_key = named.name_key
from (
  select v.workspace_id, v.teammate_id,
    left(regexp_replace(normalize(string_agg(v.value_key, ' ' order by f.key), nfkd), '[\u0300-\u036f]', '', 'g'), 200) as name_key
  from smart_field_values v
  join smart_fields f on f.workspace_id = v.workspace_id and f.id = v.smart_field_id
  where f.built_in and f.key in ('first_name', 'last_name')
  group by v.workspace_id, v.teammate_id
) named
where t.workspace_id = named.workspace_id and t.id = named.teammate_id and t.deleted_at is null;

create index teammates_by_name on teammates (workspace_id, name_key, id) where deleted_at is null;
create index teammates_by_active on teammates (workspace_id, active, id) where deleted_at is null;
drop index teammates_by_update;
create index teammates_by_update on teammates (workspace_id, updated_at, id) where deleted_at is null;
create index emails_by_primary_address on emails (workspace_id, address_key, teammate_id)
  where is_primary and deleted_at is null;
drop index emails_address;
create unique index emails_address on emails (workspace_id, address_key) include (id) where deleted_at is null;
drop index emails_by_update;
create index emails_by_update on emails (workspace_id, updated_at, id) where deleted_at is null;
drop index installations_by_update;
create index installations_by_update on installations (workspace_id, updated_at, id);

-- When an admin hid the checklist for setting up the workspace. Everything else of it follows from the data.
alter table workspaces add column checklist_dismissed_at timestamptz(3);

-- Changes of more people than one transaction should hold. A job works through `ids` in batches; a batch, its audit entries
-- and the new position are one transaction.
create table teammate_changes (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  status text not null check (status in ('pending', 'done', 'failed')),
  smart_fields jsonb not null,
  -- Empty when it is done or has failed.
  ids uuid[] not null,
  matched integer not null,
  processed integer not null default 0,
  changed integer not null default 0,
  unchanged integer not null default 0,
  -- Deleted after the request.
  missing integer not null default 0,
  message text,
  -- The request, for the audit log.
  member_id uuid,
  api_key_id uuid,
  session_id uuid,
  request_id text,
  via text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  finished_at timestamptz(3),
  primary key (workspace_id, id)
);
create index teammate_changes_pending on teammate_changes (workspace_id, id) where status = 'pending';
