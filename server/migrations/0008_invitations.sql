-- The addresses that were invited to copy a version of a signature: each address once per version.
create table invitations (
  workspace_id uuid not null,
  signature_id uuid not null,
  version_number integer not null,
  email_id uuid not null,
  invited_at timestamptz(3) not null,
  primary key (workspace_id, signature_id, version_number, email_id),
  foreign key (workspace_id, signature_id) references signatures (workspace_id, id) on delete cascade,
  foreign key (workspace_id, email_id) references emails (workspace_id, id)
);
