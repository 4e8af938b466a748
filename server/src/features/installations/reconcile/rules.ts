// Compares what should be in mailboxes with what is there or on its way, and asks for the difference alone. It may run at
// any time, by anybody, as often as anybody likes: what is right already is not touched.

import { type LiveDrawing, openDrawing, type Place } from '#features/live-signatures/index.ts'
import type { Db } from '#kernel/db.ts'
import type { Connection } from '../channel.ts'
import { fingerprintOf } from '../mailboxes/deliver.ts'
import {
  askForLook,
  forgetGone,
  holdDue,
  type Look,
  type Mailbox,
  mailboxesOf,
  putOrigins,
  type Restamped,
} from '../mailboxes/queries.ts'
import { type Chosen, chosenFor, type Desired, drawChosen, wantedOf } from './assignments.ts'
import {
  type Current,
  currentOf,
  lockComparing,
  putGone,
  putInstalled,
  putPending,
  putUninstalled,
  type Wanted,
} from './queries.ts'

/** What should be there. It is drawn only where it has to be compared with something that was drawn from something else. */
interface Target extends Chosen {
  readonly origin?: string
  readonly drawn?: Seen | undefined
}

/** What has to be known of a drawing, which itself may be large. */
interface Seen extends Pick<Desired, 'sha256'> {
  readonly origin: string
  readonly fingerprint: string
}

/** What is known of an address. */
interface There {
  readonly rows: readonly Current[]
  readonly mailboxes: readonly Mailbox[]
}

interface Differences {
  readonly looks: Look[]
  readonly wanted: Wanted[]
  readonly superseded: string[]
  readonly right: string[]
  readonly restamped: Restamped[]
}

/**
 * Asks for what has to change for these addresses; answers the connections that have work now. `again` tells which are to be
 * written whatever is there. Whoever compares does it alone: the last one, who has seen all changes, has the last word.
 */
export async function reconcile(
  db: Db,
  place: Place,
  named: readonly string[],
  connections: readonly Connection[],
  again: (target: Chosen) => boolean = () => false,
): Promise<readonly Connection[]> {
  const { workspaceId } = place
  const emailIds = [...new Set(named)]
  return db.transaction(async tx => {
    await lockComparing(tx, workspaceId, emailIds)
    await holdDue(tx, workspaceId, emailIds)
    const all = await currentOf(tx, workspaceId, emailIds)
    const rows = Map.groupBy(all, row => row.email_id)
    const mailboxes = Map.groupBy(await mailboxesOf(tx, workspaceId, emailIds), one => one.email_id)
    const there = (emailId: string): There => ({
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
          if (!isForced && isRight(mailbox, current, target)) noteOrigin(found, mailbox, target)
          else {
            found.looks.push({ emailId, integrationId, isForced })
            if (target)
              found.wanted.push({ signatureId: target.signatureId, emailId, channel, integrationId })
            busy.add(connection)
          }
        }
      }
    await ask(tx, workspaceId, found)
    // A channel that is gone carries nothing any more.
    const isGone = (row: Current) =>
      row.status !== 'uninstalled' && !connections.some(one => one.integrationId === row.integration_id)
    if (all.some(isGone)) {
      await forgetGone(tx, workspaceId, emailIds)
      await putGone(tx, workspaceId, emailIds)
    }
    // In the same order for all, who hold their jobs until the end.
    return connections.filter(one => busy.has(one))
  })
}

/** By address; those that should have nothing are left out. */
async function targetsOf(
  tx: Db,
  place: Place,
  emailIds: readonly string[],
  there: (emailId: string) => There,
): Promise<Map<string, Target>> {
  const targets = new Map<string, Target>(await chosenFor(tx, place, emailIds))
  const comparable = [...targets.values()]
    .filter(one => isComparable(one, there(one.emailId)))
    // Sources are numbered in this order: two who compare would wait for each other.
    .sort((a, b) => Number(a.signatureId > b.signatureId) - Number(a.signatureId < b.signatureId))
  if (comparable.length === 0) return targets
  const drawing = await openDrawing(tx, place)
  const origins = await drawing.originsOf(comparable.map(wantedOf))
  const drawn = await see(
    drawing,
    comparable.filter(one => !isTold(one, there(one.emailId), origins.get(one.emailId))),
  )
  for (const one of comparable) {
    const origin = origins.get(one.emailId)
    // Neither an address that is gone nor a signature that is published no more has one.
    if (origin === undefined) targets.delete(one.emailId)
    else targets.set(one.emailId, { ...one, origin, drawn: drawn.get(one.emailId) })
  }
  return targets
}

const atATime = 50

async function see(drawing: LiveDrawing, chosen: readonly Chosen[]): Promise<Map<string, Seen>> {
  const seen = new Map<string, Seen>()
  for (let from = 0; from < chosen.length; from += atATime)
    for (const [emailId, one] of await drawChosen(drawing, chosen.slice(from, from + atATime)))
      seen.set(emailId, { sha256: one.sha256, origin: await one.origin(), fingerprint: fingerprintOf(one) })
  return seen
}

/** Whether there is anything to compare it with. */
const isComparable = (one: Chosen, { rows, mailboxes }: There): boolean =>
  mailboxes.some(mailbox => known(mailbox) !== null) || rows.some(row => isCopyOf(row, one))

/** Whether all there is to compare was drawn from the same. */
const isTold = (one: Chosen, { rows, mailboxes }: There, origin: string | undefined): boolean =>
  mailboxes.every(mailbox => known(mailbox) === null || isFrom(mailbox, origin)) &&
  !rows.some(row => isCopyOf(row, one))

const isCopyOf = (row: Current, { signatureId }: Chosen): boolean =>
  row.integration_id === null && row.signature_id === signatureId && row.html_sha256 !== null

/** Of what was tried last when it is to be tried again or has failed for good, else of what is there. */
const known = (mailbox: Mailbox): string | null =>
  mailbox.is_due ? mailbox.tried_sha256 : (mailbox.written_sha256 ?? mailbox.tried_sha256)

const isFrom = (mailbox: Mailbox, origin: string | undefined): boolean =>
  !mailbox.is_due && mailbox.written_origin !== null && mailbox.written_origin === origin

async function ask(
  tx: Db,
  workspaceId: string,
  { looks, wanted, superseded, right, restamped }: Differences,
): Promise<void> {
  if (superseded.length > 0) await putUninstalled(tx, workspaceId, superseded)
  if (right.length > 0) await putInstalled(tx, workspaceId, right)
  if (restamped.length > 0) await putOrigins(tx, workspaceId, restamped)
  if (looks.length > 0) await askForLook(tx, workspaceId, looks)
  await putPending(tx, workspaceId, wanted)
}

/** Whether nobody needs to look at a mailbox, or somebody will who sees all that is to be seen now. */
function isRight(
  mailbox: Mailbox | undefined,
  rows: readonly Current[],
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
  return status === 'installed' && (target.drawn ? isSame : isFrom(mailbox, target.origin))
}

/** What is right, but was drawn from something else, need not be drawn the next time. */
function noteOrigin(
  { restamped }: Differences,
  mailbox: Mailbox | undefined,
  target: Target | undefined,
): void {
  if (!mailbox || mailbox.is_due || mailbox.written_sha256 === null || !target?.drawn) return
  const { email_id: emailId, integration_id: integrationId, written_sha256: sha256 } = mailbox
  const { origin } = target.drawn
  if (mailbox.written_origin !== origin)
    restamped.push({ emailId, integrationId, written: { sha256, origin } })
}

/** There is nobody to push to: people look, and copy what they find. */
function comparePage(
  { wanted, superseded, right }: Differences,
  emailId: string,
  rows: readonly Current[],
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

const isCopied = (row: Current, target: Target | undefined): boolean =>
  row.signature_id === target?.signatureId && row.html_sha256 === target.drawn?.sha256
