-- Outgoing webhooks: addresses of the customer that are told about changes in the workspace.
create table webhooks (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  url text not null,
  events text[] not null,
  active boolean not null,
  -- Encrypted, with the id of the webhook as the context. After a rotation the old secret signs too, for a day.
  secret bytea not null,
  old_secret bytea,
  old_secret_until timestamptz(3),
  -- The first failure after the last success.
  failing_since timestamptz(3),
  -- Why and when the service itself switched the webhook off.
  disabled_reason text check (disabled_reason in ('gone', 'failing')),
  disabled_at timestamptz(3),
  -- The receiver asked for a pause (Retry-After).
  paused_until timestamptz(3),
  -- The process that sends to this webhook now, and until when. One process at a time sends to a webhook.
  sender uuid,
  sender_until timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id)
);

-- One event, with the bytes that every attempt sends.
create table webhook_messages (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  body text not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, id)
);

-- One message for one webhook. There is no foreign key to the webhook: a change must not fail because an admin deletes a
-- webhook at the same moment. Rows of deleted webhooks are not shown, not sent, and deleted by a job.
create table webhook_deliveries (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  webhook_id uuid not null,
  message_id uuid not null,
  event text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  -- Of the next attempt; null when there is none.
  due_at timestamptz(3),
  -- Of the last attempt. What the receiver answered is not stored, only its status.
  response_status integer,
  problem text,
  duration_ms integer,
  attempted_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (workspace_id, id),
  check ((due_at is not null) = (state = 'pending'))
);
create index webhook_deliveries_due on webhook_deliveries (workspace_id, webhook_id, due_at) where due_at is not null;
create index webhook_deliveries_by_webhook on webhook_deliveries (workspace_id, webhook_id, id);
create index webhook_deliveries_failed on webhook_deliveries (workspace_id, id) where state = 'failed';
