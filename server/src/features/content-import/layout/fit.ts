// Brings a tree within the limits of content: depth, number of blocks and size. What that changes is listed.
import { limits } from '@signoff/render'
import type { ImportNotes } from '../notes.ts'
import { type Draft, type DraftToken, stackOf } from './draft.ts'

const isStack = (draft: Draft): boolean => draft.type === 'stack'

/** Children of list blocks count as blocks and as levels. */
const depthOf = ({ children = [] }: Draft): number => 1 + Math.max(0, ...children.map(depthOf))
const countOf = ({ children = [] }: Draft): number => children.reduce((sum, child) => sum + countOf(child), 1)

/** All blocks inside stacks, in reading order. */
const leavesOf = (draft: Draft): Draft[] =>
  isStack(draft) ? (draft.children ?? []).flatMap(leavesOf) : [draft]

/** Stacks that would be too deep become columns of their leaves. */
function withinDepth(draft: Draft, left: number): Draft {
  if (!isStack(draft) || depthOf(draft) <= left) return draft
  const children =
    left <= 3 ? leavesOf(draft) : (draft.children ?? []).map(child => withinDepth(child, left - 1))
  return { ...draft, ...(left <= 3 && { direction: 'column' as const }), children }
}

/** Texts that follow each other become one text with line breaks. */
function withJoinedTexts(draft: Draft): Draft {
  if (!isStack(draft)) return draft
  const children: Draft[] = []
  for (const child of (draft.children ?? []).map(withJoinedTexts)) {
    const last = children.at(-1)
    if (draft.direction === 'row' || child.type !== 'text' || last?.type !== 'text') children.push(child)
    else last.tokens = [...(last.tokens ?? []), { type: 'textToken', value: '\n' }, ...(child.tokens ?? [])]
  }
  return { ...draft, children }
}

/** Room for ids, which are added later, and for the names of smart fields. */
const bytesPerId = 48
const maxBytes = limits.bytes - 4_096

const tokensIn = (draft: Draft): number =>
  (draft.tokens?.length ?? 0) + (draft.children ?? []).reduce((sum, child) => sum + tokensIn(child), 0)

const bytesOf = (draft: Draft): number =>
  Buffer.byteLength(JSON.stringify(draft)) + (countOf(draft) + tokensIn(draft)) * bytesPerId

/** Keeps only the first blocks, in reading order. */
function firstBlocks(draft: Draft, budget: { blocks: number }): Draft {
  budget.blocks -= 1
  if (!draft.children) return draft
  const children: Draft[] = []
  for (const child of draft.children) {
    if (budget.blocks <= 0) break
    // A list without items, or an item without text, would be refused.
    if (!isStack(child) && countOf(child) > budget.blocks) break
    children.push(firstBlocks(child, budget))
  }
  return { ...draft, children }
}

function mapTokens(draft: Draft, change: (tokens: DraftToken[]) => DraftToken[]): Draft {
  return {
    ...draft,
    ...(draft.tokens && { tokens: change(draft.tokens) }),
    ...(draft.children && { children: draft.children.map(child => mapTokens(child, change)) }),
  }
}

/** Tokens without styles and without links of their own, joined. */
const plainTokens = (tokens: DraftToken[]): DraftToken[] => {
  const joined: DraftToken[] = []
  for (const { value = '', href } of tokens) {
    const last = joined.at(-1)
    if (last && last.href?.text === href?.text && (last.value ?? '').length + value.length <= 5_000)
      last.value = `${last.value ?? ''}${value}`
    else joined.push({ type: 'textToken', value, ...(href && { href }) })
  }
  return joined
}

interface Step {
  readonly isNeeded: (root: Draft) => boolean
  readonly change: (root: Draft) => Draft
  readonly what: string
}

const isTooMany = (root: Draft): boolean => countOf(root) > limits.blocks
const isTooLarge = (root: Draft): boolean => bytesOf(root) > maxBytes

const steps: readonly Step[] = [
  {
    isNeeded: root => depthOf(root) > limits.depth,
    change: root => withinDepth(root, limits.depth),
    what: `nested deeper than ${limits.depth} levels: the innermost rows became columns`,
  },
  {
    isNeeded: isTooMany,
    change: withJoinedTexts,
    what: `more than ${limits.blocks} blocks: neighbouring texts were joined`,
  },
  {
    isNeeded: isTooMany,
    change: root => withJoinedTexts(stackOf(leavesOf(root))),
    what: `more than ${limits.blocks} blocks: everything stands in one column`,
  },
  {
    isNeeded: isTooMany,
    change: root => firstBlocks(root, { blocks: limits.blocks }),
    what: `more than ${limits.blocks} blocks: the rest was left out`,
  },
  {
    isNeeded: isTooLarge,
    change: root => mapTokens(root, plainTokens),
    what: `more than ${limits.bytes / 1024} KB: the styles of texts were left out`,
  },
  {
    isNeeded: isTooLarge,
    change: root => firstBytes(root),
    what: `more than ${limits.bytes / 1024} KB: the rest was left out`,
  },
]

/** Halves the number of blocks until the tree is small enough. */
function firstBytes(root: Draft): Draft {
  let blocks = countOf(root)
  let smaller = root
  while (isTooLarge(smaller) && blocks > 1) {
    blocks = Math.floor(blocks / 2)
    smaller = firstBlocks(root, { blocks })
  }
  return isTooLarge(smaller) ? stackOf([]) : smaller
}

const maxPixels = 2_000
const maxBorder = 100

/** Sums of padding and borders can be larger than content allows. */
function withinRange(draft: Draft): Draft {
  const { blockStyle, children } = draft
  const sizes = Object.entries(blockStyle ?? {}).map(([name, value]) => {
    const most = name === 'borderWidth' ? maxBorder : maxPixels
    return [name, typeof value === 'number' ? Math.min(most, Math.max(0, Math.round(value * 2) / 2)) : value]
  })
  return {
    ...draft,
    ...(blockStyle && { blockStyle: Object.fromEntries(sizes) }),
    ...(children && { children: children.map(withinRange) }),
  }
}

export function fitToLimits(root: Draft, notes: ImportNotes): Draft {
  let fitting = withinRange(root)
  for (const { isNeeded, change, what } of steps) {
    if (!isNeeded(fitting)) continue
    notes.add('limit', what)
    fitting = change(fitting)
  }
  return fitting
}
