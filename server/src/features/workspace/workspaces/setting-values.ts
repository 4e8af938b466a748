// Checks of settings that JSON Schema cannot express: domains, time zones, languages, names in mail headers.
import { domainToASCII } from 'node:url'
import { type Detail, detail } from '#kernel/base/errors.ts'
import { isObject } from '#kernel/base/json-values.ts'
import { isPlainName, isTimeZone } from '#kernel/db/text.ts'

const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/** Most names are in their canonical form: the URL parser, which takes 5 µs, would return them as they are. */
const isCanonicalName = (name: string): boolean =>
  /^[a-z\d.-]+$/.test(name) &&
  !name.includes('xn--') &&
  // A number as the last label makes an IP address.
  /^[a-z]/.test(name.slice(name.lastIndexOf('.') + 1))

/** A host name as DNS has it: lower case, umlauts as Punycode. Undefined for other texts and for IP addresses. */
export function canonicalDomain(text: string): string | undefined {
  const name = text.trim().replace(/\.$/, '')
  const domain = isCanonicalName(name) ? name : domainToASCII(name)
  const labels = domain.split('.')
  const isName = labels.length >= 2 && domain.length <= 253 && labels.every(part => label.test(part))
  return isName && !/^\d+$/.test(labels.at(-1) ?? '') ? domain : undefined
}

/** In the spelling of the IANA: `europe/berlin` is `Europe/Berlin`. A second name of a zone stays as it is. */
export function canonicalTimeZone(name: string): string | undefined {
  if (!isTimeZone(name)) return undefined
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
  return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name
}

/** A language tag of BCP 47 that this service can write dates in: `DE-at` is `de-AT`. */
export function canonicalLocale(text: string): string | undefined {
  try {
    const [locale] = Intl.DateTimeFormat.supportedLocalesOf(text)
    return locale
  } catch {
    return undefined
  }
}

function domainProblems(domains: readonly unknown[]): Detail[] {
  const earlier = new Set<string>()
  return domains.flatMap((sent, n) => {
    if (typeof sent !== 'string') return []
    const domain = canonicalDomain(sent)
    if (domain === undefined)
      return [
        detail(`domains[${n}]`, 'invalid', {
          message: `domains[${n}] must be a host name such as example.com`,
        }),
      ]
    if (earlier.has(domain)) return [detail(`domains[${n}]`, 'duplicate')]
    earlier.add(domain)
    return []
  })
}

/** Needs no escaping in a URL. */
const parameterName = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/
const isParameter = (text: string): boolean => parameterName.test(text)
const notParameter = 'must be 1 to 64 letters, digits, _, . or -, and begin with a letter or _'

export const maxDomains = 100

/** The body need not match its schema. */
export function settingProblems(body: object): readonly Detail[] {
  const { name, domains, time_zone, locale, mail_sender_name, click_parameter, event_tracking } =
    body as Readonly<Record<string, unknown>>
  const nested = isObject(event_tracking) ? event_tracking.click_parameter : undefined
  const isWrong = (value: unknown, isRight: (text: string) => boolean) =>
    typeof value === 'string' && !isRight(value)
  const wrong = (field: string, message: string) =>
    detail(field, 'invalid', { message: `${field} ${message}` })
  const unnamed = 'must not hold control characters or direction marks'
  return [
    ...(isWrong(name, isPlainName) ? [wrong('name', unnamed)] : []),
    ...(Array.isArray(domains) ? domainProblems(domains.slice(0, maxDomains)) : []),
    ...(isWrong(time_zone, isTimeZone) ? [wrong('time_zone', 'is not a time zone that the IANA names')] : []),
    ...(isWrong(locale, text => canonicalLocale(text) !== undefined)
      ? [wrong('locale', 'is not a known language tag such as en, de or de-AT')]
      : []),
    ...(isWrong(mail_sender_name, isPlainName) ? [wrong('mail_sender_name', unnamed)] : []),
    ...(isWrong(click_parameter, isParameter) ? [wrong('click_parameter', notParameter)] : []),
    ...(isWrong(nested, isParameter) ? [wrong('event_tracking.click_parameter', notParameter)] : []),
    ...(click_parameter !== undefined && nested !== undefined && click_parameter !== nested
      ? [wrong('click_parameter', 'differs from event_tracking.click_parameter; send one of them')]
      : []),
  ]
}
