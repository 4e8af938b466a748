import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AwsClient } from 'aws4fetch'
import { apiError } from '../kernel/errors.ts'
import type { Store } from './index.ts'

export interface S3Settings {
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const attempts = 3
const patience = 10_000 // milliseconds per attempt

interface Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  readonly body?: Buffer
  readonly headers?: Record<string, string>
}

type Answer = Response

/** The status, where the body says nothing more. */
async function ignored(answer: Promise<Answer>): Promise<number> {
  const { status, body } = await answer
  await body?.cancel()
  return status
}

/** Addresses are path-style (`endpoint/bucket/key`), which every S3-compatible server understands. */
export function s3Store({ endpoint, bucket, ...credentials }: S3Settings): Store {
  let client: Promise<AwsClient> | undefined

  /** Loaded when first needed: most installations keep their files in a folder. */
  const load = async (): Promise<AwsClient> => {
    const { AwsClient } = await import('aws4fetch')
    return new AwsClient({ ...credentials, service: 's3' })
  }

  async function attempt(key: string, { method, body, headers }: Request): Promise<Answer> {
    client ??= load()
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(new Error('the S3 server takes too long')), patience)
    const signed = await (await client).sign(`${endpoint}/${bucket}/${key}`, {
      method,
      // The server compares what arrives with this; without it the payload would go unsigned.
      headers: { ...headers, 'x-amz-content-sha256': hash('sha256', body ?? '') },
      ...(body && { body: new Uint8Array(body) }),
      redirect: 'error', // a signature is good for one host
      signal: timeout.signal,
    })
    // The time is for the answer to begin: a file goes on at the pace of the browser that reads it.
    return fetch(signed).finally(() => clearTimeout(timer))
  }

  /** Every request may be repeated: it says what shall be, not what shall change. */
  async function send(key: string, request: Request, accepted: readonly number[]): Promise<Answer> {
    let trouble: unknown
    for (let tried = 1; tried <= attempts; tried++) {
      if (tried > 1) await sleep(Math.random() * 100 * 2 ** tried)
      try {
        const answer = await attempt(key, request)
        if (accepted.includes(answer.status)) return answer
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

  return {
    async put(key, bytes, contentType) {
      await ignored(
        send(key, { method: 'PUT', body: bytes, headers: { 'content-type': contentType } }, [200]),
      )
    },
    async get(key) {
      const answer = await send(key, { method: 'GET' }, [200, 404])
      if (answer.status === 200) return Buffer.from(await answer.arrayBuffer())
      await answer.body?.cancel()
      return undefined
    },
    async open(key) {
      const answer = await send(key, { method: 'GET' }, [200, 404])
      const size = answer.headers.get('content-length')
      if (answer.status === 200 && answer.body)
        return {
          size: size === null ? undefined : Number(size),
          stream: Readable.fromWeb(answer.body as WebStream),
        }
      await answer.body?.cancel()
      return undefined
    },
    has: async key => (await ignored(send(key, { method: 'HEAD' }, [200, 404]))) === 200,
    async delete(key) {
      await ignored(send(key, { method: 'DELETE' }, [200, 204, 404]))
    },
  }
}
