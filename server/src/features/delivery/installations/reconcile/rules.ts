// The reconcile job compares what should be in mailboxes with what is there or on its way, and makes a mailbox due only
// where they differ. It can run at any time and any number of times: a settled mailbox is not touched.
import {
  type LiveRenderer,
  openRenderer,
  type RenderContext,
} from '#features/signatures/live-signatures/index.ts'
import type { Db } from '#kernel/db/db.ts'
import { announceSettled } from '../announce.ts'
import {
  type Assignment,
  assignmentsFor,
  fingerprintOf,
  type RenderedAssignment,
  renderAssignments,
  renderRequestOf,
} from '../assignments.ts'
import { type Connection, deliveryModeOf } from '../channel.ts'
import {
  type DueRequest,
  deleteDisconnected,
  lockDueMailboxes,
  mailboxesOf,
  markDue,
  type RenderKeyChange,
  saveRenderKeys,
} from '../mailboxes/queries.ts'
import { isSettled, lastKnownFingerprint, type Mailbox } from '../mailboxes/states.ts'
import {
  type InstallationRow,
  installationsAt,
  lockReconcile,
  markDisconnectedUninstalled,
  markInstalled,
  markUninstalled,
  type NewInstallation,
  savePending,
} from './queries.ts'

/** Content that should be in a mailbox. It is rendered only where its render key differs from the one in the mailbox. */
interface Target extends Assignment {
  readonly renderKey?: string
  readonly rendered?: Fingerprint | undefined
}

/** Part of a rendered signature that a comparison needs, which itself can be large. */
interface Fingerprint extends Pick<RenderedAssignment, 'sha256'> {
  readonly renderKey: string
  readonly fingerprint: string
}

/** Rows of the database for an address. */
interface AddressState {
  readonly installations: readonly InstallationRow[]
  readonly mailboxes: readonly Mailbox[]
}

interface Differences {
  readonly due: DueRequest[]
  readonly pending: NewInstallation[]
  /** Ids of installations. */
  readonly uninstalled: string[]
  readonly installed: string[]
  readonly renderKeys: RenderKeyChange[]
}

/**
 * Saves what has to change for these addresses, and returns the connections that have due mailboxes. `isForcedTarget`
 * selects the signatures that are delivered again although the mailbox holds them. Reconcile jobs for the same address
 * run one after the other, so the last one has seen every change.
 */
export async function reconcile(
  db: Db,
  context: RenderContext,
  requested: readonly string[],
  connections: readonly Connection[],
  isForcedTarget: (target: Assignment) => boolean = () => false,
): Promise<readonly Connection[]> {
  const { workspaceId } = context
  const emailIds = [...new Set(requested)]
  return db.transaction(async tx => {
    await lockReconcile(tx, workspaceId, emailIds)
    await lockDueMailboxes(tx, workspaceId, emailIds)
    const all = await installationsAt(tx, workspaceId, emailIds)
    const installations = Map.groupBy(all, row => row.email_id)
    const mailboxes = Map.groupBy(await mailboxesOf(tx, workspaceId, emailIds), row => row.email_id)
    const stateOfAddress = (emailId: string): AddressState => ({
      installations: installations.get(emailId) ?? [],
      mailboxes: mailboxes.get(emailId) ?? [],
    })
    const targets = await targetsOf(tx, context, emailIds, stateOfAddress)
    const differences: Differences = { due: [], pending: [], uninstalled: [], installed: [], renderKeys: [] }
    const busy = new Set<Connection>()
    for (const emailId of emailIds)
      for (const connection of connections) {
        const target = targets.get(emailId)
        const state = stateOfAddress(emailId)
        if (connection.mode === 'fetch') compareFetched(differences, connection, emailId, state, target)
        else if (compareMailbox(differences, connection, emailId, state, target, isForcedTarget))
          busy.add(connection)
      }
    await saveDifferences(tx, workspaceId, differences)
    const isDisconnected = (row: InstallationRow) =>
      row.status !== 'uninstalled' &&
      !connections.some(({ integrationId }) => integrationId === row.integration_id)
    if (all.some(isDisconnected)) {
      await deleteDisconnected(tx, workspaceId, emailIds)
      await markDisconnectedUninstalled(tx, workspaceId, emailIds)
    }
    // In the order of the list: reconcile jobs lock the rows of the deliver jobs that they enqueue until they commit.
    return connections.filter(connection => busy.has(connection))
  })
}

/** By address; an address that should have no signature is left out. */
async function targetsOf(
  tx: Db,
  context: RenderContext,
  emailIds: readonly string[],
  stateOfAddress: (emailId: string) => AddressState,
): Promise<Map<string, Target>> {
  const targets = new Map<string, Target>(await assignmentsFor(tx, context, emailIds))
  const comparable = [...targets.values()]
    .filter(target => isComparable(target, stateOfAddress(target.emailId)))
    // Link sets are numbered in this order: otherwise two reconcile jobs could wait for each other.
    .sort((a, b) => Number(a.signatureId > b.signatureId) - Number(a.signatureId < b.signatureId))
  if (comparable.length === 0) return targets
  const renderer = await openRenderer(tx, context)
  const renderKeys = await renderer.renderKeysOf(comparable.map(renderRequestOf))
  const fingerprints = await fingerprintAll(
    renderer,
    comparable.filter(
      target => !isUnchangedByKey(target, stateOfAddress(target.emailId), renderKeys.get(target.emailId)),
    ),
  )
  for (const target of comparable) {
    const renderKey = renderKeys.get(target.emailId)
    // A deleted address has no render key. A signature that is not published any more has none either.
    if (renderKey === undefined) targets.delete(target.emailId)
    else targets.set(target.emailId, { ...target, renderKey, rendered: fingerprints.get(target.emailId) })
  }
  return targets
}

const renderSize = 50

async function fingerprintAll(
  renderer: LiveRenderer,
  assignments: readonly Assignment[],
): Promise<Map<string, Fingerprint>> {
  const fingerprints = new Map<string, Fingerprint>()
  for (let from = 0; from < assignments.length; from += renderSize)
    for (const [emailId, rendered] of await renderAssignments(
      renderer,
      assignments.slice(from, from + renderSize),
    ))
      fingerprints.set(emailId, {
        sha256: rendered.sha256,
        renderKey: await rendered.renderKey(),
        fingerprint: fingerprintOf(rendered),
      })
  return fingerprints
}

/** True if the address has anything to compare the signature with. */
const isComparable = (target: Assignment, { installations, mailboxes }: AddressState): boolean =>
  mailboxes.some(mailbox => lastKnownFingerprint(mailbox) !== null) ||
  installations.some(row => isFetchOf(row, target))

/** True if everything to compare with was rendered from the same inputs, so that nothing has to be rendered. */
const isUnchangedByKey = (
  target: Assignment,
  { installations, mailboxes }: AddressState,
  renderKey: string | undefined,
): boolean =>
  mailboxes.every(mailbox => lastKnownFingerprint(mailbox) === null || hasRenderKey(mailbox, renderKey)) &&
  !installations.some(row => isFetchOf(row, target))

const isFetchOf = (row: InstallationRow, { signatureId }: Assignment): boolean =>
  deliveryModeOf(row.channel) === 'fetch' && row.signature_id === signatureId && row.html_sha256 !== null

const hasRenderKey = (mailbox: Mailbox, renderKey: string | undefined): boolean =>
  !mailbox.is_due && mailbox.written_origin !== null && mailbox.written_origin === renderKey

async function saveDifferences(
  tx: Db,
  workspaceId: string,
  { due, pending, uninstalled, installed, renderKeys }: Differences,
): Promise<void> {
  if (uninstalled.length > 0) await markUninstalled(tx, workspaceId, uninstalled)
  if (installed.length > 0)
    await announceSettled(tx, workspaceId, await markInstalled(tx, workspaceId, installed))
  if (renderKeys.length > 0) await saveRenderKeys(tx, workspaceId, renderKeys)
  if (due.length > 0) await markDue(tx, workspaceId, due)
  await savePending(tx, workspaceId, pending)
}

/** Returns whether the mailbox is due. */
function compareMailbox(
  differences: Differences,
  { channel, integrationId }: Connection,
  emailId: string,
  state: AddressState,
  target: Target | undefined,
  isForcedTarget: (target: Assignment) => boolean,
): boolean {
  if (integrationId === null) return false
  const mailbox = state.mailboxes.find(row => row.integration_id === integrationId)
  const installations = state.installations.filter(row => row.integration_id === integrationId)
  const isForced = target !== undefined && isForcedTarget(target)
  const comparison = {
    mailbox,
    hasTarget: target !== undefined,
    status: installations.find(row => row.signature_id === target?.signatureId)?.status,
    isSame: target !== undefined && mailbox !== undefined && isSame(mailbox, target),
    hasNoInstallation: installations.every(row => row.status === 'uninstalled'),
  }
  if (!isForced && isSettled(comparison)) {
    recordRenderKey(differences, mailbox, target)
    return mailbox?.is_due ?? false
  }
  differences.due.push({ emailId, integrationId, isForced })
  if (target) differences.pending.push({ signatureId: target.signatureId, emailId, channel, integrationId })
  return true
}

/** By fingerprint where the signature was rendered; otherwise by render key. */
const isSame = (mailbox: Mailbox, { rendered, renderKey }: Target): boolean =>
  rendered ? rendered.fingerprint === lastKnownFingerprint(mailbox) : hasRenderKey(mailbox, renderKey)

/** Inputs changed but the output is identical: the next comparison does not have to render it. */
function recordRenderKey(
  { renderKeys }: Differences,
  mailbox: Mailbox | undefined,
  target: Target | undefined,
): void {
  if (!mailbox || mailbox.is_due || mailbox.written_sha256 === null || !target?.rendered) return
  const { email_id: emailId, integration_id: integrationId, written_sha256: sha256 } = mailbox
  const { renderKey } = target.rendered
  if (mailbox.written_origin !== renderKey)
    renderKeys.push({ emailId, integrationId, written: { sha256, renderKey } })
}

/** Nothing is sent: the mail program, the relay or the teammate fetches the signature. */
function compareFetched(
  { pending, uninstalled, installed }: Differences,
  { channel, integrationId }: Connection,
  emailId: string,
  state: AddressState,
  target: Target | undefined,
): void {
  const installations = state.installations.filter(row => row.integration_id === integrationId)
  for (const row of installations) {
    if (row.status !== 'uninstalled' && row.signature_id !== target?.signatureId) uninstalled.push(row.id)
    // The signature was fetched in this form before.
    if (row.status === 'pending' && isFetched(row, target)) installed.push(row.id)
  }
  if (!target) return
  const current = installations.find(row => row.signature_id === target.signatureId)
  if (current?.status === 'pending' || (current?.status === 'installed' && isFetched(current, target))) return
  pending.push({ signatureId: target.signatureId, emailId, channel, integrationId })
}

const isFetched = (row: InstallationRow, target: Target | undefined): boolean =>
  row.signature_id === target?.signatureId && row.html_sha256 === target.rendered?.sha256
