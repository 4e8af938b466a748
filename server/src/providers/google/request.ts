// Requests to Google, or to the address that the operator has configured instead.

export interface GoogleRequest {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

export interface GoogleAnswer {
  readonly status: number
  readonly retryAfter: string | undefined
  /** Empty when the body was not a JSON object. */
  readonly body: Readonly<Record<string, unknown>>
}

export type SendGoogleRequest = (url: string, request: GoogleRequest) => Promise<GoogleAnswer>

const megabyte = 1024 * 1024

/** A page of 500 people can have some megabytes; other answers are small. */
export function createGoogleClient(maxBytes = megabyte): SendGoogleRequest {
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
      body: body ?? null,
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

/** The token endpoint writes `{error, error_description}`, the API `{error: {message, errors: [{reason}]}}`. */
export function googleReason({ body }: GoogleAnswer): { readonly reason: string; readonly message: string } {
  const { error, error_description: description } = body
  if (typeof error === 'string')
    return { reason: error, message: [error, description].filter(Boolean).join(', ') }
  const { message, errors } = (error ?? {}) as { message?: unknown; errors?: readonly { reason?: unknown }[] }
  return {
    reason: String((Array.isArray(errors) && errors[0]?.reason) || ''),
    message: String(message ?? ''),
  }
}
