// Opens a connection to an LDAP server: plain, by TLS, or by StartTLS.
import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { LdapError, tlsError, unreachableError } from './errors.ts'

export interface LdapTarget {
  /** ldap:// or ldaps:// with host and port. */
  readonly url: string
  /** With ldap://: true if the connection is encrypted before anything else is sent. */
  readonly startTls: boolean
  /** PEM. Null: the authorities that Node trusts. */
  readonly caCertificate: string | null
}

const connectMilliseconds = 10_000

interface Endpoint {
  readonly host: string
  readonly port: number
  readonly isSecure: boolean
  /** For messages. */
  readonly address: string
}

export function endpointOf({ url }: Pick<LdapTarget, 'url'>): Endpoint {
  const parsed = new URL(url)
  const isSecure = parsed.protocol === 'ldaps:'
  const port = Number(parsed.port) || (isSecure ? 636 : 389)
  const host = parsed.hostname.replace(/^\[|\]$/g, '') || 'localhost'
  return { host, port, isSecure, address: `${parsed.protocol}//${parsed.hostname || 'localhost'}:${port}` }
}

/** Waits for the event that says the socket is ready. A socket that fails is destroyed. */
async function ready<T extends Socket>(
  socket: T,
  event: string,
  signal: AbortSignal,
  asError: (error: unknown) => Error,
): Promise<T> {
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(connectMilliseconds)])
  // Errors after this one have no other listener, and would end the process.
  socket.on('error', () => undefined)
  try {
    await once(socket, event, { signal: timeout })
    return socket
  } catch (error) {
    socket.destroy()
    signal.throwIfAborted()
    throw asError(timeout.aborted ? timeout.reason : error)
  }
}

export function openSocket(target: LdapTarget, signal: AbortSignal): Promise<Socket> {
  signal.throwIfAborted()
  const { host, port, address } = endpointOf(target)
  return ready(connect({ host, port }), 'connect', signal, error => unreachableError(address, error))
}

/** The certificate must be valid for the host of the url. */
export async function encrypt(target: LdapTarget, socket: Socket, signal: AbortSignal): Promise<TLSSocket> {
  const { host, address } = endpointOf(target)
  const secure = connectTls({
    socket,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ...(target.caCertificate !== null && { ca: target.caCertificate }),
    minVersion: 'TLSv1.2',
  })
  // A server that closes the connection instead of a handshake causes no error event.
  const closed = new AbortController()
  const onClose = () => closed.abort(Object.assign(new Error('closed'), { code: 'ECONNRESET' }))
  secure.once('close', onClose)
  try {
    return await ready(secure, 'secureConnect', AbortSignal.any([signal, closed.signal]), error =>
      tlsError(address, error),
    )
  } catch (error) {
    socket.destroy()
    signal.throwIfAborted()
    throw error instanceof LdapError ? error : tlsError(address, error)
  } finally {
    secure.off('close', onClose)
  }
}
