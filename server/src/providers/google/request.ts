// Requests to Google, or to the address that the operator has configured instead.

export interface GoogleRequest {
  readonly method: 'POST' | 'PATCH'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal
}

export interface GoogleAnswer {
  readonly status: number
  readonly retryAfter: string | undefined
  /** Empty when the body was not a JSON object. */
  readonly body: Readonly<Record<string, unknown>>
}

export type SendGoogleRequest = (url: string, request: GoogleRequest) => Promise<GoogleAnswer>

const maxBytes = 1024 * 1024

export function createGoogleClient(): SendGoogleRequest {
  // Loaded at the first request: most processes send no requests to Google.
  const load = async () => {
    const { Agent, request } = await import('undici')
    return { request, dispatcher: new Agent({ maxResponseSize: maxBytes }) }
  }
  let loading: ReturnType<typeof load> | undefined
  return async (url, { method, headers, body, signal }) => {
    loading ??= load()
    const { request, dispatcher } = await loading
    const answer = await request(url, {
      dispatcher,
      method,
      headers: { 'user-agent': 'Signoff', accept: 'application/json', ...headers },
      body,
      signal,
    })
    const retryAfter = answer.headers['retry-after']
    return {
      status: answer.statusCode,
      retryAfter: retryAfter === undefined ? undefined : String(retryAfter),
      body: objectIn(await answer.body.text()),
    }
  }
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
