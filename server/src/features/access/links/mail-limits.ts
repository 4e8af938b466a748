// Limits of mails with links: without them, the service could be used to flood a mailbox.
import { hash } from 'node:crypto'
import { networkOf } from '#kernel/client-network.ts'
import type { Db } from '#kernel/db.ts'
import { apiError } from '#kernel/errors.ts'
import { comparisonKey } from '#kernel/text.ts'
import { countMailRequest, type MailCount } from './queries.ts'

export const mailWindowMilliseconds = 3600_000
const limits = { address: 5, network: 30 } as const

function count(db: Db, kind: keyof typeof limits, text: string): Promise<MailCount> {
  const now = new Date()
  const since = new Date(now.getTime() - mailWindowMilliseconds)
  return countMailRequest(db, hash('sha256', `${kind} ${text}`, 'buffer'), now, since)
}

/** Counts a request of this client. Throws 429 when its network has asked for too many mails. */
export async function limitMailRequests(db: Db, clientAddress: string): Promise<void> {
  const { mails, windowStart } = await count(db, 'network', networkOf(clientAddress))
  if (mails <= limits.network) return
  const seconds = Math.ceil((windowStart.getTime() + mailWindowMilliseconds - Date.now()) / 1_000)
  throw apiError('too_many_attempts', { headers: { 'Retry-After': String(Math.max(1, seconds)) } })
}

/** Counts a mail to this address. False when it has got too many: the request is not refused, as it tells nothing. */
export const isMailAllowed = async (db: Db, email: string): Promise<boolean> =>
  (await count(db, 'address', comparisonKey(email))).mails <= limits.address
