-- Signatures with their versions, variants and recipients.
alter table signatures
  add column version_number integer not null default 0,
  -- The note of the next version: where its draft came from.
  add column draft_note text;
create index signatures_by_priority on signatures (workspace_id, priority, id);

create table signature_versions (
  workspace_id uuid not null,
  id uuid not null,
  signature_id uuid not null,
  number integer not null,
  content jsonb not null,
  note text,
  published_by text not null,
  published_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, signature_id) references signatures (workspace_id, id) on delete cascade
);
create unique index signature_versions_number on signature_versions (workspace_id, signature_id, number);

create table signature_variants (
  workspace_id uuid not null,
  signature_id uuid not null,
  kind text not null check (kind in ('reply', 'internal')),
  id uuid not null,
  activated boolean not null default false,
  hidden boolean not null default false,
  show_marketing_campaigns boolean not null default true,
  content jsonb,
  draft_content jsonb,
  last_published_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, signature_id, kind),
  foreign key (workspace_id, signature_id) references signatures (workspace_id, id) on delete cascade
);
create unique index signature_variants_id on signature_variants (workspace_id, id);

-- The rules that choose recipients, besides those chosen by hand. No row: no rule.
create table recipient_rules (
  workspace_id uuid not null,
  signature_id uuid not null,
  conditions jsonb not null,
  assign_to_all_future_emails boolean not null,
  primary key (workspace_id, signature_id),
  foreign key (workspace_id, signature_id) references signatures (workspace_id, id) on delete cascade
);

create table recipient_entities (
  workspace_id uuid not null,
  signature_id uuid not null,
  entity_id uuid not null,
  primary key (workspace_id, signature_id, entity_id),
  foreign key (workspace_id, signature_id) references signatures (workspace_id, id) on delete cascade,
  foreign key (workspace_id, entity_id) references integration_entities (workspace_id, id) on delete cascade
);
create index recipient_entities_by_entity on recipient_entities (workspace_id, entity_id);

create table integration_entity_members (
  workspace_id uuid not null,
  entity_id uuid not null,
  teammate_id uuid not null,
  primary key (workspace_id, entity_id, teammate_id),
  foreign key (workspace_id, entity_id) references integration_entities (workspace_id, id) on delete cascade,
  foreign key (workspace_id, teammate_id) references teammates (workspace_id, id)
);
create index integration_entity_members_by_teammate on integration_entity_members (workspace_id, teammate_id);

-- The addresses that each signature reaches, and why. Every change of values, addresses, rules and directories updates
-- the rows, so that lists, precedence and installation only read. A row has at least one reason.
create table recipients (
  workspace_id uuid not null,
  signature_id uuid not null,
  email_id uuid not null,
  by_hand boolean not null default false,
  by_future boolean not null default false,
  by_rule boolean not null default false,
  entity_ids uuid[] not null default '{}',
  primary key (workspace_id, signature_id, email_id),
  foreign key (workspace_id, signature_id) references signatures (workspace_id, id) on delete cascade,
  foreign key (workspace_id, email_id) references emails (workspace_id, id)
);
create index recipients_by_email on recipients (workspace_id, email_id, signature_id);
create index recipients_by_hand on recipients (workspace_id, signature_id) where by_hand;

alter table content_references
  drop constraint content_references_holder_kind_check,
  add constraint content_references_holder_kind_check
    check (holder_kind in ('signature', 'variant', 'version', 'campaign', 'rule'));
create index content_references_by_signature on content_references (workspace_id, signature_id);
