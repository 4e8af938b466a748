-- The relay: what happened to each message, for 7 days. Nothing of a message is kept.
create table relay_messages (
  workspace_id uuid not null,
  id uuid not null,
  integration_id uuid not null,
  -- stamped: with a signature. passed: without one. deferred, rejected: the sender keeps the message, or gave it up.
  outcome text not null check (outcome in ('stamped', 'passed', 'deferred', 'rejected')),
  -- Why it was not stamped, or not accepted; null for stamped.
  reason text,
  -- The answer that the sender got, such as 250.
  status integer not null,
  sender_domain text,
  recipient_domains text[] not null,
  recipients_count integer not null,
  -- Only while the workspace wants it: see workspaces.relay_addresses.
  sender_address text,
  recipient_addresses text[],
  bytes integer not null,
  -- From the last byte of the sender until its answer.
  milliseconds integer not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, integration_id) references integrations (workspace_id, id) on delete cascade
);
create index relay_messages_by_outcome on relay_messages (workspace_id, outcome, id);
create index relay_messages_by_age on relay_messages (created_at);

alter table workspaces
  -- Whether relay_messages keeps addresses, and not only domains.
  add column relay_addresses boolean not null default false;
