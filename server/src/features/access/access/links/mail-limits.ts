// Limits of mails with links: without them, the service could be used to flood a mailbox.
import { hash } from 'node:crypto'
import { hour } from '#kernel/base/durations.ts'
import { networkOf } from '#kernel/base/rate-limits.ts'
import type { Db } from '#kernel/db/db.ts'
import { comparisonKey } from '#kernel/db/text.ts'
import { isOwnBrowser } from '../sessions/queries.ts'
import { countMailRequest } from './queries.ts'

export const mailWindowMilliseconds = hour
const limits = { address: 5, browser: 5, network: 30, 'sso account': 1, 'personal page': 3 } as const

function count(db: Db, kind: keyof typeof limits, text: string): Promise<number> {
  const now = new Date()
  const since = new Date(now.getTime() - mailWindowMilliseconds)
  return countMailRequest(db, hash('sha256', `${kind} ${text}`, 'buffer'), now, since)
}

/** Counts a request of this client. True when its network has asked for too many mails: nothing is sent then. */
export const isNetworkLimited = async (db: Db, clientAddress: string): Promise<boolean> =>
  (await count(db, 'network', networkOf(clientAddress))) > limits.network

/**
 * Counts a mail to this address. False when it has got too many. Strangers can use up the limit of the address: the
 * person's own browsers have a limit of their own. `browserHash` is in hexadecimal.
 */
export async function isMailAllowed(db: Db, email: string, browserHash: string): Promise<boolean> {
  const key = comparisonKey(email)
  if (await isOwnBrowser(db, email, Buffer.from(browserHash, 'hex')))
    return (await count(db, 'browser', `${browserHash} ${key}`)) <= limits.browser
  return (await count(db, 'address', key)) <= limits.address
}

/**
 * Counts a mail about a sign-in by single sign-on. They are counted apart from all others: a workspace must not use up
 * the mails about sign-ins by other ways.
 */
export const isSsoMailAllowed = async (db: Db, accountId: string): Promise<boolean> =>
  (await count(db, 'sso account', accountId)) <= limits['sso account']

/** Counts a mail with the link of a personal page. Counted apart: a person who cannot sign in must not be held up. */
export const isPageLinkAllowed = async (db: Db, workspaceId: string, emailId: string): Promise<boolean> =>
  (await count(db, 'personal page', `${workspaceId} ${emailId}`)) <= limits['personal page']
