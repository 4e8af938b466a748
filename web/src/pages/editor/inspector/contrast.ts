// How well a colour of a block can be read: on what it stands, and the nearest colour that is safe.
import { type Content, contrast, parseColor, type Token } from '@signoff/render'
import { type AnyBlock, childrenOf, idOf, tokensOf } from '../model/block.ts'
import { findBlock } from '../model/tree.ts'

export interface ContrastCheck {
  /** What the colour stands on; `content` is the text or icon on a background. */
  readonly place: 'background' | 'light' | 'dark' | 'content'
  /** The other colour, `#rrggbb`. */
  readonly other: string
  readonly minimum: number
}

/** WCAG AA: for text, and for large text and symbols. */
const forText = 4.5
const forLarge = 3
const largeSize = 18
const white = '#ffffff'
/** Many dark mail programs show this background. */
const darkPaper = '#1f1f1f'
/** Of a button without a colour, in the renderer. */
const defaultButton = '#1f5fbf'

const hexOf = (color: unknown): string | undefined =>
  typeof color === 'string' ? (parseColor(color) ?? undefined) : undefined

/** The background behind a block; undefined for the paper of the mail. */
export function surfaceOf(tree: Content, block: AnyBlock): string | undefined {
  const { ancestors = [] } = findBlock(tree, idOf(block)) ?? {}
  return [...ancestors, block]
    .map(each => hexOf(each.blockStyle?.backgroundColor))
    .findLast(color => color !== undefined)
}

/** No colour reaches 4.5 on white and on dark at once, so the dark mail asks for 3, as the check of signatures does. */
const checksOn = (surface: string | undefined, minimum: number): readonly ContrastCheck[] =>
  surface !== undefined
    ? [{ place: 'background', other: surface, minimum }]
    : [
        { place: 'light', other: white, minimum },
        { place: 'dark', other: darkPaper, minimum: forLarge },
      ]

const minimumOf = (tokens: readonly Token[]): number =>
  tokens.length > 0 && tokens.every(({ textStyle }) => (textStyle?.fontSize ?? 14) >= largeSize)
    ? forLarge
    : forText

/** The words of a block, or those of them that are selected. */
export function textChecks(
  surface: string | undefined,
  block: AnyBlock,
  tokens: readonly Token[],
): readonly ContrastCheck[] {
  const isFilled = block.type === 'button' && block.variant !== 'outline'
  const behind = isFilled ? (hexOf(block.backgroundColor) ?? defaultButton) : surface
  return checksOn(behind, minimumOf(tokens))
}

/** The colours of the words on a background, up to blocks that have their own. */
function wordColors(block: AnyBlock): readonly string[] {
  const own = (tokensOf(block) ?? []).flatMap(({ textStyle }) => hexOf(textStyle?.color) ?? [])
  const inside = childrenOf(block)
    .filter(child => child.type !== 'button' && hexOf(child.blockStyle?.backgroundColor) === undefined)
    .flatMap(wordColors)
  return [...new Set([...own, ...inside])]
}

/** For a colour of the inspector. Lines and borders are decoration. */
export function contrastChecks(
  surface: string | undefined,
  block: AnyBlock,
  property: string,
): readonly ContrastCheck[] {
  if (property === 'color') {
    if (block.type === 'button') return textChecks(surface, block, block.tokens)
    if (block.type === 'icon' || block.type === 'socialList')
      return checksOn(hexOf(block.backgroundColor) ?? surface, forLarge)
    if (block.type === 'listItemLabel') return checksOn(surface, forText)
    return block.type === 'qrCode' ? [{ place: 'background', other: white, minimum: forText }] : []
  }
  if (property !== 'backgroundColor') return []
  if (block.type === 'icon' || block.type === 'socialList')
    return [{ place: 'content', other: hexOf(block.color) ?? white, minimum: forLarge }]
  if (block.type === 'button') {
    if (block.variant === 'outline') return checksOn(surface, forLarge)
    const label = wordColors(block)[0] ?? hexOf(block.color) ?? white
    return [{ place: 'content', other: label, minimum: forText }]
  }
  return wordColors(block).map(other => ({ place: 'content', other, minimum: forText }))
}

export const passesAll = (color: string, checks: readonly ContrastCheck[]): boolean =>
  checks.every(({ other, minimum }) => contrast(color, other) >= minimum)

const partsOf = (color: string): readonly number[] =>
  [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16))

const mixed = (color: string, target: string, part: number): string =>
  `#${partsOf(color)
    .map((value, index) => Math.round(value + ((partsOf(target)[index] ?? 0) - value) * part))
    .map(value => value.toString(16).padStart(2, '0'))
    .join('')}`

const distance = (first: string, second: string): number =>
  Math.hypot(...partsOf(first).map((value, index) => value - (partsOf(second)[index] ?? 0)))

const steps = Array.from({ length: 50 }, (_, index) => (index + 1) / 50)
/** A colour of the brand may be this much farther away than a shade. */
const brandBonus = 1.5

/** The nearest colour that passes: one of the brand, else a darker or lighter shade; undefined when none does. */
export function safeColor(
  color: string,
  checks: readonly ContrastCheck[],
  brandColors: readonly string[],
): string | undefined {
  const brand = brandColors.flatMap(each => hexOf(each) ?? [])
  const shades = ['#000000', white].flatMap(
    target => steps.map(part => mixed(color, target, part)).find(shade => passesAll(shade, checks)) ?? [],
  )
  const candidates = [
    ...brand.filter(each => passesAll(each, checks)).map(each => ({ each, far: distance(each, color) })),
    ...shades.map(each => ({ each, far: distance(each, color) * brandBonus })),
  ]
  return candidates.sort((a, b) => a.far - b.far)[0]?.each
}
