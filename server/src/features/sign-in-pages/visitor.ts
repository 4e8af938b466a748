// Who visits a page: the session of the browser, and the language and the company that the pages show.
import { type AccessDeps, findAccount, findSessionCredential, hashToken } from '#features/access/index.ts'
import type { Db } from '#kernel/db.ts'
import { SessionCookie } from '#kernel/session-cookies.ts'
import { brandFor } from './brand.ts'
import type { PageClient } from './calls.ts'
import { contextIn, type PageContext } from './document.ts'
import { languageOf, type PageLanguage } from './language.ts'
import type { Visitor } from './visit.ts'

/** Null without a session, and with one that has ended. */
export async function visitorOf(db: Db, client: PageClient, access: AccessDeps): Promise<Visitor | null> {
  const { cookie } = client.headers
  const token = typeof cookie === 'string' ? new SessionCookie(access.publicUrl).tokenIn(cookie) : undefined
  const session = token === undefined ? null : await findSessionCredential(db, hashToken(token), access)
  return session && session.expiresAt > new Date() ? session : null
}

/** The language of the browser. */
export const languageIn = ({ 'accept-language': accepted }: PageClient['headers']): PageLanguage =>
  languageOf(typeof accepted === 'string' ? accepted : undefined)

/** The language of the account, else of the browser. The company of an installation that has only one. */
export async function contextFor(
  db: Db,
  client: PageClient,
  visitor: Visitor | null,
  publicUrl: string,
): Promise<PageContext> {
  const account = visitor && (await findAccount(db, visitor.accountId))
  return contextIn(account?.locale ?? languageIn(client.headers), await brandFor(db, publicUrl))
}
