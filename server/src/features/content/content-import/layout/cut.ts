// Cuts a tree that is larger than content allows. What comes first is kept.
import type { Draft, DraftToken } from './draft.ts'
import { blocksIn, bytesPerId, isStack, jsonBytes } from './tree.ts'

interface Budget {
  left: number
}

/** Keeps the first blocks, in reading order. */
export const firstBlocks = (root: Draft, count: number): Draft => cutBlocks(root, { left: count })

function cutBlocks(draft: Draft, budget: Budget): Draft {
  budget.left -= 1
  if (!draft.children) return draft
  const children: Draft[] = []
  for (const child of draft.children) {
    // An item of a list without its text would be refused.
    const needed = child.type === 'listItem' ? blocksIn(child) : isStack(child) ? 1 : 2
    if (needed > budget.left) break
    children.push(cutBlocks(child, budget))
  }
  return { ...draft, children }
}

/** Keeps the first blocks and tokens, in reading order. */
export const firstBytes = (root: Draft, bytes: number): Draft =>
  cutBytes(root, { left: bytes }) ?? { type: 'stack', children: [] }

function takes(budget: Budget, value: unknown): boolean {
  const bytes = jsonBytes(value) + bytesPerId
  if (bytes > budget.left) return false
  budget.left -= bytes
  return true
}

function cutBytes(draft: Draft, budget: Budget): Draft | null {
  const { tokens, children, ...own } = draft
  if (!takes(budget, own)) return null
  const keptTokens: DraftToken[] = tokens?.filter(token => takes(budget, token)) ?? []
  const remaining = children?.map(child => cutBytes(child, budget)).filter(child => child !== null)
  if ((tokens && keptTokens.length === 0) || (draft.type === 'listItem' && !hasText(remaining ?? [])))
    return null
  return { ...own, ...(tokens && { tokens: keptTokens }), ...(remaining && { children: remaining }) }
}

const hasText = (children: readonly Draft[]): boolean => children.some(child => child.type === 'text')
