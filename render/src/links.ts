// Addresses that may stand in a signature: https, http, mailto, tel, sms, and nothing that only looks like one of them.

const schemes = new Set(['https:', 'http:', 'mailto:', 'tel:', 'sms:'])

// Control characters, white space at the ends, zero-width and direction marks: invisible ways to disguise a scheme.
const invisible = /[\p{Cc}\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/gu

/** `example.com:8080/x` has a port, not a scheme. */
const hasScheme = (text: string): boolean => /^[a-z][a-z\d+.-]*:/i.test(text) && !/^[^/:@]+:\d/.test(text)

/** One address or several. */
const mailbox = /^[^\s@<>"]+@[^\s@<>"]+(,[^\s@<>"]+@[^\s@<>"]+)*$/

const known = new Map<string, string | null>()

/** The address to put into an href, or null. A bare `example.com/x` gets `https://`. */
export function safeUrl(text: string): string | null {
  let url = known.get(text)
  if (url === undefined) {
    url = check(text)
    // The same few links come again for every person; memory stays bounded.
    if (known.size >= 1_000) known.clear()
    known.set(text, url)
  }
  return url
}

function check(text: string): string | null {
  const clean = text.replace(invisible, '').trim()
  if (clean === '' || clean.length > 2048) return null
  const number = /^(tel|sms):(.*)$/i.exec(clean)
  if (number) return numberUrl(number[1]?.toLowerCase() ?? 'tel', number[2] ?? '')
  const candidate = hasScheme(clean) ? clean : `https://${clean}`
  if (!URL.canParse(candidate)) return null
  const url = new URL(candidate)
  if (!schemes.has(url.protocol) || url.username !== '' || url.password !== '') return null
  if (url.protocol === 'mailto:')
    return mailbox.test(url.pathname) && !/%0[ad]/i.test(url.href) ? url.href : null
  if (!url.hostname.includes('.') && url.hostname !== 'localhost' && !url.hostname.startsWith('['))
    return null
  return url.href.length <= 2048 ? url.href : null
}

/** Most numbers are written like this. */
const plainNumber = /^\+[\d ]{6,}$/

function numberUrl(scheme: string, text: string): string | null {
  if (plainNumber.test(text)) return `${scheme}:${text.replaceAll(' ', '')}`
  const digits = dialable(text)
  return /\d{2}/.test(digits) ? `${scheme}:${digits}` : null
}

/** What a telephone understands: `+44 (0)20 7946 0101 ext. 5` → `+442079460101,5`. */
export const dialable = (text: string): string =>
  text
    .replace(/^(\s*\+\d{1,3}\s*)\(0\)/, '$1')
    .replace(/\s*(?:ext\.?|x)\s*(?=\d+\s*$)/i, ',')
    .replace(/[^+\d*#,;]/g, '')
    .replace(/(?!^)\+/g, '')

export type FieldKind = 'text' | 'url' | 'email' | 'phone' | 'image'

/** What the value of a smart field links to. */
export function linkOf(kind: FieldKind, value: string): string | null {
  if (kind === 'phone') return numberUrl('tel', value)
  if (kind === 'email') return mailto(value)
  return safeUrl(value)
}

const address = /^[^\s@<>()[\]\\,;:"%?&#]+@[^\s@<>()[\]\\,;:"%?&#/]+$/

/** Most addresses are written like this. */
const plainAddress = /^[\w.+-]{1,64}@[\w.-]{1,189}$/

function mailto(value: string): string | null {
  if (plainAddress.test(value)) return `mailto:${value}`
  const clean = value.replace(invisible, '').trim()
  return address.test(clean) && clean.length <= 254 ? `mailto:${clean}` : null
}

const looksLikeUrl = /^(https?:\/\/|www\.)\S+$/i
const looksLikePhone = /^\+?[\d\s().\-/]{7,25}$/

const mayLink = /^\s*(?:[+(\d]|https?:|www\.)/i

/** Text that mail clients would turn into a link of their own making, painted blue. */
export function linkInText(text: string): string | null {
  if (!text.includes('@') && !mayLink.test(text)) return null
  const trimmed = text.trim()
  if (address.test(trimmed)) return mailto(trimmed)
  if (looksLikeUrl.test(trimmed)) return safeUrl(trimmed)
  if (looksLikePhone.test(trimmed) && trimmed.replace(/\D/g, '').length >= 7) return numberUrl('tel', trimmed)
  return null
}

export interface Parameter {
  readonly key: string
  readonly value: string
}

/** Parameters belong to web addresses; other links stay as they are. */
export function withParameters(url: string, parameters: readonly Parameter[]): string {
  if (parameters.length === 0 || !url.startsWith('http')) return url
  const result = new URL(url)
  for (const { key, value } of parameters) result.searchParams.set(key, value)
  return result.href
}

const bare = (text: string): string =>
  text
    .replace(/^https?:\/\//i, '')
    .replace(/^www\./i, '')
    .replace(/\/$/, '')
    .toLowerCase()

/** Whether a text already tells the address it leads to. */
export const sameAddress = (text: string, url: string): boolean => bare(text.trim()) === bare(url)
