-- Members who were removed: the audit log goes on naming them. Their rows leave `members`, so that no query can take a
-- removed member for a present one.
create table former_members (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  -- An account that is not used any more can be deleted.
  account_id uuid not null,
  name text not null,
  email text not null,
  email_key text not null,
  removed_at timestamptz(3) not null,
  primary key (workspace_id, id)
);
create index former_members_account on former_members (workspace_id, account_id);
create index former_members_email on former_members (workspace_id, email_key);

-- Deleted API keys stay for the audit log, also those of removed members.
alter table api_keys drop constraint api_keys_workspace_id_member_id_fkey;

-- The member whose invitation waits; null when the command line or a directory invited. Accepting compares the role
-- that was offered with the role that the inviter has then.
alter table members
  add column invited_by uuid,
  -- The first single sign-on made the member: neither the person nor the operator has taken the account into use.
  add column just_in_time boolean not null default false;
