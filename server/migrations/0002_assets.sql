-- Images. The bytes are in the store (a folder, or S3), under the workspace and their hash, so that the same image
-- sent twice is stored once. The service still serves an asset that is deleted but in use.
create table assets (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  name text not null,
  filename text not null,
  search_key text not null,
  role text check (role in ('company_logo', 'profile_picture', 'banner')),
  content_type text not null check (content_type in ('image/png', 'image/jpeg', 'image/gif')),
  content_hash text not null,
  byte_size integer not null,
  width integer not null,
  height integer not null,
  animated boolean not null,
  -- The token makes the public address unguessable; the secret signs the renditions.
  token text not null,
  rendition_secret bytea not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  bytes_removed_at timestamptz(3),
  primary key (workspace_id, id)
);
create unique index assets_token on assets (workspace_id, token);
create index assets_living on assets (workspace_id, id) where deleted_at is null;
create index assets_by_role on assets (workspace_id, role, id) where deleted_at is null;
create index assets_search on assets using gin (workspace_id, search_key gin_trgm_ops) where deleted_at is null;
create index assets_by_hash on assets (workspace_id, content_hash);
create index assets_leaving on assets (workspace_id, id) where deleted_at is not null and bytes_removed_at is null;

-- The renditions in the store, by the hash of the original bytes, so that they are removed together with the bytes.
create table asset_renditions (
  workspace_id uuid not null references workspaces (id),
  content_hash text not null,
  name text not null,
  primary key (workspace_id, content_hash, name)
);

-- What content refers to: which template, variant, version or campaign uses which asset, smart field or campaign.
-- signature_id is the signature template that the holder belongs to.
create table content_references (
  workspace_id uuid not null references workspaces (id),
  holder_kind text not null check (holder_kind in ('signature', 'variant', 'version', 'campaign')),
  holder_id uuid not null,
  target_kind text not null check (target_kind in ('asset', 'smart_field', 'campaign')),
  target_id uuid not null,
  signature_id uuid,
  primary key (workspace_id, target_kind, target_id, holder_kind, holder_id)
);
create index content_references_by_holder on content_references (workspace_id, holder_kind, holder_id);
