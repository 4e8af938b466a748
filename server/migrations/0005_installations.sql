-- How a connected system is reached. What is secret is sealed (AES-256-GCM) before it comes here.
alter table integrations
  add column settings jsonb not null default '{}',
  add column secret bytea;

-- Addresses of the past, for whoever has to take something away from them.
create index emails_gone on emails (workspace_id, teammate_id, id) where deleted_at is not null;

-- What is on its way to which mailbox by which channel, or has arrived there.
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
  -- Of what arrived last.
  html_sha256 text,
  installed_at timestamptz(3),
  -- Raised by whatever asks for another installation: one that is on its way then is not the last.
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
