// HTML by a template that escapes every value: a page cannot forget it.

/** Text that is HTML already. Only `html` and `trusted` make it. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, character => entities[character] ?? '')

function printed(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(printed).join('')
  return escaped(String(value))
}

/** Values that are not HTML are escaped, for text and for attributes in double quotes. */
export const html = (parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html =>
  new Html(parts.reduce((text, part, at) => text + printed(values[at - 1]) + part))

/** For text of this service that contains no value of a person: a style, a drawn picture. */
export const trusted = (text: string): Html => new Html(text)
