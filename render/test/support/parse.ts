// A strict parser for the HTML of signatures: everything that it does not know is a problem.

interface Element {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
}

export interface Parsed {
  readonly problems: readonly string[]
  readonly elements: readonly Element[]
  /** The tags without text, and without the values of attributes other than style. */
  readonly markup: string
  /** The visible text, with entities decoded. */
  readonly text: string
  /** The visible text of each span. */
  readonly spans: readonly string[]
}

const knownElements = new Set(['table', 'tr', 'td', 'span', 'a', 'i', 'img', 'br'])
const voidElements = new Set(['img', 'br'])
const parents: Readonly<Record<string, readonly string[]>> = {
  tr: ['table'],
  td: ['tr'],
  table: ['td', ''],
  span: ['td', 'a', 'span'],
  a: ['td', 'span'],
  i: ['a'],
  img: ['td', 'a'],
  br: ['span'],
}
const allowedAttributes = new Set([
  'role',
  'cellpadding',
  'cellspacing',
  'border',
  'width',
  'height',
  'style',
  'align',
  'valign',
  'bgcolor',
  'href',
  'src',
  'alt',
  'dir',
  'colspan',
])

export const readable = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&nbsp;', '\u00a0')
    .replaceAll('&amp;', '&')

export function parse(html: string): Parsed {
  const problems: string[] = []
  const elements: Element[] = []
  const open: string[] = []
  let markup = ''
  let text = ''
  const spans: string[] = []
  const token = /<(\/?)(\w+)((?: [a-z]+="[^"<>]*")*)>|([^<]+)|(<)/gy
  let at = 0
  for (let match = token.exec(html); match; match = token.exec(html)) {
    at = token.lastIndex
    const [, close, name = '', attributes = '', words, stray] = match
    if (stray) problems.push(`a stray < at ${at}`)
    // The spaces that Word stretches inside a button.
    else if (words === '&#8202;&#8202;' && open.at(-1) === 'i') continue
    else if (words !== undefined) {
      if (/&(?!(amp|lt|gt|quot|nbsp|#39);)/.test(words) || />/.test(words))
        problems.push(`raw text: ${words}`)
      if (!['span', 'td'].includes(open.at(-1) ?? '') || (open.at(-1) === 'td' && words !== '&nbsp;'))
        problems.push(`text outside of a span: ${words}`)
      text += readable(words)
      if (open.at(-1) === 'span') spans[spans.length - 1] += readable(words)
    } else if (close) {
      if (open.pop() !== name) problems.push(`</${name}> closes something else`)
      if (name === 'td' || name === 'tr') text += '\n'
    } else {
      if (!knownElements.has(name)) problems.push(`<${name}>`)
      if (!parents[name]?.includes(open.at(-1) ?? '')) problems.push(`<${name}> in <${open.at(-1)}>`)
      const pairs = new Map<string, string>()
      for (const [, key = '', value = ''] of attributes.matchAll(/ ([a-z]+)="([^"]*)"/g)) {
        if (!allowedAttributes.has(key) || pairs.has(key)) problems.push(`the attribute ${key}`)
        pairs.set(key, readable(value))
      }
      markup += `<${name} ${[...pairs].map(([key, value]) => `${key}=${key === 'style' ? value : ''}`).join(' ')}>`
      elements.push({ name, attributes: pairs })
      if (name === 'br') text += '\n'
      if (name === 'span') spans.push('')
      if (!voidElements.has(name)) open.push(name)
    }
  }
  if (at !== html.length) problems.push(`unreadable at ${at}`)
  if (open.length > 0) problems.push(`not closed: ${open.join(', ')}`)
  return { problems, elements, markup, text, spans }
}
