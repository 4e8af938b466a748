// Secrets in links: 256 random bits, of which only the hash is stored.
import { hashSecret } from '#kernel/credential-cache.ts'
import { mintSessionToken } from '#kernel/session-cookies.ts'

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
