-- SCIM 2.0: users and groups as an identity provider has sent them.
create unique index integrations_one_scim on integrations (workspace_id) where kind = 'scim' and deleted_at is null;

create table scim_users (
  workspace_id uuid not null,
  integration_id uuid not null,
  id uuid not null,
  -- directory_people.external_id. Another id than that of the user, when the provider deletes a user and creates it anew.
  person_id uuid not null,
  -- As sent, without passwords; empty when the user is deleted.
  resource jsonb not null,
  user_name_key text not null,
  display_name_key text,
  external_id text,
  is_active boolean not null,
  email_keys text[] not null,
  work_email_keys text[] not null,
  manager_id text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- The row stays while directory_people knows the person, so that the person can come back.
  deleted_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, integration_id) references integrations (workspace_id, id) on delete cascade
);
create unique index scim_users_user_name on scim_users (workspace_id, integration_id, user_name_key)
  where deleted_at is null;
create unique index scim_users_person on scim_users (workspace_id, integration_id, person_id) where deleted_at is null;
create index scim_users_list on scim_users (workspace_id, integration_id, id) where deleted_at is null;
create index scim_users_external on scim_users (workspace_id, integration_id, external_id);
create index scim_users_emails on scim_users using gin (email_keys) where deleted_at is null;
create index scim_users_deleted on scim_users (workspace_id, integration_id, user_name_key)
  where deleted_at is not null;

create table scim_groups (
  workspace_id uuid not null,
  integration_id uuid not null,
  id uuid not null,
  -- As sent, without members: those are rows of directory_edges.
  resource jsonb not null,
  display_name_key text not null,
  external_id text,
  -- Members that the provider has named and not sent as users; the first ones.
  unknown_members text[] not null default '{}',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, integration_id) references integrations (workspace_id, id) on delete cascade
);
create unique index scim_groups_display_name on scim_groups (workspace_id, integration_id, display_name_key);
create index scim_groups_list on scim_groups (workspace_id, integration_id, id);
create index scim_groups_external on scim_groups (workspace_id, integration_id, external_id);
