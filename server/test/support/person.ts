// A browser with a cookie jar, and accounts that sign in through the real routes.
import { argon2Sync } from 'node:crypto'
import {
  findAccountByEmail,
  insertMember,
  markVerified,
  updatePasswordHash,
} from '#features/workspace/accounts/index.ts'
import type { Role } from '#kernel/api/scopes.ts'
import type { Answer, RequestOptions, TestApp } from './app.ts'

/** The app believes the header `X-Forwarded-For` of tests. */
export const proxied = { SIGNOFF_TRUSTED_PROXIES: '127.0.0.1' }

let networks = 0
const newNetwork = (): string => {
  networks++
  return `10.${networks >> 16}.${(networks >> 8) & 255}.${networks & 255}`
}

export class Jar {
  readonly #app: TestApp
  readonly #headers: Readonly<Record<string, string>>
  readonly cookies = new Map<string, string>()

  /** Each browser has a network of its own, so that limits of one test do not touch another: see `proxied`. */
  constructor(app: TestApp, headers: Readonly<Record<string, string>> = {}) {
    this.#app = app
    this.#headers = { 'x-forwarded-for': newNetwork(), ...headers }
  }

  /** Requests of a page of the service, unless the headers say otherwise. */
  async call(method: string, path: string, sent: RequestOptions = {}): Promise<Answer> {
    const { origin } = new URL(this.#app.config.publicUrl)
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await this.#app.call(method, path, {
      key: null,
      ...sent,
      headers: {
        ...(cookie && { cookie }),
        origin,
        'sec-fetch-site': 'same-origin',
        ...this.#headers,
        ...sent.headers,
      },
    })
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = '', maxAge = ''] = /^([^=]+)=([^;]*); Max-Age=(\d+)/.exec(line) ?? []
      if (maxAge === '0') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return answer
  }

  get(path: string, sent?: RequestOptions): Promise<Answer> {
    return this.call('GET', path, sent)
  }

  post(path: string, body?: unknown, sent?: RequestOptions): Promise<Answer> {
    return this.call('POST', path, { body, ...sent })
  }

  patch(path: string, body?: unknown): Promise<Answer> {
    return this.call('PATCH', path, { body })
  }

  delete(path: string): Promise<Answer> {
    return this.call('DELETE', path)
  }
}

export const goodPassword = 'seven quiet herons at dusk'

export interface Person {
  readonly accountId: string
  readonly memberId: string
  readonly email: string
}

/**
 * The hash of a password, with the smallest parameters. A check uses the parameters of the stored hash, and takes 40 ms of
 * CPU time with those of the service.
 */
export function quickHash(password: string): string {
  const nonce = Buffer.alloc(16)
  const parameters = { tagLength: 32, memory: 8, passes: 1, parallelism: 1 }
  const hash = argon2Sync('argon2id', { message: password, nonce, ...parameters })
  const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=8,t=1,p=1$${unpadded(nonce)}$${unpadded(hash)}`
}

let count = 0
const goodHash = quickHash(goodPassword)

/** A member of the app's workspace with a password. */
export async function newPerson(app: TestApp, role: Role = 'admin', hasPassword = true): Promise<Person> {
  const email = `person${++count}.${Date.now()}@example.com`
  const memberId = await app.db.transaction(tx =>
    insertMember(tx, app.id, { name: 'Pat Person', email, role }),
  )
  const account = await findAccountByEmail(app.db, email)
  if (!account) throw new Error(`no account has the address ${email}`)
  await app.db.query(markVerified(account.id))
  if (hasPassword) await updatePasswordHash(app.db, account.id, goodHash)
  return { accountId: account.id, memberId, email }
}

export const signInByPasswordIn = (jar: Jar, { email }: Person, password = goodPassword): Promise<Answer> =>
  jar.post('/auth/password', { email, password })
