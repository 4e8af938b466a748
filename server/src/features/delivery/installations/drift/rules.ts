// Reads mailboxes back and records what was found. A check never delays a delivery: it stops as soon as one is due.
import type { Db } from '#kernel/db/db.ts'
import { announceDrifted } from '../announce.ts'
import type { Connection, PushChannel, ReadOutcome, RepairMode } from '../channel.ts'
import { enqueueDeliver } from '../mailboxes/jobs.ts'
import { allowSlowLocks } from '../mailboxes/queries.ts'
import { type InstallationRow, installationsAt, lockReconcile, savePending } from '../reconcile/queries.ts'
import { type DriftDecision, decideDrift, storedFingerprint } from './decide.ts'
import {
  type CheckedMailbox,
  forgetDrift,
  hasDueMailbox,
  lockChecked,
  type MailboxCheck,
  mailboxesToCheck,
  markDrifted,
  markIntact,
  postponeChecks,
  saveChecks,
} from './queries.ts'

interface CheckPace {
  /** No read begins later than this after the start of the job; a read itself gives up after 15 s. */
  readonly milliseconds: number
  /** Reads at once. */
  readonly atOnce: number
}

/** 100,000 mailboxes a day are 350 in five minutes, which take less than 20 s. */
export const usualCheckPace: CheckPace = { milliseconds: 20_000, atOnce: 4 }
const batchSize = 100

interface Reading {
  readonly mailbox: CheckedMailbox
  readonly outcome: ReadOutcome
}

type ActiveRepair = Exclude<RepairMode, 'off'>

/** Until no check is due, a delivery is due, the provider refuses, or the time is over. */
export async function checkMailboxes(
  db: Db,
  channel: PushChannel,
  connection: Connection,
  repair: RepairMode,
  pace: CheckPace,
): Promise<void> {
  if (repair === 'off') {
    while ((await db.transaction(tx => forgetDrift(tx, connection, batchSize))) === batchSize);
    return
  }
  const end = performance.now() + pace.milliseconds
  const isOver = () => performance.now() > end
  while (!isOver()) {
    if (await hasDueMailbox(db, connection)) return
    const mailboxes = await mailboxesToCheck(db, connection, batchSize)
    if (mailboxes.length === 0) return
    const readings = await readAll(channel, connection, mailboxes, pace.atOnce, isOver)
    await recordReadings(db, connection, readings, repair)
    if (readings.length < mailboxes.length) return
  }
}

/** Without those that it did not begin to read: after a refusal that concerns all mailboxes, and when the time is over. */
async function readAll(
  channel: PushChannel,
  connection: Connection,
  mailboxes: readonly CheckedMailbox[],
  atOnce: number,
  isOver: () => boolean,
): Promise<readonly Reading[]> {
  const queue = [...mailboxes]
  const readings: Reading[] = []
  let isRefused = false
  const readQueue = async (): Promise<void> => {
    for (let mailbox = queue.shift(); mailbox && !isRefused && !isOver(); mailbox = queue.shift()) {
      const { user: primaryAddress, address } = mailbox
      const outcome = await channel.read?.({ primaryAddress, address }, connection)
      if (!outcome) return
      readings.push({ mailbox, outcome })
      if (!outcome.ok && outcome.next !== 'reject') isRefused = true
    }
  }
  await Promise.all(Array.from({ length: atOnce }, readQueue))
  return readings
}

const everyDay = 24

async function recordReadings(
  db: Db,
  connection: Connection,
  readings: readonly Reading[],
  repair: ActiveRepair,
): Promise<void> {
  const idsWhere = (isChosen: (outcome: ReadOutcome) => boolean) =>
    readings.filter(({ outcome }) => isChosen(outcome)).map(({ mailbox }) => mailbox.emailId)
  // A mailbox that does not exist any more: the next delivery fails and says so.
  const absent = idsWhere(outcome => !outcome.ok && outcome.next === 'reject')
  const refused = idsWhere(outcome => !outcome.ok && outcome.next !== 'reject')
  if (absent.length > 0) await postponeChecks(db, connection, absent, everyDay)
  if (refused.length > 0) await postponeChecks(db, connection, refused, 1)
  const decided = readings.flatMap(({ mailbox, outcome }) => {
    if (!outcome.ok) return []
    const current = storedFingerprint(outcome.stored)
    return [{ mailbox, current, decision: decideDrift(mailbox, current, repair) }]
  })
  if (decided.length > 0) await db.transaction(tx => saveDecisions(tx, connection, decided))
}

interface Decided {
  readonly mailbox: CheckedMailbox
  readonly current: string
  readonly decision: DriftDecision
}

const resultOfCheck = ({ mailbox, current, decision }: Decided): MailboxCheck => {
  const { emailId, written } = mailbox
  const unchanged = {
    emailId,
    written,
    foreign: null,
    foreignWrites: 0,
    isRestored: false,
    nextHours: everyDay,
  }
  if (decision.action === 'none') return unchanged
  if (decision.action === 'learn') return { ...unchanged, written: current }
  const { action, foreignWrites } = decision
  return { ...unchanged, foreign: current, foreignWrites, isRestored: action === 'restore' }
}

/** Mailboxes that a delivery or a change has reached since they were read are left out: the next check reads them. */
async function saveDecisions(tx: Db, connection: Connection, all: readonly Decided[]): Promise<void> {
  const { workspaceId, channel, integrationId } = connection
  const emailIds = all.map(({ mailbox }) => mailbox.emailId)
  await allowSlowLocks(tx)
  // Reconcile jobs lock installations before mailboxes; without this lock the two could wait for each other.
  await lockReconcile(tx, workspaceId, emailIds)
  const locked = new Map((await lockChecked(tx, connection, emailIds)).map(row => [row.emailId, row]))
  const decided = all.filter(({ mailbox: { emailId, claim, revision } }) => {
    const row = locked.get(emailId)
    return row?.claim === claim && row.revision === revision
  })
  if (decided.length === 0) return
  await saveChecks(tx, connection, decided.map(resultOfCheck))
  const installations = new Map(
    (await installationsAt(tx, workspaceId, emailIds))
      .filter(row => row.integration_id === integrationId && holdsSignature(row))
      .map(row => [row.email_id, row]),
  )
  const reported = decided.flatMap(({ mailbox, decision }) => {
    const row = installations.get(mailbox.emailId)
    return row && 'code' in decision ? [{ row, decision }] : []
  })
  const intact = decided.flatMap(({ mailbox, decision }) => {
    const row = installations.get(mailbox.emailId)
    return row?.status === 'drifted' && !('code' in decision) ? [row.id] : []
  })
  if (intact.length > 0) await markIntact(tx, workspaceId, intact)
  if (reported.length === 0) return
  await markDrifted(
    tx,
    workspaceId,
    reported.map(({ row, decision }) => ({ id: row.id, code: decision.code })),
  )
  await announceDrifted(
    tx,
    workspaceId,
    reported
      .filter(({ decision }) => decision.isNew)
      .map(({ row, decision }) => ({
        id: row.id,
        signature_id: row.signature_id,
        email_id: row.email_id,
        channel,
        integration_id: integrationId,
        error_code: decision.code,
        restores: decision.action === 'restore',
      })),
  )
  const restored = reported.filter(({ decision }) => decision.action === 'restore')
  if (restored.length === 0) return
  await savePending(
    tx,
    workspaceId,
    restored.map(({ row }) => ({
      signatureId: row.signature_id,
      emailId: row.email_id,
      channel,
      integrationId,
    })),
  )
  await tx.query(enqueueDeliver(connection))
}

const holdsSignature = ({ status }: InstallationRow): boolean =>
  status === 'installed' || status === 'drifted'
