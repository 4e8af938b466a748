// A fake S3 server with strict checks: it computes the signature of each request itself, from Amazon's description of
// "Signature Version 4", and compares the payload hash with the bytes that arrive.
import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listenLocally } from '../listen.ts'

export interface Bucket {
  readonly env: Record<string, string>
  readonly objects: Map<string, { readonly bytes: Buffer; readonly type: string | undefined }>
  /** `PUT key` for each request that has arrived. */
  readonly arrived: string[]
  /** The same with the status of the response. */
  readonly requests: { readonly what: string; readonly status: number }[]
  /** Statuses for the next responses. 0 closes the connection; `half` sends half of a file and then nothing more. */
  readonly trouble: (number | 'half')[]
  /** Requests of this method wait until the returned function is called. */
  hold(method: string): () => void
  /** The number of responses that are not finished. */
  unfinished(): number
}

const bucket = 'signoff-files'
const region = 'eu-test-1'
const accessKeyId = 'AKIDEXAMPLE'
const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

const encodePath = (path: string) =>
  path
    .split('/')
    .map(part =>
      encodeURIComponent(decodeURIComponent(part)).replace(
        /[!'()*]/g,
        c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    )
    .join('/')

/** The error code for a wrong request; undefined if the request is valid. */
function errorOf({ method = '', url = '', headers }: IncomingMessage, body: Buffer): string | undefined {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})$/
  const [, id, day = '', zone = '', service = '', names = '', signature] =
    form.exec(headers.authorization ?? '') ?? []
  const stamp = String(headers['x-amz-date'])
  const sentAt = Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (id !== accessKeyId || zone !== region || service !== 's3') return 'InvalidAccessKeyId'
  if (!(Math.abs(Date.now() - sentAt) < 900_000) || !stamp.startsWith(day)) return 'RequestTimeTooSkewed'
  const signedNames = names.split(';')
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every(name => signedNames.includes(name)))
    return 'AccessDenied'
  if (headers['x-amz-content-sha256'] !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  const [path = '', query = ''] = url.split('?')
  const canonical = [
    method,
    encodePath(path),
    query,
    ...signedNames.map(name => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}`),
    '',
    names,
    sha256(body),
  ].join('\n')
  const scope = `${day}/${zone}/${service}/aws4_request`
  const text = ['AWS4-HMAC-SHA256', stamp, scope, sha256(canonical)].join('\n')
  const key = [day, zone, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`)
  return hmac(key, text).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch'
}

export async function startBucket(): Promise<Bucket> {
  const objects: Bucket['objects'] = new Map()
  const arrived: string[] = []
  const requests: Bucket['requests'] = []
  const trouble: Bucket['trouble'] = []
  let unfinished = 0
  const gates = new Map<string, Promise<void>>()
  const server = createServer(async (request, answer) => {
    const body = await buffer(request)
    const [, bucketName, ...rest] = (request.url ?? '').split('/')
    const key = rest.join('/')
    const reply = (status: number, content: Buffer | string = '') => {
      requests.push({ what: `${request.method} ${key}`, status })
      answer.writeHead(status).end(content)
    }
    arrived.push(`${request.method} ${key}`)
    await gates.get(request.method ?? '')
    const failure = trouble.shift()
    if (failure === 0) {
      requests.push({ what: `${request.method} ${key}`, status: 0 })
      return void request.socket.destroy()
    }
    if (failure === 'half') {
      requests.push({ what: `${request.method} ${key}`, status: 200 })
      const { bytes = Buffer.alloc(0) } = objects.get(key) ?? {}
      answer.writeHead(200, { 'content-length': bytes.length })
      unfinished++
      answer.once('close', () => unfinished--)
      return void answer.write(bytes.subarray(0, bytes.length / 2))
    }
    if (failure !== undefined) return reply(failure, '<Error/>')
    const error = bucketName === bucket ? errorOf(request, body) : 'NoSuchBucket'
    if (error) return reply(403, `<Error><Code>${error}</Code></Error>`)
    if (request.method === 'PUT') {
      objects.set(key, { bytes: body, type: request.headers['content-type'] })
      return reply(200)
    }
    const object = objects.get(key)
    if (request.method === 'DELETE') {
      objects.delete(key)
      return reply(204)
    }
    return object ? reply(200, object.bytes) : reply(404, '<Error><Code>NoSuchKey</Code></Error>')
  })
  const address = await listenLocally(server)
  const env = {
    SIGNOFF_S3_ENDPOINT: address,
    SIGNOFF_S3_BUCKET: bucket,
    SIGNOFF_S3_REGION: region,
    SIGNOFF_S3_ACCESS_KEY_ID: accessKeyId,
    SIGNOFF_S3_SECRET_ACCESS_KEY: secret,
  }
  const hold = (method: string) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    gates.set(method, promise)
    return () => {
      gates.delete(method)
      resolve()
    }
  }
  return { env, objects, arrived, requests, trouble, hold, unfinished: () => unfinished }
}
