-- Whether managers publish by themselves, or ask an owner or admin to.
alter table workspaces
  add column publish_approval text not null default 'none' check (publish_approval in ('none', 'required'));

-- What a manager asked to publish. The content never changes: an approval publishes what its reader has seen.
create table publication_requests (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  signature_id uuid not null,
  kind text not null check (kind in ('primary', 'reply', 'internal')),
  status text not null check (status in ('pending', 'approved', 'rejected', 'replaced')),
  content jsonb not null,
  -- The live content when the request was decided or replaced; null where none was live.
  content_before jsonb,
  -- Options of the publish.
  force boolean not null,
  activated boolean,
  -- The member whose rights the request used, and the member who has the API key: neither can decide about it.
  requested_by uuid not null,
  requested_actor uuid not null,
  decided_by uuid,
  decided_at timestamptz(3),
  reason text,
  -- When owners and admins were mailed last about the pending requests of this kind.
  mailed_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, signature_id) references signatures (workspace_id, id) on delete cascade
);
create unique index publication_requests_pending on publication_requests (workspace_id, signature_id, kind)
  where status = 'pending';
create index publication_requests_signature on publication_requests (workspace_id, signature_id, id);
create index publication_requests_status on publication_requests (workspace_id, status, id);
