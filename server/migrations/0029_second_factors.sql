-- Second factors of accounts. Like accounts, these tables belong to the installation, not to a workspace.

-- An authenticator app (RFC 6238). An account has at most one.
create table totp_secrets (
  account_id uuid primary key references accounts (id) on delete cascade,
  -- Sealed by the vault, with the account's id as context.
  secret bytea not null,
  -- Null until the account has shown a code: an app that was never confirmed is not a factor.
  confirmed_at timestamptz(3),
  -- The time step of the last accepted code. Codes of this step and of earlier ones are refused.
  last_step bigint,
  created_at timestamptz(3) not null
);

-- Codes that stand in for a second factor, once each. A used code is deleted.
create table recovery_codes (
  account_id uuid not null references accounts (id) on delete cascade,
  -- SHA-256 of the account's id and the code, which has 80 random bits.
  hash bytea not null,
  created_at timestamptz(3) not null,
  primary key (account_id, hash)
);

create table passkeys (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  name text not null,
  -- Chosen by the authenticator.
  credential_id bytea not null,
  -- In the form of COSE.
  public_key bytea not null,
  -- Of the authenticator; 0 for those that do not count. A value that does not grow means a copy of the passkey.
  counter bigint not null,
  transports text[] not null,
  -- True when the passkey is synchronised between devices.
  is_backed_up boolean not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);
create unique index passkeys_credential on passkeys (credential_id);
create index passkeys_of_account on passkeys (account_id);

-- Challenges that authenticators sign: each is valid for five minutes, once, in the browser that asked for it.
create table passkey_challenges (
  hash bytea primary key,
  purpose text not null check (purpose in ('sign_in', 'second_factor', 'registration')),
  -- Null for a sign-in: the passkey says whose it is.
  account_id uuid references accounts (id) on delete cascade,
  browser_hash bytea not null,
  expires_at timestamptz(3) not null
);
create index passkey_challenges_age on passkey_challenges (expires_at);

-- A link that the operator made: it signs in even where single sign-on is required, and can remove second factors.
alter table sign_in_tokens
  add column by_operator boolean not null default false,
  add column removes_second_factors boolean not null default false;

-- Mails with links that were asked for, in windows of an hour that begin with the first one. The key is the hash of an
-- address or of a client network.
create table sign_in_mail_counts (
  key bytea primary key,
  window_start timestamptz(3) not null,
  mails int not null
);
create index sign_in_mail_counts_age on sign_in_mail_counts (window_start);
