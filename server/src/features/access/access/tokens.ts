// Secrets in links: 256 random bits, of which only the hash is stored.

import { mintSessionToken } from '#kernel/api/session-cookies.ts'
import { hashSecret } from '#kernel/base/caches.ts'
import { BrowserCookie } from '#kernel/http/browser-cookies.ts'

export interface LinkToken {
  readonly token: string
  readonly hash: Buffer
}

export function newToken(): LinkToken {
  const token = mintSessionToken()
  return { token, hash: hashSecret(token) }
}

export const hashToken = hashSecret

/** The hash of the cookie that marks a browser. */
export const browserHashOf = ({ markBrowser }: { readonly markBrowser?: () => string }): Buffer =>
  hashToken(markBrowser?.() ?? '')

/** The same without setting the cookie: for a browser that has none, the hash is one that no account knows. */
export const sentBrowserHash = (
  { headers }: { readonly headers: Readonly<Record<string, string | readonly string[] | undefined>> },
  publicUrl: string,
): Buffer => hashToken(new BrowserCookie(publicUrl).browserOf(headers.cookie as string | undefined).id)
