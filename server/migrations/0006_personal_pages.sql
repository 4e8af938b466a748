-- The private page of an address, where its owner sees the signature and copies it. Made when somebody first asks for its
-- address; another token takes the place of the old one, which then leads nowhere.
create table personal_pages (
  workspace_id uuid not null,
  email_id uuid not null,
  token text not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, email_id),
  foreign key (workspace_id, email_id) references emails (workspace_id, id)
);
create unique index personal_pages_token on personal_pages (workspace_id, token);
