// Sessions of people (a cookie): the cookie's form, and the authenticator that looks sessions up.
import { randomBytes } from 'node:crypto'
import { CredentialCache } from '#kernel/base/caches.ts'
import { apiError } from '#kernel/base/errors.ts'
import type { AccountIdentity, Authenticator, CredentialSource, Identity } from './auth.ts'
import type { Answer } from './routes.ts'
import type { MemberAccess, Role } from './scopes.ts'

/** 256 random bits, as base64url. */
export const mintSessionToken = (): string => randomBytes(32).toString('base64url')

const token = /^[A-Za-z0-9_-]{43}$/

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t'

/** `trim` would also remove U+00A0: a cookie that a subdomain has set could pass for one with the prefix `__Host-`. */
function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length]
  while (isBlank(text[start])) start++
  while (end > start && isBlank(text[end - 1])) end--
  return text.slice(start, end)
}

export class SessionCookie {
  readonly name: string
  readonly #attributes: string

  /** `Secure` and the prefix `__Host-` need https: a service without it is one on localhost, or behind a plain proxy. */
  constructor(publicUrl: string, name = 'signoff') {
    const isSecure = publicUrl.startsWith('https:')
    this.name = isSecure ? `__Host-${name}` : name
    this.#attributes = `; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  }

  /** The Set-Cookie header for a new session. */
  set(value: string, maxAgeSeconds: number): string {
    return `${this.name}=${value}; Max-Age=${maxAgeSeconds}${this.#attributes}`
  }

  /** The Set-Cookie header that makes the browser forget the session. */
  clear(): string {
    return `${this.name}=; Max-Age=0${this.#attributes}`
  }

  /**
   * The token that a request carries; undefined without one. Browsers send cookies of the same name in an undefined
   * order: a request with two different ones is treated as one without a session.
   */
  tokenIn(header: string | undefined): string | undefined {
    if (header === undefined || !header.includes(this.name)) return undefined
    const tokens = new Set<string>()
    for (const pair of header.split(';')) {
      const at = pair.indexOf('=')
      if (at > 0 && withoutBlanks(pair.slice(0, at)) === this.name)
        tokens.add(withoutBlanks(pair.slice(at + 1)))
    }
    const [first] = tokens
    return tokens.size === 1 && first !== '' ? first : undefined
  }
}

/** `cookie` is a Set-Cookie header. */
export const withCookie = (answer: Answer, cookie: string): Answer => ({
  ...answer,
  cookies: [...(answer.cookies ?? []), cookie],
})

/** An account's place in a workspace, as a session sees it. */
export interface SessionMembership {
  readonly workspaceId: string
  readonly memberId: string
  readonly role: Role
  readonly memberAccess: MemberAccess
  readonly email: string
  /** Why this session must not act in the workspace; null when it can. */
  readonly refusal: 'sso_required' | 'second_factor_required' | 'unverified_account' | null
}

/** A session as the database has it. */
export interface SessionCredential {
  readonly sessionId: string
  readonly accountId: string
  readonly email: string
  readonly name: string
  /** The second factor is still missing. */
  readonly isPending: boolean
  /** See `AccountIdentity`. `memberships` holds only this workspace then. */
  readonly ssoWorkspaceId: string | null
  readonly expiresAt: Date
  /** In the order in which the account got them. */
  readonly memberships: readonly SessionMembership[]
  /** The workspace that the session used last. */
  readonly lastWorkspaceId: string | null
}

export interface SessionAuthenticatorOptions {
  readonly cookie: SessionCookie
  readonly lookUp: (hash: Buffer) => Promise<SessionCredential | null>
  /** A request has chosen another workspace than the one before. */
  readonly onChoice: (session: SessionCredential, workspaceId: string) => void
}

const failuresPerMinute = 30

/** Case-insensitive in HTTP; Node writes names of headers in lower case. */
const workspaceHeader = 'signoff-workspace'

export class SessionAuthenticator implements Authenticator {
  readonly cookie: SessionCookie
  readonly #sessions: CredentialCache<SessionCredential>
  readonly #onChoice: SessionAuthenticatorOptions['onChoice']

  constructor({ cookie, lookUp, onChoice }: SessionAuthenticatorOptions) {
    this.cookie = cookie
    this.#sessions = new CredentialCache(lookUp, failuresPerMinute)
    this.#onChoice = onChoice
  }

  authenticate(source: CredentialSource): Promise<Identity> | null {
    const value = this.cookie.tokenIn(source.headers.cookie)
    return value === undefined ? null : this.#identify(value, source)
  }

  authenticateAccount(source: CredentialSource): Promise<AccountIdentity> | null {
    const value = this.cookie.tokenIn(source.headers.cookie)
    return value === undefined ? null : this.#account(value, source)
  }

  /** Call it after a session or a member was changed here. Other processes follow when their cache expires. */
  forget(): void {
    this.#sessions.forget()
  }

  async #find(value: string, { clientNetwork }: CredentialSource): Promise<SessionCredential> {
    const session = token.test(value) ? await this.#sessions.find(value, clientNetwork) : null
    if (session && session.expiresAt.getTime() > Date.now()) return session
    await this.#sessions.countFailure(clientNetwork)
    // The cookie is not cleared: a request that was under way during a sign-in would clear the new one.
    throw apiError('session_expired', { headers: { 'WWW-Authenticate': 'Bearer' } })
  }

  async #account(value: string, source: CredentialSource): Promise<AccountIdentity> {
    const { sessionId, accountId, email, name, isPending, ssoWorkspaceId } = await this.#find(value, source)
    return { sessionId, accountId, email, name, isPending, ssoWorkspaceId, countedBy: sessionId }
  }

  async #identify(value: string, source: CredentialSource): Promise<Identity> {
    const session = await this.#find(value, source)
    if (session.isPending) throw apiError('second_factor_required')
    const { workspaceId, memberId, role, memberAccess, email, refusal } = this.#choose(session, source)
    if (refusal) throw apiError(refusal)
    return {
      workspaceId,
      memberId,
      actorId: memberId,
      memberEmail: email,
      apiKeyId: null,
      accountId: session.accountId,
      sessionId: session.sessionId,
      directoryId: null,
      role,
      memberAccess,
      scopes: ['*'],
      // The session ends; keys that it creates do not end with it.
      expiresAt: null,
      countedBy: session.sessionId,
      via: null,
    }
  }

  /** The workspace that the header names; else the one used last, else the first one that is open to the session. */
  #choose(session: SessionCredential, { headers }: CredentialSource): SessionMembership {
    const { memberships, lastWorkspaceId } = session
    const header = headers[workspaceHeader]
    if (header === undefined) {
      const last = memberships.find(({ workspaceId }) => workspaceId === lastWorkspaceId)
      const chosen = last ?? memberships.find(({ refusal }) => refusal === null) ?? memberships[0]
      if (!chosen) throw apiError('not_found', { message: 'This account belongs to no workspace.' })
      return chosen
    }
    const id = String(header).trim().toLowerCase()
    const chosen = memberships.find(({ workspaceId }) => workspaceId === id)
    if (!chosen) throw apiError('not_found', { message: 'Signoff-Workspace names no workspace of yours.' })
    if (lastWorkspaceId !== id) this.#onChoice(session, id)
    return chosen
  }
}
