// Compares what should be in mailboxes with what is there or on its way, and asks for the difference alone. It may run at
// any time, by anybody, as often as anybody likes: what is right already is not touched.
import type { Db } from '../../kernel/db.ts'
import type { Connection } from './channel.ts'
import { type Desired, desiredFor, type Place } from './desired.ts'
import { type Current, currentOf, putInstalled, putPending, putUninstalled, type Wanted } from './queries.ts'

const keyOf = (emailId: string, { channel, integrationId }: Pick<Connection, 'channel' | 'integrationId'>) =>
  `${emailId} ${channel} ${integrationId ?? ''}`

/** What has to change for these addresses; the connections that have work now. */
export async function reconcile(
  db: Db,
  place: Place,
  emailIds: readonly string[],
  connections: readonly Connection[],
): Promise<readonly Connection[]> {
  const { workspaceId } = place
  const desired = await desiredFor(db, place, emailIds)
  const current = Map.groupBy(await currentOf(db, workspaceId, emailIds), row =>
    keyOf(row.email_id, { channel: row.channel, integrationId: row.integration_id }),
  )
  const wanted: Wanted[] = []
  const superseded: string[] = []
  const right: string[] = []
  const busy = new Set<Connection>()
  const ways = new Set(connections.map(connection => keyOf('', connection)))
  // A channel that is gone carries nothing any more.
  for (const row of [...current.values()].flat())
    if (
      row.status !== 'uninstalled' &&
      !ways.has(keyOf('', { channel: row.channel, integrationId: row.integration_id }))
    )
      superseded.push(row.id)
  for (const emailId of emailIds)
    for (const connection of connections) {
      const rows = current.get(keyOf(emailId, connection)) ?? []
      const target = desired.get(emailId)
      // A page that was copied in this form before is right again, without anybody's doing.
      right.push(
        ...rows.filter(row => channelIsFetched(connection) && isRightAgain(row, target)).map(row => row.id),
      )
      superseded.push(...rows.filter(row => isSuperseded(row, target)).map(row => row.id))
      if (target && rows.some(row => row.status === 'pending')) busy.add(connection)
      if (!target || !isMissing(rows, target)) continue
      const { channel, integrationId } = connection
      wanted.push({ signatureId: target.signatureId, emailId, channel, integrationId })
      busy.add(connection)
    }
  if (wanted.length + superseded.length + right.length > 0)
    await db.transaction(async tx => {
      if (superseded.length > 0) await putUninstalled(tx, workspaceId, superseded)
      if (right.length > 0) await putInstalled(tx, workspaceId, right)
      await putPending(tx, workspaceId, wanted)
    })
  return [...busy]
}

const isSuperseded = (row: Current, target: Desired | undefined): boolean =>
  row.status !== 'uninstalled' && row.signature_id !== target?.signatureId

const channelIsFetched = ({ channel }: Connection): boolean => channel === 'personal_page'

const isRightAgain = (row: Current, target: Desired | undefined): boolean =>
  row.status === 'pending' && row.signature_id === target?.signatureId && row.html_sha256 === target.sha256

/** Not there, and not on its way in this form: what is being carried may be an older one. */
function isMissing(rows: readonly Current[], target: Desired): boolean {
  const row = rows.find(one => one.signature_id === target.signatureId)
  if (!row) return true
  if (row.status === 'pending') return row.is_claimed
  return row.status !== 'installed' || row.html_sha256 !== target.sha256
}
