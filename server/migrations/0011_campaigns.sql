-- Marketing campaigns: banners with a start and an end.
create table marketing_campaigns (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  name text not null,
  status text not null check (status in ('draft', 'scheduled', 'active', 'paused', 'ended')),
  send_email boolean not null,
  content jsonb,
  -- Contents to be compared: [{id, name, content, weight}]. Empty: only `content` is shown.
  variants jsonb not null,
  smart_fields_conditions jsonb not null,
  start_time timestamptz(3),
  end_time timestamptz(3),
  time_zone text not null,
  -- When it last went live: of several live campaigns, the latest is shown.
  started_at timestamptz(3),
  -- When its recipients were mailed, which happens once.
  mailed_at timestamptz(3),
  -- All its signatures were deleted: until others are chosen, the campaign has no recipients.
  lost_targets boolean not null,
  -- When its schedule changes its status next.
  turns_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id)
);
create index marketing_campaigns_by_status on marketing_campaigns (workspace_id, status, id);
create index marketing_campaigns_turning on marketing_campaigns (workspace_id, turns_at) where turns_at is not null;

-- The signatures that a campaign is for. None: all.
create table campaign_signatures (
  workspace_id uuid not null,
  campaign_id uuid not null,
  signature_id uuid not null,
  primary key (workspace_id, campaign_id, signature_id),
  foreign key (workspace_id, campaign_id) references marketing_campaigns (workspace_id, id) on delete cascade,
  foreign key (workspace_id, signature_id) references signatures (workspace_id, id) on delete cascade
);
create index campaign_signatures_by_signature on campaign_signatures (workspace_id, signature_id);

-- The teammates who are mailed about a campaign. The mail job does not begin a mail again that has begun_at.
create table campaign_mails (
  workspace_id uuid not null,
  campaign_id uuid not null,
  teammate_id uuid not null,
  email_id uuid not null,
  queued_at timestamptz(3) not null,
  begun_at timestamptz(3),
  primary key (workspace_id, campaign_id, teammate_id),
  foreign key (workspace_id, campaign_id) references marketing_campaigns (workspace_id, id) on delete cascade
);
