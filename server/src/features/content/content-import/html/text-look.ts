// The look of the text in an element.
import { ownEntry } from '#kernel/base/own-entry.ts'
import type { Declarations } from './css.ts'
import type { ImportAlign, TextLook } from './look.ts'
import { attributeOf, type HtmlElement } from './parse.ts'
import { tagTexts } from './tags.ts'
import { baseFontSize, colorOf, fontFrom, fontSizeFrom, fontTagSize, percentOf, pixelsOf } from './units.ts'

type WritableLook = { -readonly [K in keyof TextLook]: TextLook[K] }

const transforms = new Set(['uppercase', 'lowercase', 'capitalize'])

export function textLookOf(element: HtmlElement, declared: Declarations, parent: TextLook): TextLook {
  const tag = element.tagName
  const { sizeFactor, ...preset } = ownEntry(tagTexts, tag) ?? {}
  const look: WritableLook = { ...parent, ...preset }
  const parentSize = parent.fontSize ?? baseFontSize
  if (sizeFactor !== undefined) look.fontSize = parentSize * sizeFactor
  if (tag === 'font') applyFontTag(element, look)
  if (tag === 'a' && attributeOf(element, 'href') !== undefined) {
    look.color = '#1155cc'
    if (!declared.has('text-decoration')) look.isUnderlined = true
  }
  applyFont(declared, look, parentSize)
  const direction = (declared.get('direction') ?? attributeOf(element, 'dir') ?? '').toLowerCase()
  if (direction === 'rtl' || direction === 'ltr') look.isRightToLeft = direction === 'rtl'
  const align = alignOf(declared.get('text-align') ?? alignAttribute(element), look.isRightToLeft)
  if (align) look.align = align
  return look
}

function applyFont(declared: Declarations, look: WritableLook, parentSize: number): void {
  const get = (property: string) => declared.get(property)?.trim().toLowerCase()
  const color = colorOf(declared.get('color'))
  if (color) look.color = color
  const family = declared.get('font-family')
  if (family !== undefined && family !== 'inherit') applyFamily(family, look)
  const size = get('font-size')
  if (size !== undefined) look.fontSize = fontSizeFrom(size, parentSize) ?? look.fontSize
  const weight = get('font-weight')
  if (weight !== undefined && weight !== 'inherit') look.isBold = /^(bold|bolder|[6-9]00)$/.test(weight)
  const slant = get('font-style')
  if (slant !== undefined && slant !== 'inherit') look.isItalic = /^(italic|oblique)/.test(slant)
  const decoration = get('text-decoration')
  if (decoration?.includes('underline')) look.isUnderlined = true
  if (decoration?.includes('line-through')) look.isStruck = true
  const transform = get('text-transform')
  if (transform !== undefined)
    look.transform = transforms.has(transform) ? (transform as TextLook['transform']) : undefined
  const spacing = get('letter-spacing')
  if (spacing !== undefined) look.letterSpacing = pixelsOf(spacing, look.fontSize)
  const height = get('line-height')
  if (height !== undefined) look.lineHeight = lineHeightFrom(height, look.fontSize ?? baseFontSize)
  const space = get('white-space')
  if (space !== undefined) look.isPreformatted = space.startsWith('pre')
}

function applyFamily(list: string, look: WritableLook): void {
  const { family, replaced } = fontFrom(list)
  look.fontFamily = family
  look.replacedFont = replaced
}

function applyFontTag(element: HtmlElement, look: WritableLook): void {
  const color = colorOf(attributeOf(element, 'color'))
  if (color) look.color = color
  const face = attributeOf(element, 'face')
  if (face !== undefined) applyFamily(face, look)
  const size = fontTagSize(attributeOf(element, 'size') ?? '')
  if (size !== undefined) look.fontSize = size
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
