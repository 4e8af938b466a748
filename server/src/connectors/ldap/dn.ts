// Distinguished names, such as `CN=Ada\, Countess,OU=Research,DC=example,DC=com`.

export interface Rdn {
  /** In lower case. */
  readonly type: string
  readonly value: string
}

const hexPair = /^[0-9a-fA-F]{2}$/

interface ReadValue {
  readonly value: string
  readonly end: number
}

/** Reads one value from `start`: up to an unescaped comma, semicolon or plus. */
function readValue(dn: string, start: number): ReadValue {
  // Nearly all values: groups have tens of thousands of members.
  const plain = /[^,;+"\\]*/y
  plain.lastIndex = start
  const [value = ''] = plain.exec(dn) ?? []
  const end = start + value.length
  return dn[end] === '"' || dn[end] === '\\' ? readEscaped(dn, start) : { value: value.trimEnd(), end }
}

function readEscaped(dn: string, start: number): ReadValue {
  const bytes: Buffer[] = []
  let isQuoted = false
  let keptSpaces = 0
  let at = start
  for (; at < dn.length; at++) {
    const character = String.fromCodePoint(dn.codePointAt(at) ?? 0)
    if (character === '"') isQuoted = !isQuoted
    else if (character === '\\') {
      const pair = dn.slice(at + 1, at + 3)
      bytes.push(hexPair.test(pair) ? Buffer.from(pair, 'hex') : Buffer.from(dn[at + 1] ?? ''))
      at += hexPair.test(pair) ? 2 : 1
      keptSpaces = bytes.length
    } else if (!isQuoted && (character === ',' || character === ';' || character === '+')) break
    else {
      bytes.push(Buffer.from(character))
      at += character.length - 1
      if (isQuoted) keptSpaces = bytes.length
    }
  }
  while (bytes.length > keptSpaces && bytes.at(-1)?.toString() === ' ') bytes.pop()
  return { value: Buffer.concat(bytes).toString(), end: at }
}

/** The parts from the entry to the root. A part with several attributes (`a=1+b=2`) is a list of them. */
export function partsOf(dn: string): Rdn[][] {
  const parts: Rdn[][] = []
  let part: Rdn[] = []
  for (let at = 0; at < dn.length; ) {
    const equals = dn.indexOf('=', at)
    if (equals < 0) break
    const type = dn.slice(at, equals).trim().toLowerCase()
    let valueStart = equals + 1
    while (dn[valueStart] === ' ') valueStart++
    const { value, end } = readValue(dn, valueStart)
    part.push({ type, value })
    if (dn[end] !== '+') {
      parts.push(part)
      part = []
    }
    at = end + 1
  }
  return parts
}

const comparable = (value: string): string =>
  value
    .normalize('NFKC')
    .toLowerCase()
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\,+]/g, '\\$&')

const keyOfPart = (part: readonly Rdn[]): string =>
  part
    .map(({ type, value }) => `${type}=${comparable(value)}`)
    .sort()
    .join('+')

/** Equal for names that mean the same entry: servers write them with other cases, spaces and escapes. */
export const dnKey = (dn: string): string => partsOf(dn).map(keyOfPart).join(',')

/** The keys of the entry, of its parent, and so on. */
export function keysUpwards(dn: string): string[] {
  const parts = partsOf(dn).map(keyOfPart)
  return parts.map((_, n) => parts.slice(n).join(','))
}

/** The first value: `Ada, Countess`. */
export const nameInDn = (dn: string): string => partsOf(dn)[0]?.[0]?.value ?? ''

/** The names of the org units in a name, from the root: `/Research/Berlin`. */
export const orgUnitPath = (dn: string): string =>
  partsOf(dn)
    .filter(([first]) => first?.type === 'ou')
    .reverse()
    .map(([first]) => `/${first?.value}`)
    .join('')

/** Active Directory writes `<GUID=…>;<SID=…>;CN=…` when it is asked for ids. */
export function readExtendedDn(value: string): { readonly guid: string | null; readonly dn: string } {
  const guid = /<GUID=([0-9a-fA-F-]{36})>/.exec(value)?.[1]?.toLowerCase() ?? null
  return { guid, dn: value.replace(/^(<[^>]*>;)+/, '') }
}
