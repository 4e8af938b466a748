-- How the service reaches a connected system. The application encrypts the secret (AES-256-GCM) before it stores it.
alter table integrations
  add column settings jsonb not null default '{}',
  add column secret bytea;

-- Deleted addresses, for the job that ends their installations.
create index emails_gone on emails (workspace_id, teammate_id, id) where deleted_at is not null;

-- The signatures that are being delivered, or have arrived, by mailbox and channel.
create table installations (
  workspace_id uuid not null,
  id uuid not null,
  signature_id uuid not null,
  email_id uuid not null,
  channel text not null
    check (channel in ('personal_page', 'google_workspace', 'microsoft_365', 'smtp_relay', 'webhook')),
  integration_id uuid,
  status text not null check (status in ('pending', 'installed', 'failed', 'uninstalled')),
  error_code text,
  error_message text,
  attempts integer not null default 0,
  -- SHA-256 of the HTML that arrived last.
  html_sha256 text,
  installed_at timestamptz(3),
  -- Grows with every request for another installation: a delivery that is under way then is not the last one.
  revision integer not null default 1,
  due_at timestamptz(3) not null,
  claimed_until timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, signature_id) references signatures (workspace_id, id) on delete cascade,
  foreign key (workspace_id, email_id) references emails (workspace_id, id),
  foreign key (workspace_id, integration_id) references integrations (workspace_id, id)
);
create unique index installations_place
  on installations (workspace_id, email_id, channel, integration_id, signature_id) nulls not distinct;
create index installations_by_signature on installations (workspace_id, signature_id, email_id);
create index installations_by_status on installations (workspace_id, status, id);
create index installations_due on installations (workspace_id, channel, integration_id, due_at) where status = 'pending';
