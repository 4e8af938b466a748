import { audited } from '#features/workspace/audit-log/index.ts'
import { type ListResult, limitOffset, listAsJson, type PageQuery } from '#kernel/api/pagination.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { orderBy, type SortColumns, type SortQuery } from '#kernel/api/sorting.ts'
import { invalid } from '#kernel/base/errors.ts'
import { newRow } from '#kernel/base/ids.ts'
import { type Db, empty, isViolation, type Sql, sql } from '#kernel/db/db.ts'
import { rows } from '#kernel/db/rows.ts'
import { tallied, tally } from '#kernel/db/tallies.ts'
import { changedSince, comparisonKey, contains, iso } from '#kernel/db/text.ts'
import type { Email } from './schemas.ts'

/** True if the teammate of an address is active: two lookups by primary key. Inactive people get no signature. */
export const isOfActivePerson = (workspaceId: string, emailId: Sql): Sql => sql`(
  select active from teammates where workspace_id = ${workspaceId} and id = (
    select teammate_id from emails where workspace_id = ${workspaceId} and id = ${emailId}))`

/** The addresses of inactive people, who are few: a count of all rows minus those of these addresses is fast. */
export const inactiveAddresses = (workspaceId: string): Sql => sql`
  select e.id from teammates t
  cross join lateral (
    select id from emails where workspace_id = ${workspaceId} and teammate_id = t.id and deleted_at is null offset 0) e
  where t.workspace_id = ${workspaceId} and not t.active and t.deleted_at is null`

/** True if an address belongs to the person whose rights the caller has. */
export const isOwnEmail = (db: Db, by: Caller, emailId: string) =>
  db.hasRows(sql`
    select from emails where workspace_id = ${by.workspaceId} and id = ${emailId} and deleted_at is null
      and teammate_id in (${teammatesOf(by.workspaceId, by.memberEmail ?? '')})`)

/** The teammate, in zero or one rows, who has an address. */
export const teammatesOf = (workspaceId: string, address: string): Sql => sql`
  select teammate_id from emails
  where workspace_id = ${workspaceId} and address_key = ${comparisonKey(address)} and deleted_at is null`

/** Columns of the email row with alias `e`. */
export const emailShape: Sql = sql`
  e.id, e.address, e.is_primary as "primary", e.teammate_id,
  ${iso(sql`e.created_at`)} as created_at, ${iso(sql`e.updated_at`)} as updated_at`

export const rethrowAddressTaken =
  (field: string) =>
  (error: unknown): never => {
    throw isViolation(error, 'emails_address') ? invalid(field, 'taken') : error
  }

export const emailSorts = {
  address: { unique: sql`address_key` },
  created_at: null,
  updated_at: sql`emails.updated_at`,
} satisfies SortColumns

interface EmailFilters extends SortQuery {
  /** Part of an address; empty for all. */
  readonly search: string
  readonly teammateId: string | undefined
  readonly since: Date | undefined
}

export function listEmails(
  db: Db,
  workspaceId: string,
  page: PageQuery,
  { teammateId, since, search, sort }: EmailFilters,
): Promise<ListResult> {
  const isFiltered = teammateId !== undefined || since !== undefined || search !== ''
  const fromUndeleted = sql`
    from emails where workspace_id = ${workspaceId} and deleted_at is null
      ${teammateId === undefined ? empty : sql`and teammate_id = ${teammateId}`} ${changedSince(sql`updated_at`, since)}
      ${search === '' ? empty : sql`and ${contains(sql`address_key`, search)}`}`
  const ids = sql`select id ${fromUndeleted} ${orderBy(sort, emailSorts, sql`id`)} ${limitOffset(page)}`
  return listAsJson(
    db,
    page,
    sql`
      select ${emailShape} from unnest(array(${ids})) with ordinality as page (id, position)
      join emails e on e.workspace_id = ${workspaceId} and e.id = page.id
      order by page.position`,
    isFiltered ? sql`select count(*) ${fromUndeleted}` : tallied(workspaceId, 'emails'),
  )
}

export const findEmail = (db: Db, workspaceId: string, id: string) =>
  db.first<Email>(
    sql`select ${emailShape} from emails e where e.workspace_id = ${workspaceId} and e.id = ${id} and e.deleted_at is null`,
  )

export const lockEmail = (tx: Db, workspaceId: string, id: string) =>
  tx.first<Email>(sql`
    select ${emailShape} from emails e
    where e.workspace_id = ${workspaceId} and e.id = ${id} and e.deleted_at is null
    for no key update`)

export async function insertAlias(tx: Db, by: Caller, teammateId: string, address: string): Promise<Email> {
  const { id, now } = newRow()
  const insert = sql`
    insert into emails as e (workspace_id, id, teammate_id, address, address_key, is_primary, created_at, updated_at)
    values (${by.workspaceId}, ${id}, ${teammateId}, ${address}, ${comparisonKey(address)}, false, ${now}, ${now})
    returning e.*`
  const result = sql`select ${emailShape} from changed e`
  const email = await tx.first<Email>(audited(by, 'email.created', insert, { emails: 1 }, result))
  return email as Email
}

/** Inserts the primary addresses of new teammates. Returns the email ids. */
export async function insertEmails(
  tx: Db,
  workspaceId: string,
  primaries: readonly { readonly teammateId: string; readonly address: string }[],
): Promise<string[]> {
  const emails = primaries.map(({ teammateId, address }) => ({ ...newRow(), teammateId, address }))
  await tx.query(sql`
    with inserted as (
      insert into emails (workspace_id, id, teammate_id, address, address_key, is_primary, created_at, updated_at)
      select ${workspaceId}::uuid, e.id, e.teammate_id, e.address, e.address_key, true, e.created_at, e.created_at
      from ${rows('e', emails, {
        id: ['uuid', email => email.id],
        teammate_id: ['uuid', email => email.teammateId],
        address: ['text', email => email.address],
        address_key: ['text', email => comparisonKey(email.address)],
        created_at: ['timestamptz', email => email.now],
      })}
      returning id
    )
    ${tally(workspaceId, { emails: 1 }, sql`inserted`)}`)
  return emails.map(email => email.id)
}

/** Writes the audit entry for a change by `updateAddress` or `makePrimary`. */
export async function touchEmail(tx: Db, by: Caller, id: string): Promise<void> {
  const touch = sql`
    update emails set updated_at = ${new Date()}
    where workspace_id = ${by.workspaceId} and id = ${id} and deleted_at is null
    returning id`
  await tx.query(audited(by, 'email.updated', touch))
}

export const updateAddress = (tx: Db, workspaceId: string, id: string, address: string) =>
  tx.query(sql`
    update emails set address = ${address}, address_key = ${comparisonKey(address)}, updated_at = ${new Date()}
    where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null`)

export async function makePrimary(tx: Db, workspaceId: string, { id, teammate_id }: Email): Promise<void> {
  const now = new Date()
  const ofTeammate = sql`workspace_id = ${workspaceId} and teammate_id = ${teammate_id} and deleted_at is null`
  await tx.query(
    sql`update emails set is_primary = false, updated_at = ${now} where ${ofTeammate} and is_primary`,
  )
  await tx.query(
    sql`update emails set is_primary = true, updated_at = ${now} where ${ofTeammate} and id = ${id}`,
  )
}

/** Changes the primary address of a teammate: an existing alias becomes primary, else the primary is rewritten. */
export async function changePrimary(
  tx: Db,
  workspaceId: string,
  teammateId: string,
  address: string,
): Promise<void> {
  const [target, primary] = await tx.query<Email>(sql`
    select ${emailShape} from emails e
    where e.workspace_id = ${workspaceId} and e.teammate_id = ${teammateId} and e.deleted_at is null
      and (e.is_primary or e.address_key = ${comparisonKey(address)})
    order by e.is_primary
    for no key update`)
  if (target && primary) await makePrimary(tx, workspaceId, target) // two rows: the alias is ordered before the primary
  if (target && target.address !== address) await updateAddress(tx, workspaceId, target.id, address)
}

export async function removeAlias(tx: Db, by: Caller, id: string): Promise<void> {
  const now = new Date()
  const remove = sql`
    update emails set deleted_at = ${now}, updated_at = ${now}
    where workspace_id = ${by.workspaceId} and id = ${id} and deleted_at is null
    returning id`
  await tx.query(audited(by, 'email.deleted', remove, { emails: -1 }))
}

/** Called when the teammate is deleted. */
export async function removeEmailsOf(tx: Db, workspaceId: string, teammateId: string): Promise<void> {
  const now = new Date()
  await tx.query(sql`
    with gone as (
      update emails set deleted_at = ${now}, updated_at = ${now}
      where workspace_id = ${workspaceId} and teammate_id = ${teammateId} and deleted_at is null
      returning id
    )
    ${tally(workspaceId, { emails: -1 }, sql`gone`)}`)
}
