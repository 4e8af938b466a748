import { audited, auditedInsert } from '#features/workspace/audit-log/index.ts'
import { type ListResult, limitOffset, listAsJson, listRows, type PageQuery } from '#kernel/api/pagination.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { newRow } from '#kernel/base/ids.ts'
import { type Db, empty, type Sql, sql } from '#kernel/db/db.ts'
import { iso } from '#kernel/db/text.ts'
import type { Capability } from './kinds.ts'

/** The error of the directory comes before that of the channel: its message names what an admin has to decide. */
const shape = sql`
  id, kind, name, case when coalesce(sync_error_since, error_since) is null then 'active' else 'error' end as status,
  coalesce(sync_error_message, error_message) as error_message,
  ${iso(sql`coalesce(sync_error_since, error_since)`)} as error_since, dashboard_url, capabilities, settings,
  ${iso(sql`last_synced_at`)} as last_synced_at, ${iso(sql`next_sync_at`)} as next_sync_at, people_count, held_run_id,
  ${iso(sql`created_at`)} as created_at, ${iso(sql`updated_at`)} as updated_at`
const entityShape = sql`e.id, e.name, e.sub_kind, e.teammates_count, e.integration_id`

/** Finds the integration of the entity `e` while it is connected. */
const connectedIntegration = (workspaceId: string): Sql => sql`
  select from integrations i where i.workspace_id = ${workspaceId} and i.id = e.integration_id and i.deleted_at is null`

export function listIntegrations(db: Db, workspaceId: string, page: PageQuery): Promise<ListResult> {
  const connected = sql`from integrations where workspace_id = ${workspaceId} and deleted_at is null`
  return listRows(db, page, shape, connected)
}

export const findIntegration = (db: Db, workspaceId: string, id: string) =>
  db.first<object>(
    sql`select ${shape} from integrations where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null`,
  )

export function listEntities(
  db: Db,
  workspaceId: string,
  page: PageQuery,
  integrationId?: string,
): Promise<ListResult> {
  const ofIntegration = integrationId ? sql`and e.integration_id = ${integrationId}` : empty
  const matching = sql`
    from integration_entities e
    where e.workspace_id = ${workspaceId} ${ofIntegration} and not e.is_gone and exists (${connectedIntegration(workspaceId)})`
  return listAsJson(
    db,
    page,
    sql`select ${entityShape} ${matching} order by e.id desc ${limitOffset(page)}`,
    sql`select count(*) ${matching}`,
  )
}

export const findEntity = (db: Db, workspaceId: string, id: string) =>
  db.first<object>(
    sql`
      select ${entityShape} from integration_entities e
      where e.workspace_id = ${workspaceId} and e.id = ${id} and exists (${connectedIntegration(workspaceId)})`,
  )

/** The connected directory that decides who is a teammate, if there is one. */
export const drivingDirectory = (db: Db, workspaceId: string) =>
  db.first<{ readonly id: string; readonly name: string; readonly dashboard_url: string | null }>(sql`
    select id, name, dashboard_url from integrations
    where workspace_id = ${workspaceId} and drives_teammates and deleted_at is null limit 1`)

/** Runs after the insert, because the secret is encrypted with the id of its integration. */
export const saveSecret = (tx: Db, workspaceId: string, id: string, secret: Buffer) =>
  tx.query(sql`update integrations set secret = ${secret} where workspace_id = ${workspaceId} and id = ${id}`)

interface SealedSecret {
  readonly workspace_id: string
  readonly id: string
  readonly name: string
  readonly secret: Buffer
}

/** The encrypted secrets of all workspaces. */
export const sealedSecrets = (db: Db) =>
  db.query<SealedSecret>(sql`
    select workspace_id, id, name, secret from integrations where secret is not null and deleted_at is null
    order by workspace_id, id`)

/** Changes nothing when the secret was replaced meanwhile. */
export const resealSecret = (db: Db, workspaceId: string, id: string, before: Buffer, after: Buffer) =>
  db.query(sql`
    update integrations set secret = ${after}
    where workspace_id = ${workspaceId} and id = ${id} and secret = ${before}`)

export interface NewIntegration {
  readonly kind: string
  readonly name: string
  readonly dashboardUrl: string | null
  readonly drivesTeammates: boolean
  /** A channel unless given. */
  readonly capabilities?: readonly Capability[]
  readonly settings?: object
}

export async function insertIntegration(db: Db, by: Caller, integration: NewIntegration): Promise<string> {
  const { id, now } = newRow()
  const insert = sql`
    insert into integrations (workspace_id, id, kind, name, dashboard_url, drives_teammates, capabilities, settings, created_at,
      updated_at)
    values (${by.workspaceId}, ${id}, ${integration.kind}, ${integration.name}, ${integration.dashboardUrl},
      ${integration.drivesTeammates}, ${integration.capabilities ?? ['channel']}::text[],
      ${JSON.stringify(integration.settings ?? {})}, ${now}, ${now})`
  await db.query(auditedInsert(by, 'integration.connected', id, insert))
  return id
}

/** An integration as channels, directories and commands read it. */
export interface ConnectedIntegration {
  readonly id: string
  readonly kind: string
  readonly name: string
  readonly capabilities: readonly Capability[]
  readonly settings: Readonly<Record<string, unknown>>
  readonly secret: Buffer | null
  readonly has_error: boolean
}

const connectedColumns = sql`
  id, kind, name, capabilities, settings, secret, coalesce(sync_error_since, error_since) is not null as has_error`

export const connectedIntegrations = (db: Db, workspaceId: string) =>
  db.query<ConnectedIntegration>(sql`
    select ${connectedColumns} from integrations
    where workspace_id = ${workspaceId} and deleted_at is null
    order by id`)

export const findConnected = (db: Db, workspaceId: string, id: string) =>
  db.first<ConnectedIntegration>(sql`
    select ${connectedColumns} from integrations
    where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null`)

/** One change of an integration at a time. */
export const lockConnected = (tx: Db, workspaceId: string, id: string) =>
  tx.first<ConnectedIntegration>(sql`
    select ${connectedColumns} from integrations
    where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null
    for no key update`)

interface IntegrationUpdate {
  readonly name: string
  readonly capabilities: readonly Capability[]
  readonly drivesTeammates: boolean
  readonly settings: object
  /** True if a run can apply the settings to the people who are there. */
  readonly startsRun: boolean
}

/** The next run reads everything, because other settings can mean other people. */
export async function updateIntegration(
  tx: Db,
  by: Caller,
  id: string,
  { name, capabilities, drivesTeammates, settings, startsRun }: IntegrationUpdate,
): Promise<void> {
  const now = new Date()
  const isRead = startsRun && capabilities.includes('directory')
  const update = sql`
    update integrations set name = ${name}, capabilities = ${capabilities}::text[], drives_teammates = ${drivesTeammates},
      settings = ${JSON.stringify(settings)}, cursor = null,
      next_sync_at = case when last_synced_at is not null and ${isRead}::boolean then ${now}::timestamptz end,
      updated_at = ${now}
    where workspace_id = ${by.workspaceId} and id = ${id}
    returning id`
  await tx.query(audited(by, 'integration.updated', update))
}

/** Channels of these kinds, in all workspaces. */
export const integrationsOfKinds = (db: Db, kinds: readonly string[]) =>
  db.query<{ readonly workspace_id: string; readonly id: string; readonly kind: string }>(sql`
    select workspace_id, id, kind from integrations
    where kind = any(${kinds}::text[]) and 'channel' = any(capabilities) and deleted_at is null`)

/** True if the workspace delivers signatures through one of these kinds. */
export const hasChannelOfKinds = (db: Db, workspaceId: string, kinds: readonly string[]) =>
  db.hasRows(sql`
    select from integrations
    where workspace_id = ${workspaceId} and kind = any(${kinds}::text[]) and 'channel' = any(capabilities)
      and deleted_at is null
    limit 1`)

/** Stores an error and when it began; null clears both. Undefined when nothing changed. */
export async function updateError(
  tx: Db,
  workspaceId: string,
  id: string,
  message: string | null,
): Promise<{ readonly kind: string; readonly name: string } | undefined> {
  const now = new Date()
  return tx.first<{ kind: string; name: string }>(sql`
    update integrations
    set error_message = ${message}, error_since = case when ${message}::text is null then null else coalesce(error_since, ${now}) end,
      updated_at = ${now}
    where workspace_id = ${workspaceId} and id = ${id} and error_message is distinct from ${message}
    returning kind, name`)
}

export async function markDisconnected(db: Db, by: Caller, id: string): Promise<boolean> {
  const now = new Date()
  const remove = sql`
    update integrations set deleted_at = ${now}, secret = null, cursor = null, next_sync_at = null, updated_at = ${now}
    where workspace_id = ${by.workspaceId} and id = ${id} and deleted_at is null
    returning id`
  return db.hasRows(audited(by, 'integration.disconnected', remove))
}

export const hasIntegration = (db: Db, workspaceId: string, name: string) =>
  db.hasRows(
    sql`select from integrations where workspace_id = ${workspaceId} and name = ${name} and deleted_at is null limit 1`,
  )
