-- Marketing campaigns: banners that come and go on time.
create table marketing_campaigns (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  name text not null,
  status text not null check (status in ('draft', 'scheduled', 'active', 'paused', 'ended')),
  send_email boolean not null,
  content jsonb,
  -- Several contents to be compared: [{id, name, content, weight}]. Empty: `content` alone.
  variants jsonb not null,
  smart_fields_conditions jsonb not null,
  start_time timestamptz(3),
  end_time timestamptz(3),
  time_zone text not null,
  -- When it last went live: of several, the last one is shown.
  started_at timestamptz(3),
  -- When the people it reached were mailed; that happens once.
  mailed_at timestamptz(3),
  -- The signatures that it was for were deleted: until others are chosen it is for nobody.
  lost_targets boolean not null,
  -- When time alone will change its status next.
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

-- Who was mailed about a campaign. A mail that was begun is never begun again, whatever became of it.
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
