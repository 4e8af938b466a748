// A link that is older than the workspace allows asks for a fresh one, which only the mailbox of the address gets.
import { isNetworkLimited, isPageLinkAllowed } from '#features/access/access/index.ts'
import type { Db } from '#kernel/db/db.ts'
import type { PageVisit } from '../rules.ts'
import { enqueueFreshLink } from './jobs.ts'

/** The visitor gets the same answer whether a mail is sent or not. */
export async function requestFreshLink(
  db: Db,
  { context: { workspaceId }, owner }: PageVisit,
  clientAddress: string,
): Promise<void> {
  if (await isNetworkLimited(db, clientAddress)) return
  if (!(await isPageLinkAllowed(db, workspaceId, owner.email_id))) return
  await db.query(enqueueFreshLink(workspaceId, owner.email_id))
}

/** `a…@example.com`: a stranger with an old link learns no address from it. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const [first = ''] = address
  return `${first}…${address.slice(at)}`
}
