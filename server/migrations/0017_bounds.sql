-- Slow work (fetching, drawing, writing to S3) happens outside of transactions, so that it holds no connection. A
-- lease replaces the lock of the transaction: a row with an end time. The lease of a crashed process expires.

-- An Idempotency-Key whose request is being worked on. Another process with the same key waits for the answer, and takes
-- the work over when the lease expires.
alter table idempotency_keys
  add column lease_id uuid,
  add column leased_until timestamptz(3);

-- Bytes that an upload or a rendition is about to write to the file store: the job that removes bytes leaves them alone.
create table asset_byte_leases (
  workspace_id uuid not null references workspaces (id),
  content_hash text not null,
  id uuid not null,
  leased_until timestamptz(3) not null,
  primary key (workspace_id, content_hash, id)
);

-- GET /readyz writes here: a service that can read but not write (a full disk, a standby) is not ready.
create table readiness_checks (
  id boolean primary key check (id),
  checked_at timestamptz(3) not null
);

-- The member who has seen this secret, when the key acts as another member: the audit log names the member who acted.
alter table api_key_hashes add column shown_to_member_id uuid;
