// Statements whose tables are not all of one given workspace, by how they begin, and why.

/** Of jobs and commands, about all workspaces: each runs on every node of a cluster. Requests have none. */
export const wholeInstallation: Readonly<Record<string, string>> = {
  'select distinct workspace_id from tally_changes': 'the job folds totals workspace by workspace',
  'select distinct workspace_id from marketing_campaigns':
    'the job looks for campaigns with a due start or end',
  'select distinct workspace_id from banner_reaches': 'the job looks for banners that change',
  'select distinct workspace_id, content_hash from asset_byte_leases': 'the job looks for failed uploads',
  'select a.workspace_id, a.id from assets a where': 'the job looks for bytes to remove',
  'select workspace_id, id from integrations where kind = any': 'the job looks for directories of a kind',
  'select workspace_id, id from integrations where next_sync_at': 'the job looks for due runs',
  'select workspace_id, id, kind from integrations': 'the job looks for connections to deliver through',
  'select workspace_id, id, name, secret from integrations': 'the command seals secrets with a new key',
  "select workspace_id, id, 'deployment token ' ||": 'the command seals tokens with a new key',
  'select workspace_id, id, url as name, secret from webhooks': 'the command seals secrets with a new key',
  'select i.workspace_id, i.id, i.settings, i.secret,': 'the relay serves all workspaces',
  "select issued ->> 'issuerCode' as code from financial_documents":
    'the command looks for a prefix that another issuer has used',
  'insert into seat_days as stored': 'the job counts the seats of all workspaces',
  'delete from idempotency_keys where created_at': 'the job deletes stored answers by age',
  'delete from imports where created_at': 'the job deletes imports by age',
  'delete from directory_people where state': 'the job deletes records of people who are gone by age',
  'delete from sync_runs r where r.status': 'the job deletes runs by age',
  'delete from installation_troubles where at': 'the job deletes troubles by age',
  'select distinct workspace_id from relay_messages': 'the job deletes old messages workspace by workspace',
  'delete from sso_attempts where expires_at': 'the job deletes sign-ins by age',
  'delete from sso_used_assertions where expires_at': 'the job deletes assertions by age',
  'delete from scim_users u where u.deleted_at':
    'the job deletes users without a person, joined by workspace',
  'select workspace_id as "workspaceId", id as "webhookId",': 'the sender of webhooks looks for pending ones',
  'select count(*)::int as n from webhook_deliveries where due_at': 'a metric of the installation',
}

/** Of one workspace, and right in a cluster, but on all its nodes: the fast form for one PostgreSQL is kept. */
export const onEveryNode: Readonly<Record<string, string>> = {
  'with groups as materialized ( select coalesce(i.user_id':
    'with a constant, PostgreSQL without statistics expects one identity and compares each event with all of them',
  'with seen as materialized ( select coalesce(i.user_id': 'the same',
  'select t.workspace_id as "workspaceId", t.integration_id as "integrationId"':
    'a deployment token of Outlook names no workspace; the answer is cached',
  'select i.id, i.settings,': 'two relays of an installation must not claim the same senders',
  'select t.id, t.sealed from deployment_tokens t join integrations i':
    'the list of scripts that Outlook may run with sign-in is one of the whole host',
}
