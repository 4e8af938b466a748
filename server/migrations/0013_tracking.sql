-- Short numbers for the rows that a tracked address in a mail refers to: a token has room for numbers, not for ids.
create sequence workspace_numbers as integer;
alter table workspaces add column number integer not null default nextval('workspace_numbers') unique;

create sequence email_numbers as integer;
alter table emails add column number integer not null default nextval('email_numbers');
create unique index emails_number on emails (workspace_id, number);

-- The links of every signature, variant and campaign that was ever live; each change of them adds a row. Sent mails
-- refer to these rows, so no row is ever deleted, and there is no foreign key to rows that can be deleted.
create sequence tracked_source_numbers as integer;
create table tracked_sources (
  workspace_id uuid not null references workspaces (id),
  number integer not null default nextval('tracked_source_numbers'),
  kind text not null check (kind in ('signature', 'variant', 'campaign')),
  signature_id uuid,
  variant text,
  campaign_id uuid,
  campaign_variant text,
  -- Ordered: a token contains the position of its link.
  links jsonb not null,
  links_hash text not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, number)
);
create unique index tracked_sources_links on tracked_sources
  (workspace_id, links_hash, kind, signature_id, variant, campaign_id, campaign_variant) nulls not distinct;
