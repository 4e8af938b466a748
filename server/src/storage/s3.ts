import { hash } from 'node:crypto'
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

interface Answer {
  readonly status: number
  readonly bytes: Buffer
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
    const signed = await (await client).sign(`${endpoint}/${bucket}/${key}`, {
      method,
      // The server compares what arrives with this; without it the payload would go unsigned.
      headers: { ...headers, 'x-amz-content-sha256': hash('sha256', body ?? '') },
      ...(body && { body: new Uint8Array(body) }),
      redirect: 'error', // a signature is good for one host
      signal: AbortSignal.timeout(patience),
    })
    const response = await fetch(signed)
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
  }

  /** Every request may be repeated: it says what shall be, not what shall change. */
  async function send(key: string, request: Request, accepted: readonly number[]): Promise<Answer> {
    let trouble: unknown
    for (let tried = 1; tried <= attempts; tried++) {
      if (tried > 1) await sleep(Math.random() * 100 * 2 ** tried)
      try {
        const answer = await attempt(key, request)
        if (accepted.includes(answer.status)) return answer
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
      await send(key, { method: 'PUT', body: bytes, headers: { 'content-type': contentType } }, [200])
    },
    async get(key) {
      const { status, bytes } = await send(key, { method: 'GET' }, [200, 404])
      return status === 200 ? bytes : undefined
    },
    has: async key => (await send(key, { method: 'HEAD' }, [200, 404])).status === 200,
    async delete(key) {
      await send(key, { method: 'DELETE' }, [200, 204, 404])
    },
  }
}
