// What the people of the demo did in the weeks before: entries of the audit log, and when each of them was seen last.

import { inviteMember } from '#features/access/members/index.ts'
import { signatureIdsByName } from '#features/signatures/signatures/index.ts'
import { findAccountOfMember, findMember, markSeen } from '#features/workspace/accounts/index.ts'
import { insertPastEntries, type PastEntry } from '#features/workspace/audit-log/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { day, hour } from '#kernel/base/durations.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Parts } from '#parts.ts'
import type { DemoPerson } from './events.ts'
import { colleagues } from './members.ts'

const weeks = 8

interface Deed {
  readonly role: 'admin' | 'manager' | 'member'
  /** Day of the week, counted from Monday; the hour is in UTC. */
  readonly weekday: number
  readonly hour: number
  readonly action: string
  readonly on: 'signature' | 'teammate'
}

/** A usual week. */
const deeds: readonly Deed[] = [
  { role: 'manager', weekday: 0, hour: 8.4, action: 'signature.updated', on: 'signature' },
  { role: 'manager', weekday: 0, hour: 9.1, action: 'signature.updated', on: 'signature' },
  { role: 'admin', weekday: 1, hour: 10.2, action: 'teammate.updated', on: 'teammate' },
  { role: 'admin', weekday: 1, hour: 10.4, action: 'teammate.updated', on: 'teammate' },
  { role: 'member', weekday: 2, hour: 13.7, action: 'teammate.updated', on: 'teammate' },
  { role: 'manager', weekday: 2, hour: 14.5, action: 'signature.recipients_changed', on: 'signature' },
  { role: 'admin', weekday: 3, hour: 9.6, action: 'signature.published', on: 'signature' },
  { role: 'manager', weekday: 4, hour: 15.3, action: 'signature.updated', on: 'signature' },
]

type Members = Readonly<Record<Deed['role'], { readonly id: string; readonly accountId: string } | undefined>>

async function membersByRole(db: Db, workspaceId: string): Promise<Members> {
  const memberOf = async (role: Deed['role']) => {
    const member = await findMember(db, workspaceId, colleagues[role].email)
    const account = member && (await findAccountOfMember(db, workspaceId, member.id))
    return member && account && { id: member.id, accountId: account.id }
  }
  return {
    admin: await memberOf('admin'),
    manager: await memberOf('manager'),
    member: await memberOf('member'),
  }
}

function* pastEntries(
  members: Members,
  signatureIds: readonly string[],
  people: readonly DemoPerson[],
  now: Date,
): Generator<PastEntry> {
  const today = Math.floor(now.getTime() / day) * day
  const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * day
  for (let week = weeks; week >= 0; week--)
    for (const [n, { role, weekday, hour: time, action, on }] of deeds.entries()) {
      const at = new Date(monday + (weekday - 7 * week) * day + (time + (week % 3) / 5) * hour)
      const ids = on === 'signature' ? signatureIds : people.map(({ teammate_id }) => teammate_id)
      const resourceId = ids[(week * 3 + n) % ids.length]
      const memberId = members[role]?.id
      if (at < now && resourceId !== undefined && memberId !== undefined)
        yield { at, memberId, action, resourceId }
    }
}

const invited = { email: 'noah.fischer@northbean.example', name: 'Noah Fischer', role: 'manager' } as const

/** Once, for a workspace that was just filled. */
export async function fillHistory(
  db: Db,
  by: Caller,
  { access }: Parts,
  people: readonly DemoPerson[],
): Promise<void> {
  const { workspaceId } = by
  const now = new Date()
  const members = await membersByRole(db, workspaceId)
  const signatureIds = [...(await signatureIdsByName(db, workspaceId)).values()]
  const entries = [...pastEntries(members, signatureIds, people, now)]
  if (entries.length > 0) await db.query(insertPastEntries(workspaceId, entries))
  for (const [n, member] of [members.admin, members.manager, members.member].entries())
    if (member)
      await db.query(markSeen(workspaceId, member.accountId, new Date(now.getTime() - (n * 2 + 0.2) * day)))
  // Without a mail: the people of the demo have no mailboxes.
  const quiet = { access: { ...access, sendsMail: false }, enqueueAccountMail: async () => undefined }
  if (!(await findMember(db, workspaceId, invited.email))) await inviteMember(db, by, invited, quiet)
}
