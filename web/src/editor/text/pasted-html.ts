// Reads the HTML of the clipboard. It is parsed into a document of its own, which loads and runs nothing, and only words
// are taken out of it: nothing of it gets into the page.
import { parsedHtml } from '#ui/picture/trusted-html.ts'
import { type PastedRun, PastedRuns, type PastedStyle, pastedHref, plainPasted } from './pasted-runs.ts'

/** Word and Excel copy hundreds of kilobytes for a line. More than this takes noticeable time. */
export const maxHtmlSize = 2_000_000
/** Deeper elements are read as if they were at this depth: recursion must not overflow the stack. */
const maxDepth = 500
/** Word writes some hundred characters. */
const maxStyleLength = 4_000
/** An empty paragraph of Word has a handful of nodes. */
const maxEmptyLineNodes = 20

const ignored = new Set(
  'script style head title meta link template noscript img picture svg math object embed iframe video audio canvas input select textarea button hr xml'.split(
    ' ',
  ),
)
const ownLine = new Set(
  'address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header li main nav ol p pre section summary table tbody tfoot thead tr ul'.split(
    ' ',
  ),
)

const declarations = (element: Element): ReadonlyMap<string, string> =>
  new Map(
    (element.getAttribute('style') ?? '')
      .slice(0, maxStyleLength)
      .split(';')
      .flatMap(each => {
        const colon = each.indexOf(':')
        return colon < 0 ? [] : [[each.slice(0, colon).trim().toLowerCase(), each.slice(colon + 1).trim()]]
      }),
  )

type Declarations = ReturnType<typeof declarations>

/** Also the bullets and numbers that Word draws as text. */
const isHidden = (element: Element, css: Declarations): boolean =>
  element.hasAttribute('hidden') ||
  (css.get('display') ?? '') === 'none' ||
  (css.get('mso-hide') ?? '') !== '' ||
  (css.get('mso-list') ?? '').toLowerCase() === 'ignore'

const isOn = (own: boolean | undefined, before: boolean): boolean => own ?? before

function boldOf(css: Declarations, tag: string): boolean | undefined {
  const weight = (css.get('font-weight') ?? '').toLowerCase()
  if (weight !== '') return weight === 'bold' || weight === 'bolder' || Number(weight) >= 600
  return tag === 'b' || tag === 'strong' ? true : undefined
}

function italicOf(css: Declarations, tag: string): boolean | undefined {
  const style = (css.get('font-style') ?? '').toLowerCase()
  if (style !== '') return style === 'italic' || style.startsWith('oblique')
  return tag === 'i' || tag === 'em' || tag === 'cite' ? true : undefined
}

function underlinedOf(css: Declarations, tag: string): boolean | undefined {
  const lines = `${css.get('text-decoration') ?? ''} ${css.get('text-decoration-line') ?? ''}`
  if (lines.trim() !== '') return lines.includes('underline')
  return tag === 'u' || tag === 'ins' ? true : undefined
}

function styleIn(element: Element, css: Declarations, before: PastedStyle): PastedStyle {
  const tag = element.localName
  const address = tag === 'a' ? element.getAttribute('href') : null
  const href = address === null ? before.href : pastedHref(address)
  return {
    isBold: isOn(boldOf(css, tag), before.isBold),
    isItalic: isOn(italicOf(css, tag), before.isItalic),
    // Programs underline every link. The renderer has its own look of links.
    isUnderlined: href === undefined && isOn(underlinedOf(css, tag), before.isUnderlined),
    href,
  }
}

const isPre = (css: Declarations, tag: string, before: boolean): boolean => {
  const space = (css.get('white-space') ?? '').toLowerCase()
  return space === '' ? before || tag === 'pre' : space.startsWith('pre')
}

function addText(text: string, style: PastedStyle, keepsLines: boolean, runs: PastedRuns): void {
  const lines = keepsLines ? text.split('\n') : [text]
  lines.forEach((line, index) => {
    if (index > 0) runs.addLineBreak()
    runs.addText(line, style)
  })
}

interface Position {
  readonly style: PastedStyle
  readonly keepsLines: boolean
  readonly depth: number
}

/** An empty paragraph is an empty line. Empty cells and groups are not. */
function isEmptyLine(element: Element, tag: string): boolean {
  if (tag !== 'p' && tag !== 'div') return false
  const walker = document.createTreeWalker(element)
  let isMarked = false
  for (let count = 0; walker.nextNode(); count += 1) {
    const node = walker.currentNode
    // Looking at more would cost a second visit of everything at every level.
    if (count >= maxEmptyLineNodes) return false
    if (node.nodeType === Node.TEXT_NODE) {
      const text = node.nodeValue ?? ''
      if (!/^[\s\u00a0]*$/.test(text)) return false
      if (text.includes('\u00a0')) isMarked = true
    } else if (node.nodeType === Node.ELEMENT_NODE) {
      const { localName } = node as Element
      if (localName === 'p' || localName === 'div' || localName === 'table') return false
      if (localName === 'br') isMarked = true
    }
  }
  return isMarked
}

function visit(element: Element, position: Position, runs: PastedRuns): void {
  const tag = element.localName
  // More words are refused, and reading them takes time.
  if (runs.isFull || ignored.has(tag)) return
  const css = declarations(element)
  if (isHidden(element, css)) return
  const hasOwnLine = ownLine.has(tag)
  if (hasOwnLine) runs.endLine()
  if (tag === 'br' || isEmptyLine(element, tag)) {
    runs.addLineBreak()
    return
  }
  const inside = {
    style: styleIn(element, css, position.style),
    keepsLines: isPre(css, tag, position.keepsLines),
    depth: Math.min(position.depth + 1, maxDepth),
  }
  if (position.depth >= maxDepth) addText(element.textContent ?? '', inside.style, false, runs)
  else visitChildren(element, inside, runs)
  if (tag === 'td' || tag === 'th') runs.addText(' ', inside.style)
  if (hasOwnLine) runs.endLine()
}

/** Comments are left out, so conditional comments of Word are too. */
function visitChildren(element: Element, position: Position, runs: PastedRuns): void {
  for (const child of element.childNodes) {
    if (child.nodeType === Node.TEXT_NODE)
      addText(child.nodeValue ?? '', position.style, position.keepsLines, runs)
    else if (child.nodeType === Node.ELEMENT_NODE) visit(child as Element, position, runs)
  }
}

/** Windows puts the copied part between two comments. */
function fragmentOf(html: string): string {
  const start = /<!--\s*StartFragment\s*-->/i.exec(html)
  if (!start) return html
  const begin = start.index + start[0].length
  const end = html.slice(begin).search(/<!--\s*EndFragment\s*-->/i)
  return end < 0 ? html.slice(begin) : html.slice(begin, begin + end)
}

export function runsOfHtml(html: string): readonly PastedRun[] {
  const { body } = parsedHtml(fragmentOf(html))
  const runs = new PastedRuns()
  visitChildren(body, { style: plainPasted, keepsLines: false, depth: 0 }, runs)
  return runs.runs()
}
