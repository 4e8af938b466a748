// What a request says of itself: where it goes, who sends it, which version it knows.
import { createHash, webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { RequestClient } from './routes.ts'

/** What is asked for. Proxies may be asked for whole addresses, and some clients ask us like that too. */
export const targetOf = ({ url }: FastifyRequest): string => url.replace(/^https?:\/\/[^/?]*/i, '')

export const isApi = (request: FastifyRequest): boolean =>
  (request.routeOptions.config.route?.path ?? targetOf(request)).startsWith('/v1')

/** Some proxies add the port, some a word in the place of an address. IPv4 over an IPv6 socket is IPv4. */
export function addressOf({ ip, socket }: FastifyRequest): string {
  const own = socket.remoteAddress ?? ''
  const known = ip === own ? own : (addressFromProxy(ip) ?? own)
  return known.startsWith('::ffff:') ? known.slice(7) : known
}

function addressFromProxy(text: string): string | null {
  const [, address = text] = /^\[(.+)\](?::\d+)?$/.exec(text) ?? /^([\d.]+):\d+$/.exec(text) ?? []
  return isIP(address) ? address : null
}

export const clientOf = (request: FastifyRequest): RequestClient => ({
  method: request.method,
  address: addressOf(request),
  userAgent: request.headers['user-agent'] ?? '',
  headers: request.headers,
})

/** Whether the client has this version already. */
export const hasVersion = (ifNoneMatch: string | undefined, etag: string | undefined): boolean =>
  (ifNoneMatch ?? '').split(',').some(sent => [etag, '*'].includes(sent.trim().replace(/^W\//, '')))

const largeBytes = 1024 * 1024

/** Of what is asked for. Large bodies are hashed by another thread. */
export async function hashRequest(what: string, bytes: Buffer = Buffer.alloc(0)): Promise<Buffer> {
  if (bytes.length <= largeBytes) return createHash('sha256').update(what).update(bytes).digest()
  const body = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
  const ofBody = await webcrypto.subtle.digest('SHA-256', body as Uint8Array<ArrayBuffer>)
  return createHash('sha256').update(what).update(new Uint8Array(ofBody)).digest()
}
