// Records what deliveries did: the mailboxes leave the state `claimed`, and their installations follow.

import type { InstallationStatus } from '#features/signatures/recipients/index.ts'
import type { Db } from '#kernel/db/db.ts'
import { comparisonKey } from '#kernel/db/text.ts'
import { announceSettled, type SettledInstallation } from '../announce.ts'
import { enqueueReconcileEmails } from '../reconcile/enqueue.ts'
import { installationsAt, markUninstalled } from '../reconcile/queries.ts'
import {
  allowSlowLocks,
  emailsNowAt,
  insertInstallations,
  lockMailboxes,
  markOverwritten,
  type PushConnection,
  type RecordedResult,
  updateInstallations,
  updateMailboxes,
} from './queries.ts'
import { type DeliveryResult, updateOf } from './states.ts'

/**
 * All results or none. A mailbox that became due again during its claim stays due. The result of a lost claim changes
 * nothing, but its delivery can have overwritten a newer one: that mailbox is written again.
 */
export async function recordResults(
  db: Db,
  connection: PushConnection,
  results: readonly DeliveryResult[],
): Promise<void> {
  if (results.length === 0) return
  await db.transaction(async tx => {
    // A reconcile job that compares large signatures can hold the locks for long, and the deliveries have happened.
    await allowSlowLocks(tx)
    const locked = new Map(
      (await lockMailboxes(tx, connection, results.map(emailIdOf))).map(row => [row.email_id, row]),
    )
    const recorded: RecordedResult[] = []
    const lost: DeliveryResult[] = []
    const updates = results.flatMap(result => {
      const row = locked.get(result.emailId)
      const update = updateOf(result, row)
      if (update) recorded.push({ ...result, isNewest: row?.revision === result.revision })
      else lost.push(result)
      return update ? [update] : []
    })
    if (updates.length > 0) await updateMailboxes(tx, connection, updates)
    await repeatOverwritten(tx, connection, results, lost)
    await recordInstallations(
      tx,
      connection,
      recorded.filter(result => result.status !== 'unchanged'),
    )
  })
}

const emailIdOf = (result: DeliveryResult): string => result.emailId

async function repeatOverwritten(
  tx: Db,
  connection: PushConnection,
  results: readonly DeliveryResult[],
  lost: readonly DeliveryResult[],
): Promise<void> {
  const sent = results.flatMap(({ emailId, address }) =>
    address === null ? [] : [{ emailId, addressKey: comparisonKey(address) }],
  )
  if (sent.length === 0) return
  const sentAfterLostClaim = lost.filter(result => result.address !== null).map(emailIdOf)
  const overwritten = [...sentAfterLostClaim, ...(await emailsNowAt(tx, connection, sent))]
  if (overwritten.length > 0) await markOverwritten(tx, connection, overwritten)
}

type RecordedInstallation = RecordedResult & { readonly installationId: string }

/** True if the result is news: the signature was written, has failed, or is found installed. */
const isSettling = (
  { isNewest, status, arrivedHtmlSha256 }: RecordedResult,
  before: InstallationStatus | undefined,
): boolean =>
  isNewest &&
  (status === 'failed' || (status === 'installed' && (arrivedHtmlSha256 !== null || before !== 'installed')))

const settledOf = (
  { channel, integrationId }: PushConnection,
  { installationId, signatureId, emailId, status, error_code }: RecordedInstallation,
): SettledInstallation => ({
  id: installationId,
  signature_id: signatureId ?? '',
  email_id: emailId,
  channel,
  integration_id: integrationId,
  error_code: status === 'failed' ? (error_code ?? 'failed') : null,
})

/**
 * Updates the installation of the signature that belongs in each mailbox, and ends those of other signatures. When the
 * mailbox is due again, only an arrival is recorded. The mailboxes are locked, and markDue locks them too.
 */
async function recordInstallations(
  tx: Db,
  connection: PushConnection,
  results: readonly RecordedResult[],
): Promise<void> {
  if (results.length === 0) return
  const { workspaceId, integrationId } = connection
  const installations = Map.groupBy(
    (await installationsAt(tx, workspaceId, results.map(emailIdOf))).filter(
      row => row.integration_id === integrationId,
    ),
    row => row.email_id,
  )
  const existing: RecordedInstallation[] = []
  const settled: RecordedInstallation[] = []
  const replaced: string[] = []
  for (const result of results)
    for (const row of installations.get(result.emailId) ?? []) {
      if (row.signature_id === result.signatureId) {
        const installation = { ...result, installationId: row.id }
        existing.push(installation)
        if (isSettling(result, row.status)) settled.push(installation)
      } else if (result.isNewest && result.status !== 'pending' && row.status !== 'uninstalled')
        replaced.push(row.id)
    }
  if (existing.length > 0) await updateInstallations(tx, connection, existing)
  if (replaced.length > 0) await markUninstalled(tx, workspaceId, replaced)
  const withRow = new Set(existing.map(emailIdOf))
  const missing = results.filter(result => result.signatureId !== null && !withRow.has(result.emailId))
  // When the reconcile job ran, the address had another signature or none, so these installations do not exist yet.
  if (missing.length > 0)
    settled.push(
      ...(await insertInstallations(tx, connection, missing)).filter(result => isSettling(result, undefined)),
    )
  await announceSettled(
    tx,
    workspaceId,
    settled.map(result => settledOf(connection, result)),
  )
  if (missing.length === 0) return
  // A reconcile job for a changed signature reads the mailboxes that have an installation of it: it can have missed these.
  await tx.query(enqueueReconcileEmails(workspaceId, missing.map(emailIdOf)))
}
