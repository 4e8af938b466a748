// The nearest colour that can be read: for the inspector, and for the remedies of the check.
import { type Content, isReadable, mailPapers, type PaperPlace, parseColor } from '@signoff/render'
import { tokensOf } from '#records/content/block.ts'
import { blocksIn } from './tree.ts'

export interface ContrastCheck {
  /** The surface behind the colour; `content`: the text or icon on a background. */
  readonly place: PaperPlace | 'content'
  /** The other colour, `#rrggbb`. */
  readonly other: string
  readonly minimum: number
}

export const hexColor = (color: unknown): string | undefined =>
  typeof color === 'string' ? (parseColor(color) ?? undefined) : undefined

export const passesAll = (color: string, checks: readonly ContrastCheck[]): boolean =>
  checks.every(check => isReadable(color, check))

/** Red, green and blue, from 0 to 255. */
export const channelsOf = (color: string): readonly number[] =>
  [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16))

const mixed = (color: string, target: string, part: number): string => {
  const [from, to] = [channelsOf(color), channelsOf(target)]
  const parts = from.map((value, index) => Math.round(value + ((to[index] ?? 0) - value) * part))
  return `#${parts.map(value => value.toString(16).padStart(2, '0')).join('')}`
}

const distance = (first: string, second: string): number =>
  Math.hypot(...channelsOf(first).map((value, index) => value - (channelsOf(second)[index] ?? 0)))

const steps = Array.from({ length: 100 }, (_, index) => (index + 1) / 100)
/** A colour of the brand may be this much farther away than a shade. */
const brandBonus = 1.5

/**
 * The colour itself when it passes; else the nearest that does: one of the brand, or a darker or lighter shade. Undefined
 * when none does.
 */
export function safeColor(
  color: string,
  checks: readonly ContrastCheck[],
  brandColors: readonly string[],
): string | undefined {
  if (passesAll(color, checks)) return color
  const brand = brandColors.flatMap(each => hexColor(each) ?? [])
  const shades = ['#000000', mailPapers.light].flatMap(
    target => steps.map(part => mixed(color, target, part)).find(shade => passesAll(shade, checks)) ?? [],
  )
  const candidates = [
    ...brand.filter(each => passesAll(each, checks)).map(each => ({ each, far: distance(each, color) })),
    ...shades.map(each => ({ each, far: distance(each, color) * brandBonus })),
  ]
  return candidates.sort((a, b) => a.far - b.far)[0]?.each
}

// The colours that the blocks of a signature have, the most used first.

const maxColors = 12

const colorsIn = (properties: object | undefined): readonly string[] =>
  Object.entries(properties ?? {}).flatMap(([name, value]) =>
    /color$/i.test(name) ? (hexColor(value) ?? []) : [],
  )

function countColors(tree: Content): readonly string[] {
  const counts = new Map<string, number>()
  for (const block of blocksIn(tree))
    for (const color of [
      block,
      block.blockStyle,
      ...(tokensOf(block) ?? []).map(token => token.textStyle),
    ].flatMap(colorsIn))
      counts.set(color, (counts.get(color) ?? 0) + 1)
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, maxColors)
    .map(([color]) => color)
}

const colorsByTree = new WeakMap<Content, readonly string[]>()

export function usedColors(tree: Content): readonly string[] {
  // Every field for a colour asks, on every change.
  const colors = colorsByTree.get(tree) ?? countColors(tree)
  colorsByTree.set(tree, colors)
  return colors
}
