-- Single sign-on: the identity providers of a workspace.
create table sso_connections (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  kind text not null check (kind in ('oidc', 'saml')),
  name text not null,
  active boolean not null,
  -- OIDC: the issuer. SAML: the entity id of the provider.
  issuer text not null,
  -- OIDC alone.
  client_id text,
  -- Sealed by the vault.
  client_secret bytea,
  scopes text[] not null,
  -- SAML alone.
  sso_url text,
  -- PEM. Several while the provider changes its certificate.
  certificates text[] not null,
  metadata_url text,
  idp_initiated boolean not null,
  -- The claims or attributes that hold the address and the groups; null: the usual names, and no groups.
  email_claim text,
  group_claim text,
  -- [{"group": "…", "role": "admin"}]
  group_roles jsonb not null,
  -- Null: a person without a mapped group is refused.
  default_role text check (default_role in ('admin', 'manager', 'member')),
  -- In lower case.
  allowed_domains text[] not null,
  -- Addresses of these domains count as verified, although the provider does not say so.
  trust_email boolean not null,
  just_in_time boolean not null,
  -- The owner or the operator has set what decides which persons the provider can name. Only then does it sign the owner
  -- in: another member could name the owner.
  owner_trusted boolean not null,
  -- The last check without a failed step, and the last sign-in; null after a change of what they depend on.
  tested_at timestamptz(3),
  last_sign_in_at timestamptz(3),
  last_refusal_code text,
  last_refusal_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id)
);

-- Which member a subject of a provider is. The rows of a workspace are of use in this workspace alone: another one can
-- configure a provider with the same name and certificates of its own.
create table sso_identities (
  workspace_id uuid not null,
  kind text not null,
  issuer text not null,
  -- Of the subject, which can have any length.
  subject_hash bytea not null,
  member_id uuid not null,
  -- The member came by this link alone, without an invitation.
  just_in_time boolean not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  primary key (workspace_id, kind, issuer, subject_hash),
  foreign key (workspace_id, member_id) references members (workspace_id, id) on delete cascade
);
create unique index sso_identities_member on sso_identities (workspace_id, member_id, kind, issuer);

-- Sign-ins that are under way at a provider.
create table sso_attempts (
  workspace_id uuid not null,
  -- Of `state` (OIDC) or RelayState (SAML).
  hash bytea not null,
  connection_id uuid not null,
  -- Of a cookie: another browser cannot finish the sign-in.
  browser_hash bytea not null,
  -- OIDC: nonce and verifier. SAML: the id of the request.
  nonce text not null,
  code_verifier text,
  return_to text not null,
  -- SAML: what the checked assertion says. It arrives in a request without cookies; the next request has them.
  person jsonb,
  expires_at timestamptz(3) not null,
  primary key (workspace_id, hash)
);
create index sso_attempts_age on sso_attempts (expires_at);

-- Assertions that were used, until they expire: each works once.
create table sso_used_assertions (
  workspace_id uuid not null,
  hash bytea not null,
  expires_at timestamptz(3) not null,
  primary key (workspace_id, hash)
);
create index sso_used_assertions_age on sso_used_assertions (expires_at);

-- How members of a workspace must sign in. A workspace without a row insists on nothing.
create table sign_in_policies (
  workspace_id uuid not null references workspaces (id),
  sso_required boolean not null,
  second_factor_required boolean not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id)
);
