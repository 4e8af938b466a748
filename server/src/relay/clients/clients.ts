// Who may send through a relay: IP addresses and networks, and certificates by their names.
import type { X509Certificate } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { uuid } from '#kernel/api/validation.ts'

type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/** A line that each message of a client must have in its header, exactly once. */
export interface ClientProof {
  readonly header: string
  /** Null: a secret that is stored apart. */
  readonly value: string | null
  /** Known to the mail system and the relay alone, so it must not go on to recipients. */
  readonly isSecret: boolean
}

/**
 * One entry of the setting. All customers of Microsoft 365 share its addresses and its certificate: `;tenant=` and an id
 * behind an entry admits the messages of one of them, which Exchange Online names in a header. The customers of Google
 * share its addresses: `;header=Name:secret` admits messages with a header that a rule of one of them adds.
 */
export interface RelayClientRule {
  /** As it was set, without a secret. */
  readonly text: string
  readonly range: Range | null
  /** In lower case. */
  readonly certificateName: string | null
  readonly proof: ClientProof | null
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
  // Clients are compared by their IPv4 address, however the socket names it.
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress())
    return `must be written as an IPv4 address or network: ${parsed.toIPv4Address().toString()}`
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

/** Below these, and below a country, domains are registered: `co.uk`. */
const registries: ReadonlySet<string> = new Set(
  'ac co com edu gen go gob gouv gov gv info ltd mil ne net nhs nom or org plc sch web'.split(' '),
)

function isRegistry(domain: string): boolean {
  const [first = '', ...above] = domain.split('.')
  return above.length === 0 || (above.length === 1 && above[0]?.length === 2 && registries.has(first))
}

function nameIn(text: string): string | { readonly problem: string } {
  const name = text.toLowerCase()
  if (name.length > 253 || !certificateName.test(name))
    return { problem: 'must name what the certificate shows behind cn:, such as cn:mail.example.com' }
  if (name.startsWith('*.') && isRegistry(name.slice(2)))
    return { problem: 'must not stand for the certificates of a whole top-level domain' }
  return name
}

/** The secret is left out, or masked, by clients of the API that send back what they have read. */
const secretHeader = /^header=(X-[A-Za-z\d-]{1,60})(?::(?:\**|([A-Za-z\d_-]+)))?$/
const isSecretLength = ({ length }: string): boolean => length >= 16 && length <= 100

function proofIn(option: string): ClientProof | string {
  const tenant = option.replace(/^tenant=/, '').toLowerCase()
  if (option.startsWith('tenant=') && uuid.test(tenant))
    return { header: 'X-MS-Exchange-CrossTenant-Id', value: tenant, isSecret: false }
  const [, header, value] = secretHeader.exec(option) ?? []
  if (header !== undefined && (value === undefined || isSecretLength(value)))
    return { header, value: value ?? null, isSecret: true }
  return 'can only have ;tenant= and the id of a tenant of Microsoft 365 behind it, or ;header=X-Name:secret with 16 to 100 letters, digits, - and _ as the secret'
}

/** Returns a phrase that follows the name of the field when the text is no client. */
export function parseClient(text: string): RelayClientRule | string {
  const [who = '', ...options] = text.split(';')
  const proof = options.length === 0 ? null : proofIn(options.join(';'))
  if (typeof proof === 'string') return proof
  const publicText = proof?.isSecret ? `${who};header=${proof.header}` : text
  if (!who.startsWith('cn:')) {
    const range = rangeIn(who)
    return typeof range === 'string' ? range : { text: publicText, range, certificateName: null, proof }
  }
  const name = nameIn(who.slice(3).trim())
  if (typeof name !== 'string') return name.problem
  return { text: publicText, range: null, certificateName: name, proof }
}

/** By the text of a client: the secret that its messages must show. */
export type HeaderSecrets = Readonly<Record<string, string>>

/** Clients that are stored were checked; others are left out. */
export const relayClientsOf = (texts: readonly string[], secrets: HeaderSecrets = {}): RelayClientRule[] =>
  texts.flatMap(text => {
    const client = parseClient(text)
    if (typeof client === 'string') return []
    const { proof } = client
    return proof
      ? { ...client, proof: { ...proof, value: proof.value ?? secrets[client.text] ?? null } }
      : client
  })

export const hasCommonAddress = ([address, bits]: Range, [other, otherBits]: Range): boolean =>
  address.kind() === other.kind() && address.match(other, Math.min(bits, otherBits))

const coversName = (name: string, other: string): boolean =>
  name === other || (name.startsWith('*.') && other.slice(other.indexOf('.') + 1) === name.slice(2))

/**
 * True if both can mean the same mail server. The header that its messages must have does not count: it is read later.
 */
export const canBeSameClient = (rule: RelayClientRule, other: RelayClientRule): boolean => {
  if (rule.range && other.range) return hasCommonAddress(rule.range, other.range)
  const [name, otherName] = [rule.certificateName, other.certificateName]
  return name !== null && otherName !== null && (coversName(name, otherName) || coversName(otherName, name))
}

/** A client: its address, and its certificate if a trusted authority issued it. */
export interface RelayClient {
  readonly address: string
  readonly certificate: Pick<X509Certificate, 'checkHost'> | null
}

function hasAddress([network, bits]: Range, text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  return network.kind() === address.kind() && address.match(network, bits)
}

export const isClient = (
  { range, certificateName }: RelayClientRule,
  { address, certificate }: RelayClient,
): boolean =>
  (range !== null && hasAddress(range, address)) ||
  (certificateName !== null && certificate !== null && isNamed(certificate, certificateName))

/**
 * A name that begins with `*.` covers one further label, in the setting as in the certificate. OpenSSL compares: the text
 * of the alternative names cannot be taken apart safely, because a name can hold the separator.
 */
const isNamed = (certificate: Pick<X509Certificate, 'checkHost'>, name: string): boolean =>
  certificate.checkHost(name.replace(/^\*/, ''), {
    subject: 'always',
    partialWildcards: false,
    singleLabelSubdomains: true,
  }) !== undefined
