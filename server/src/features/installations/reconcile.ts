// Compares what should be in mailboxes with what is there or on its way, and asks for the difference alone. It may run at
// any time, by anybody, as often as anybody likes: what is right already is not touched.
import type { Db } from '../../kernel/db.ts'
import type { Place } from '../live/index.ts'
import type { Connection } from './channel.ts'
import { type Desired, desiredFor } from './desired.ts'
import { askForLook, forgetGone, type Look, type Mailbox, mailboxesOf } from './mailboxes/queries.ts'
import { fingerprintOf } from './mailboxes/work.ts'
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

const keyOf = (emailId: string, channel: string, integrationId: string | null) =>
  `${emailId} ${channel} ${integrationId ?? ''}`

interface Differences {
  readonly looks: Look[]
  readonly wanted: Wanted[]
  readonly superseded: string[]
  readonly right: string[]
}

/**
 * Asks for what has to change for these addresses; answers the connections that have work now. `again` tells which are to be
 * written whatever is there. Whoever compares does it alone: the last one, who has seen all changes, has the last word.
 */
export async function reconcile(
  db: Db,
  place: Place,
  emailIds: readonly string[],
  connections: readonly Connection[],
  again: (target: Desired) => boolean = () => false,
): Promise<readonly Connection[]> {
  const { workspaceId } = place
  return db.transaction(async tx => {
    await lockComparing(tx, workspaceId)
    const desired = await desiredFor(tx, place, emailIds)
    const rows = Map.groupBy(await currentOf(tx, workspaceId, emailIds), row =>
      keyOf(row.email_id, row.channel, row.integration_id),
    )
    const mailboxes = new Map(
      (await mailboxesOf(tx, workspaceId, emailIds)).map(one => [
        `${one.email_id} ${one.integration_id}`,
        one,
      ]),
    )
    const found: Differences = { looks: [], wanted: [], superseded: [], right: [] }
    const busy = new Set<Connection>()
    for (const connection of connections)
      for (const emailId of emailIds) {
        const { channel, integrationId } = connection
        const current = rows.get(keyOf(emailId, channel, integrationId)) ?? []
        const target = desired.get(emailId)
        if (integrationId === null) comparePage(found, emailId, current, target)
        else {
          const mailbox = mailboxes.get(`${emailId} ${integrationId}`)
          const isForced = target !== undefined && again(target)
          if (mailbox?.is_due) busy.add(connection)
          if (!isForced && isRight(mailbox, current, target)) continue
          found.looks.push({ emailId, integrationId, isForced })
          if (target) found.wanted.push({ signatureId: target.signatureId, emailId, channel, integrationId })
          busy.add(connection)
        }
      }
    await ask(tx, workspaceId, found)
    // A channel that is gone carries nothing any more.
    const ways = new Set(connections.map(({ channel, integrationId }) => keyOf('', channel, integrationId)))
    const isGone = (row: Current) =>
      row.status !== 'uninstalled' && !ways.has(keyOf('', row.channel, row.integration_id))
    if ([...rows.values()].some(some => some.some(isGone))) {
      await forgetGone(tx, workspaceId, emailIds)
      await putGone(tx, workspaceId, emailIds)
    }
    return [...busy]
  })
}

async function ask(
  tx: Db,
  workspaceId: string,
  { looks, wanted, superseded, right }: Differences,
): Promise<void> {
  if (superseded.length > 0) await putUninstalled(tx, workspaceId, superseded)
  if (right.length > 0) await putInstalled(tx, workspaceId, right)
  if (looks.length > 0) await askForLook(tx, workspaceId, looks)
  await putPending(tx, workspaceId, wanted)
}

/** Whether nobody needs to look at a mailbox, or somebody will who sees all that is to be seen now. */
function isRight(
  mailbox: Mailbox | undefined,
  rows: readonly Current[],
  target: Desired | undefined,
): boolean {
  const isEmpty = rows.every(row => row.status === 'uninstalled')
  if (!mailbox) return !target && isEmpty
  if (mailbox.is_claimed) return false // what is being carried may be an older one
  if (!target) return mailbox.is_due || isEmpty
  const status = rows.find(row => row.signature_id === target.signatureId)?.status
  const sha256 = fingerprintOf(target)
  // What has failed waits for its turn; another one need not.
  if (mailbox.is_due) return status === 'pending' && (mailbox.tried_sha256 ?? sha256) === sha256
  return status === 'installed' && mailbox.written_sha256 === sha256
}

/** There is nobody to push to: people look, and copy what they find. */
function comparePage(
  { wanted, superseded, right }: Differences,
  emailId: string,
  rows: readonly Current[],
  target: Desired | undefined,
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

const isCopied = (row: Current, target: Desired | undefined): boolean =>
  row.signature_id === target?.signatureId && row.html_sha256 === target.sha256
