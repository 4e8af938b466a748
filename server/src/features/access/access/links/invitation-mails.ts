// The limit of invitations by mail: without it, members of any workspace could flood a mailbox.
import { hash } from 'node:crypto'
import { apiError } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { comparisonKey } from '#kernel/db/text.ts'
import { mailWindowMilliseconds } from './mail-limits.ts'
import { countMailRequest } from './queries.ts'

const mostInvitationMails = 5

/** Counts an invitation to this address, of any workspace. Throws 429 `rate_limited` when it got too many in an hour. */
export async function limitInvitationMails(tx: Db, email: string): Promise<void> {
  const now = new Date()
  const since = new Date(now.getTime() - mailWindowMilliseconds)
  const key = hash('sha256', `invitation ${comparisonKey(email)}`, 'buffer')
  if ((await countMailRequest(tx, key, now, since)) <= mostInvitationMails) return
  throw apiError('rate_limited', {
    message: `This address got ${mostInvitationMails} invitations within an hour; try again later.`,
    headers: { 'Retry-After': '3600' },
  })
}
