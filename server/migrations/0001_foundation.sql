-- Every table that a workspace owns has workspace_id first in its primary key and in each unique and foreign key,
-- so that the same schema can be distributed by workspace. workspaces, members, api_keys and api_key_hashes are small
-- and would be reference tables there: authentication joins them before it knows the workspace.
--
-- Ids are UUIDv7 and created_at is the moment inside the id, so "newest first" (created_at, then id, descending)
-- is the primary key read backwards and needs no index of its own.
--
-- *_key columns hold the form that is compared (trimmed, without case). The application computes them, because lower()
-- depends on the locale of the PostgreSQL server.

-- Both are trusted extensions: the owner of the database can create them.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

create table workspaces (
  id uuid primary key,
  name text not null,
  tracking_id uuid not null,
  tracking_enabled boolean not null default true,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create table members (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  name text not null,
  email text not null,
  email_key text not null,
  role text not null check (role in ('owner', 'admin', 'manager', 'member')),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id)
);
create unique index members_email on members (workspace_id, email_key);
create unique index members_one_owner on members (workspace_id) where role = 'owner';

create table api_keys (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  member_id uuid not null,
  name text not null,
  scopes text[] not null,
  prefix text not null,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, member_id) references members (workspace_id, id)
);

-- Authentication finds an API key by its hash. A rotated key has two rows for a day: valid_until is set on the old one.
create table api_key_hashes (
  hash bytea primary key,
  workspace_id uuid not null,
  api_key_id uuid not null,
  valid_until timestamptz(3)
);
create index api_key_hashes_key on api_key_hashes (workspace_id, api_key_id);

create table folders (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  name text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id)
);

create table signatures (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  name text not null,
  priority integer not null,
  signature_installation_activated boolean not null default false,
  folder_id uuid,
  content jsonb,
  draft_content jsonb,
  last_published_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  constraint signatures_folder foreign key (workspace_id, folder_id) references folders (workspace_id, id)
);
create index signatures_by_folder on signatures (workspace_id, folder_id);

create table integrations (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  kind text not null,
  name text not null,
  drives_teammates boolean not null default false,
  error_message text,
  error_since timestamptz(3),
  dashboard_url text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (workspace_id, id)
);

create table integration_entities (
  workspace_id uuid not null,
  id uuid not null,
  integration_id uuid not null,
  name text not null,
  sub_kind text not null,
  teammates_count integer not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, integration_id) references integrations (workspace_id, id) on delete cascade
);
create index integration_entities_by_integration on integration_entities (workspace_id, integration_id, id);

create table smart_fields (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  label text not null,
  label_key text not null,
  key text not null,
  kind text not null check (kind in ('text', 'url', 'email', 'phone', 'image')),
  required boolean not null default false,
  built_in boolean not null default false,
  computed boolean not null default false,
  fallback text,
  integration_id uuid,
  integration_attribute text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, integration_id) references integrations (workspace_id, id)
);
create unique index smart_fields_label on smart_fields (workspace_id, label_key);
create unique index smart_fields_key on smart_fields (workspace_id, key);

create table teammates (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  source text not null check (source in ('manual', 'directory')),
  integration_id uuid,
  active boolean not null default true,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, integration_id) references integrations (workspace_id, id)
);
create index teammates_living on teammates (workspace_id, id) where deleted_at is null;
create index teammates_by_source on teammates (workspace_id, source, id) where deleted_at is null;

create table smart_field_values (
  workspace_id uuid not null,
  teammate_id uuid not null,
  smart_field_id uuid not null,
  value text not null,
  value_key text not null,
  primary key (workspace_id, teammate_id, smart_field_id),
  foreign key (workspace_id, teammate_id) references teammates (workspace_id, id),
  constraint smart_field_values_field
    foreign key (workspace_id, smart_field_id) references smart_fields (workspace_id, id) on delete cascade
);
-- A B-tree entry holds 2,704 bytes and a value can have 5,000 characters: the index holds the first 100 characters.
create index smart_field_values_by_value
  on smart_field_values (workspace_id, smart_field_id, left(value_key, 100), teammate_id);
create index smart_field_values_search on smart_field_values using gin (workspace_id, value_key gin_trgm_ops);

create table emails (
  workspace_id uuid not null,
  id uuid not null,
  teammate_id uuid not null,
  address text not null,
  address_key text not null,
  is_primary boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, teammate_id) references teammates (workspace_id, id)
);
create unique index emails_address on emails (workspace_id, address_key) where deleted_at is null;
create unique index emails_one_primary on emails (workspace_id, teammate_id) where is_primary and deleted_at is null;
create index emails_living on emails (workspace_id, id) where deleted_at is null;
create index emails_by_teammate on emails (workspace_id, teammate_id, id) where deleted_at is null;
create index emails_search on emails using gin (workspace_id, address_key gin_trgm_ops) where deleted_at is null;

create table financial_documents (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  number text not null,
  total_amount_cents integer not null,
  processor_receipt_url text,
  due_date timestamptz(3),
  period_start timestamptz(3),
  period_end timestamptz(3),
  file jsonb,
  receipt jsonb,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id)
);

create table feedback (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  member_id uuid,
  api_key_id uuid,
  category text not null,
  message text not null,
  tool_name text,
  reporter text,
  created_at timestamptz(3) not null,
  primary key (workspace_id, id)
);

create table audit_log (
  workspace_id uuid not null,
  id uuid not null,
  member_id uuid,
  api_key_id uuid,
  action text not null,
  resource_id uuid,
  request_id text,
  created_at timestamptz(3) not null,
  primary key (workspace_id, id)
);
create index audit_log_by_resource on audit_log (workspace_id, resource_id, id);

create table idempotency_keys (
  workspace_id uuid not null,
  api_key_id uuid not null,
  key text not null,
  request_hash bytea not null,
  status smallint,
  headers jsonb,
  body bytea,
  created_at timestamptz(3) not null,
  primary key (workspace_id, api_key_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- Exact totals of long lists: counting 100,000 rows costs 20 times the page. A write adds a row with its change of the
-- totals (a counter updated in place would make the writers of a workspace wait for each other, at half the speed); a
-- total is the sum of both tables, and a job folds the second into the first.
create table tallies (
  workspace_id uuid not null,
  kind text not null,
  n bigint not null,
  primary key (workspace_id, kind)
);

create table tally_changes (
  workspace_id uuid not null,
  id uuid not null,
  kinds text[] not null,
  amounts integer[] not null,
  times integer not null,
  primary key (workspace_id, id)
);
