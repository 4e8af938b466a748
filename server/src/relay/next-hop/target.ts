// Where the next hop is: `smtp://host:port`, `smtps://host:port` or `smtp://host:port?starttls=required`.
import { isIP } from 'node:net'

/** `opportunistic`: STARTTLS when the hop offers it, without checking its certificate. The others check it. */
export type HopTls = 'opportunistic' | 'required' | 'implicit'

export interface HopTarget {
  readonly host: string
  readonly port: number
  readonly tls: HopTls
}

/** Returns a phrase that follows "the address …" when it is not one of these. */
export function parseNextHop(text: string): HopTarget | string {
  if (/[\s\\]/.test(text) || !URL.canParse(text)) return 'must have the form smtp://host:port'
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text)
  if (protocol !== 'smtp:' && protocol !== 'smtps:') return 'must begin with smtp:// or smtps://'
  if (username !== '' || password !== '')
    return 'must not hold a user name or a password: the hop must know the relay by its address or certificate'
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) === 0 && !/^[\w-]+(\.[\w-]+)*\.?$/.test(host)) return 'must name a host'
  if (port === '0') return 'must not name the port 0'
  if ((pathname !== '' && pathname !== '/') || hash !== '') return 'must end after the port'
  const isRequired = search === '?starttls=required'
  if (search !== '' && !isRequired) return 'knows no other option than ?starttls=required'
  if (protocol === 'smtps:')
    return isRequired
      ? 'cannot combine smtps:// with starttls: TLS is there from the first byte'
      : { host, port: Number(port || 465), tls: 'implicit' }
  return { host, port: Number(port || 25), tls: isRequired ? 'required' : 'opportunistic' }
}
