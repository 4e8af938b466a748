// The addresses that a directory gives to its people: many at once, because addresses move between people.
import { auditedEach } from '#features/workspace/audit-log/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { newRow } from '#kernel/base/ids.ts'
import { composed, type Db, sql } from '#kernel/db/db.ts'
import { rows } from '#kernel/db/rows.ts'
import { tally } from '#kernel/db/tallies.ts'
import { comparisonKey } from '#kernel/db/text.ts'
import type { AddressPlan, PlannedAddresses, StoredAddress } from './plan.ts'
import { planAddresses } from './plan.ts'

/** Locks the addresses. Their teammates must be locked already. */
export const lockAddressesOf = (tx: Db, workspaceId: string, teammateIds: readonly string[]) =>
  tx.query<StoredAddress>(
    composed(sql`
      select e.id, e.teammate_id, e.address, e.address_key, e.is_primary from emails e
      where e.workspace_id = ${workspaceId} and e.teammate_id = any(${teammateIds}::uuid[]) and e.deleted_at is null
      order by e.id
      for no key update`),
  )

/** Gives people these addresses. No other person has them. Returns the people that changed, and the ids of new addresses. */
export async function saveAddresses(
  tx: Db,
  by: Caller,
  stored: readonly StoredAddress[],
  people: readonly PlannedAddresses[],
): Promise<{ readonly changed: readonly string[]; readonly newEmailIds: readonly string[] }> {
  const plan = planAddresses(stored, people)
  await removeAddresses(tx, by, plan)
  await movePrimaries(tx, by, plan)
  await renameAddresses(tx, by, plan)
  const newEmailIds = await insertAddresses(tx, by, plan)
  return { changed: plan.changed, newEmailIds }
}

async function removeAddresses(tx: Db, by: Caller, { removed }: AddressPlan): Promise<void> {
  if (removed.length === 0) return
  const now = new Date()
  await tx.query(sql`
    with gone as (
      update emails set deleted_at = ${now}, updated_at = ${now}
      where workspace_id = ${by.workspaceId} and id = any(${removed}::uuid[]) and deleted_at is null
      returning id
    )
    ${tally(by.workspaceId, { emails: -1 }, sql`gone`)}`)
  await tx.query(auditedEach(by, 'email.deleted', removed))
}

async function movePrimaries(tx: Db, by: Caller, { demoted, promoted }: AddressPlan): Promise<void> {
  const now = new Date()
  const set = (ids: readonly string[], isPrimary: boolean) => sql`
    update emails set is_primary = ${isPrimary}, updated_at = ${now}
    where workspace_id = ${by.workspaceId} and id = any(${ids}::uuid[])`
  if (demoted.length > 0) await tx.query(set(demoted, false))
  if (promoted.length > 0) await tx.query(set(promoted, true))
}

/** First every key becomes one that no address has: two people can swap their addresses. */
async function renameAddresses(tx: Db, by: Caller, { renamed }: AddressPlan): Promise<void> {
  if (renamed.length === 0) return
  const ids = renamed.map(({ id }) => id)
  await tx.query(sql`
    update emails set address_key = id::text where workspace_id = ${by.workspaceId} and id = any(${ids}::uuid[])`)
  await tx.query(sql`
    update emails e set address = n.address, address_key = n.address_key, updated_at = ${new Date()}
    from ${rows('n', renamed, {
      id: ['uuid', row => row.id],
      address: ['text', row => row.address],
      address_key: ['text', row => comparisonKey(row.address)],
    })}
    where e.workspace_id = ${by.workspaceId} and e.id = n.id`)
  await tx.query(auditedEach(by, 'email.updated', ids))
}

async function insertAddresses(tx: Db, by: Caller, { inserted }: AddressPlan): Promise<string[]> {
  if (inserted.length === 0) return []
  const emails = inserted.map(row => ({ ...newRow(), ...row }))
  await tx.query(sql`
    with inserted as (
      insert into emails (workspace_id, id, teammate_id, address, address_key, is_primary, created_at, updated_at)
      select ${by.workspaceId}::uuid, e.id, e.teammate_id, e.address, e.address_key, e.is_primary, e.created_at, e.created_at
      from ${rows('e', emails, {
        id: ['uuid', email => email.id],
        teammate_id: ['uuid', email => email.teammateId],
        address: ['text', email => email.address],
        address_key: ['text', email => comparisonKey(email.address)],
        is_primary: ['boolean', email => email.isPrimary],
        created_at: ['timestamptz', email => email.now],
      })}
      returning id
    )
    ${tally(by.workspaceId, { emails: 1 }, sql`inserted`)}`)
  const ids = emails.map(({ id }) => id)
  await tx.query(auditedEach(by, 'email.created', ids))
  return ids
}

/** Removes all addresses of people who were removed. */
export async function removeAddressesOf(
  tx: Db,
  workspaceId: string,
  teammateIds: readonly string[],
): Promise<void> {
  const now = new Date()
  await tx.query(
    composed(sql`
      with gone as (
        update emails set deleted_at = ${now}, updated_at = ${now}
        where workspace_id = ${workspaceId} and teammate_id = any(${teammateIds}::uuid[]) and deleted_at is null
        returning id
      )
      ${tally(workspaceId, { emails: -1 }, sql`gone`)}`),
  )
}
