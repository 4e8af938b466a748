// The colours that the blocks of a signature have, the most used first.
import type { Content } from '@signoff/render'
import { tokensOf } from '#records/content/block.ts'
import { blocksIn } from '../model/tree.ts'
import { hexColor } from './safe-color.ts'

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

const known = new WeakMap<Content, readonly string[]>()

export function usedColors(tree: Content): readonly string[] {
  // Every field for a colour asks, on every change.
  const colors = known.get(tree) ?? countColors(tree)
  known.set(tree, colors)
  return colors
}
