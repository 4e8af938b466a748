// One call: a request, its retries, and its answer.
import { ConnectionError, SignoffError, TimeoutError } from './errors.ts'
import { type ErrorBody, errorClasses } from './generated/errors.ts'
import type { RawAnswer, RequestOptions } from './types.ts'

export interface ApiRequest extends RequestOptions {
  readonly url: string
  readonly init: RequestInit
  readonly fetch?: typeof globalThis.fetch | undefined
}

async function answerOf(response: Response): Promise<RawAnswer<unknown>> {
  const { status, headers, url } = response
  const type = headers.get('content-type') ?? ''
  const isEmpty = status === 204 || status === 304
  const body = type.includes('json') ? await response.json() : isEmpty ? undefined : response
  // A redirect turns a POST into a GET. A page is the answer of another program.
  const isExpected = !response.redirected && !type.includes('html')
  if (isExpected && (response.ok || isEmpty)) return { status, headers, body }
  const thrown = body as ErrorBody | undefined
  if (isExpected && thrown?.error?.type)
    throw new (errorClasses[thrown.error.type] ?? SignoffError)(thrown, status, headers)
  await response.body?.cancel().catch(() => {}) // frees the connection
  const message = `${url} answered ${status}, but not as the Signoff API does.`
  const error = { type: 'api_error', code: 'unexpected_answer', message }
  throw new SignoffError({ error }, status, headers)
}

async function sendOnce({ fetch = globalThis.fetch, url, init, signal, timeoutMs = 30_000 }: ApiRequest) {
  const timeout = new AbortController()
  const timer =
    timeoutMs > 0 ? setTimeout(() => timeout.abort(), Math.min(timeoutMs, 2 ** 31 - 1)) : undefined
  try {
    const either = signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal
    return await answerOf(await fetch(url, { ...init, signal: either }))
  } catch (cause) {
    signal?.throwIfAborted()
    if (cause instanceof SignoffError) throw cause
    const isLate = timeout.signal.aborted
    const message = isLate ? `No answer within ${timeoutMs} ms.` : 'The service cannot be reached.'
    const error = { type: 'connection_error', code: isLate ? 'timeout' : 'connection_failed', message }
    throw new (isLate ? TimeoutError : ConnectionError)({ error }, 0, undefined, cause)
  } finally {
    clearTimeout(timer)
  }
}

/** Milliseconds until the next attempt; undefined: none, as after 409, which is a state. */
function waitAfter({ status, headers }: SignoffError, attempt: number, method = ''): number | undefined {
  const isTransient = [0, 408, 429, 502, 503, 504].includes(status)
  // A GET reads, and a POST has an Idempotency-Key: neither does its work twice.
  if (!isTransient && !(status === 500 && /GET|POST/.test(method))) return undefined
  const after = headers.get('retry-after') ?? ''
  const asked = Number(after) * 1000 || Date.parse(after) - Date.now() || 0
  const backoff = Math.min(8_000, 500 * 2 ** attempt) * (0.5 + Math.random() / 2)
  return asked > 60_000 ? undefined : Math.max(asked, backoff)
}

/** Ends early when the signal is aborted. */
const sleep = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise(resolve => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })

export async function send(request: ApiRequest): Promise<RawAnswer<unknown>> {
  const { maxRetries = 2, signal, init } = request
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted()
    try {
      return await sendOnce(request)
    } catch (error) {
      const wait = error instanceof SignoffError ? waitAfter(error, attempt, init.method) : undefined
      if (wait === undefined || attempt >= maxRetries) throw error
      await sleep(wait, signal)
    }
  }
}
