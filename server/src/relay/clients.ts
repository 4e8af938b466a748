// Who may send through a relay: IP addresses and networks, and certificates by their names.
import ipaddr from 'ipaddr.js'
import { uuid } from '#kernel/validation.ts'

type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/**
 * One entry of the setting. All customers of Microsoft 365 share its addresses and its certificate: `;tenant=` and an id
 * behind an entry admits the messages of one of them, which Exchange Online names in a header.
 */
export interface RelayClientRule {
  /** As it was set. */
  readonly text: string
  readonly range: Range | null
  /** In lower case. */
  readonly certificateName: string | null
  readonly tenant: string | null
}

/** A wider network would let half the internet send in the name of the company. */
const fewestBits = { private: { ipv4: 8, ipv6: 7 }, public: { ipv4: 13, ipv6: 29 } }

const privateRanges: ReadonlySet<string> = new Set([
  'private',
  'loopback',
  'linkLocal',
  'uniqueLocal',
  'carrierGradeNat',
])

/** The first and the last address of a network. */
function endsOf(network: string, kind: 'ipv4' | 'ipv6') {
  const library = kind === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6
  return [library.networkAddressFromCIDR(network), library.broadcastAddressFromCIDR(network)] as const
}

const certificateName = /^(?:\*\.)?[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$/

function rangeIn(text: string): Range | string {
  const [address = '', bits, ...more] = text.split('/')
  if (!ipaddr.isValid(address) || more.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits)))
    return 'must be an IP address, a network such as 10.0.0.0/8, or cn: and the name in a certificate'
  // A form such as 10.1 is valid to the library, and a typing error to people.
  if (ipaddr.IPv4.isValid(address) && !ipaddr.IPv4.isValidFourPartDecimal(address))
    return 'must have all four parts of the address'
  const parsed = ipaddr.parse(address)
  const kind = parsed.kind()
  const width = kind === 'ipv4' ? 32 : 128
  const size = bits === undefined ? width : Number(bits)
  if (size > width) return `must have at most ${width} bits behind the slash`
  const [first, last] = endsOf(`${parsed.toString()}/${size}`, kind)
  const isPrivate = privateRanges.has(first.range()) && first.range() === last.range()
  const fewest = fewestBits[isPrivate ? 'private' : 'public'][kind]
  if (size < fewest)
    return `is too wide: everybody in it could send in the name of the company. Use at least /${fewest}`
  if (first.toString() !== parsed.toString())
    return `must begin with the first address of the network: ${first.toString()}/${size}`
  return [parsed, size]
}

function nameIn(text: string): string | { readonly problem: string } {
  const name = text.toLowerCase()
  if (name.length > 253 || !certificateName.test(name))
    return { problem: 'must name what the certificate shows behind cn:, such as cn:mail.example.com' }
  if (name.startsWith('*.') && !name.slice(2).includes('.'))
    return { problem: 'must not stand for the certificates of a whole top-level domain' }
  return name
}

/** Returns a phrase that follows the name of the field when the text is no client. */
export function parseClient(text: string): RelayClientRule | string {
  const [who = '', option, ...more] = text.split(';')
  const tenant = option === undefined ? null : option.replace(/^tenant=/, '').toLowerCase()
  if (tenant !== null && (more.length > 0 || !option?.startsWith('tenant=') || !uuid.test(tenant)))
    return 'can only have ;tenant= and the id of a tenant of Microsoft 365 behind it'
  if (!who.startsWith('cn:')) {
    const range = rangeIn(who)
    return typeof range === 'string' ? range : { text, range, certificateName: null, tenant }
  }
  const name = nameIn(who.slice(3).trim())
  return typeof name === 'string' ? { text, range: null, certificateName: name, tenant } : name.problem
}

/** Clients that are stored were checked; others are left out. */
export const relayClientsOf = (texts: readonly string[]): RelayClientRule[] =>
  texts.flatMap(text => {
    const client = parseClient(text)
    return typeof client === 'string' ? [] : [client]
  })

/** What is known about a client: its address, and the names of its certificate if a trusted authority issued it. */
export interface RelayClient {
  readonly address: string
  readonly certificateNames: readonly string[]
}

function hasAddress([network, bits]: Range, text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  return network.kind() === address.kind() && address.match(network, bits)
}

export const isClient = (
  { range, certificateName }: RelayClientRule,
  { address, certificateNames }: RelayClient,
): boolean =>
  (range !== null && hasAddress(range, address)) ||
  (certificateName !== null &&
    certificateNames.some(shown => covers(certificateName, shown) || covers(shown, certificateName)))

/** A name that begins with `*.` covers one further label, in the setting as in the certificate. */
const covers = (pattern: string, name: string): boolean =>
  pattern === name || (pattern.startsWith('*.') && name.slice(name.indexOf('.')) === pattern.slice(1))

/** The subject and the alternative names of a certificate, in lower case. */
export function namesOfCertificate(certificate: {
  readonly subject?: { readonly CN?: string | string[] | undefined }
  readonly subjectaltname?: string | undefined
}): string[] {
  const subject = [certificate.subject?.CN ?? []].flat()
  const alternatives = (certificate.subjectaltname ?? '')
    .split(', ')
    .filter(entry => entry.startsWith('DNS:'))
    .map(entry => entry.slice(4))
  return [...new Set([...subject, ...alternatives].map(name => name.toLowerCase()))].slice(0, 1_000)
}
