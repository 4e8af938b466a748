// Measures trees of blocks against the limits of content.
import type { Draft } from './draft.ts'

export const isStack = (draft: Draft): boolean => draft.type === 'stack'

/** Children of lists count as levels and as blocks, too. */
export const depthOf = ({ children = [] }: Draft): number =>
  1 + children.reduce((most, child) => Math.max(most, depthOf(child)), 0)

export const blocksIn = ({ children = [] }: Draft): number =>
  children.reduce((sum, child) => sum + blocksIn(child), 1)

const tokensIn = (draft: Draft): number =>
  (draft.tokens?.length ?? 0) + (draft.children ?? []).reduce((sum, child) => sum + tokensIn(child), 0)

/** Each block and token gets an id later. */
export const bytesPerId = 48

export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** The size of the content, with ids. */
export const bytesOf = (root: Draft): number =>
  jsonBytes(root) + (blocksIn(root) + tokensIn(root)) * bytesPerId

const maxPixels = 2_000

/** Sums of padding and borders can be larger than content allows. */
export function withinRange(draft: Draft): Draft {
  const { blockStyle, children } = draft
  const sizes = Object.entries(blockStyle ?? {}).map(([name, value]) => [
    name,
    typeof value === 'number' ? Math.min(maxPixels, Math.max(0, Math.round(value * 2) / 2)) : value,
  ])
  return {
    ...draft,
    ...(blockStyle && { blockStyle: Object.fromEntries(sizes) }),
    ...(children && { children: children.map(withinRange) }),
  }
}
