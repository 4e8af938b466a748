// The pages do what the API does: a form becomes a request to the API's route in this process, with the cookies and the
// address of the visitor. So there is one set of rules, limits, origin checks and audit entries.

/** The browser that has sent a request. */
export interface PageClient {
  readonly address: string
  readonly userAgent: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

export interface InnerRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly headers: Record<string, string>
  readonly remoteAddress: string
  readonly payload?: string
}

export interface InnerAnswer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly rawPayload: Buffer
}

/** Serves a request in this process, without a network. */
export type ServeInner = (request: InnerRequest) => Promise<InnerAnswer>

export interface CallDetail {
  readonly field: string
  readonly code: string
}

export interface CallResult<T = unknown> {
  readonly status: number
  /** Data of a successful call. */
  readonly data: T
  /** Error code of a refused call; else null. */
  readonly code: string | null
  readonly details: readonly CallDetail[]
  /** The Set-Cookie headers for the visitor. */
  readonly cookies: readonly string[]
}

export interface CallOptions {
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

export type Send = <T>(
  method: InnerRequest['method'],
  path: string,
  options?: CallOptions,
) => Promise<CallResult<T>>

/** Not `X-Forwarded-For`: `address` is already that of the client behind the proxies. */
const forwarded = ['cookie', 'origin', 'sec-fetch-site', 'user-agent', 'accept-language'] as const

interface Envelope {
  readonly data?: unknown
  readonly error?: { readonly code: string }
  readonly details?: readonly CallDetail[]
}

const cookiesIn = (header: unknown): readonly string[] =>
  (Array.isArray(header) ? header : [header]).filter(value => typeof value === 'string')

export function createSend(serve: ServeInner, { headers, address }: PageClient): Send {
  const sent = forwarded.flatMap(name => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  return async <T>(method: InnerRequest['method'], path: string, options: CallOptions = {}) => {
    const { body, headers: more } = options
    const answer = await serve({
      method,
      url: path,
      remoteAddress: address,
      headers: {
        ...Object.fromEntries(sent),
        ...(body && { 'content-type': 'application/json' }),
        ...more,
      },
      ...(body && { payload: JSON.stringify(body) }),
    })
    const { statusCode: status, rawPayload } = answer
    const {
      data,
      error,
      details = [],
    } = (rawPayload.length === 0 ? {} : JSON.parse(rawPayload.toString())) as Envelope
    return {
      status,
      data: data as T,
      code: error?.code ?? null,
      details,
      cookies: cookiesIn(answer.headers['set-cookie']),
    }
  }
}
