// A request for a page, without HTTP: what the visitor sent, and the page or the address that it gets.

import type { SessionCredential } from '#kernel/api/session-cookies.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Send } from './calls.ts'
import type { PageContext, PageParts } from './document.ts'

/**
 * The person whose session the browser has. A session of single sign-on sees only the workspace of its connection:
 * `memberships` holds no other.
 */
export type Visitor = Pick<
  SessionCredential,
  | 'accountId'
  | 'sessionId'
  | 'email'
  | 'name'
  | 'isPending'
  | 'ssoWorkspaceId'
  | 'memberships'
  | 'lastWorkspaceId'
>

export interface Visit {
  readonly db: Db
  readonly context: PageContext
  readonly visitor: Visitor | null
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly form: Readonly<Record<string, string>>
  readonly userAgent: string
  /** The header with the cookies of the browser. */
  readonly cookie: string | undefined
  readonly send: Send
}

export interface ShownPage {
  readonly status: 200 | 403 | 404 | 409 | 422 | 429 | 503
  readonly page: PageParts
  /** Set if it is not the context of the visit. */
  readonly context?: PageContext
  readonly cookies?: readonly string[]
}

export interface PageRedirect {
  readonly location: string
  readonly cookies?: readonly string[]
}

export type PageResult = ShownPage | PageRedirect

export interface PageDefinition {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly summary: string
  readonly visit: (visit: Visit) => Promise<PageResult>
}

export const show = (page: PageParts, status: ShownPage['status'] = 200): ShownPage => ({ status, page })

/** The browser opens the address with GET, so that loading a page again never sends a form again. */
export const redirect = (location: string, cookies: readonly string[] = []): PageRedirect => ({
  location,
  cookies,
})

/** `/sign-in?return_to=%2Faccount`; empty values are left out. The path can have a query already. */
export function pathWith(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const filled = Object.entries(query).filter((pair): pair is [string, string] => (pair[1] ?? '') !== '')
  return filled.length === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(filled)}`
}
