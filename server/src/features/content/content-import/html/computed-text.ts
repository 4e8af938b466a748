// The style of the text in an element.
import { ownEntry } from '#kernel/base/own-entry.ts'
import type { ComputedText, ImportAlign } from './computed-style.ts'
import type { Declarations } from './css.ts'
import { attributeOf, type HtmlElement } from './parse.ts'
import { tagTexts } from './tags.ts'
import { baseFontSize, colorOf, fontFrom, fontSizeFrom, fontTagSize, percentOf, pixelsOf } from './units.ts'

type WritableText = { -readonly [K in keyof ComputedText]: ComputedText[K] }

const transforms = new Set(['uppercase', 'lowercase', 'capitalize'])

export function computedTextOf(
  element: HtmlElement,
  declared: Declarations,
  parent: ComputedText,
): ComputedText {
  const tag = element.tagName
  const { sizeFactor, ...preset } = ownEntry(tagTexts, tag) ?? {}
  const style: WritableText = { ...parent, ...preset }
  const parentSize = parent.fontSize ?? baseFontSize
  if (sizeFactor !== undefined) style.fontSize = parentSize * sizeFactor
  if (tag === 'font') applyFontTag(element, style)
  if (tag === 'a' && attributeOf(element, 'href') !== undefined) {
    style.color = '#1155cc'
    if (!declared.has('text-decoration')) style.isUnderlined = true
  }
  applyFont(declared, style, parentSize)
  const direction = (declared.get('direction') ?? attributeOf(element, 'dir') ?? '').toLowerCase()
  if (direction === 'rtl' || direction === 'ltr') style.isRightToLeft = direction === 'rtl'
  const align = alignOf(declared.get('text-align') ?? alignAttribute(element), style.isRightToLeft)
  if (align) style.align = align
  return style
}

function applyFont(declared: Declarations, style: WritableText, parentSize: number): void {
  const get = (property: string) => declared.get(property)?.trim().toLowerCase()
  const color = colorOf(declared.get('color'))
  if (color) style.color = color
  const family = declared.get('font-family')
  if (family !== undefined && family !== 'inherit') applyFamily(family, style)
  const size = get('font-size')
  if (size !== undefined) style.fontSize = fontSizeFrom(size, parentSize) ?? style.fontSize
  const weight = get('font-weight')
  if (weight !== undefined && weight !== 'inherit') style.isBold = /^(bold|bolder|[6-9]00)$/.test(weight)
  const slant = get('font-style')
  if (slant !== undefined && slant !== 'inherit') style.isItalic = /^(italic|oblique)/.test(slant)
  const decoration = get('text-decoration')
  if (decoration?.includes('underline')) style.isUnderlined = true
  if (decoration?.includes('line-through')) style.isStruck = true
  const transform = get('text-transform')
  if (transform !== undefined)
    style.transform = transforms.has(transform) ? (transform as ComputedText['transform']) : undefined
  const spacing = get('letter-spacing')
  if (spacing !== undefined) style.letterSpacing = pixelsOf(spacing, style.fontSize)
  const height = get('line-height')
  if (height !== undefined) style.lineHeight = lineHeightFrom(height, style.fontSize ?? baseFontSize)
  const space = get('white-space')
  if (space !== undefined) style.isPreformatted = space.startsWith('pre')
}

function applyFamily(list: string, style: WritableText): void {
  const { family, replaced } = fontFrom(list)
  style.fontFamily = family
  style.replacedFont = replaced
}

function applyFontTag(element: HtmlElement, style: WritableText): void {
  const color = colorOf(attributeOf(element, 'color'))
  if (color) style.color = color
  const face = attributeOf(element, 'face')
  if (face !== undefined) applyFamily(face, style)
  const size = fontTagSize(attributeOf(element, 'size') ?? '')
  if (size !== undefined) style.fontSize = size
}

/** Relative heights stay relative, because the font size can change further inside. */
function lineHeightFrom(text: string, fontSize: number): number | undefined {
  if (/^\d{1,3}(\.\d{0,6})?$/.test(text) && Number(text) < 4) return Number(text) || undefined
  const percent = percentOf(text)
  const pixels = percent === undefined ? pixelsOf(text, fontSize) : (percent * fontSize) / 100
  return pixels === undefined || pixels < 4 ? undefined : pixels
}

function alignOf(text: string | undefined, isRightToLeft: boolean): ImportAlign | undefined {
  const word = text?.trim().toLowerCase().replace('-webkit-', '')
  if (word === 'center' || word === 'middle') return 'center'
  if (word === 'start' || word === 'justify') return 'left'
  if (word === 'end') return 'right'
  if (word !== 'left' && word !== 'right') return undefined
  return (word === 'left') === isRightToLeft ? 'right' : 'left'
}

/** On a table or a picture, `align` places the element itself. */
const alignAttribute = (element: HtmlElement): string | undefined =>
  element.tagName === 'table' || element.tagName === 'img' ? undefined : attributeOf(element, 'align')
