// HTML to content, without network and database. Pictures are numbered sources that the caller loads.
import { yieldToEventLoop } from '#kernel/base/time-slice.ts'
import { rootText } from './html/computed-style.ts'
import { parseStyleSheet } from './html/css.ts'
import { type HtmlNode, isHtmlElement, isHtmlText, parseHtml } from './html/parse.ts'
import { Styles } from './html/styles.ts'
import { asOneDraft, type Draft, stackOf } from './layout/draft.ts'
import { fitToLimits } from './layout/fit.ts'
import { PictureSources } from './layout/picture.ts'
import { simplify, withSingleIcons } from './layout/simplify.ts'
import { ImportNotes } from './notes.ts'
import { Walk } from './walk.ts'

export interface ConvertedHtml {
  /** A stack. Its pictures have numbers, its blocks and tokens have no ids yet. */
  readonly root: Draft
  /** The addresses of the pictures: http, https or data. */
  readonly sources: readonly string[]
  readonly notes: ImportNotes
}

export async function convertHtml(html: string): Promise<ConvertedHtml> {
  const nodes = await parseHtml(html)
  await yieldToEventLoop()
  const notes = new ImportNotes()
  const sources = new PictureSources()
  const { sheet, lost } = await parseStyleSheet(styleTexts(nodes))
  for (const rules of lost) notes.add('style', rules)
  const walk = new Walk(new Styles(sheet), notes, sources)
  const { drafts } = await walk.flowOf(nodes, {
    style: rootText,
    href: undefined,
    linkBox: undefined,
    available: undefined,
  })
  await yieldToEventLoop()
  const simple = simplify(asOneDraft(drafts))
  await yieldToEventLoop()
  const root = withDirection(
    simple.type === 'stack' ? simple : stackOf([simple]),
    walk.isRightToLeft ?? false,
  )
  return {
    root: fitToLimits(withSingleIcons(withoutOuterSpace(root)), notes),
    sources: sources.list(),
    notes,
  }
}

const rightToLeftLetter = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
const hasRightToLeft = ({ tokens = [], children = [] }: Draft): boolean =>
  tokens.some(({ value = '' }) => rightToLeftLetter.test(value)) || children.some(hasRightToLeft)

/** Without a direction, content takes that of its first letter. */
function withDirection(root: Draft, isRightToLeft: boolean): Draft {
  if (isRightToLeft) return { ...root, dir: 'rtl' }
  return hasRightToLeft(root) ? { ...root, dir: 'ltr' } : root
}

/** The text of all style elements. */
function styleTexts(nodes: readonly HtmlNode[]): string {
  const open: HtmlNode[] = [...nodes]
  const texts: string[] = []
  while (open.length > 0) {
    const node = open.pop() as HtmlNode
    if (!isHtmlElement(node)) continue
    if (node.tagName !== 'style') for (const child of node.childNodes) open.push(child)
    else for (const child of node.childNodes) if (isHtmlText(child)) texts.unshift(child.value)
  }
  return texts.join('\n')
}

/** The mail has space around the signature already. */
function withoutOuterSpace(root: Draft): Draft {
  const { marginTop: _, marginBottom: __, ...blockStyle } = root.blockStyle ?? {}
  const { blockStyle: ___, ...rest } = root
  return { ...rest, ...(Object.keys(blockStyle).length > 0 && { blockStyle }) }
}
