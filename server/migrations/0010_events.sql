-- What happened to signatures: views, clicks, and what integrators tell. An event is written to the tail and answered
-- after its commit; folding moves it into its month and adds it to the rollups, in one transaction. Whoever reads adds
-- the tail, so that nothing is ever missing or counted twice.
create table event_tail (
  workspace_id uuid not null,
  recorded_at timestamptz(3) not null,
  -- A UUIDv7 made at recorded_at: whoever knows the id knows where to look.
  id uuid not null,
  name text not null,
  -- 'counted', or why it is left out of totals: bot, scanner, prefetch, head.
  outcome text not null,
  -- The click that brought the visitor; of a click, itself.
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

-- What is sent under the same event_id is recorded once: by the API ('api'), and apart from that by web pages
-- ('beacon'), where anybody may send anything.
create table event_ids (
  workspace_id uuid not null references workspaces (id),
  event_id text not null,
  source text not null default 'api',
  recorded_at timestamptz(3) not null,
  primary key (workspace_id, event_id, source)
);

-- Who an anonymous visitor turned out to be, and what is known of visitors. What the API told, no web page changes.
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
  -- Those of them that the API told.
  api_traits jsonb not null default '{}',
  updated_at timestamptz(3) not null,
  primary key (workspace_id, distinct_id)
);

alter table workspaces
  -- Whether a click tells the page it leads to which click it was.
  add column append_click_id boolean not null default true,
  -- Raw events older than this go; the rollups stay. Null keeps them.
  add column event_retention_days integer check (event_retention_days > 0);
