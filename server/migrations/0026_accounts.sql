-- People who sign in. An account belongs to the installation, not to a workspace: it would be a reference table in a
-- cluster, like members and api_keys.
create table accounts (
  id uuid primary key,
  email text not null,
  email_key text not null,
  name text not null,
  -- argon2id in PHC form; null while the account has no password.
  password_hash text,
  password_changed_at timestamptz(3),
  -- The language of mails and pages: 'en' or 'de'; null follows the browser.
  locale text check (locale in ('en', 'de')),
  -- When the person proved to read the mailbox of the address, or the operator vouched for the account. Null: until then
  -- the own ways in reach the workspace below alone.
  verified_at timestamptz(3),
  -- The workspace whose members were shown the invitation with which the password was chosen.
  origin_workspace_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create unique index accounts_email on accounts (email_key);

-- Members that existed before accounts: one account for each address.
alter table members
  add column account_id uuid references accounts (id),
  add column status text not null default 'active' check (status in ('active', 'invited')),
  add column last_seen_at timestamptz(3),
  -- Of the invitation's token; null once it was accepted.
  add column invitation_hash bytea,
  add column invitation_expires_at timestamptz(3),
  -- The token went to the address by mail, and no member has seen it.
  add column invitation_mailed boolean not null default false;
insert into accounts (id, email, email_key, name, created_at, updated_at)
select distinct on (email_key) id, email, email_key, name, created_at, updated_at
from members order by email_key, id;
update members set account_id = accounts.id from accounts where accounts.email_key = members.email_key;
alter table members alter column account_id set not null;
create unique index members_account on members (workspace_id, account_id);
create index members_of_account on members (account_id);
create unique index members_invitation on members (invitation_hash) where invitation_hash is not null;

-- One signed-in browser. Only the hash of the cookie's token is stored.
create table sessions (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  hash bytea not null,
  -- How the person signed in: 'password', 'link', 'passkey', 'oidc', 'saml', 'setup', 'invitation' or 'operator'.
  method text not null,
  -- Single sign-on: the workspace whose identity provider signed the person in.
  sso_workspace_id uuid,
  sso_connection_id uuid,
  -- True until the second factor was given: such a session can do nothing else.
  pending boolean not null,
  has_second_factor boolean not null,
  -- The workspace of the last request that chose one.
  workspace_id uuid,
  -- Shown in the list of sessions; never used for a decision.
  browser text not null,
  network text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  -- 30 days after the sign-in; 12 hours without a request end a session earlier.
  expires_at timestamptz(3) not null
);
create unique index sessions_hash on sessions (hash);
create index sessions_of_account on sessions (account_id);
create index sessions_age on sessions (last_used_at);

-- Links that work once: set-up, sign-in by mail, a new password.
create table sign_in_tokens (
  hash bytea primary key,
  kind text not null check (kind in ('setup', 'link', 'reset')),
  account_id uuid not null references accounts (id) on delete cascade,
  -- Of a cookie: a link by mail works only in the browser that asked for it.
  browser_hash bytea,
  -- The path to open after the sign-in.
  return_to text,
  created_at timestamptz(3) not null,
  -- A used link by mail stays until it expires: the audit log names the account when it is opened again.
  used_at timestamptz(3),
  expires_at timestamptz(3) not null
);
create index sign_in_tokens_age on sign_in_tokens (expires_at);
create index sign_in_tokens_of_account on sign_in_tokens (account_id);

-- Wrong passwords and codes, which count for 15 minutes. The key is the hash of an address that may have no account, or
-- of a client network: rows of both look alike.
create table sign_in_failures (
  key bytea not null,
  id uuid not null,
  failed_at timestamptz(3) not null,
  primary key (key, id)
);
create index sign_in_failures_age on sign_in_failures (failed_at);

-- Browsers from which an account has signed in: a sign-in from any other is announced by mail.
create table known_browsers (
  account_id uuid not null references accounts (id) on delete cascade,
  hash bytea not null,
  -- False while the identity provider of a workspace alone has signed the person in there. Strangers who guess passwords
  -- do not lock such a browser out when it is true.
  own_sign_in boolean not null,
  last_used_at timestamptz(3) not null,
  primary key (account_id, hash)
);

-- Stored answers belong to the credential: an API key or a session. Those of routes without a workspace have the id of
-- the account instead.
alter table idempotency_keys rename column api_key_id to credential_id;

-- Entries name the session as they name the API key.
alter table audit_log add column session_id uuid;
