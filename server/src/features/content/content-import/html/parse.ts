// Parses HTML as browsers do. Bounded: a hostile text cannot take much time, memory or depth.
import type { DefaultTreeAdapterMap, DefaultTreeAdapterTypes, TreeAdapter } from 'parse5'
import { invalid } from '#kernel/base/errors.ts'
import { TimeSlice, yieldToEventLoop } from '#kernel/base/time-slice.ts'

export type HtmlNode = DefaultTreeAdapterTypes.ChildNode
export type HtmlElement = DefaultTreeAdapterTypes.Element

/** `milliseconds` is processor time of the parser: tags with thousands of attributes take quadratic time. */
const htmlLimits = {
  elements: 5_000,
  depth: 400,
  milliseconds: 1_000,
  attributes: 100,
  attributeLength: 4 * 1024 * 1024,
} as const

/** Small enough that even the most hostile piece is parsed in some milliseconds. */
const pieceLength = 2_048

const refused = (code: 'too_many' | 'too_deep' | 'invalid', problem: string) =>
  invalid('html', code, { message: `html ${problem}` })

/** More than the longest address: a cut address is still refused for its length. */
const maxAddressLength = 4_200
const maxValueLength = 1_024

const longestValue = (name: string, value: string): number => {
  if (name === 'style' || (name === 'src' && value.startsWith('data:'))) return Number.POSITIVE_INFINITY
  return name === 'href' || name === 'src' ? maxAddressLength : maxValueLength
}

/** Cuts attributes in place, because all copies of an element share them. Returns their length. */
function cutAttributes(attributes: { readonly name: string; value: string }[]): number {
  attributes.splice(htmlLimits.attributes)
  let length = 0
  for (const attribute of attributes) {
    const { name, value } = attribute
    const most = longestValue(name, value)
    if (value.length > most) attribute.value = value.slice(0, most)
    length += attribute.value.length
  }
  return length
}

/** Counts elements, depth and attributes while they are created: misnested tags can multiply them. */
function boundedAdapter(
  adapter: TreeAdapter<DefaultTreeAdapterMap>,
): Partial<TreeAdapter<DefaultTreeAdapterMap>> {
  let elements = 0
  let depth = 0
  let length = 0
  return {
    ...adapter,
    createElement(...args) {
      elements += 1
      length += cutAttributes(args[2])
      if (elements > htmlLimits.elements)
        throw refused('too_many', `has more than ${htmlLimits.elements} elements`)
      if (length > htmlLimits.attributeLength)
        throw refused('too_many', `has more than ${htmlLimits.attributeLength} characters of attributes`)
      return adapter.createElement(...args)
    },
    onItemPush() {
      depth += 1
      if (depth > htmlLimits.depth)
        throw refused('too_deep', `is nested deeper than ${htmlLimits.depth} elements`)
    },
    onItemPop() {
      depth -= 1
    },
  }
}

export async function parseHtml(html: string): Promise<readonly HtmlNode[]> {
  // Loaded on first use, because most processes import nothing.
  const { defaultTreeAdapter, Parser } = await import('parse5')
  const treeAdapter = boundedAdapter(defaultTreeAdapter) as TreeAdapter<DefaultTreeAdapterMap>
  const parser = new Parser<DefaultTreeAdapterMap>({ treeAdapter, scriptingEnabled: false })
  const slice = new TimeSlice()
  await yieldToEventLoop()
  let spent = 0
  for (let at = 0; at < html.length || at === 0; at += pieceLength) {
    const began = process.threadCpuUsage()
    parser.tokenizer.write(html.slice(at, at + pieceLength), at + pieceLength >= html.length)
    const { user, system } = process.threadCpuUsage(began)
    spent += (user + system) / 1_000
    if (spent > htmlLimits.milliseconds) throw refused('invalid', 'takes too long to read')
    await slice.pause()
  }
  return parser.document.childNodes
}

export const isHtmlElement = (node: HtmlNode): node is HtmlElement => 'tagName' in node
export const isHtmlText = (node: HtmlNode): node is DefaultTreeAdapterTypes.TextNode =>
  node.nodeName === '#text'
export const isHtmlComment = (node: HtmlNode): node is DefaultTreeAdapterTypes.CommentNode =>
  node.nodeName === '#comment'

export const attributeOf = (element: HtmlElement, name: string): string | undefined =>
  element.attrs.find(attribute => attribute.name === name)?.value

/** Elements that contain each other must not be searched again and again. */
const maxSearched = 1_000

/** The text inside a node, without recursion. */
export function textInside(node: HtmlNode, maxLength = 200): string {
  const open: HtmlNode[] = [node]
  let text = ''
  for (let searched = 0; open.length > 0 && text.length < maxLength && searched < maxSearched; searched++) {
    const next = open.pop() as HtmlNode
    if (isHtmlText(next)) text += next.value.slice(0, 10 * maxLength)
    else if (isHtmlElement(next))
      for (const child of next.childNodes.slice(0, maxSearched).reverse()) open.push(child)
  }
  return text.replace(/\s+/g, ' ').trim()
}
