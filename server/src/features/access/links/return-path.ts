// Where a browser goes after the sign-in. The path comes from the request, so it could lead to a page of an attacker.

const longest = 2_000

/** Stands in for this installation: only whether the path leaves it is of interest. */
const base = 'http://signoff.invalid'

/** Browsers read `\` as `/`, and leave out tabs and line breaks. */
const forbidden = /[\\\p{Cc}\p{Cf}\p{Z}]/u

/** `//`, and what a proxy could decode to it. */
const leavesSite = /^\/(?:\/|%2f|%5c|%25)/i

/** Paths that sign in or out, rather than show a page. */
const isWayIn = /^\/auth(?:\/|$|\?|#)/i

/** Where a person is at home until a page for the workspace exists: `/` is for developers. */
const fallback = '/account'

/** A path of this installation with its query; `/account` for any other text, and for `/`. The ONE check of return paths. */
export function safeReturnPath(text: unknown): string {
  if (typeof text !== 'string' || text.length > longest || !text.startsWith('/')) return fallback
  if (forbidden.test(text) || leavesSite.test(text) || !URL.canParse(text, base)) return fallback
  const { origin, pathname, search, hash } = new URL(text, base)
  // Dot segments are resolved by now: `/.//example.org` has become `//example.org`.
  if (origin !== base || leavesSite.test(pathname) || isWayIn.test(pathname)) return fallback
  return pathname === '/' ? fallback : `${pathname}${search}${hash}`
}
