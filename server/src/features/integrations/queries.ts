import { type Db, empty, iso, newRow, type Sql, sql } from '../../kernel/db.ts'
import { type Listed, listed, type PageQuery, window } from '../../kernel/pagination.ts'
import type { Caller } from '../../kernel/scopes.ts'
import { audited } from '../audit-log/index.ts'

const shape = sql`
  id, kind, name, case when error_since is null then 'active' else 'error' end as status, error_message,
  ${iso(sql`error_since`)} as error_since, dashboard_url, ${iso(sql`created_at`)} as created_at, ${iso(sql`updated_at`)} as updated_at`
const entityShape = sql`e.id, e.name, e.sub_kind, e.teammates_count, e.integration_id`

/** Of the integration that an entity `e` belongs to. */
const connected = (workspaceId: string): Sql => sql`
  select from integrations i where i.workspace_id = ${workspaceId} and i.id = e.integration_id and i.deleted_at is null`

export function listIntegrations(db: Db, workspaceId: string, page: PageQuery): Promise<Listed> {
  const living = sql`from integrations where workspace_id = ${workspaceId} and deleted_at is null`
  return listed(
    db,
    page,
    sql`select ${shape} ${living} order by id desc ${window(page)}`,
    sql`select count(*) ${living}`,
  )
}

export async function findIntegration(db: Db, workspaceId: string, id: string): Promise<object | undefined> {
  const [found] = await db.query<object>(
    sql`select ${shape} from integrations where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null`,
  )
  return found
}

export function listEntities(
  db: Db,
  workspaceId: string,
  page: PageQuery,
  integrationId?: string,
): Promise<Listed> {
  const only = integrationId ? sql`and e.integration_id = ${integrationId}` : empty
  const chosen = sql`
    from integration_entities e
    where e.workspace_id = ${workspaceId} ${only} and exists (${connected(workspaceId)})`
  return listed(
    db,
    page,
    sql`select ${entityShape} ${chosen} order by e.id desc ${window(page)}`,
    sql`select count(*) ${chosen}`,
  )
}

export async function findEntity(db: Db, workspaceId: string, id: string): Promise<object | undefined> {
  const [found] = await db.query<object>(
    sql`
      select ${entityShape} from integration_entities e
      where e.workspace_id = ${workspaceId} and e.id = ${id} and exists (${connected(workspaceId)})`,
  )
  return found
}

interface Directory {
  readonly name: string
  readonly dashboard_url: string | null
}

/** The connected directory that decides who is a teammate, if there is one. */
export async function drivingDirectory(db: Db, workspaceId: string): Promise<Directory | undefined> {
  const [directory] = await db.query<Directory>(sql`
    select name, dashboard_url from integrations
    where workspace_id = ${workspaceId} and drives_teammates and deleted_at is null limit 1`)
  return directory
}

export const isDirectoryDriven = async (db: Db, workspaceId: string): Promise<boolean> =>
  (await drivingDirectory(db, workspaceId)) !== undefined

export interface NewIntegration {
  readonly kind: string
  readonly name: string
  readonly dashboardUrl: string | null
  readonly drivesTeammates: boolean
}

export async function insertIntegration(db: Db, by: Caller, integration: NewIntegration): Promise<string> {
  const { id, now } = newRow()
  const insert = sql`
    insert into integrations (workspace_id, id, kind, name, dashboard_url, drives_teammates, created_at, updated_at)
    values (${by.workspaceId}, ${id}, ${integration.kind}, ${integration.name}, ${integration.dashboardUrl},
      ${integration.drivesTeammates}, ${now}, ${now})
    returning id`
  await db.query(audited(by, 'integration.connected', insert))
  return id
}

export interface NewEntity {
  readonly name: string
  readonly subKind: string
  readonly teammatesCount: number
}

export async function insertEntities(
  db: Db,
  workspaceId: string,
  integrationId: string,
  entities: readonly NewEntity[],
): Promise<void> {
  const rows = entities.map(entity => ({ ...newRow(), ...entity }))
  await db.query(sql`
    insert into integration_entities (workspace_id, id, integration_id, name, sub_kind, teammates_count, created_at, updated_at)
    select ${workspaceId}::uuid, e.id, ${integrationId}::uuid, e.name, e.sub_kind, e.teammates_count, e.created_at, e.created_at
    from unnest(${rows.map(row => row.id)}::uuid[], ${rows.map(row => row.name)}::text[], ${rows.map(row => row.subKind)}::text[],
      ${rows.map(row => row.teammatesCount)}::int[], ${rows.map(row => row.now)}::timestamptz[])
      as e (id, name, sub_kind, teammates_count, created_at)`)
}

export async function hasIntegration(db: Db, workspaceId: string, name: string): Promise<boolean> {
  const rows = await db.query(
    sql`select from integrations where workspace_id = ${workspaceId} and name = ${name} and deleted_at is null limit 1`,
  )
  return rows.length > 0
}
