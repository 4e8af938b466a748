// A tree as a list of its blocks by id, which is how three trees are compared.
import type { Content } from '@signoff/render'
import { type AnyBlock, childrenOf, idOf } from './block.ts'

/** The root is the same block in all trees, also where two people have begun an empty signature with roots of their own. */
export const rootKey = ''

interface IndexedBlock {
  readonly block: AnyBlock
  /** Undefined for the root. */
  readonly parent: string | undefined
  readonly children: readonly string[]
  /** Everything of the block but its children, as text that is the same for the same values. */
  readonly own: string
}

export type BlockIndex = ReadonlyMap<string, IndexedBlock>

/** Text that does not depend on the order of the keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
}

/** Blocks never change, and the steps of a history share most of them. */
const ownTexts = new WeakMap<object, string>()
const wholeTexts = new WeakMap<object, string>()

function remembered<Key extends object, Value>(
  cache: WeakMap<Key, Value>,
  key: Key,
  make: () => Value,
): Value {
  const value = cache.get(key) ?? make()
  cache.set(key, value)
  return value
}

/** A block with all that is in it, as text that is the same for the same values. */
const wholeText = (block: object): string =>
  remembered(wholeTexts, block, () => {
    const { children, ...own } = block as { readonly children?: readonly object[] }
    return canonical(own) + (children ? `[${children.map(wholeText).join()}]` : '')
  })

export const isSameContent = (content: object, other: object): boolean =>
  content === other || wholeText(content) === wholeText(other)

const withoutRootId = (draft: object | null | undefined) => ({
  type: 'stack',
  children: [],
  ...draft,
  id: undefined,
})

/** Null is an empty draft: it gets another root at each read. */
export const isSameDraft = (draft: object | null | undefined, other: object | null | undefined): boolean =>
  isSameContent(withoutRootId(draft), withoutRootId(other))

function ownText(block: AnyBlock, isRoot: boolean): string {
  const { children: _, id, ...own } = block as AnyBlock & { readonly children?: unknown }
  return isRoot ? canonical(own) : remembered(ownTexts, block, () => canonical({ ...own, id }))
}

const indexes = new WeakMap<Content, BlockIndex | undefined>()

/** Undefined for a tree in which two blocks have the same id: its blocks cannot be told apart. */
export const indexBlocks = (root: Content): BlockIndex | undefined =>
  remembered(indexes, root, () => newIndex(root))

function newIndex(root: Content): BlockIndex | undefined {
  const index = new Map<string, IndexedBlock>()
  let isUnique = true
  const visit = (block: AnyBlock, key: string, parent: string | undefined): void => {
    if (index.has(key)) isUnique = false
    const children = childrenOf(block)
    index.set(key, { block, parent, children: children.map(idOf), own: ownText(block, key === rootKey) })
    for (const child of children) visit(child, idOf(child), key)
  }
  visit(root, rootKey, undefined)
  return isUnique ? index : undefined
}

const isMovedInto = (base: BlockIndex, parent: string, child: string): boolean =>
  base.get(child)?.parent !== parent

/** True if a tree that still has the block has changed it: its values, its parent, or what was put into it. */
export function isTouched(base: BlockIndex, changed: BlockIndex, key: string): boolean {
  const [before, after] = [base.get(key), changed.get(key)]
  if (!before || !after) return false
  return (
    before.own !== after.own ||
    before.parent !== after.parent ||
    after.children.some(child => isMovedInto(base, key, child))
  )
}

const commonOrder = (of: readonly string[], other: readonly string[]): string => {
  const common = new Set(other)
  return of.filter(key => common.has(key)).join(' ')
}

/** True if the children that both lists have stand in another order. */
export const isReordered = (before: readonly string[], after: readonly string[]): boolean =>
  commonOrder(before, after) !== commonOrder(after, before)

/** The blocks that one tree has changed, as a person would count them: a new or removed block counts without its children. */
export function changedKeys(base: BlockIndex, changed: BlockIndex): readonly string[] {
  const keys: string[] = []
  for (const [key, { own, parent, children }] of changed) {
    const before = base.get(key)
    if (!before) {
      if (parent === undefined || base.has(parent)) keys.push(key)
    } else if (before.own !== own || before.parent !== parent || isReordered(before.children, children))
      keys.push(key)
  }
  for (const [key, { parent }] of base)
    if (!changed.has(key) && (parent === undefined || changed.has(parent))) keys.push(key)
  return keys
}
