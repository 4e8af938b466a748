// Compares what should be in mailboxes with what is there or on its way, and asks for the difference alone. It may run at
// any time, by anybody, as often as anybody likes: what is right already is not touched.

import { type LiveRenderer, openRenderer, type RenderContext } from '#features/live-signatures/index.ts'
import type { Db } from '#kernel/db.ts'
import type { Connection } from '../channel.ts'
import { fingerprintOf } from '../mailboxes/deliver.ts'
import {
  type DueRequest,
  deleteDisconnected,
  lockDueMailboxes,
  type Mailbox,
  mailboxesOf,
  markDue,
  type RenderKeyChange,
  saveRenderKeys,
} from '../mailboxes/queries.ts'
import {
  type Assignment,
  assignmentsFor,
  type RenderedAssignment,
  renderAssignments,
  renderRequestOf,
} from './assignments.ts'
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

/** What should be there. It is drawn only where it has to be compared with something that was drawn from something else. */
interface Target extends Assignment {
  readonly renderKey?: string
  readonly drawn?: Fingerprint | undefined
}

/** What has to be known of a drawing, which itself may be large. */
interface Fingerprint extends Pick<RenderedAssignment, 'sha256'> {
  readonly renderKey: string
  readonly fingerprint: string
}

/** What is known of an address. */
interface MailboxState {
  readonly rows: readonly InstallationRow[]
  readonly mailboxes: readonly Mailbox[]
}

interface Differences {
  readonly looks: DueRequest[]
  readonly wanted: NewInstallation[]
  readonly superseded: string[]
  readonly right: string[]
  readonly restamped: RenderKeyChange[]
}

/**
 * Asks for what has to change for these addresses; answers the connections that have work now. `again` tells which are to be
 * written whatever is there. Whoever compares does it alone: the last one, who has seen all changes, has the last word.
 */
export async function reconcile(
  db: Db,
  place: RenderContext,
  named: readonly string[],
  connections: readonly Connection[],
  again: (target: Assignment) => boolean = () => false,
): Promise<readonly Connection[]> {
  const { workspaceId } = place
  const emailIds = [...new Set(named)]
  return db.transaction(async tx => {
    await lockReconcile(tx, workspaceId, emailIds)
    await lockDueMailboxes(tx, workspaceId, emailIds)
    const all = await installationsAt(tx, workspaceId, emailIds)
    const rows = Map.groupBy(all, row => row.email_id)
    const mailboxes = Map.groupBy(await mailboxesOf(tx, workspaceId, emailIds), one => one.email_id)
    const there = (emailId: string): MailboxState => ({
      rows: rows.get(emailId) ?? [],
      mailboxes: mailboxes.get(emailId) ?? [],
    })
    const targets = await targetsOf(tx, place, emailIds, there)
    const found: Differences = { looks: [], wanted: [], superseded: [], right: [], restamped: [] }
    const busy = new Set<Connection>()
    for (const emailId of emailIds)
      for (const connection of connections) {
        const { channel, integrationId } = connection
        const target = targets.get(emailId)
        const here = there(emailId)
        const current = here.rows.filter(row => row.integration_id === integrationId)
        if (integrationId === null) comparePage(found, emailId, current, target)
        else {
          const mailbox = here.mailboxes.find(one => one.integration_id === integrationId)
          const isForced = target !== undefined && again(target)
          if (mailbox?.is_due) busy.add(connection)
          if (!isForced && isSettled(mailbox, current, target)) recordRenderKey(found, mailbox, target)
          else {
            found.looks.push({ emailId, integrationId, isForced })
            if (target)
              found.wanted.push({ signatureId: target.signatureId, emailId, channel, integrationId })
            busy.add(connection)
          }
        }
      }
    await saveDifferences(tx, workspaceId, found)
    // A channel that is gone carries nothing any more.
    const isGone = (row: InstallationRow) =>
      row.status !== 'uninstalled' && !connections.some(one => one.integrationId === row.integration_id)
    if (all.some(isGone)) {
      await deleteDisconnected(tx, workspaceId, emailIds)
      await markDisconnectedUninstalled(tx, workspaceId, emailIds)
    }
    // In the same order for all, who hold their jobs until the end.
    return connections.filter(one => busy.has(one))
  })
}

/** By address; those that should have nothing are left out. */
async function targetsOf(
  tx: Db,
  place: RenderContext,
  emailIds: readonly string[],
  there: (emailId: string) => MailboxState,
): Promise<Map<string, Target>> {
  const targets = new Map<string, Target>(await assignmentsFor(tx, place, emailIds))
  const comparable = [...targets.values()]
    .filter(one => isComparable(one, there(one.emailId)))
    // Sources are numbered in this order: two who compare would wait for each other.
    .sort((a, b) => Number(a.signatureId > b.signatureId) - Number(a.signatureId < b.signatureId))
  if (comparable.length === 0) return targets
  const drawing = await openRenderer(tx, place)
  const origins = await drawing.renderKeysOf(comparable.map(renderRequestOf))
  const drawn = await fingerprintAll(
    drawing,
    comparable.filter(one => !isUnchangedByKey(one, there(one.emailId), origins.get(one.emailId))),
  )
  for (const one of comparable) {
    const origin = origins.get(one.emailId)
    // Neither an address that is gone nor a signature that is published no more has one.
    if (origin === undefined) targets.delete(one.emailId)
    else targets.set(one.emailId, { ...one, renderKey: origin, drawn: drawn.get(one.emailId) })
  }
  return targets
}

const atATime = 50

async function fingerprintAll(
  drawing: LiveRenderer,
  chosen: readonly Assignment[],
): Promise<Map<string, Fingerprint>> {
  const seen = new Map<string, Fingerprint>()
  for (let from = 0; from < chosen.length; from += atATime)
    for (const [emailId, one] of await renderAssignments(drawing, chosen.slice(from, from + atATime)))
      seen.set(emailId, {
        sha256: one.sha256,
        renderKey: await one.renderKey(),
        fingerprint: fingerprintOf(one),
      })
  return seen
}

/** Whether there is anything to compare it with. */
const isComparable = (one: Assignment, { rows, mailboxes }: MailboxState): boolean =>
  mailboxes.some(mailbox => known(mailbox) !== null) || rows.some(row => isCopyOf(row, one))

/** Whether all there is to compare was drawn from the same. */
const isUnchangedByKey = (
  one: Assignment,
  { rows, mailboxes }: MailboxState,
  origin: string | undefined,
): boolean =>
  mailboxes.every(mailbox => known(mailbox) === null || isFrom(mailbox, origin)) &&
  !rows.some(row => isCopyOf(row, one))

const isCopyOf = (row: InstallationRow, { signatureId }: Assignment): boolean =>
  row.integration_id === null && row.signature_id === signatureId && row.html_sha256 !== null

/** Of what was tried last when it is to be tried again or has failed for good, else of what is there. */
const known = (mailbox: Mailbox): string | null =>
  mailbox.is_due ? mailbox.tried_sha256 : (mailbox.written_sha256 ?? mailbox.tried_sha256)

const isFrom = (mailbox: Mailbox, origin: string | undefined): boolean =>
  !mailbox.is_due && mailbox.written_origin !== null && mailbox.written_origin === origin

async function saveDifferences(
  tx: Db,
  workspaceId: string,
  { looks, wanted, superseded, right, restamped }: Differences,
): Promise<void> {
  if (superseded.length > 0) await markUninstalled(tx, workspaceId, superseded)
  if (right.length > 0) await markInstalled(tx, workspaceId, right)
  if (restamped.length > 0) await saveRenderKeys(tx, workspaceId, restamped)
  if (looks.length > 0) await markDue(tx, workspaceId, looks)
  await savePending(tx, workspaceId, wanted)
}

/** Whether nobody needs to look at a mailbox, or somebody will who sees all that is to be seen now. */
function isSettled(
  mailbox: Mailbox | undefined,
  rows: readonly InstallationRow[],
  target: Target | undefined,
): boolean {
  const isEmpty = rows.every(row => row.status === 'uninstalled')
  if (!mailbox) return !target && isEmpty
  if (mailbox.is_claimed) return false // what is being carried may be an older one
  if (!target) return mailbox.is_due || isEmpty
  const status = rows.find(row => row.signature_id === target.signatureId)?.status
  const isSame = target.drawn !== undefined && target.drawn.fingerprint === known(mailbox)
  // What has failed waits for its turn; another one need not.
  if (mailbox.is_due) return status === 'pending' && (isSame || mailbox.tried_sha256 === null)
  // What was refused for good is refused again, until it is another.
  if (status === 'failed') return isSame && mailbox.written_sha256 === null
  return status === 'installed' && (target.drawn ? isSame : isFrom(mailbox, target.renderKey))
}

/** What is right, but was drawn from something else, need not be drawn the next time. */
function recordRenderKey(
  { restamped }: Differences,
  mailbox: Mailbox | undefined,
  target: Target | undefined,
): void {
  if (!mailbox || mailbox.is_due || mailbox.written_sha256 === null || !target?.drawn) return
  const { email_id: emailId, integration_id: integrationId, written_sha256: sha256 } = mailbox
  const { renderKey: origin } = target.drawn
  if (mailbox.written_origin !== origin)
    restamped.push({ emailId, integrationId, written: { sha256, renderKey: origin } })
}

/** There is nobody to push to: people look, and copy what they find. */
function comparePage(
  { wanted, superseded, right }: Differences,
  emailId: string,
  rows: readonly InstallationRow[],
  target: Target | undefined,
): void {
  for (const row of rows) {
    if (row.status !== 'uninstalled' && row.signature_id !== target?.signatureId) superseded.push(row.id)
    // One that was copied in this form before is right again, without anybody's doing.
    if (row.status === 'pending' && isCopied(row, target)) right.push(row.id)
  }
  if (!target) return
  const row = rows.find(one => one.signature_id === target.signatureId)
  if (row?.status === 'pending' || (row?.status === 'installed' && isCopied(row, target))) return
  wanted.push({ signatureId: target.signatureId, emailId, channel: 'personal_page', integrationId: null })
}

const isCopied = (row: InstallationRow, target: Target | undefined): boolean =>
  row.signature_id === target?.signatureId && row.html_sha256 === target.drawn?.sha256
