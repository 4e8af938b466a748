// The addresses that are allowed in a signature: https, http, mailto, tel and sms, checked against disguised ones.

export const maxUrlLength = 2_048
const schemes = new Set(['https:', 'http:', 'mailto:', 'tel:', 'sms:'])

// Control characters, zero-width and direction marks: invisible characters that can disguise a scheme.
const invisible = /[\p{Cc}\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/gu

const scheme = /^([a-z][a-z\d+.-]*):/i

/** False for `example.com:8080/x`, which has a port, not a scheme. */
const hasScheme = (text: string): boolean => {
  const name = scheme.exec(text)?.[0].toLowerCase()
  return name !== undefined && (schemes.has(name) || !/^[^/:@]+:\d/.test(text))
}

/**
 * An address that is accepted without `https://`: a host name with a top-level domain, then port, path, query or
 * fragment.
 */
const bareHost =
  /^[a-z\d\u00a1-\uffff]([a-z\d\u00a1-\uffff-]*\.)+([a-z\u00a1-\uffff]{2,}|xn--[a-z\d-]+)(:\d{1,5})?([/?#]|$)/i

const notInMailboxes = /[\s<>"]/

/**
 * `a@b.example`, or several separated by commas. Between two `@` there must be a domain, a comma and the next local
 * part.
 */
function areMailboxes(text: string): boolean {
  if (notInMailboxes.test(text)) return false
  const [first, ...others] = text.split('@')
  const last = others.pop()
  const holdsComma = (part: string): boolean => {
    const at = part.indexOf(',', 1)
    return at > 0 && at < part.length - 1
  }
  return first !== '' && last !== undefined && last !== '' && others.every(holdsComma)
}

/** A name, which has no dot inside a company network, or an IP address. (URLs also allow quotes and the like here.) */
const hostName = /^(\[[\da-f:.]+\]|[a-z\d_-]+(\.[a-z\d_-]+)*)$/

const checkedUrls = new Map<string, string | null>()

/** The address to put into an href, or null. A bare `example.com/x` gets `https://`. */
export function safeUrl(text: string): string | null {
  // Invisible characters do not count, but a text that is far too long is not worth the search for them.
  if (text.length > 2 * maxUrlLength) return null
  if (text.length > maxUrlLength) return check(text)
  let url = checkedUrls.get(text)
  if (url === undefined) {
    url = check(text)
    // Cached, because every person has the same few links. The limit bounds the memory.
    if (checkedUrls.size >= 1_000) checkedUrls.clear()
    checkedUrls.set(text, url)
  }
  return url
}

function check(text: string): string | null {
  const clean = text.replace(invisible, '').trim()
  if (clean === '' || clean.length > maxUrlLength) return null
  const number = /^(tel|sms):([^?]*)/i.exec(clean)
  if (number) return numberUrl(number[1]?.toLowerCase() ?? 'tel', number[2] ?? '')
  const isComplete = hasScheme(clean)
  if (!isComplete && !bareHost.test(clean)) return null
  const candidate = isComplete ? clean : `https://${clean}`
  if (!URL.canParse(candidate)) return null
  const url = new URL(candidate)
  if (!schemes.has(url.protocol) || url.username !== '' || url.password !== '') return null
  if (url.protocol === 'mailto:')
    return areMailboxes(url.pathname) && !/%0[ad]/i.test(url.href) ? url.href : null
  if (!hostName.test(url.hostname)) return null
  return url.href.length <= maxUrlLength ? url.href : null
}

/** Fast path: most numbers look like this. */
const plainNumber = /^\+[\d ]{6,}$/

function numberUrl(scheme: string, text: string): string | null {
  if (plainNumber.test(text)) return `${scheme}:${text.replaceAll(' ', '')}`
  const digits = dialable(text)
  return /\d{2}/.test(digits) ? `${scheme}:${digits}` : null
}

/** Reduces a number to what a phone can dial: `+44 (0)20 7946 0101 ext. 5` → `+442079460101,5`. */
export const dialable = (text: string): string =>
  withPauseBeforeExtension(text.replace(/^(\s*\+\d{1,3}\s*)\(0\)/, '$1'))
    .replace(/[^+\d*#,;]/g, '')
    .replace(/(?!^)\+/g, '')

const isDigit = (code: number): boolean => code >= 48 && code <= 57

/**
 * `… ext. 5` → `…,5`. Scans from the end, in linear time: a search from the front would scan a run of blanks once per
 * blank.
 */
function withPauseBeforeExtension(text: string): string {
  const trimmed = text.trimEnd()
  let digits = trimmed.length
  while (digits > 0 && isDigit(trimmed.charCodeAt(digits - 1))) digits--
  if (digits === trimmed.length) return text
  const before = trimmed.slice(0, digits).trimEnd()
  const word = ['ext.', 'ext', 'x'].find(end => before.slice(-end.length).toLowerCase() === end)
  if (word === undefined) return text
  return `${before.slice(0, -word.length).trimEnd()},${text.slice(digits)}`
}

export type FieldKind = 'text' | 'url' | 'email' | 'phone' | 'image'

/** The link target that a value of a smart field of this kind gives. */
export function linkOf(kind: FieldKind, value: string): string | null {
  if (kind === 'phone') return numberUrl('tel', value)
  if (kind === 'email') return mailto(value)
  return safeUrl(value)
}

const address = /^[^\s@<>()[\]\\,;:"%?&#]+@[^\s@<>()[\]\\,;:"%?&#/]+$/

/** Fast path: most addresses look like this. */
const plainAddress = /^[\w.+-]{1,64}@[\w.-]{1,189}$/

function mailto(value: string): string | null {
  if (plainAddress.test(value)) return `mailto:${value}`
  const clean = value.replace(invisible, '').trim()
  return address.test(clean) && clean.length <= 254 ? `mailto:${clean}` : null
}

const topLevelDomain = /[^@]\.[\p{L}\d-]{2,}$/u
const webAddress = /^(?:https?:\/\/|www\.)[^\s<>"]+$/i

/** Only digits and what stands between them. */
const numberShape = /^[+\d(][\d\s+().,;/*#\p{Pd}]*$/u
/** E.164 has at most 15 digits. Two numbers in one text have more. */
const oneNumber = /^\+?[\d*#]{2,15}(?:[,;]{1,3}[\d*#]{1,7})?$/
/** A country code, an area code in brackets, or a zero and groups of digits. */
const numberStart = /^(?:\+\d|\(\d{2,5}\)|0\d{1,4}[\s/\p{Pd}]\d)/u
const date = /^\d{1,2}[\s./-]\d{1,2}[\s./-]\d{2,4}$/
const leastDigits = 7

/** The target of a text that is one phone number as a whole, with or without an extension. */
function phoneLink(text: string): string | null {
  if (plainNumber.test(text) && text.length <= 24) return numberUrl('tel', text)
  if (!numberShape.test(withPauseBeforeExtension(text).trim())) return null
  return oneNumber.test(dialable(text)) ? numberUrl('tel', text) : null
}

const isPhoneNumber = (text: string): boolean =>
  numberStart.test(text) && !date.test(text) && dialable(text).replace(/\D/g, '').length >= leastDigits

/** A cheap test that is false for most names and titles. */
const mayBeLink = (text: string): boolean =>
  text.includes('.') || text.includes(':') || '+(0'.includes(text.charAt(0))

/**
 * The target of a text that is a phone number, an email address or a web address as a whole. Mail clients would turn it
 * into a blue link themselves. A text with other words is no link: it would lead to one of several places.
 */
export function linkOfText(value: string): string | null {
  const text = value.trim()
  if (text.length > maxUrlLength || !mayBeLink(text)) return null
  if (webAddress.test(text)) return safeUrl(text)
  if (text.includes('@')) return topLevelDomain.test(text) ? mailto(text) : null
  return isPhoneNumber(text) ? phoneLink(text) : null
}

/** The target of the value of a smart field that is shown as text. */
export function linkOfValue(kind: FieldKind, value: string): string | null {
  if (kind === 'image') return null
  if (kind === 'text') return linkOfText(value)
  return kind === 'phone' ? phoneLink(value.trim()) : linkOf(kind, value)
}

const urlIn = /(?:https?:\/\/|www\.)[^\s<>"]+/i

/** The first web address in a text. */
export function firstUrlIn(text: string): string | null {
  const [url] = urlIn.exec(text) ?? []
  return url === undefined ? null : safeUrl(url)
}

export interface Parameter {
  readonly key: string
  readonly value: string
}

/** Adds parameters to a web address. Other links stay unchanged, and so does an address that would become too long. */
export function withParameters(url: string, parameters: readonly Parameter[]): string {
  if (parameters.length === 0 || !url.startsWith('http')) return url
  const [address = '', ...fragment] = url.split('#')
  const query = parameters.map(
    ({ key, value }) => `${encodeURIComponent(key)}=${encodeURIComponent(value.toWellFormed())}`,
  )
  const joined = `${address}${address.includes('?') ? '&' : '?'}${query.join('&')}`
  const complete = [joined, ...fragment].join('#')
  return complete.length <= maxUrlLength ? complete : url
}

const withoutScheme = (text: string): string =>
  text
    .replace(/^https?:\/\//i, '')
    .replace(/^www\./i, '')
    .replace(/\/$/, '')
    .toLowerCase()

/** The address that plain text must add after the words of a link; null when the words already contain it. */
export function addressToAdd(words: string, url: string): string | null {
  if (url.startsWith('http')) return withoutScheme(words.trim()) === withoutScheme(url) ? null : url
  const [kind, target = ''] = url.split(/:|\?/)
  if (kind === 'mailto') return words.toLowerCase().includes(target.toLowerCase()) ? null : target
  const digits = (text: string) => text.replace(/\D/g, '')
  return digits(words).length >= 5 ? null : target
}
