// The address that a person has typed, kept for the pages after the form: an address of a page with it in it would be in
// logs and in the history of the browser.
import { SessionCookie } from '#kernel/api/session-cookies.ts'

const longest = 320
const seconds = 30 * 60

const cookieFor = (publicUrl: string) => new SessionCookie(publicUrl, 'signoff-address')

/** The Set-Cookie header. */
export const keepAddress = (publicUrl: string, email: string): string =>
  cookieFor(publicUrl).set(encodeURIComponent(email.trim().slice(0, longest)), seconds)

/** Undefined without one. */
export function keptAddress(publicUrl: string, cookie: string | undefined): string | undefined {
  try {
    const value = cookieFor(publicUrl).tokenIn(cookie)
    return value === undefined ? undefined : decodeURIComponent(value).slice(0, longest)
  } catch {
    return undefined
  }
}
