-- Bytes that the removal job is deleting from the file store. It holds no transaction meanwhile; an upload of the same bytes
-- waits until the row is gone. The row of a process that crashed, or whose file store failed, expires.
create table asset_byte_removals (
  workspace_id uuid not null references workspaces (id),
  content_hash text not null,
  id uuid not null,
  removing_until timestamptz(3) not null,
  primary key (workspace_id, content_hash)
);
