-- Which values people change themselves, and whether a manager approves the change.
alter table smart_fields
  add column editable_by_owner boolean not null default false,
  add column approval text not null default 'none' check (approval in ('none', 'required'));

-- A change of a value that a person has asked for. Values are stored like those of smart_field_values: a picture is an
-- asset with the part of it that is shown. Rows are deleted with the person and with the field.
create table profile_changes (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  teammate_id uuid not null,
  smart_field_id uuid not null,
  status text not null check (status in ('pending', 'approved', 'rejected')),
  -- The value when the person asked, what the person asked for, and the value that the decision found.
  before_value text,
  before_asset_id uuid,
  before_crop real[] check (array_length(before_crop, 1) = 4),
  after_value text,
  after_asset_id uuid,
  after_crop real[] check (array_length(after_crop, 1) = 4),
  found_value text,
  found_asset_id uuid,
  found_crop real[] check (array_length(found_crop, 1) = 4),
  reason text,
  -- 'personal_page' or 'mcp'; null for the API.
  requested_via text,
  requested_at timestamptz(3) not null,
  decided_at timestamptz(3),
  decided_by uuid,
  -- When the mail about the decision was begun.
  mail_begun_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, teammate_id) references teammates (workspace_id, id),
  constraint profile_changes_field
    foreign key (workspace_id, smart_field_id) references smart_fields (workspace_id, id) on delete cascade,
  foreign key (workspace_id, before_asset_id) references assets (workspace_id, id),
  foreign key (workspace_id, after_asset_id) references assets (workspace_id, id),
  foreign key (workspace_id, found_asset_id) references assets (workspace_id, id)
);
-- A newer request for the same field replaces the pending one.
create unique index profile_changes_pending on profile_changes (workspace_id, teammate_id, smart_field_id)
  where status = 'pending';
create index profile_changes_status on profile_changes (workspace_id, status, id);
create index profile_changes_teammate on profile_changes (workspace_id, teammate_id, id);
create index profile_changes_field on profile_changes (workspace_id, smart_field_id);
create index profile_changes_before on profile_changes (workspace_id, before_asset_id) where before_asset_id is not null;
create index profile_changes_after on profile_changes (workspace_id, after_asset_id) where after_asset_id is not null;
create index profile_changes_found on profile_changes (workspace_id, found_asset_id) where found_asset_id is not null;

-- After so many days the link of a personal page asks for a fresh one by mail; null: never.
alter table workspaces add column personal_page_link_days integer check (personal_page_link_days > 0);
-- The token before the current one, when it was replaced because of its age: it leads to the button for a fresh link.
alter table personal_pages add column previous_token text;
create unique index personal_pages_previous_token on personal_pages (workspace_id, previous_token)
  where previous_token is not null;
