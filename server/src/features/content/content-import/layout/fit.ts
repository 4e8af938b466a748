// Brings a tree within the limits of content: depth, number of blocks and size. What that changes is listed.
import { limits } from '@signoff/render'
import type { ImportNotes } from '../notes.ts'
import { firstBlocks, firstBytes } from './cut.ts'
import { type Draft, type DraftToken, stackOf } from './draft.ts'
import { blocksIn, bytesOf, depthOf, isStack, withinRange } from './tree.ts'

/** All blocks inside stacks, in reading order. */
function leavesOf(root: Draft): Draft[] {
  const leaves: Draft[] = []
  const open: Draft[] = [root]
  for (let draft = open.pop(); draft; draft = open.pop()) {
    if (!isStack(draft)) leaves.push(draft)
    else for (const child of (draft.children ?? []).toReversed()) open.push(child)
  }
  return leaves
}

/** The items of a list as texts that begin with their labels. */
function asTexts(draft: Draft): Draft[] {
  if (draft.type !== 'list') return [draft]
  return (draft.children ?? []).map(item => ({
    type: 'text',
    tokens: (item.children ?? []).flatMap(({ tokens = [] }, at) =>
      at === 0 ? tokens : [{ type: 'textToken' as const, value: ' ' }, ...tokens],
    ),
  }))
}

/** Stacks that would be too deep become columns of their leaves. A leaf can be a list, which has three levels. */
function withinDepth(draft: Draft, left: number): Draft {
  if (!isStack(draft) || depthOf(draft) <= left) return draft
  const isLast = left <= 4
  const children = isLast
    ? leavesOf(draft)
    : (draft.children ?? []).map(child => withinDepth(child, left - 1))
  return { ...draft, ...(isLast && { direction: 'column' as const }), children }
}

/** Texts that follow each other become one text with line breaks. */
function withJoinedTexts(draft: Draft): Draft {
  if (!isStack(draft)) return draft
  const children: Draft[] = []
  for (const child of draft.children ?? []) {
    const last = children.at(-1)
    if (draft.direction === 'row' || child.type !== 'text' || last?.type !== 'text')
      children.push(child.tokens ? { ...child, tokens: [...child.tokens] } : withJoinedTexts(child))
    else last.tokens?.push({ type: 'textToken', value: '\n' }, ...(child.tokens ?? []))
  }
  return { ...draft, children }
}

function mapTokens(draft: Draft, change: (tokens: readonly DraftToken[]) => DraftToken[]): Draft {
  return {
    ...draft,
    ...(draft.tokens && { tokens: change(draft.tokens) }),
    ...(draft.children && { children: draft.children.map(child => mapTokens(child, change)) }),
  }
}

/** Tokens without styles; those with the same link are joined. */
function plainTokens(tokens: readonly DraftToken[]): DraftToken[] {
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

const isTooMany = (root: Draft): boolean => blocksIn(root) > limits.blocks
/** Leaves room for the ids of smart fields. */
const maxBytes = limits.bytes - 8_192
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
    change: root => withJoinedTexts(stackOf(leavesOf(root).flatMap(asTexts))),
    what: `more than ${limits.blocks} blocks: everything stands in one column`,
  },
  {
    isNeeded: isTooMany,
    change: root => firstBlocks(root, limits.blocks),
    what: `more than ${limits.blocks} blocks: the rest was left out`,
  },
  {
    isNeeded: isTooLarge,
    change: root => mapTokens(root, plainTokens),
    what: `more than ${limits.bytes / 1024} KB: the styles of texts were left out`,
  },
  {
    isNeeded: isTooLarge,
    change: root => firstBytes(root, maxBytes),
    what: `more than ${limits.bytes / 1024} KB: the rest was left out`,
  },
]

export function fitToLimits(root: Draft, notes: ImportNotes): Draft {
  let fitting = withinRange(root)
  for (const { isNeeded, change, what } of steps) {
    if (!isNeeded(fitting)) continue
    notes.add('limit', what)
    fitting = change(fitting)
  }
  return fitting
}
