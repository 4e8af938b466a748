// Marks a browser by a random id. It opens nothing: links by mail and challenges of passkeys are bound to it, and a sign-in
// from a browser that an account has not used before is announced.
import { mintSessionToken, SessionCookie } from '#kernel/api/session-cookies.ts'

const yearSeconds = 365 * 24 * 3600

const wellFormed = /^[A-Za-z0-9_-]{43}$/

export interface MarkedBrowser {
  readonly id: string
  /** The Set-Cookie header, for a browser that has no id yet. */
  readonly cookie: string | null
}

export class BrowserCookie {
  readonly #cookie: SessionCookie

  constructor(publicUrl: string) {
    this.#cookie = new SessionCookie(publicUrl, 'signoff-browser')
  }

  /** The id in the request's cookie, or a new one. */
  browserOf(header: string | undefined): MarkedBrowser {
    const sent = this.#cookie.tokenIn(header)
    if (sent !== undefined && wellFormed.test(sent)) return { id: sent, cookie: null }
    const id = mintSessionToken()
    return { id, cookie: this.#cookie.set(id, yearSeconds) }
  }
}
