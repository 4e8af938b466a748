// Where a browser goes after the sign-in. The path comes from the request, so it could lead to a page of an attacker, or
// to a path of this installation that does something as soon as it is opened.

const longest = 2_000

/** Stands in for this installation: only whether the path leaves it is of interest. */
const base = 'http://signoff.invalid'

/** Browsers read `\` as `/`, and leave out tabs and line breaks. */
const forbidden = /[\\\p{Cc}\p{Cf}\p{Z}]/u

/** Texts that a proxy or a router could read in another way, once it has decoded the path. */
const ambiguous = /[\\%?#\p{Cc}\p{Cf}]|\/\/|\/\.{1,2}(?:\/|$)/u

/** The first segments of the paths that show a page and do nothing else. */
const pages: ReadonlySet<string> = new Set([
  // The home page.
  '',
  'account',
  'docs',
  'invitation',
  'sign-in',
  // The dashboard.
  'signatures',
  'people',
  'fields',
  'campaigns',
  'analytics',
  'assets',
  'installations',
  'integrations',
  'approvals',
  'settings',
  'me',
  'welcome',
])

/** The only page of the set-up that is allowed: `/setup` itself takes a token from its address. */
const passkeyOffer = '/setup/passkey'

function decoded(pathname: string): string | undefined {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return undefined
  }
}

/** True if a path leads to a page, as each router reads it: decoded, with its dot segments resolved. */
function isPage(pathname: string): boolean {
  const path = decoded(pathname)
  if (path === undefined || ambiguous.test(path)) return false
  return path === passkeyOffer || pages.has(path.split('/', 2)[1] ?? '')
}

const fallback = '/'

/** A path of this installation with its query; `/` for any other text. The ONE check of return paths. */
export function safeReturnPath(text: unknown): string {
  if (typeof text !== 'string' || text.length > longest || !text.startsWith('/')) return fallback
  if (forbidden.test(text) || !URL.canParse(text, base)) return fallback
  const { origin, pathname, search, hash } = new URL(text, base)
  return origin === base && isPage(pathname) ? `${pathname}${search}${hash}` : fallback
}
