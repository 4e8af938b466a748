-- Channels whose signatures are fetched: when the signature was fetched first and last, the last time to the hour.
alter table installations
  add column first_fetched_at timestamptz(3),
  add column last_fetched_at timestamptz(3);
update installations set first_fetched_at = installed_at, last_fetched_at = installed_at
where channel = 'personal_page' and installed_at is not null;

-- The Outlook add-in: the token is a part of every address of the add-in. An integration has up to two at a time.
create table deployment_tokens (
  workspace_id uuid not null,
  id uuid not null,
  integration_id uuid not null,
  -- Counts the tokens of the integration; the manifest has it in its version.
  number integer not null,
  -- SHA-256 of the token.
  hash bytea not null,
  -- The token, encrypted, to show the address of the manifest again; null when it was revoked.
  sealed bytea,
  created_at timestamptz(3) not null,
  -- To the hour.
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  primary key (workspace_id, id),
  unique (workspace_id, integration_id, number),
  foreign key (workspace_id, integration_id) references integrations (workspace_id, id)
);
create index deployment_tokens_hash on deployment_tokens (hash);

-- Why a mail program set no signature: the last report of each address.
create table installation_troubles (
  workspace_id uuid not null,
  integration_id uuid not null,
  email_id uuid not null,
  code text not null,
  host text not null,
  platform text not null,
  -- Reports in a row with this code.
  count integer not null,
  at timestamptz(3) not null,
  primary key (workspace_id, integration_id, email_id),
  foreign key (workspace_id, integration_id) references integrations (workspace_id, id),
  foreign key (workspace_id, email_id) references emails (workspace_id, id)
);
create index installation_troubles_old on installation_troubles (at);
