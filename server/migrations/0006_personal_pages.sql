-- The private page of an address, where its owner sees the signature and copies it. The row is created when the
-- address of the page is first requested. A new token replaces the old one, and the old address stops working.
create table personal_pages (
  workspace_id uuid not null,
  email_id uuid not null,
  token text not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, email_id),
  foreign key (workspace_id, email_id) references emails (workspace_id, id)
);
create unique index personal_pages_token on personal_pages (workspace_id, token);
