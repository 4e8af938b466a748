import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AwsClient } from 'aws4fetch'
import { apiError } from '#kernel/base/errors.ts'
import type { Store } from './index.ts'

export interface S3Deps {
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** The timeout for each part of an answer, in milliseconds. */
  readonly timeoutMilliseconds?: number
}

const attempts = 3
/** The timeout for a complete file, as a multiple of `timeoutMilliseconds`. */
const fileTimeoutFactor = 6

interface Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  readonly body?: Buffer
  readonly headers?: Record<string, string>
}

/** A request and its answer. Both are aborted when the server does not answer in time. */
interface Exchange {
  readonly signal: AbortSignal
  waitFor<T>(work: Promise<T>, milliseconds?: number): Promise<T>
  end(): void
}

function createExchange(timeoutMilliseconds: number): Exchange {
  const controller = new AbortController()
  const abort = () => controller.abort(new Error('the S3 server takes too long'))
  return {
    signal: controller.signal,
    waitFor(work, milliseconds = timeoutMilliseconds) {
      const timer = setTimeout(abort, milliseconds)
      return work.finally(() => clearTimeout(timer))
    },
    end: () => controller.abort(),
  }
}

type Body = NonNullable<Response['body']>

interface Answer {
  readonly status: number
  readonly size: number | undefined
  readonly body: Body | null
  readonly exchange: Exchange
}

/** A stream at the speed of its reader, who can be slow. The stream fails when the server stops sending. */
function streamOf(body: Body, { waitFor, end }: Exchange): Readable {
  const reader = body.getReader()
  return new Readable({
    read() {
      waitFor(reader.read()).then(
        ({ done, value }) => this.push(done ? null : value),
        error => this.destroy(error),
      )
    },
    destroy(error, done) {
      end()
      done(error)
    },
  })
}

/** Processes an answer. It is part of the attempt: if it fails, the request is retried. */
type Use<T> = (answer: Answer) => Promise<T>

/** Returns the status and discards the body. */
const statusOf: Use<number> = async ({ status, body }) => {
  await body?.cancel()
  return status
}

/** Undefined when the file does not exist. */
const fileOf =
  <T>(use: (body: Body, answer: Answer) => Promise<T>): Use<T | undefined> =>
  async answer => {
    if (answer.status === 200 && answer.body) return use(answer.body, answer)
    await answer.body?.cancel()
    return undefined
  }

/** Addresses are path-style (`endpoint/bucket/key`), which every S3-compatible server understands. */
export function s3Store({ endpoint, bucket, timeoutMilliseconds = 10_000, ...credentials }: S3Deps): Store {
  let client: Promise<AwsClient> | undefined

  /** Loaded on first use, because most installations store files in a folder. */
  const load = async (): Promise<AwsClient> => {
    const { AwsClient } = await import('aws4fetch')
    return new AwsClient({ ...credentials, service: 's3' })
  }

  async function ask(key: string, { method, body, headers }: Request): Promise<Answer> {
    const exchange = createExchange(timeoutMilliseconds)
    client ??= load()
    const signed = await (await client).sign(`${endpoint}/${bucket}/${key}`, {
      method,
      // The server compares the payload with this hash; without it the payload would not be signed.
      headers: { ...headers, 'x-amz-content-sha256': hash('sha256', body ?? '') },
      ...(body && { body: new Uint8Array(body) }),
      redirect: 'error', // the signature is valid for one host only
      signal: exchange.signal,
    })
    const answer = await exchange.waitFor(fetch(signed))
    const size = answer.headers.get('content-length')
    return {
      status: answer.status,
      size: size === null ? undefined : Number(size),
      body: answer.body,
      exchange,
    }
  }

  /** Retries are safe, because every request is idempotent. */
  async function send<T>(
    key: string,
    request: Request,
    accepted: readonly number[],
    use: Use<T>,
  ): Promise<T> {
    let failure: unknown
    for (let attempt = 1; attempt <= attempts; attempt++) {
      if (attempt > 1) await sleep(Math.random() * 100 * 2 ** attempt)
      try {
        const answer = await ask(key, request)
        if (accepted.includes(answer.status)) return await use(answer)
        await answer.body?.cancel()
        failure = new Error(`the S3 server answered ${answer.status} to ${request.method}`)
        if (answer.status < 500 && answer.status !== 429) break
      } catch (error) {
        failure = error
      }
    }
    throw Object.assign(
      apiError('unavailable', { message: 'The file store does not answer as it should.' }),
      {
        cause: failure,
      },
    )
  }

  const read = <T>(key: string, use: (body: Body, answer: Answer) => Promise<T>) =>
    send(key, { method: 'GET' }, [200, 404], fileOf(use))

  return {
    async put(key, bytes, contentType) {
      const headers = { 'content-type': contentType }
      await send(key, { method: 'PUT', body: bytes, headers }, [200], statusOf)
    },
    get: key =>
      read(key, (body, { exchange }) =>
        exchange.waitFor(buffer(streamOf(body, exchange)), fileTimeoutFactor * timeoutMilliseconds),
      ),
    open: key => read(key, async (body, { size, exchange }) => ({ size, stream: streamOf(body, exchange) })),
    has: async key => (await send(key, { method: 'HEAD' }, [200, 404], statusOf)) === 200,
    async delete(key) {
      await send(key, { method: 'DELETE' }, [200, 204, 404], statusOf)
    },
  }
}
