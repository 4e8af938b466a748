// Requests to Microsoft, or to the address that the operator has configured instead. Redirects are not followed: they
// would take the token along.

export interface MicrosoftRequest {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

export interface MicrosoftAnswer {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly bytes: Buffer
  /** Empty when the body was not a JSON object. */
  readonly body: Readonly<Record<string, unknown>>
}

export type SendMicrosoftRequest = (url: string, request: MicrosoftRequest) => Promise<MicrosoftAnswer>

/** A page of people has some hundred kilobytes, a page of a large group some megabytes. */
const maxBytes = 32 * 1024 * 1024

export function createMicrosoftClient(): SendMicrosoftRequest {
  // Loaded at the first request: most processes send none to Microsoft.
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
    const bytes = Buffer.from(await answer.body.arrayBuffer())
    const isJson = String(answer.headers['content-type']).includes('json')
    return {
      status: answer.statusCode,
      retryAfter: retryAfter === undefined ? undefined : String(retryAfter),
      bytes,
      body: isJson ? objectIn(bytes.toString()) : {},
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

export interface MicrosoftReason {
  /** Such as `Authorization_RequestDenied`, or `AADSTS7000222` of the token endpoint. */
  readonly code: string
  readonly message: string
}

/**
 * The token endpoint writes `{error, error_description}`, whose first line begins with the number of the error; Graph
 * writes `{error: {code, message}}`.
 */
export function microsoftReason({ body }: MicrosoftAnswer): MicrosoftReason {
  const { error, error_description: description } = body
  if (typeof error === 'string') {
    const [line = ''] = String(description ?? '').split(/\r?\n| Trace ID: /)
    return { code: /^AADSTS\d+/.exec(line)?.[0] ?? error, message: (line || error).slice(0, 300) }
  }
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  return { code: String(code ?? ''), message: String(message ?? '').slice(0, 300) }
}
