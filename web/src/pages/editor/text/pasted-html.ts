// Reads the HTML of the clipboard. It is parsed into a document of its own, which loads and runs nothing, and only words
// are taken out of it: nothing of it gets into the page.
import { trustedHtml } from '../../../ui/trusted-html.ts'
import { type PastedRun, PastedRuns, type PastedStyle, pastedHref, plainPasted } from './pasted-runs.ts'

/** Word and Excel copy hundreds of kilobytes for a line. More than this takes noticeable time. */
export const maxHtmlSize = 2_000_000
/** Deeper elements are read as if they were at this depth: recursion must not overflow the stack. */
const maxDepth = 500

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

const declaration = (element: Element, name: string): string =>
  new RegExp(`(?:^|;)\\s*${name}\\s*:\\s*([^;]+)`, 'i')
    .exec(element.getAttribute('style') ?? '')?.[1]
    ?.trim() ?? ''

/** Also the bullets and numbers that Word draws as text. */
const isHidden = (element: Element): boolean =>
  element.hasAttribute('hidden') ||
  declaration(element, 'display') === 'none' ||
  declaration(element, 'mso-hide') !== '' ||
  declaration(element, 'mso-list').toLowerCase() === 'ignore'

const isOn = (own: boolean | undefined, before: boolean): boolean => own ?? before

function boldOf(element: Element, tag: string): boolean | undefined {
  const weight = declaration(element, 'font-weight').toLowerCase()
  if (weight !== '') return weight === 'bold' || weight === 'bolder' || Number(weight) >= 600
  return tag === 'b' || tag === 'strong' ? true : undefined
}

function italicOf(element: Element, tag: string): boolean | undefined {
  const style = declaration(element, 'font-style').toLowerCase()
  if (style !== '') return style === 'italic' || style.startsWith('oblique')
  return tag === 'i' || tag === 'em' || tag === 'cite' ? true : undefined
}

function underlinedOf(element: Element, tag: string): boolean | undefined {
  const lines = `${declaration(element, 'text-decoration')} ${declaration(element, 'text-decoration-line')}`
  if (lines.trim() !== '') return lines.includes('underline')
  return tag === 'u' || tag === 'ins' ? true : undefined
}

function styleIn(element: Element, tag: string, before: PastedStyle): PastedStyle {
  const address = tag === 'a' ? element.getAttribute('href') : null
  const href = address === null ? before.href : pastedHref(address)
  return {
    isBold: isOn(boldOf(element, tag), before.isBold),
    isItalic: isOn(italicOf(element, tag), before.isItalic),
    // Programs underline every link. The renderer has its own look of links.
    isUnderlined: href === undefined && isOn(underlinedOf(element, tag), before.isUnderlined),
    href,
  }
}

const isPre = (element: Element, tag: string, before: boolean): boolean => {
  const space = declaration(element, 'white-space').toLowerCase()
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
const isEmptyLine = (element: Element, tag: string): boolean =>
  (tag === 'p' || tag === 'div') && /^[\s\u00a0]*$/.test(element.textContent ?? '') && isLeafLine(element)

const isLeafLine = (element: Element): boolean => {
  const text = element.textContent ?? ''
  return (
    (text.includes('\u00a0') || element.querySelector('br') !== null) &&
    !element.querySelector('p, div, table')
  )
}

function visit(element: Element, position: Position, runs: PastedRuns): void {
  const tag = element.localName
  if (ignored.has(tag) || isHidden(element)) return
  const hasOwnLine = ownLine.has(tag)
  if (hasOwnLine) runs.endLine()
  if (tag === 'br' || isEmptyLine(element, tag)) {
    runs.addLineBreak()
    return
  }
  const inside = {
    style: styleIn(element, tag, position.style),
    keepsLines: isPre(element, tag, position.keepsLines),
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

/** The browser reports a violation of the page's policy for every style sheet, though it applies none. */
const withoutSheets = (html: string): string => html.replaceAll(/<style\b[\s\S]*?(<\/style\s*>|$)/gi, '')

export function runsOfHtml(html: string): readonly PastedRun[] {
  const { body } = new DOMParser().parseFromString(trustedHtml(withoutSheets(fragmentOf(html))), 'text/html')
  const runs = new PastedRuns()
  visitChildren(body, { style: plainPasted, keepsLines: false, depth: 0 }, runs)
  return runs.runs()
}
