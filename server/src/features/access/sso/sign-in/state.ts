// `state` (OIDC) and RelayState (SAML): the workspace and a secret, and the cookie that binds them to a browser.
import { hash, randomBytes } from 'node:crypto'

export interface NewState {
  /** 64 characters; SAML allows 80. */
  readonly state: string
  readonly hash: Buffer
}

const hashState = (state: string): Buffer => hash('sha256', state, 'buffer')

export function mintState(workspaceId: string): NewState {
  const id = Buffer.from(workspaceId.replaceAll('-', ''), 'hex')
  const state = Buffer.concat([id, randomBytes(32)]).toString('base64url')
  return { state, hash: hashState(state) }
}

/** The workspace in a state; undefined for a text that is none. */
export function readState(
  state: string,
): { readonly workspaceId: string; readonly hash: Buffer } | undefined {
  if (!/^[A-Za-z0-9_-]{64}$/.test(state)) return undefined
  const hex = Buffer.from(state, 'base64url').subarray(0, 16).toString('hex')
  const workspaceId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return { workspaceId, hash: hashState(state) }
}

/** Each sign-in has a cookie of its own, so that several tabs do not disturb each other. */
export class AttemptCookie {
  readonly #name: string
  readonly #attributes: string

  constructor(publicUrl: string, stateHash: Buffer) {
    const isSecure = publicUrl.startsWith('https:')
    this.#name = `${isSecure ? '__Host-' : ''}signoff-sso-${stateHash.toString('hex').slice(0, 16)}`
    this.#attributes = `; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  }

  /** The Set-Cookie header, and the hash to store. */
  mint(seconds: number): { readonly header: string; readonly hash: Buffer } {
    const value = randomBytes(32).toString('base64url')
    return {
      header: `${this.#name}=${value}; Max-Age=${seconds}${this.#attributes}`,
      hash: hash('sha256', value, 'buffer'),
    }
  }

  /** Undefined when the browser has not begun this sign-in. */
  hashIn(header: unknown): Buffer | undefined {
    if (typeof header !== 'string') return undefined
    for (const pair of header.split(';')) {
      const [name, value = ''] = pair.trim().split('=', 2)
      if (name === this.#name) return hash('sha256', value, 'buffer')
    }
    return undefined
  }
}
