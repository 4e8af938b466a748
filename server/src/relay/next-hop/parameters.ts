// The commands MAIL and RCPT for the next hop, with the parameters that the client sent. The library has decoded them.
import { domainToASCII } from 'node:url'

/** Names that a server announces in its answer to EHLO, in upper case, with the text behind each name. */
export type HopFeatures = ReadonlyMap<string, string>

export interface EnvelopeAddress {
  readonly address: string
  readonly args: Readonly<Record<string, string | true>> | false
}

/** A command, or why it cannot be passed on: `unknown` parameters, or those of an extension that the hop lacks. */
export type PassedCommand =
  | { readonly ok: true; readonly line: string }
  | { readonly ok: false; readonly problem: 'unknown' | 'lacking'; readonly parameter: string }

/** The library gives domains in Unicode; a hop without SMTPUTF8 takes ASCII alone, and all take Punycode. */
export function asciiAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  // Most are ASCII, for which the URL parser would take 5 µs.
  if (at === -1 || domain.startsWith('[') || /^[a-z\d.-]+$/.test(domain)) return address
  return `${address.slice(0, at)}@${domainToASCII(domain) || domain}`
}

/** RFC 3461, section 4. Letters outside ASCII are allowed with SMTPUTF8 alone, unencoded. */
const xtext = (text: string): string =>
  text.replace(
    /[^!-*,-<>-~\u0080-\uffff]/g,
    char => `+${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )

/** The extension that a parameter belongs to, and how it is written. */
interface Parameter {
  readonly extension: string
  readonly write: (value: string | true) => string
}

const asSent =
  (name: string) =>
  (value: string | true): string =>
    value === true ? name : `${name}=${value}`
const encoded =
  (name: string) =>
  (value: string | true): string =>
    value === true ? name : `${name}=${xtext(value)}`

const mailParameters: Readonly<Record<string, Parameter>> = {
  SIZE: { extension: 'SIZE', write: asSent('SIZE') },
  BODY: { extension: '8BITMIME', write: asSent('BODY') },
  SMTPUTF8: { extension: 'SMTPUTF8', write: asSent('SMTPUTF8') },
  RET: { extension: 'DSN', write: asSent('RET') },
  ENVID: { extension: 'DSN', write: encoded('ENVID') },
}

/** The type before the semicolon is not encoded, and has no character that would be. */
const recipientParameters: Readonly<Record<string, Parameter>> = {
  NOTIFY: { extension: 'DSN', write: asSent('NOTIFY') },
  ORCPT: { extension: 'DSN', write: encoded('ORCPT') },
}

/** Without the extension these say nothing that the hop must know. */
const isNeedless = (name: string, value: string | true): boolean =>
  name === 'SIZE' || (name === 'BODY' && String(value).toUpperCase() === '7BIT')

function passed(
  start: string,
  { address, args }: EnvelopeAddress,
  parameters: Readonly<Record<string, Parameter>>,
  features: HopFeatures,
): PassedCommand {
  const words = [`${start}:<${asciiAddress(address)}>`]
  for (const [name, value] of Object.entries(args || {})) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    if (!parameter) return { ok: false, problem: 'unknown', parameter: name }
    if (features.has(parameter.extension)) words.push(parameter.write(value))
    else if (!isNeedless(name, value)) return { ok: false, problem: 'lacking', parameter: name }
  }
  return { ok: true, line: words.join(' ') }
}

export const mailCommand = (sender: EnvelopeAddress, features: HopFeatures): PassedCommand =>
  passed('MAIL FROM', sender, mailParameters, features)

export const recipientCommand = (recipient: EnvelopeAddress, features: HopFeatures): PassedCommand =>
  passed('RCPT TO', recipient, recipientParameters, features)

/** The largest message that the hop announces; undefined: it names no limit. */
export function hopSizeLimit(features: HopFeatures): number | undefined {
  const text = features.get('SIZE') ?? ''
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}
