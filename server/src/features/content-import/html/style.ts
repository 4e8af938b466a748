// The computed style of an element: what its text inherits, and its own box.
import { type Declarations, parseDeclarations, type StyleSheet } from './css.ts'
import { attributeOf, type HtmlElement } from './parse.ts'
import { isBlockTag, isCellTag, isSizedTag, tagBoxes, tagPaddings, tagTexts } from './tags.ts'
import { baseFontSize, colorOf, fontFrom, fontSizeFrom, fontTagSize, percentOf, pixelsOf } from './units.ts'

export type ImportAlign = 'left' | 'center' | 'right'

/** Inherited. */
export interface TextLook {
  readonly color?: string | undefined
  readonly fontFamily?: ReturnType<typeof fontFrom>['family']
  /** The first font of the list that applies, when content cannot use it. */
  readonly replacedFont?: string | undefined
  readonly fontSize?: number | undefined
  readonly isBold: boolean
  readonly isItalic: boolean
  readonly isUnderlined: boolean
  readonly isStruck: boolean
  readonly transform?: 'uppercase' | 'lowercase' | 'capitalize' | undefined
  readonly letterSpacing?: number | undefined
  /** A factor of the font size when below 4, otherwise pixels. */
  readonly lineHeight?: number | undefined
  /** As in content: `left` is where lines begin, which is the right side in right-to-left text. */
  readonly align: ImportAlign
  readonly isPreformatted: boolean
  readonly isRightToLeft: boolean
}

export interface BorderLine {
  readonly thickness: number
  readonly color: string
}

/** Top, right, bottom, left. */
export type FourSides<T> = readonly [T, T, T, T]

export interface BoxLook {
  readonly display: 'block' | 'inline' | 'atom' | 'flex' | 'table' | 'none'
  readonly margin: FourSides<number>
  readonly isCentered: boolean
  readonly padding: FourSides<number>
  readonly hasPadding: boolean
  readonly border: FourSides<BorderLine | null>
  readonly background: string | undefined
  readonly backgroundPicture: string | undefined
  readonly width: number | undefined
  readonly widthPercent: number | undefined
  readonly height: number | undefined
  /** Pixels; Infinity for 50 % and more. */
  readonly radius: number
  readonly verticalAlign: 'top' | 'middle' | 'bottom' | undefined
  readonly isInvisible: boolean
  readonly float: 'left' | 'right' | undefined
  readonly isClear: boolean
  readonly listStyle: string | undefined
  /** What the style asks for and content cannot show. */
  readonly lost: readonly string[]
}

export interface Look {
  readonly text: TextLook
  readonly box: BoxLook
}

export const rootLook: TextLook = {
  isBold: false,
  isItalic: false,
  isUnderlined: false,
  isStruck: false,
  align: 'left',
  isPreformatted: false,
  isRightToLeft: false,
}

const noDeclarations: Declarations = new Map()
const maxClasses = 8
const maxCached = 500

/** Computes looks. One per import: it caches parsed style attributes, which Word repeats hundreds of times. */
export class Styles {
  readonly #sheet: StyleSheet
  readonly #parsed = new Map<string, Declarations>()

  constructor(sheet: StyleSheet) {
    this.#sheet = sheet
  }

  lookOf(element: HtmlElement, parent: TextLook): Look {
    const declared = this.#declared(element)
    const text = textLookOf(element, declared, parent)
    return { text, box: boxLookOf(element, declared, text) }
  }

  #inline(style: string): Declarations {
    const cached = this.#parsed.get(style)
    if (cached) return cached
    const declarations = parseDeclarations(style)
    if (this.#parsed.size < maxCached) this.#parsed.set(style, declarations)
    return declarations
  }

  #declared(element: HtmlElement): Declarations {
    const style = attributeOf(element, 'style')
    const inline = style === undefined ? noDeclarations : this.#inline(style)
    const rules = this.#sheet.size === 0 ? [] : this.#rulesOf(element)
    if (rules.length === 0) return inline
    const all = new Map<string, string>()
    for (const rule of [...rules, inline]) for (const [property, value] of rule) all.set(property, value)
    return all
  }

  /** In the order of their specificity. */
  #rulesOf(element: HtmlElement): Declarations[] {
    const tag = element.tagName.toLowerCase()
    const classes = (attributeOf(element, 'class') ?? '').toLowerCase().split(/\s+/, maxClasses)
    const id = attributeOf(element, 'id')?.toLowerCase()
    const keys = [
      '*',
      tag,
      ...classes.filter(name => name !== '').flatMap(name => [`.${name}`, `*.${name}`]),
      ...classes.filter(name => name !== '').map(name => `${tag}.${name}`),
      ...(id ? [`#${id}`, `${tag}#${id}`] : []),
    ]
    return keys.flatMap(key => this.#sheet.get(key) ?? [])
  }
}

type WritableLook = { -readonly [K in keyof TextLook]: TextLook[K] }

const transforms = new Set(['uppercase', 'lowercase', 'capitalize'])

function textLookOf(element: HtmlElement, declared: Declarations, parent: TextLook): TextLook {
  const tag = element.tagName
  const { sizeFactor, ...preset } = tagTexts[tag] ?? {}
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

const sideNames = ['top', 'right', 'bottom', 'left'] as const

/** In right-to-left text, content has left and right exchanged. */
function ofSides<T>(
  { isRightToLeft }: TextLook,
  read: (side: (typeof sideNames)[number], at: number) => T,
): FourSides<T> {
  const [top, right, bottom, left] = sideNames.map(read) as [T, T, T, T]
  return isRightToLeft ? [top, left, bottom, right] : [top, right, bottom, left]
}

const borderWords: Readonly<Record<string, number>> = { thin: 1, medium: 3, thick: 5 }

function borderOf(declared: Declarations, side: string, look: TextLook): BorderLine | null {
  const style = declared.get(`border-${side}-style`)?.toLowerCase()
  if (style === undefined || style === 'none' || style === 'hidden') return null
  const width = declared.get(`border-${side}-width`)?.toLowerCase() ?? 'medium'
  const thickness = borderWords[width] ?? pixelsOf(width, look.fontSize) ?? 0
  const text = declared.get(`border-${side}-color`) ?? 'currentcolor'
  const color = /^currentcolor$/i.test(text) ? (look.color ?? '#000000') : colorOf(text)
  if (!color || thickness <= 0) return null
  return { thickness: Math.max(1, Math.round(thickness)), color }
}

function displayOf(element: HtmlElement, declared: Declarations): BoxLook['display'] {
  const display = declared.get('display')?.trim().toLowerCase()
  const tag = element.tagName
  if (display === 'none' || attributeOf(element, 'hidden') !== undefined) return 'none'
  if (tag === 'table') return display?.startsWith('inline') ? 'atom' : 'table'
  if (isCellTag(tag)) return display === 'inline-block' ? 'atom' : 'block'
  if (display === 'flex') return 'flex'
  if (display === 'inline-block' || display === 'inline-table' || display === 'inline-flex') return 'atom'
  if (display === 'inline') return 'inline'
  if (display === 'block' || display === 'table' || display === 'list-item') return 'block'
  return isBlockTag(tag) ? 'block' : 'inline'
}

/** `align` of a table or a picture lets it float, too. */
function floatOf(element: HtmlElement, declared: Declarations, isRightToLeft: boolean): BoxLook['float'] {
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

function verticalAlignOf(element: HtmlElement, declared: Declarations): BoxLook['verticalAlign'] {
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

const noStyles: readonly string[] = []

function lostStyles(tag: string, declared: Declarations): readonly string[] {
  const lost = [
    tag === 'sub' || tag === 'sup' ? 'raised or lowered text' : '',
    declared.get('font-variant')?.includes('small-caps') ? 'small capitals' : '',
    declared.get('text-align') === 'justify' ? 'justified text' : '',
    declared.has('box-shadow') || declared.has('text-shadow') ? 'a shadow' : '',
  ].filter(name => name !== '')
  return lost.length === 0 ? noStyles : lost
}

function boxLookOf(element: HtmlElement, declared: Declarations, look: TextLook): BoxLook {
  const preset = tagBoxes[element.tagName]
  const length = (property: string) => pixelsOf(declared.get(property), look.fontSize)
  const size = (name: 'width' | 'height') =>
    declared.get(name) ?? (isSizedTag(element.tagName) ? attributeOf(element, name) : undefined)
  const em = look.fontSize ?? baseFontSize
  const presetMargin = preset?.(em) ?? [0, 0, 0, 0]
  const isAuto = (side: string) => declared.get(`margin-${side}`)?.toLowerCase() === 'auto'
  const isCenteredTable = element.tagName === 'table' && /^center$/i.test(attributeOf(element, 'align') ?? '')
  const background = colorOf(declared.get('background-color') ?? attributeOf(element, 'bgcolor'))
  const picture = declared.get('background-image') ?? attributeOf(element, 'background')
  return {
    display: displayOf(element, declared),
    margin: ofSides(look, (side, at) =>
      declared.has(`margin-${side}`) ? clamp(length(`margin-${side}`)) : (presetMargin[at] ?? 0),
    ),
    isCentered: isCenteredTable || (isAuto('left') && isAuto('right')),
    padding: ofSides(look, (side, at) =>
      declared.has(`padding-${side}`)
        ? clamp(length(`padding-${side}`))
        : (tagPaddings[element.tagName]?.[at] ?? 0),
    ),
    hasPadding: sideNames.some(side => declared.has(`padding-${side}`)),
    border: ofSides(look, side => borderOf(declared, side, look)),
    background: background ?? undefined,
    backgroundPicture: picture === undefined || picture === 'none' ? undefined : picture,
    width: pixelsOf(size('width'), look.fontSize),
    widthPercent: percentOf(size('width')),
    height: pixelsOf(size('height'), look.fontSize),
    radius: radiusOf(declared.get('border-radius'), look.fontSize),
    verticalAlign: verticalAlignOf(element, declared),
    isInvisible: isInvisible(declared),
    float: floatOf(element, declared, look.isRightToLeft),
    isClear: declared.has('clear') || attributeOf(element, 'clear') !== undefined,
    listStyle: declared.get('list-style-type')?.toLowerCase(),
    lost: lostStyles(element.tagName, declared),
  }
}
