// Opens the connection to the next hop: resolves its name, checks the address, and begins TLS.
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import type { HopTarget } from './target.ts'

export type HopStage = 'resolve' | 'connect' | 'greeting' | 'ehlo' | 'starttls' | 'certificate' | 'session'

/** The next hop cannot be used now. The message never holds what the hop wrote. */
export class HopError extends Error {
  readonly stage: HopStage

  constructor(stage: HopStage, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.stage = stage
  }
}

/** The certificate that the relay shows to the hop, which can know the relay by it. */
export interface ClientCertificate {
  readonly cert: Buffer
  readonly key: Buffer
}

export interface HopSocketOptions {
  /** True if the relay may connect to this IP address. */
  readonly canReach: (address: string) => boolean
  readonly certificate: ClientCertificate | null
  /** Authorities besides those that Node knows; for tests and private ones. */
  readonly ca?: readonly (string | Buffer)[]
  readonly milliseconds: number
}

const reasonOf = (error: unknown): string => (error as { code?: string }).code ?? (error as Error).message

async function addressesOf(host: string, canReach: HopSocketOptions['canReach']): Promise<string[]> {
  const entries =
    isIP(host) === 0
      ? await lookup(host, { all: true }).catch(error => {
          throw new HopError('resolve', `the name ${host} was not found`, error)
        })
      : [{ address: host }]
  const allowed = entries.map(({ address }) => address).filter(canReach)
  if (allowed.length === 0) throw new HopError('resolve', `${host} is not an address that may be used`)
  return allowed
}

/** Resolves on the event, and rejects on an error, an early end, or after the time. */
async function awaitEvent(socket: Socket, event: string, milliseconds: number): Promise<void> {
  const end = new AbortController()
  const timer = setTimeout(() => end.abort(new Error('timeout')), milliseconds)
  const closed = once(socket, 'close', { signal: end.signal }).then(() => {
    throw new Error('the connection was closed')
  })
  try {
    await Promise.race([once(socket, event, { signal: end.signal }), closed])
  } finally {
    clearTimeout(timer)
    end.abort()
    closed.catch(() => undefined)
  }
}

async function connectTo(address: string, port: number, milliseconds: number): Promise<Socket> {
  const socket = connect({ host: address, port })
  socket.setNoDelay(true)
  try {
    await awaitEvent(socket, 'connect', milliseconds)
    return socket
  } catch (error) {
    socket.on('error', () => undefined).destroy()
    throw error
  }
}

/** Tries at most three addresses of the name, one after the other. */
export async function openHopSocket(target: HopTarget, options: HopSocketOptions): Promise<Socket> {
  const addresses = await addressesOf(target.host, options.canReach)
  let problem: unknown
  for (const address of addresses.slice(0, 3)) {
    try {
      return await connectTo(address, target.port, options.milliseconds)
    } catch (error) {
      problem = error
    }
  }
  const place = `${target.host}:${target.port}`
  throw new HopError('connect', `${place} cannot be connected to (${reasonOf(problem)})`, problem)
}

/** A hop that must be checked must also prove its name. */
export async function secureHopSocket(
  socket: Socket,
  { host, tls }: HopTarget,
  { certificate, ca, milliseconds }: HopSocketOptions,
): Promise<TLSSocket> {
  const secure = connectTls({
    socket,
    ...(isIP(host) === 0 && { servername: host }),
    host,
    rejectUnauthorized: tls !== 'opportunistic',
    ...(ca && { ca: [...ca] }),
    ...(certificate && { cert: certificate.cert, key: certificate.key }),
  })
  try {
    await awaitEvent(secure, 'secureConnect', milliseconds)
    return secure
  } catch (error) {
    secure.on('error', () => undefined).destroy()
    throw new HopError('certificate', `TLS with ${host} failed (${reasonOf(error)})`, error)
  }
}
