// What browsers know about tags without a style sheet.
import type { ComputedText } from './computed-style.ts'

const blocks = new Set(
  'address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table tbody td tfoot th thead tr ul caption'.split(
    ' ',
  ),
)
export const isBlockTag = (tag: string): boolean => blocks.has(tag)
export const isCellTag = (tag: string): boolean => tag === 'td' || tag === 'th'

/** Only these tags take their size from attributes. */
export const isSizedTag = (tag: string): boolean =>
  isCellTag(tag) || ['table', 'tr', 'img', 'hr', 'col', 'iframe'].includes(tag)

type TagText = Partial<ComputedText> & { readonly sizeFactor?: number }

const heading = (sizeFactor: number): TagText => ({ isBold: true, sizeFactor })

export const tagTexts: Readonly<Record<string, TagText>> = {
  b: { isBold: true },
  strong: { isBold: true },
  th: { isBold: true, align: 'center' },
  i: { isItalic: true },
  em: { isItalic: true },
  cite: { isItalic: true },
  address: { isItalic: true },
  u: { isUnderlined: true },
  ins: { isUnderlined: true },
  s: { isStruck: true },
  strike: { isStruck: true },
  del: { isStruck: true },
  small: { sizeFactor: 0.83 },
  big: { sizeFactor: 1.2 },
  sub: { sizeFactor: 0.83 },
  sup: { sizeFactor: 0.83 },
  center: { align: 'center' },
  pre: { isPreformatted: true, fontFamily: 'Courier New' },
  code: { fontFamily: 'Courier New' },
  tt: { fontFamily: 'Courier New' },
  h1: heading(2),
  h2: heading(1.5),
  h3: heading(1.17),
  h4: heading(1),
  h5: heading(0.83),
  h6: heading(0.67),
}

/** The margins of a tag, from its font size. */
type TagBox = (em: number) => readonly [number, number, number, number]

const paragraph: TagBox = em => [em, 0, em, 0]

export const tagBoxes: Readonly<Record<string, TagBox>> = {
  p: paragraph,
  pre: paragraph,
  dl: paragraph,
  h1: em => [em * 0.67, 0, em * 0.67, 0],
  h2: em => [em * 0.83, 0, em * 0.83, 0],
  h3: paragraph,
  h4: em => [em * 1.33, 0, em * 1.33, 0],
  h5: em => [em * 1.67, 0, em * 1.67, 0],
  h6: em => [em * 2.33, 0, em * 2.33, 0],
  ul: paragraph,
  ol: paragraph,
  dd: () => [0, 0, 0, 40],
  blockquote: em => [em, 40, em, 40],
  figure: em => [em, 40, em, 40],
  hr: () => [7, 0, 7, 0],
}

/** Bullets and numbers of lists stand in this padding. */
export const tagPaddings: Readonly<Record<string, readonly [number, number, number, number]>> = {
  ul: [0, 0, 0, 40],
  ol: [0, 0, 0, 40],
}
