// Serves the dashboard: one page for all its addresses, and its files.
import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import { type Answer, publicRoute, type RequestClient, type Route } from '#kernel/api/routes.ts'
import { SessionCookie } from '#kernel/api/session-cookies.ts'
import { apiError } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import type { DashboardFiles } from './files.ts'
import { dashboardPaths } from './pages.ts'
import { waitingPage } from './waiting-page.ts'

export type DashboardState =
  | { readonly status: 'off' }
  | { readonly status: 'building' }
  | { readonly status: 'failed'; readonly reason: string }
  | { readonly status: 'ready'; readonly files: DashboardFiles }

export interface DashboardDeps {
  readonly publicUrl: string
  readonly stateOf: () => DashboardState
  /** True if the owner can sign in: before the set-up, `/` says how to begin. */
  readonly isSetUp: (db: Db) => Promise<boolean>
  /** The page at `/` of an installation without accounts, or without a dashboard. */
  readonly home: (db: Db, client: RequestClient) => Promise<Answer>
}

/**
 * No inline script and no other host. The nonce is for the two style elements of React Aria. Style attributes are those of
 * signatures in their frames, which inherit this policy; their pictures can come from any host, over https. Plain http is
 * for installations that are themselves reached over it.
 */
const policyOf = (nonce: string, { origin, protocol }: URL): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' ${origin} data: blob: https:${protocol === 'http:' ? ' http:' : ''}`,
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types signoff',
  ].join('; ')

function pageAnswer({ page }: DashboardFiles, publicUrl: URL): Answer {
  const nonce = randomBytes(16).toString('base64url')
  return {
    status: 200,
    body: page.replaceAll('%NONCE%', nonce),
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf(nonce, publicUrl),
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex',
    },
  }
}

const textOf = (value: string | readonly string[] | undefined): string => String(value ?? '')

const noSuchFile = (): Error => apiError('not_found', { message: 'The dashboard has no such file.' })

function fileAnswer(files: DashboardFiles, name: string, client: RequestClient): Answer {
  const file = files.find(name, textOf(client.headers['accept-encoding']))
  if (!file) throw noSuchFile()
  return {
    status: 200,
    body: file.body,
    headers: {
      'content-type': file.type,
      // The name holds a hash of the content.
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
      ...(file.encoding && { 'content-encoding': file.encoding }),
    },
  }
}

/** The query comes along: filters of a list, the page of a table. */
const toSignIn = (path: string, { search = '' }: RequestClient): Answer => ({
  status: 303,
  body: '',
  headers: {
    location: `/sign-in?return_to=${encodeURIComponent(path + (search.length <= 2_000 ? search : ''))}`,
    'cache-control': 'no-store',
  },
})

export function dashboardRoutes(deps: DashboardDeps): readonly Route[] {
  const publicUrl = new URL(deps.publicUrl)
  const cookie = new SessionCookie(deps.publicUrl)
  const hasSession = ({ headers }: RequestClient) => cookie.tokenIn(textOf(headers.cookie)) !== undefined
  const answers = { 200: Type.String(), 303: null, 503: Type.String() }
  const show = (): Answer => {
    const state = deps.stateOf()
    return state.status === 'ready' ? pageAnswer(state.files, publicUrl) : waitingPage(state)
  }
  return [
    publicRoute('/', 'The home page of the dashboard', answers, async ({ db, client }) => {
      if (deps.stateOf().status === 'off') return deps.home(db, client)
      if (hasSession(client)) return show()
      return (await deps.isSetUp(db)) ? toSignIn('/', client) : deps.home(db, client)
    }),
    ...dashboardPaths.map(path =>
      publicRoute(path, 'A page of the dashboard', answers, async ({ client, params }) => {
        const own = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
        return hasSession(client) ? show() : toSignIn(own, client)
      }),
    ),
    publicRoute('/web/{file}', 'A file of the dashboard', answers, async ({ params, client }) => {
      const state = deps.stateOf()
      if (state.status !== 'ready') throw noSuchFile()
      return fileAnswer(state.files, params.file ?? '', client)
    }),
  ]
}
