import { type ListResult, limitOffset, listAsJson, type PageQuery } from '#kernel/api/pagination.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { orderBy, type SortColumns, type SortQuery } from '#kernel/api/sorting.ts'
import { firstIdAt, newRow, rowAt } from '#kernel/base/ids.ts'
import { type Db, empty, type Sql, sql } from '#kernel/db/db.ts'
import { rows } from '#kernel/db/rows.ts'
import { type Tally, tally } from '#kernel/db/tallies.ts'
import { iso } from '#kernel/db/text.ts'
import { resourceName } from './resource-names/queries.ts'

const entryColumns = sql`
  (workspace_id, id, member_id, api_key_id, session_id, action, resource_id, request_id, via, created_at)`

/**
 * Wraps a statement that changes one row (and returns at least its `id`). The change, its audit entry and the changed
 * totals become one statement: none can be forgotten or lost, and it needs one round trip. It returns the `id`, or what
 * `result` reads from `changed`: there dates can be written and other tables read. (In a cluster, RETURNING can do
 * neither, and a `result` takes half as long again.)
 */
export function audited(
  by: Caller,
  action: string,
  change: Sql,
  totals?: Partial<Record<Tally, number>>,
  result?: Sql,
): Sql {
  const { id, now } = newRow()
  const counted = totals ? sql`, counted as (${tally(by.workspaceId, totals, sql`changed`)})` : empty
  const entry = sql`
    insert into audit_log ${entryColumns}
    select ${by.workspaceId}::uuid, ${id}::uuid, ${by.actorId}::uuid, ${by.apiKeyId}::uuid, ${by.sessionId}::uuid, ${action},
      changed.id, ${by.requestId}, ${by.via}, ${now}::timestamptz
    from changed`
  return result
    ? sql`with changed as (${change}), entry as (${entry})${counted} ${result}`
    : sql`with changed as (${change})${counted} ${entry} returning resource_id as id`
}

/**
 * The same for a plain `insert … values` of the row `id`. It inserts the row or fails, so the entry need not read its
 * result: in a cluster this is three times as fast.
 */
export function auditedInsert(by: Caller, action: string, id: string, insert: Sql): Sql {
  const entry = newRow()
  return sql`
    with entry as (
      insert into audit_log ${entryColumns}
      values (${by.workspaceId}, ${entry.id}, ${by.actorId}, ${by.apiKeyId}, ${by.sessionId}, ${action}, ${id},
        ${by.requestId}, ${by.via}, ${entry.now}))
    ${insert}`
}

/** Inserts the audit entries for several resources that were changed together. */
export function auditedEach(
  by: Caller,
  action: string,
  resourceIds: readonly string[],
  reason: string | null = null,
): Sql {
  const entries = resourceIds.map(resourceId => ({ ...newRow(), resourceId }))
  return sql`
    insert into audit_log (workspace_id, id, member_id, api_key_id, session_id, action, resource_id, request_id, via, reason, created_at)
    select ${by.workspaceId}::uuid, entry.id, ${by.actorId}::uuid, ${by.apiKeyId}::uuid, ${by.sessionId}::uuid, ${action},
      entry.resource_id, ${by.requestId}, ${by.via}, ${reason}, entry.created_at
    from ${rows('entry', entries, {
      id: ['uuid', entry => entry.id],
      resource_id: ['uuid', entry => entry.resourceId],
      created_at: ['timestamptz', entry => entry.now],
    })}`
}

export interface PastEntry {
  readonly at: Date
  readonly memberId: string | null
  readonly action: string
  readonly resourceId: string
}

/** Entries of changes that were made before they came into this database. */
export const insertPastEntries = (workspaceId: string, entries: readonly PastEntry[]): Sql => sql`
  insert into audit_log (workspace_id, id, member_id, action, resource_id, created_at)
  select ${workspaceId}::uuid, entry.id, entry.member_id, entry.action, entry.resource_id, entry.created_at
  from ${rows(
    'entry',
    entries.map(entry => ({ ...entry, ...rowAt(entry.at) })),
    {
      id: ['uuid', entry => entry.id],
      member_id: ['uuid', entry => entry.memberId],
      action: ['text', entry => entry.action],
      resource_id: ['uuid', entry => entry.resourceId],
      created_at: ['timestamptz', entry => entry.now],
    },
  )}`

const view = (workspaceId: string, entries: Sql, order: Sql): Sql => sql`
  select a.id, a.action, split_part(a.action, '.', 1) as resource_type, a.resource_id,
    ${resourceName(workspaceId)} as resource_name, a.member_id,
    coalesce(m.name, f.name) as member_name, a.api_key_id,
    k.name as api_key_name, a.session_id, a.request_id, a.via, a.reason, ${iso(sql`a.created_at`)} as created_at
  from (${entries}) a
  left join members m on m.workspace_id = ${workspaceId} and m.id = a.member_id
  left join former_members f on f.workspace_id = ${workspaceId} and f.id = a.member_id
  left join api_keys k on k.workspace_id = ${workspaceId} and k.id = a.api_key_id
  ${order}`

export const entrySorts = { created_at: null } satisfies SortColumns

export interface EntryFilters extends SortQuery {
  readonly action?: string
  /** Such as `folder`. */
  readonly resourceType?: string
  readonly resourceId?: string
  readonly memberId?: string
  readonly apiKeyId?: string
  readonly since?: Date
  /** The first moment that is not included. */
  readonly until?: Date
}

export function listEntries(
  db: Db,
  workspaceId: string,
  page: PageQuery,
  { action, resourceType, resourceId, memberId, apiKeyId, since, until, sort }: EntryFilters,
): Promise<ListResult> {
  const where = sql`workspace_id = ${workspaceId}
    ${action === undefined ? empty : sql`and action = ${action}`}
    ${resourceType === undefined ? empty : sql`and split_part(action, '.', 1) = ${resourceType}`}
    ${resourceId === undefined ? empty : sql`and resource_id = ${resourceId}`}
    ${memberId === undefined ? empty : sql`and member_id = ${memberId}`}
    ${apiKeyId === undefined ? empty : sql`and api_key_id = ${apiKeyId}`}
    ${since === undefined ? empty : sql`and id >= ${firstIdAt(since)}`}
    ${until === undefined ? empty : sql`and id < ${firstIdAt(until)}`}`
  const order = orderBy(sort, entrySorts, sql`id`)
  return listAsJson(
    db,
    page,
    view(workspaceId, sql`select * from audit_log where ${where} ${order} ${limitOffset(page)}`, order),
    sql`select count(*) from audit_log where ${where}`,
  )
}
