// Signatures that mail programs, the relay or teammates fetch: the service records that they have them.
import { openRenderer, type RenderContext } from '#features/signatures/live-signatures/index.ts'
import { hour } from '#kernel/base/durations.ts'
import type { Db } from '#kernel/db/db.ts'
import { announceSettled } from '../announce.ts'
import { assignmentsFor, renderAssignments, renderRequestOf } from '../assignments.ts'
import { lockReconcile } from '../reconcile/queries.ts'
import {
  type FetchConnection,
  type FetchedSignature,
  type StoredFetch,
  saveFetches,
  storedFetches,
  touchFetches,
} from './queries.ts'

/** `last_fetched_at` is written at most so often. */
const touchMilliseconds = hour

/** Stores that these signatures were fetched, and tells webhooks. In a transaction that holds the lock of the reconcile job. */
export async function settleFetches(
  tx: Db,
  connection: FetchConnection,
  fetches: readonly FetchedSignature[],
): Promise<void> {
  const settled = await saveFetches(tx, connection, fetches)
  if (settled.length > 0) await announceSettled(tx, connection.workspaceId, settled)
}

/**
 * Records what addresses have fetched, each address at most once. A version that is stored already costs one read, and one
 * write per hour for `last_fetched_at`. A new version is compared with what the address should have, while no reconcile job
 * compares the address: a fetch that comes after the next publication is not recorded, and its installation stays pending.
 */
export async function recordFetches(
  db: Db,
  context: RenderContext,
  { channel, integrationId }: Omit<FetchConnection, 'workspaceId'>,
  fetches: readonly FetchedSignature[],
): Promise<void> {
  if (fetches.length === 0) return
  const connection = { workspaceId: context.workspaceId, channel, integrationId }
  const byEmail = new Map(fetches.map(fetch => [fetch.emailId, fetch]))
  const stored = await storedFetches(db, connection, [...byEmail.keys()])
  const unchanged = stored.filter(row => holds(row, byEmail.get(row.email_id)))
  const old = unchanged.filter(isOld).map(({ id }) => id)
  if (old.length > 0) await touchFetches(db, connection, old)
  for (const { email_id } of unchanged) byEmail.delete(email_id)
  const changed = [...byEmail.keys()]
  if (changed.length === 0) return
  await db.transaction(async tx => {
    await lockReconcile(tx, context.workspaceId, changed)
    const current = await currentAmong(tx, context, [...byEmail.values()])
    await settleFetches(tx, connection, current)
  })
}

/** The fetches of what the address should have now. An equal render key means an equal output: those are not rendered. */
async function currentAmong(
  tx: Db,
  context: RenderContext,
  fetches: readonly FetchedSignature[],
): Promise<readonly FetchedSignature[]> {
  const assignments = await assignmentsFor(
    tx,
    context,
    fetches.map(({ emailId }) => emailId),
  )
  const candidates = fetches
    .filter(({ emailId, signatureId }) => assignments.get(emailId)?.signatureId === signatureId)
    // Link sets are numbered in this order, as in the reconcile job: otherwise two transactions could wait for each other.
    .sort((a, b) => Number(a.signatureId > b.signatureId) - Number(a.signatureId < b.signatureId))
  if (candidates.length === 0) return []
  const renderer = await openRenderer(tx, context)
  const assigned = (some: readonly FetchedSignature[]) =>
    some.flatMap(({ emailId }) => assignments.get(emailId) ?? [])
  const keys = await renderer.renderKeysOf(
    assigned(candidates.filter(({ renderKey }) => renderKey !== undefined)).map(renderRequestOf),
  )
  const isSameKey = ({ emailId, renderKey }: FetchedSignature) =>
    renderKey !== undefined && keys.get(emailId) === renderKey
  const rendered = await renderAssignments(renderer, assigned(candidates.filter(fetch => !isSameKey(fetch))))
  return candidates.filter(fetch => isSameKey(fetch) || rendered.get(fetch.emailId)?.sha256 === fetch.sha256)
}

const holds = (row: StoredFetch, fetch: FetchedSignature | undefined): boolean =>
  row.signature_id === fetch?.signatureId && row.status === 'installed' && row.html_sha256 === fetch.sha256

const isOld = ({ last_fetched_at }: StoredFetch): boolean =>
  last_fetched_at === null || Date.now() - last_fetched_at.getTime() > touchMilliseconds
