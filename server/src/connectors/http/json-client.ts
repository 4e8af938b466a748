// Requests to the API of a provider, or to the address that the operator has configured instead. Redirects are not
// followed: they would take the token along.

export interface ProviderRequest {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

export interface ProviderAnswer {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly bytes: Buffer
  /** Empty when the body was not a JSON object. */
  readonly body: Readonly<Record<string, unknown>>
}

export type SendProviderRequest = (url: string, request: ProviderRequest) => Promise<ProviderAnswer>

export function createJsonClient(maxBytes: number): SendProviderRequest {
  // Loaded at the first request: most processes send none.
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
    return {
      status: answer.statusCode,
      retryAfter: retryAfter === undefined ? undefined : String(retryAfter),
      bytes,
      body: objectIn(bytes),
    }
  }
}

function objectIn(bytes: Buffer): Record<string, unknown> {
  // Photos are not read as text.
  if (!bytes.subarray(0, 100).toString().trimStart().startsWith('{')) return {}
  try {
    return JSON.parse(bytes.toString()) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** A request that got no answer, in words for an admin. */
export function unreachableText(provider: string, error: unknown, milliseconds: number): string {
  const { name, code } = error as { name?: string; code?: string }
  if (name === 'TimeoutError')
    return `${provider} gave no full answer within ${milliseconds / 1_000} seconds.`
  return `${provider} cannot be reached${code ? ` (${code})` : ''}.`
}
