-- The brand of a workspace: what templates are filled with. No row: nothing was set yet.
create table brands (
  workspace_id uuid not null references workspaces (id),
  logo_asset_id uuid,
  -- Only the colours that were set: primary, text, muted, link.
  colors jsonb not null default '{}',
  font_family text,
  website text,
  address text,
  social jsonb not null default '[]',
  legal text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id),
  foreign key (workspace_id, logo_asset_id) references assets (workspace_id, id)
);

alter table content_references
  drop constraint content_references_holder_kind_check,
  add constraint content_references_holder_kind_check
    check (holder_kind in ('signature', 'variant', 'version', 'campaign', 'rule', 'brand'));
