// Who visits a page: the session of the browser, and the language and the company that the pages show.
import {
  type AccessDeps,
  findAccount,
  findSessionCredential,
  hashToken,
} from '#features/access/access/index.ts'
import { SessionCookie } from '#kernel/api/session-cookies.ts'
import type { Db } from '#kernel/db/db.ts'
import { brandFor } from './brand.ts'
import type { PageClient } from './calls.ts'
import { contextIn, type PageContext } from './document.ts'
import { isPageLanguage, languageOf, type PageLanguage } from './language.ts'
import type { Visitor } from './visit.ts'

/** Null without a session, and with one that has ended. */
export async function visitorOf(db: Db, client: PageClient, access: AccessDeps): Promise<Visitor | null> {
  const { cookie } = client.headers
  const token = typeof cookie === 'string' ? new SessionCookie(access.publicUrl).tokenIn(cookie) : undefined
  const session = token === undefined ? null : await findSessionCredential(db, hashToken(token), access)
  return session && session.expiresAt > new Date() ? session : null
}

/** The name of the person who is signed in, else the address; null without a complete sign-in. */
export async function signedInName(db: Db, client: PageClient, access: AccessDeps): Promise<string | null> {
  const visitor = await visitorOf(db, client, access)
  return visitor && !visitor.isPending ? visitor.name || visitor.email : null
}

/** Keeps the language that a person has chosen for the pages before the next sign-in. It opens nothing. */
const languageCookie = 'signoff-lang'
const yearSeconds = 365 * 24 * 3600

function keptLanguage(cookie: unknown): PageLanguage | undefined {
  const value = typeof cookie === 'string' ? /(?:^|;\s*)signoff-lang=(\w+)/.exec(cookie)?.[1] : undefined
  return isPageLanguage(value) ? value : undefined
}

/** The language of the browser, unless a person has chosen one here. */
export const languageIn = ({ cookie, 'accept-language': accepted }: PageClient['headers']): PageLanguage =>
  keptLanguage(cookie) ?? languageOf(typeof accepted === 'string' ? accepted : undefined)

export interface VisitorContext {
  readonly context: PageContext
  /** Set-Cookie headers for the choice of the language. */
  readonly cookies: readonly string[]
}

/** The language of the account, else of the browser. The company of an installation that has only one. */
export async function contextFor(
  db: Db,
  { headers }: PageClient,
  visitor: Visitor | null,
  publicUrl: string,
): Promise<VisitorContext> {
  const account = visitor && (await findAccount(db, visitor.accountId))
  const brand = await brandFor(db, publicUrl)
  const cookieLocale = keptLanguage(headers.cookie) ?? null
  if (!account || account.locale === cookieLocale)
    return { context: contextIn(account?.locale ?? languageIn(headers), brand), cookies: [] }
  const { locale } = account
  const attributes = `Max-Age=${locale ? yearSeconds : 0}; Path=/; HttpOnly; SameSite=Lax`
  return {
    context: contextIn(locale ?? languageIn({ ...headers, cookie: undefined }), brand),
    cookies: [
      `${languageCookie}=${locale ?? ''}; ${attributes}${publicUrl.startsWith('https:') ? '; Secure' : ''}`,
    ],
  }
}
