import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AwsClient } from 'aws4fetch'
import { apiError } from '#kernel/errors.ts'
import type { Store } from './index.ts'

export interface S3Settings {
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** How long the server may be silent, in milliseconds. */
  readonly patience?: number
}

const attempts = 3
/** For a whole file to arrive: the time of this many silences. */
const silences = 6

interface Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  readonly body?: Buffer
  readonly headers?: Record<string, string>
}

/** A request and its answer. Both end when the server is waited for in vain. */
interface Exchange {
  readonly signal: AbortSignal
  waitFor<T>(work: Promise<T>, milliseconds?: number): Promise<T>
  end(): void
}

function createExchange(patience: number): Exchange {
  const controller = new AbortController()
  const late = () => controller.abort(new Error('the S3 server takes too long'))
  return {
    signal: controller.signal,
    waitFor(work, milliseconds = patience) {
      const timer = setTimeout(late, milliseconds)
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

/** At the pace of its reader, who may take any time. A server that falls silent meanwhile makes the stream fail. */
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

/** What becomes of an answer is part of its attempt, and retried with it. */
type Use<T> = (answer: Answer) => Promise<T>

/** The status, where the body says nothing more. */
const statusOf: Use<number> = async ({ status, body }) => {
  await body?.cancel()
  return status
}

/** Undefined where there is no such file. */
const fileOf =
  <T>(use: (body: Body, answer: Answer) => Promise<T>): Use<T | undefined> =>
  async answer => {
    if (answer.status === 200 && answer.body) return use(answer.body, answer)
    await answer.body?.cancel()
    return undefined
  }

/** Addresses are path-style (`endpoint/bucket/key`), which every S3-compatible server understands. */
export function s3Store({ endpoint, bucket, patience = 10_000, ...credentials }: S3Settings): Store {
  let client: Promise<AwsClient> | undefined

  /** Loaded when first needed: most installations keep their files in a folder. */
  const load = async (): Promise<AwsClient> => {
    const { AwsClient } = await import('aws4fetch')
    return new AwsClient({ ...credentials, service: 's3' })
  }

  async function ask(key: string, { method, body, headers }: Request): Promise<Answer> {
    const exchange = createExchange(patience)
    client ??= load()
    const signed = await (await client).sign(`${endpoint}/${bucket}/${key}`, {
      method,
      // The server compares what arrives with this; without it the payload would go unsigned.
      headers: { ...headers, 'x-amz-content-sha256': hash('sha256', body ?? '') },
      ...(body && { body: new Uint8Array(body) }),
      redirect: 'error', // a signature is good for one host
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

  /** Every request may be repeated: it says what shall be, not what shall change. */
  async function send<T>(
    key: string,
    request: Request,
    accepted: readonly number[],
    use: Use<T>,
  ): Promise<T> {
    let trouble: unknown
    for (let tried = 1; tried <= attempts; tried++) {
      if (tried > 1) await sleep(Math.random() * 100 * 2 ** tried)
      try {
        const answer = await ask(key, request)
        if (accepted.includes(answer.status)) return await use(answer)
        await answer.body?.cancel()
        trouble = new Error(`the S3 server answered ${answer.status} to ${request.method}`)
        if (answer.status < 500 && answer.status !== 429) break
      } catch (error) {
        trouble = error
      }
    }
    throw Object.assign(
      apiError('unavailable', { message: 'The file store does not answer as it should.' }),
      {
        cause: trouble,
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
        exchange.waitFor(buffer(streamOf(body, exchange)), silences * patience),
      ),
    open: key => read(key, async (body, { size, exchange }) => ({ size, stream: streamOf(body, exchange) })),
    has: async key => (await send(key, { method: 'HEAD' }, [200, 404], statusOf)) === 200,
    async delete(key) {
      await send(key, { method: 'DELETE' }, [200, 204, 404], statusOf)
    },
  }
}
