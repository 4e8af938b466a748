import type { Content } from '@signoff/render'
import { audited } from '#features/workspace/audit-log/index.ts'
import { listLargeRows, type StreamedList } from '#kernel/api/large-pages.ts'
import { type ListResult, limitOffset, listAsJson, type PageQuery } from '#kernel/api/pagination.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { alphabetical, orderBy, type SortColumns, type SortQuery } from '#kernel/api/sorting.ts'
import { momentOf } from '#kernel/api/validation.ts'
import { newRow } from '#kernel/base/ids.ts'
import { type Db, empty, join, type Sql, sql } from '#kernel/db/db.ts'
import { changedSince, comparisonKey, contains, iso } from '#kernel/db/text.ts'
import type { Signature } from './schemas.ts'

const baseColumns = sql`
  s.id, s.name, s.priority, s.signature_installation_activated, s.folder_id, ${iso(sql`s.last_published_at`)} as last_published_at,
  ${iso(sql`s.created_at`)} as created_at, ${iso(sql`s.updated_at`)} as updated_at`
const contents = sql`s.content, s.draft_content`

/** The columns of a row `s`. */
const shape = sql`${baseColumns}, ${contents},
  (s.draft_content is not null and s.draft_content is distinct from s.content) as has_unpublished_changes`

const changedRow = sql`select ${shape} from changed s`

/** Content as an SQL parameter. */
export const jsonb = (content: Content | null): Sql =>
  sql`${content === null ? null : JSON.stringify(content)}::jsonb`

export const signatureSorts = {
  name: alphabetical(sql`s.name`),
  priority: sql`s.priority`,
  last_published_at: { nullable: sql`s.last_published_at` },
  created_at: null,
  updated_at: sql`s.updated_at`,
} satisfies SortColumns

/** The conditions of each state of a row `s`. */
const states = {
  draft: sql`s.content is null`,
  live: sql`s.content is not null and s.signature_installation_activated`,
  inactive: sql`s.content is not null and not s.signature_installation_activated`,
  changed: sql`s.content is not null and s.draft_content is not null and s.draft_content is distinct from s.content`,
}
type SignatureState = keyof typeof states
export const signatureStates = Object.keys(states) as SignatureState[]

interface Filters extends SortQuery {
  readonly status?: SignatureState
  readonly folder_id?: string
  readonly search?: string
  readonly include_content?: boolean
  readonly updated_since?: string
}

export function listSignatures(
  db: Db,
  workspaceId: string,
  page: PageQuery,
  { folder_id, search, include_content, updated_since, status, sort }: Filters,
): Promise<ListResult | StreamedList> {
  const inFolder = folder_id === 'none' ? sql`and folder_id is null` : sql`and folder_id = ${folder_id}`
  const matching = sql`
    from signatures s where s.workspace_id = ${workspaceId} ${folder_id === undefined ? empty : inFolder}
      ${search === undefined ? empty : sql`and ${contains(sql`name_key`, search)}`}
      ${status === undefined ? empty : sql`and ${states[status]}`}
      ${changedSince(sql`updated_at`, momentOf(updated_since))}`
  const total = sql`select count(*) ${matching}`
  const order = sql`${orderBy(sort, signatureSorts, sql`s.id`)} ${limitOffset(page)}`
  if (!include_content) return listAsJson(db, page, sql`select ${baseColumns} ${matching} ${order}`, total)
  const rowsOf = (ids: Sql) => sql`
    select ${baseColumns}, ${contents} from (${ids}) page
    join signatures s on s.workspace_id = ${workspaceId} and s.id = page.id`
  return listLargeRows(db, page, { ids: sql`select s.id ${matching} ${order}`, rowsOf, total })
}

const whereSignature = (workspaceId: string, id: string): Sql =>
  sql`from signatures s where s.workspace_id = ${workspaceId} and s.id = ${id}`

export const findSignature = (db: Db, workspaceId: string, id: string) =>
  db.first<Signature>(sql`select ${shape} ${whereSignature(workspaceId, id)}`)

export const hasSignature = (db: Db, workspaceId: string, id: string) =>
  db.hasRows(sql`select ${whereSignature(workspaceId, id)}`)

export const hasSignatureNamed = (db: Db, workspaceId: string, name: string) =>
  db.hasRows(sql`select from signatures where workspace_id = ${workspaceId} and name = ${name} limit 1`)

/** Finds the newest of several signatures with one name. */
export async function signatureIdsByName(db: Db, workspaceId: string): Promise<ReadonlyMap<string, string>> {
  const signatures = await db.query<{ id: string; name: string }>(
    sql`select id, name from signatures where workspace_id = ${workspaceId} order by id`,
  )
  return new Map(signatures.map(({ id, name }) => [name, id]))
}

/** All signatures of the workspace, in their order. */
export const signaturePriorities = (db: Db, workspaceId: string) =>
  db.query<{ readonly id: string; readonly priority: number }>(
    sql`select id, priority from signatures where workspace_id = ${workspaceId} order by priority, id`,
  )

/** Call before any change of a signature, its variants or versions: concurrent changes wait. */
export const lockSignature = (tx: Db, workspaceId: string, id: string) =>
  tx.first<Signature>(sql`select ${shape} ${whereSignature(workspaceId, id)} for no key update`)

/** Call before deletion: waits for transactions that insert rows referring to the signature, and blocks new ones. */
export const lockForDeletion = (tx: Db, workspaceId: string, id: string) =>
  tx.first<Signature>(sql`select ${shape} ${whereSignature(workspaceId, id)} for update`)

/** Locks the folder, so it cannot be deleted before the signature is in it. */
export const lockFolder = (tx: Db, workspaceId: string, id: string) =>
  tx.hasRows(sql`select from folders where workspace_id = ${workspaceId} and id = ${id} for key share`)

interface NewSignature {
  readonly name: string
  readonly draftContent: Content | null
  readonly folderId: string | null
  /** Undefined: after all others. */
  readonly priority?: number | undefined
}

export async function insertSignature(
  tx: Db,
  by: Caller,
  { name, draftContent, folderId, priority }: NewSignature,
  action: 'signature.created' | 'signature.duplicated',
): Promise<Signature> {
  const { id, now } = newRow()
  const lastPriority = sql`(
    select least(coalesce(max(priority)::bigint + 1, 0), 2147483647) from signatures where workspace_id = ${by.workspaceId})`
  const insert = sql`
    insert into signatures as s (workspace_id, id, name, name_key, priority, folder_id, draft_content, created_at, updated_at)
    select ${by.workspaceId}::uuid, ${id}::uuid, ${name}, ${comparisonKey(name)}, ${priority === undefined ? lastPriority : sql`${priority}::int`},
      ${folderId}::uuid, ${jsonb(draftContent)}, ${now}::timestamptz, ${now}::timestamptz
    returning s.*`
  const signature = await tx.first<Signature>(audited(by, action, insert, undefined, changedRow))
  return signature as Signature
}

async function update(tx: Db, by: Caller, id: string, action: string, sets: readonly Sql[]) {
  const change = sql`
    update signatures as s set ${join([...sets, sql`updated_at = ${new Date()}`])}
    where s.workspace_id = ${by.workspaceId} and s.id = ${id}
    returning s.*`
  const signature = await tx.first<Signature>(audited(by, action, change, undefined, changedRow))
  return signature as Signature // the caller holds the lock, so the row exists
}

interface SignatureChanges {
  readonly name?: string | undefined
  readonly folderId?: string | null | undefined
  readonly priority?: number | undefined
  readonly draftContent?: Content | null | undefined
}

/** Undefined properties stay unchanged. */
export const updateSignature = (
  tx: Db,
  by: Caller,
  id: string,
  { name, folderId, priority, draftContent }: SignatureChanges,
): Promise<Signature> =>
  update(tx, by, id, 'signature.updated', [
    ...(name === undefined ? [] : [sql`name = ${name}, name_key = ${comparisonKey(name)}`]),
    ...(folderId === undefined ? [] : [sql`folder_id = ${folderId}`]),
    ...(priority === undefined ? [] : [sql`priority = ${priority}`]),
    ...(draftContent === undefined ? [] : [sql`draft_content = ${jsonb(draftContent)}, draft_note = null`]),
  ])

/** Activates a locked signature. With `publishedAt`, the draft becomes its content. */
export const activate = (tx: Db, by: Caller, id: string, publishedAt: Date | null): Promise<Signature> =>
  update(tx, by, id, 'signature.published', [
    sql`signature_installation_activated = true`,
    ...(publishedAt
      ? [
          sql`content = draft_content, last_published_at = ${publishedAt}, version_number = version_number + 1`,
        ]
      : []),
  ])

export const deactivate = (tx: Db, by: Caller, id: string): Promise<Signature> =>
  update(tx, by, id, 'signature.deactivated', [sql`signature_installation_activated = false`])

export const restoreDraft = (tx: Db, by: Caller, id: string, content: Content, note: string) =>
  update(tx, by, id, 'signature.version_restored', [
    sql`draft_content = ${jsonb(content)}, draft_note = ${note}`,
  ])

/** Locks the signature and writes the audit entry, for features with signature data in their own tables. False if missing. */
export async function touchSignature(tx: Db, by: Caller, id: string, action: string): Promise<boolean> {
  const touch = sql`
    update signatures set updated_at = ${new Date()} where workspace_id = ${by.workspaceId} and id = ${id}
    returning id`
  return tx.hasRows(audited(by, action, touch))
}

export async function removeSignature(tx: Db, by: Caller, id: string): Promise<void> {
  const remove = sql`delete from signatures where workspace_id = ${by.workspaceId} and id = ${id} returning id`
  await tx.query(audited(by, 'signature.deleted', remove))
}
