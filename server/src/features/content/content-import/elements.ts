// What the import does with the elements of HTML.

import { ownEntry } from '#kernel/base/own-entry.ts'
import type { ComputedBox } from './html/computed-style.ts'
import { type HtmlElement, type HtmlNode, isHtmlElement, isHtmlText, textInside } from './html/parse.ts'
import { isBlankText } from './layout/tokens.ts'
import type { NoteCode } from './notes.ts'

/** Never visible. */
export const silentTags = new Set(
  'head title meta link base style template colgroup col xml wbr param source track'.split(' '),
)
export const refusedTags: Readonly<Record<string, NoteCode>> = {
  script: 'script',
  iframe: 'media',
  object: 'media',
  embed: 'media',
  video: 'media',
  audio: 'media',
  canvas: 'media',
  svg: 'media',
  math: 'media',
  input: 'form',
  select: 'form',
  textarea: 'form',
}

/** A link with a background and padding of its own. */
export const isButtonLink = (element: HtmlElement, box: ComputedBox): boolean =>
  element.tagName === 'a' &&
  box.display === 'inline' &&
  box.background !== undefined &&
  Math.max(...box.padding) >= 3 &&
  hasOnlyText(element)

export const isPlainBox = (box: ComputedBox): boolean =>
  box.background === undefined &&
  box.width === undefined &&
  box.border.every(line => line === null) &&
  box.padding.every(side => side === 0)

const inlineTags = new Set('span b i u a font strong em s strike small big sub sup ins del o:p'.split(' '))

export const hasOnlyItems = (element: HtmlElement): boolean =>
  element.childNodes.every(node =>
    isHtmlElement(node) ? node.tagName === 'li' : !isHtmlText(node) || isBlankText(node.value),
  )

/** A text with more parts is treated as a box, so that boxes in boxes are not searched again and again. */
const maxTextParts = 200

/** No line breaks, pictures or blocks inside. */
export function hasOnlyText(element: HtmlElement): boolean {
  const open: HtmlNode[] = [element]
  for (let parts = 0; open.length > 0; parts++) {
    const node = open.pop() as HtmlNode
    if (!isHtmlElement(node)) continue
    if (node !== element && !inlineTags.has(node.tagName)) return false
    if (parts + open.length + node.childNodes.length > maxTextParts) return false
    open.push(...node.childNodes)
  }
  return true
}

const noFlexItems = new Set(['img', 'br', 'hr', 'area'])

/** An element that stands beside its siblings in a flex container. */
export const isFlexItem = ({ tagName }: HtmlElement): boolean =>
  !noFlexItems.has(tagName) &&
  !silentTags.has(tagName) &&
  ownEntry(refusedTags, tagName) === undefined &&
  !tagName.includes(':')

/** Text with a background of its own, as of a marker. */
export const isMarked = (element: HtmlElement, { background }: ComputedBox): boolean =>
  background !== undefined && background !== '#ffffff' && textInside(element, 20) !== ''
