-- Events of signatures: views, clicks, and the events that integrators send. The service writes an event to the tail
-- and answers after the commit; the fold job moves it into its month and adds it to the rollups, in one transaction.
-- Every reader adds the tail, so that no event is missing or counted twice.
create table event_tail (
  workspace_id uuid not null,
  recorded_at timestamptz(3) not null,
  -- A UUIDv7 made at recorded_at: a reader that has only the id knows recorded_at too.
  id uuid not null,
  name text not null,
  -- 'counted', or why it is left out of totals: bot, scanner, prefetch, head.
  outcome text not null,
  -- The click that brought the visitor; for a click, its own id.
  click_id uuid,
  signature_id uuid,
  campaign_id uuid,
  campaign_variant text,
  teammate_id uuid,
  email_id uuid,
  anchor_id text,
  country text,
  value numeric,
  currency text,
  distinct_id text,
  anonymous_id text,
  properties jsonb,
  primary key (workspace_id, recorded_at, id)
);

create table events (
  like event_tail,
  primary key (workspace_id, recorded_at, id)
) partition by range (recorded_at);

-- Events with the same event_id are recorded once. The API ('api') and web pages ('beacon') are separate, because any
-- visitor of a web page can send any event_id.
create table event_ids (
  workspace_id uuid not null references workspaces (id),
  event_id text not null,
  source text not null default 'api',
  recorded_at timestamptz(3) not null,
  primary key (workspace_id, event_id, source)
);

-- The users that anonymous visitors were identified as, and the traits of visitors. A web page cannot change data that
-- the API has sent.
create table visitor_identities (
  workspace_id uuid not null references workspaces (id),
  anonymous_id text not null,
  user_id text not null,
  source text not null default 'api',
  identified_at timestamptz(3) not null,
  primary key (workspace_id, anonymous_id)
);
create table visitor_traits (
  workspace_id uuid not null references workspaces (id),
  distinct_id text not null,
  traits jsonb not null,
  -- The traits that the API has sent.
  api_traits jsonb not null default '{}',
  updated_at timestamptz(3) not null,
  primary key (workspace_id, distinct_id)
);

alter table workspaces
  -- Whether the redirect of a click passes the click id to the target page.
  add column append_click_id boolean not null default true,
  -- Raw events older than this are deleted; the rollups stay. Null: raw events are never deleted.
  add column event_retention_days integer check (event_retention_days > 0);
