-- Views and clicks, counted by what they belong to: for each dimension, key and span of days that begins on `day`.
-- Spans are of 1, 8 and 64 days, counted from 1970 on, so that any year is a dozen of them. There is no cross of two
-- dimensions: it would have nearly as many rows as there are events. Only folding writes here, in the transaction that
-- moves the events.
create table event_counts (
  workspace_id uuid not null,
  dimension text not null,
  key text collate "C" not null,
  span smallint not null,
  day date not null,
  views bigint not null,
  clicks bigint not null,
  primary key (workspace_id, dimension, key, span, day)
) with (fillfactor = 85);
create index event_counts_by_day on event_counts (workspace_id, dimension, span, day);

-- Views and clicks per hour, of the whole workspace.
create table event_hours (
  workspace_id uuid not null,
  hour timestamptz(0) not null,
  views bigint not null,
  clicks bigint not null,
  primary key (workspace_id, hour)
) with (fillfactor = 85);

-- The names that deleted things had.
create table analytics_labels (
  workspace_id uuid not null,
  kind text not null,
  id text collate "C" not null,
  label text not null,
  primary key (workspace_id, kind, id)
);

-- kind 'kept_since': raw events of earlier days were deleted, all or some of them; their counts stay.
create table event_marks (
  workspace_id uuid not null,
  kind text not null,
  day date not null,
  primary key (workspace_id, kind)
);

-- For the filters of the lists, with the columns that counting reads. Most events are views, found by recorded_at.
create index events_told on events (workspace_id, recorded_at, id) include (outcome)
  where name <> '$view' and name <> '$click';
create index events_by_name on events (workspace_id, name, recorded_at, id) include (outcome) where name <> '$view';
create index events_by_visitor on events (workspace_id, distinct_id, recorded_at, id) include (name, outcome)
  where distinct_id is not null;
create index events_left_out on events (workspace_id, outcome, recorded_at, id) include (name) where outcome <> 'counted';
create index visitor_identities_by_user on visitor_identities (workspace_id, user_id);
create index events_by_signature on events (workspace_id, signature_id, recorded_at) where signature_id is not null;
create index events_by_campaign on events (workspace_id, campaign_id, recorded_at) where campaign_id is not null;
create index events_by_teammate on events (workspace_id, teammate_id, recorded_at) where teammate_id is not null;

-- Every row is deleted within seconds: autovacuum runs after a number of deleted rows, and does not take the lock that
-- truncating needs.
alter table event_tail set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
  autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off);
