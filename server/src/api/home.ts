// The page at `/`, for a person who opens the address of the service in a browser.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Answer, Png, publicRoute, type RequestClient, type Route } from '#kernel/api/routes.ts'
import type { Db } from '#kernel/db/db.ts'
import { createPageWriter, linkList } from './page.ts'

const { version } = createRequire(import.meta.url)('../../package.json') as { readonly version: string }

const page = createPageWriter({
  style: `
main { max-width: 40rem; margin: 0 auto; padding: 12vh 1rem 3rem }
p { margin: 0.5rem 0 0; color: var(--faint) }
h2 { margin: 0; font-size: 1.1rem }
.start { margin-top: 2rem; padding: 1.1rem; border: 1px solid var(--line); border-radius: 12px; background: var(--card) }
code { padding: 0.1rem 0.35rem; border-radius: 6px; background: var(--paper); color: var(--ink); font-size: 0.9rem; overflow-wrap: anywhere }
`,
})

const signInLink = {
  path: '/sign-in',
  name: 'Sign in',
  about: 'Your account, and the workspaces that you belong to',
}

const links = [
  {
    path: '/docs/guides',
    name: 'Guides',
    about: 'Your first signature in five minutes, and how all of it works',
  },
  { path: '/docs', name: 'API reference', about: 'Every route, with its fields, and a form to try it' },
  { path: '/v1/openapi.json', name: 'OpenAPI document', about: 'The same for programs' },
  { path: '/readyz', name: 'Health', about: 'Whether the service can take requests' },
]

const escaped = (text: string): string => text.replace(/[&<>"']/g, letter => `&#${letter.charCodeAt(0)};`)

/** `name`: of the person who is signed in; else null. */
function homeAnswer(name: string | null, introduction: string): Answer {
  const entry =
    name === null
      ? signInLink
      : { ...signInLink, path: '/sign-in/workspace?again=1', name: `Signed in as ${escaped(name)}` }
  const body = page.html(
    'Signoff',
    `<main>${introduction}${linkList([entry, ...links])}<footer>Version ${version}</footer></main>`,
  )
  const headers = name === null ? page.headers : { ...page.headers, 'cache-control': 'no-store' }
  return { status: 200, body, headers: { ...headers, vary: 'Cookie' } }
}

const running = '<h1>Signoff</h1><p>Email signatures for the whole company. This service is running.</p>'

/** Before the owner can sign in. The link itself is a secret of the operator. */
const welcome = (publicUrl: string) => `<h1>Welcome to Signoff</h1>
<p>Design your email signatures once. Every colleague’s email then carries the right one.</p>
<section class="start"><h2>Open your set-up link</h2>
<p>Signoff printed it in the terminal where it was started. It looks like this: <code>${escaped(publicUrl)}/setup#…</code></p>
<p>It works once, for 24 hours. To get a new one, run <code>npx signoff setup-link</code> on the server.</p></section>
`

/** Browsers ask for it on every page. They take a PNG under this name. */
const icon: Answer = {
  status: 200,
  body: readFileSync(join(import.meta.dirname, 'favicon.png')),
  headers: { 'content-type': 'image/png', 'cache-control': 'public, max-age=86400' },
}

/** The name of the person whose browser sent the request; null for a visitor without a session. */
type NameOfVisitor = (db: Db, client: RequestClient) => Promise<string | null>

interface HomePageDeps {
  readonly publicUrl: string
  readonly nameOf: NameOfVisitor
  readonly isSetUp: (db: Db) => Promise<boolean>
}

/** The page of an installation that is not set up yet, or that has no dashboard. */
export const homePage =
  ({ publicUrl, nameOf, isSetUp }: HomePageDeps) =>
  async (db: Db, client: RequestClient): Promise<Answer> =>
    homeAnswer(await nameOf(db, client), (await isSetUp(db)) ? running : welcome(publicUrl))

export const iconRoute: Route = publicRoute(
  '/favicon.ico',
  'The icon of the pages',
  { 200: Png },
  async () => icon,
)
