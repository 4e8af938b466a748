// The box of an element: space, borders, background, size and position.
import { ownEntry } from '#kernel/base/own-entry.ts'
import type { BorderLine, ComputedBox, ComputedText, FourSides } from './computed-style.ts'
import type { Declarations } from './css.ts'
import { lostStyles } from './lost-styles.ts'
import { attributeOf, type HtmlElement } from './parse.ts'
import { isBlockTag, isCellTag, isSizedTag, tagBoxes, tagPaddings } from './tags.ts'
import { baseFontSize, colorOf, percentOf, pixelsOf } from './units.ts'

const sideNames = ['top', 'right', 'bottom', 'left'] as const

/** In right-to-left text, content has left and right exchanged. */
function ofSides<T>(
  { isRightToLeft }: ComputedText,
  read: (side: (typeof sideNames)[number], at: number) => T,
): FourSides<T> {
  const [top, right, bottom, left] = sideNames.map(read) as [T, T, T, T]
  return isRightToLeft ? [top, left, bottom, right] : [top, right, bottom, left]
}

const borderWords: Readonly<Record<string, number>> = { thin: 1, medium: 3, thick: 5 }

function borderOf(declared: Declarations, side: string, style: ComputedText): BorderLine | null {
  const lineStyle = declared.get(`border-${side}-style`)?.toLowerCase()
  if (lineStyle === undefined || lineStyle === 'none' || lineStyle === 'hidden') return null
  const width = declared.get(`border-${side}-width`)?.toLowerCase() ?? 'medium'
  const thickness = ownEntry(borderWords, width) ?? pixelsOf(width, style.fontSize) ?? 0
  const text = declared.get(`border-${side}-color`) ?? 'currentcolor'
  const color = /^currentcolor$/i.test(text) ? (style.color ?? '#000000') : colorOf(text)
  if (!color || thickness <= 0) return null
  return { thickness: Math.max(1, Math.round(thickness)), color }
}

function displayOf(element: HtmlElement, declared: Declarations): ComputedBox['display'] {
  const display = declared.get('display')?.trim().toLowerCase()
  const tag = element.tagName
  if (display === 'none' || attributeOf(element, 'hidden') !== undefined) return 'none'
  if (tag === 'table') return display?.startsWith('inline') ? 'atom' : 'table'
  if (isCellTag(tag)) return display === 'inline-block' ? 'atom' : 'block'
  if (display === 'flex') return declared.get('flex-direction')?.startsWith('column') ? 'block' : 'flex'
  if (display === 'inline-block' || display === 'inline-table' || display === 'inline-flex') return 'atom'
  if (display === 'inline') return 'inline'
  if (display === 'block' || display === 'table' || display === 'list-item') return 'block'
  return isBlockTag(tag) ? 'block' : 'inline'
}

/** `align` of a table or a picture lets it float, too. */
function floatOf(element: HtmlElement, declared: Declarations, isRightToLeft: boolean): ComputedBox['float'] {
  const canFloat = element.tagName === 'table' || element.tagName === 'img'
  const word = declared.get('float') ?? (canFloat ? attributeOf(element, 'align') : undefined)
  const side = word?.trim().toLowerCase()
  if (side !== 'left' && side !== 'right') return undefined
  return (side === 'left') === isRightToLeft ? 'right' : 'left'
}

function radiusOf(text: string | undefined, fontSize: number | undefined): number {
  const first = text?.trim().split(/\s+/, 1)[0]
  const percent = percentOf(first)
  if (percent !== undefined) return percent >= 40 ? Number.POSITIVE_INFINITY : percent / 2
  return pixelsOf(first, fontSize) ?? 0
}

function verticalAlignOf(element: HtmlElement, declared: Declarations): ComputedBox['verticalAlign'] {
  const word = (declared.get('vertical-align') ?? attributeOf(element, 'valign') ?? '').trim().toLowerCase()
  if (word === 'top' || word === 'text-top') return 'top'
  if (word === 'middle' || word === 'center') return 'middle'
  return word === 'bottom' || word === 'baseline' || word === 'text-bottom' ? 'bottom' : undefined
}

const clamp = (pixels: number | undefined): number => Math.min(2_000, Math.max(0, pixels ?? 0))

const zeroSize = (declared: Declarations, property: string): boolean => pixelsOf(declared.get(property)) === 0

/** Not `mso-hide`: it hides an element in Word alone. */
function isInvisible(declared: Declarations): boolean {
  const isClipped = declared.get('overflow') === 'hidden' || zeroSize(declared, 'max-height')
  return (
    declared.get('visibility') === 'hidden' ||
    Number(declared.get('opacity') ?? 1) === 0 ||
    (isClipped &&
      (zeroSize(declared, 'max-height') || zeroSize(declared, 'height') || zeroSize(declared, 'width')))
  )
}

/** The values of the attribute `type`; upper and lower case differ. */
const bulletTypes: Readonly<Record<string, string>> = {
  1: 'decimal',
  a: 'lower-alpha',
  A: 'upper-alpha',
  i: 'lower-roman',
  I: 'upper-roman',
}

function listStyleOf(element: HtmlElement, declared: Declarations): string | undefined {
  const type = /^(ul|ol)$/.test(element.tagName) ? attributeOf(element, 'type')?.trim() : undefined
  const words = declared.get('list-style-type') ?? (type && (ownEntry(bulletTypes, type) ?? type))
  // `list-style` also says where the bullet stands.
  return words
    ?.toLowerCase()
    .split(/\s+/)
    .find(word => word !== 'inside' && word !== 'outside')
}

export function computedBoxOf(
  element: HtmlElement,
  declared: Declarations,
  style: ComputedText,
): ComputedBox {
  const preset = ownEntry(tagBoxes, element.tagName)
  const length = (property: string) => pixelsOf(declared.get(property), style.fontSize)
  const size = (name: 'width' | 'height') =>
    declared.get(name) ?? (isSizedTag(element.tagName) ? attributeOf(element, name) : undefined)
  const em = style.fontSize ?? baseFontSize
  const presetMargin = preset?.(em) ?? [0, 0, 0, 0]
  const isAuto = (side: string) => declared.get(`margin-${side}`)?.toLowerCase() === 'auto'
  const isCenteredTable = element.tagName === 'table' && /^center$/i.test(attributeOf(element, 'align') ?? '')
  const background = colorOf(declared.get('background-color') ?? attributeOf(element, 'bgcolor'))
  const listStyle = listStyleOf(element, declared)
  const picture = declared.get('background-image') ?? attributeOf(element, 'background')
  return {
    display: displayOf(element, declared),
    margin: ofSides(style, (side, at) =>
      declared.has(`margin-${side}`) ? clamp(length(`margin-${side}`)) : (presetMargin[at] ?? 0),
    ),
    isCentered: isCenteredTable || (isAuto('left') && isAuto('right')),
    padding: ofSides(style, (side, at) =>
      declared.has(`padding-${side}`)
        ? clamp(length(`padding-${side}`))
        : (ownEntry(tagPaddings, element.tagName)?.[at] ?? 0),
    ),
    hasPadding: sideNames.some(side => declared.has(`padding-${side}`)),
    border: ofSides(style, side => borderOf(declared, side, style)),
    background: background ?? undefined,
    backgroundPicture: picture === undefined || picture === 'none' ? undefined : picture,
    width: pixelsOf(size('width'), style.fontSize),
    widthPercent: percentOf(size('width')),
    height: pixelsOf(size('height'), style.fontSize),
    radius: radiusOf(declared.get('border-radius'), style.fontSize),
    verticalAlign: verticalAlignOf(element, declared),
    isInvisible: isInvisible(declared),
    float: floatOf(element, declared, style.isRightToLeft),
    isClear: declared.has('clear') || attributeOf(element, 'clear') !== undefined,
    listStyle,
    lost: lostStyles(element.tagName, declared, listStyle),
  }
}
