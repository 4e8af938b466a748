// A browser that signs in through identity providers, as far as cookies and redirects go.
import type { Answer, RequestOptions, TestApp } from '../app.ts'
import { type ForgingProvider, testClient } from './oidc-provider.ts'

export const publicUrl = 'http://127.0.0.1:3000'

export const ssoEnv = { SIGNOFF_PRIVATE_TARGETS: '127.0.0.1', SIGNOFF_PUBLIC_URL: publicUrl }

/** Keeps cookies, and sends them as a browser does. */
export class TestBrowser {
  readonly #app: TestApp
  readonly #cookies = new Map<string, string>()

  constructor(app: TestApp) {
    this.#app = app
  }

  async call(
    method: string,
    path: string,
    sent: RequestOptions & { isCrossSite?: boolean } = {},
  ): Promise<Answer> {
    // Lax: another site's page sends no cookies with a POST, and all of them with a GET.
    const hasCookies = !(sent.isCrossSite && method !== 'GET')
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await this.#app.call(method, path, {
      key: null,
      ...sent,
      headers: {
        'sec-fetch-site': sent.isCrossSite ? 'cross-site' : 'same-origin',
        ...(hasCookies && cookie !== '' && { cookie }),
        ...sent.headers,
      },
    })
    for (const text of [answer.headers['set-cookie'] ?? []].flat()) {
      const [pair = ''] = text.split(';')
      this.#cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    return answer
  }

  get(path: string, sent?: RequestOptions): Promise<Answer> {
    return this.call('GET', path, sent)
  }

  postForm(path: string, form: Record<string, string>): Promise<Answer> {
    return this.call('POST', path, {
      isCrossSite: true,
      payload: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  }

  get hasSession(): boolean {
    return this.#cookies.has('signoff')
  }
}

/** The code of a refusal, or `signed in`. */
export const outcomeOf = (answer: Answer): string =>
  answer.status === 303 ? 'signed in' : `${answer.body.error.code}: ${answer.body.error.message}`

export const oidcConnection = (issuer: string, more: object = {}) => ({
  kind: 'oidc',
  name: 'Test',
  issuer,
  ...testClient,
  allowed_domains: ['example.com'],
  just_in_time: true,
  ...more,
})

export async function connect(app: TestApp, body: object, key = app.key): Promise<string> {
  const answer = await app.post('/v1/sso_connections', body, { key })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body.data.id
}

/** Signs in at a forging provider. Returns the answer of the callback. */
export async function signInAt(
  provider: ForgingProvider,
  browser: TestBrowser,
  workspaceId: string,
  connection?: string,
): Promise<Answer> {
  const query = connection === undefined ? '' : `?connection=${connection}`
  const begun = await browser.get(`/auth/oidc/${workspaceId}${query}`)
  if (begun.status !== 303) return begun
  const { code, state } = provider.authorize(begun.headers.location ?? '')
  return browser.get(`/auth/oidc/callback?${new URLSearchParams({ code, state })}`)
}

/** Signs a person in whom the provider describes by these claims. Returns the outcome, with the role after a success. */
export async function attemptSignIn(
  provider: ForgingProvider,
  browser: TestBrowser,
  workspaceId: string,
  claims: object,
): Promise<string> {
  provider.forgery = { claims: { ...claims } }
  const answer = await signInAt(provider, browser, workspaceId)
  if (answer.status !== 303) return outcomeOf(answer)
  const { body } = await browser.get('/v1/me')
  return `${body.data.account.email} ${body.data.member.role}`
}
