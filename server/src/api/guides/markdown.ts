// Documents of docs/ as HTML.
import { posix } from 'node:path'
import type { Marked, RendererObject, Token } from 'marked'
import { guideName } from './files.ts'

export const guidesPath = '/docs/guides'

export interface Heading {
  readonly id: string
  /** HTML */
  readonly name: string
}

export interface RenderedGuide {
  /** HTML without elements. */
  readonly title: string
  /** The first sentence, as HTML without elements. */
  readonly about: string
  /** The headings of the second level. */
  readonly headings: readonly Heading[]
  /** HTML, with the title. */
  readonly body: string
}

export interface MarkdownOptions {
  /** The folder of the document in docs/; links are relative to it. Empty: docs/ itself. */
  readonly folder?: string
  /** Takes the place of http://localhost:3000 in commands. */
  readonly publicUrl: string
  /** The width and height of a picture, by its path in docs/, in CSS pixels. */
  readonly sizeOf: (picture: string) => readonly [width: number, height: number] | undefined
  /** The title of a document, by its path in docs/. A link that shows a file name shows the title instead. */
  readonly titleOf: (document: string) => string | undefined
  /** True if docs/ has this file. */
  readonly has: (path: string) => boolean
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, character => entities[character] ?? '')

/** As GitHub makes them, so that the links between documents work in both places. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

/** The address of a link in a document; null when this service has no such page. */
function addressOf(href: string, folder: string, has: (path: string) => boolean): string | null {
  if (/^(https?:\/\/|mailto:|#)/.test(href)) return href
  const [name = '', anchor] = href.split('#')
  const path = posix.join(folder, name)
  if (path === '../openapi.json') return '/v1/openapi.json'
  if (!has(path)) return null
  return `${guidesPath}/${guideName(path)}${anchor === undefined ? '' : `#${anchor}`}`
}

/** Languages of code that shows the address of the service. */
const ownAddressIn = new Set(['sh', 'html', 'json'])

/** Raw HTML in a document is shown as text. */
function rendererFor(
  { folder = '', publicUrl, sizeOf, titleOf, has }: MarkdownOptions,
  headings: Heading[],
): RendererObject {
  const used = new Map<string, number>()
  return {
    html: ({ text }) => escapeHtml(text),
    heading({ tokens, depth, text }) {
      const slug = slugOf(text.replace(/`/g, ''))
      const count = used.get(slug) ?? 0
      used.set(slug, count + 1)
      const id = count === 0 ? slug : `${slug}-${count}`
      const name = this.parser.parseInline(tokens)
      if (depth === 2) headings.push({ id, name })
      return `<h${depth} id="${id}">${name}</h${depth}>\n`
    },
    link({ href, text, tokens }) {
      const [target = ''] = href.split('#')
      const title = text === posix.basename(target) ? titleOf(posix.join(folder, target)) : undefined
      const inner = title === undefined ? this.parser.parseInline(tokens) : escapeHtml(title)
      const address = addressOf(href, folder, has)
      return address === null ? inner : `<a href="${escapeHtml(address)}">${inner}</a>`
    },
    image({ href, text }) {
      const path = posix.join(folder, href)
      const [width, height] = sizeOf(path) ?? []
      const size = width === undefined ? '' : ` width="${width}" height="${height}"`
      return `<img src="${guidesPath}/${escapeHtml(path)}" alt="${escapeHtml(text)}"${size} loading="lazy">`
    },
    code({ text, lang }) {
      const example = ownAddressIn.has(lang ?? '')
        ? text.replaceAll('http://localhost:3000', publicUrl)
        : text
      return `<div class="code"><pre><code>${escapeHtml(example)}\n</code></pre></div>\n`
    },
    table({ header, rows }) {
      // On phones each cell shows the name of its column, because the cells of a row stand below each other.
      const labels = header.map(({ tokens }) => escapeHtml(tokens.map(wordsOf).join('')))
      const head = header.map(({ tokens }) => `<th>${this.parser.parseInline(tokens)}</th>`).join('')
      const rowOf = (cells: typeof header) =>
        cells
          .map(({ tokens }, n) => `<td data-label="${labels[n]}">${this.parser.parseInline(tokens)}</td>`)
          .join('')
      const body = rows.map(cells => `<tr>${rowOf(cells)}</tr>`).join('')
      return `<div class="table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>\n`
    },
  }
}

/** The library is loaded with the first guide, because most processes show none. */
async function createMarked(renderer: RendererObject): Promise<Marked> {
  const { Marked } = await import('marked')
  return new Marked({ gfm: true, renderer })
}

/** The words of a token, without markup. */
const wordsOf = (token: Token): string => {
  const { tokens, text = '' } = token as { readonly tokens?: readonly Token[]; readonly text?: string }
  return tokens ? tokens.map(wordsOf).join('') : text
}

const firstSentence = (words: string): string => (words.split(/(?<=[.:])\s/)[0] ?? '').replace(/:$/, '.')

export async function renderGuide(markdown: string, options: MarkdownOptions): Promise<RenderedGuide> {
  const headings: Heading[] = []
  const marked = await createMarked(rendererFor(options, headings))
  const tokens = marked.lexer(markdown)
  const first = (type: string): string => {
    const token = tokens.find(token => token.type === type)
    return token ? wordsOf(token) : ''
  }
  return {
    title: escapeHtml(first('heading')),
    about: escapeHtml(firstSentence(first('paragraph'))),
    body: marked.parser(tokens),
    headings,
  }
}
