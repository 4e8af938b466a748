// Merges the changes of two people to the same content. Changes to different blocks are both kept; a block that both have
// changed, or that one has changed and the other has removed, is a conflict for which a person chooses a side.
import type { Content } from '@signoff/render'
import { type AnyBlock, type ContentKind, childrenOf, withChildren } from '#records/content/block.ts'
import {
  type BlockIndex,
  changedKeys,
  indexBlocks,
  isReordered,
  isSameContent,
  isTouched,
  rootKey,
} from '#records/content/block-index.ts'
import { problemsOf } from '../model/rules.ts'

export type MergeSide = 'mine' | 'theirs'
export type MergeChoices = ReadonlyMap<string, MergeSide>

export interface MergeConflict {
  /** The id of the block; `rootKey` for the root, `wholeKey` when the two trees cannot be merged. */
  readonly key: string
  readonly kind: 'changed' | 'moved' | 'order' | 'removed' | 'whole'
  /** Undefined: this side has removed it. */
  readonly mine: AnyBlock | undefined
  readonly theirs: AnyBlock | undefined
}

export interface Merge {
  /** Always valid. For a conflict without a choice it has my side. */
  readonly tree: Content
  readonly conflicts: readonly MergeConflict[]
  /** Number of blocks that the other person has changed. */
  readonly theirChanges: number
}

export interface MergeInput {
  /** The content with which both began. */
  readonly base: Content
  readonly mine: Content
  readonly theirs: Content
  readonly kind: ContentKind
}

/** A choice with this key takes one of the trees exactly as it is. Apart from all ids of blocks. */
export const wholeKey = ' whole'

interface Indexes {
  readonly base: BlockIndex
  readonly mine: BlockIndex
  readonly theirs: BlockIndex
}

type ConflictKinds = Map<string, MergeConflict['kind']>
type SideOf = (key: string) => MergeSide

/** The outermost blocks that one side has removed, and in which the other side has changed something. */
function removedAndChanged(base: BlockIndex, remover: BlockIndex, keeper: BlockIndex): Map<string, string> {
  const outermost = (key: string): string => {
    const parent = base.get(key)?.parent
    return parent === undefined || remover.has(parent) ? key : outermost(parent)
  }
  const touched = new Set<string>()
  for (const key of base.keys())
    if (!remover.has(key) && isTouched(base, keeper, key)) touched.add(outermost(key))
  const outermostOf = new Map<string, string>()
  for (const key of base.keys())
    if (!remover.has(key) && touched.has(outermost(key))) outermostOf.set(key, outermost(key))
  return outermostOf
}

/** The keys of the blocks that stay. */
function keptKeys({ base, mine, theirs }: Indexes, sideOf: SideOf, kinds: ConflictKinds): Set<string> {
  const removals = new Map([
    ...removedAndChanged(base, mine, theirs),
    ...removedAndChanged(base, theirs, mine),
  ])
  for (const outermost of removals.values()) kinds.set(outermost, 'removed')
  const isKept = (key: string): boolean => {
    if (!base.has(key) || (mine.has(key) && theirs.has(key))) return true
    const conflict = removals.get(key)
    if (conflict === undefined) return false
    return (sideOf(conflict) === 'mine' ? mine : theirs).has(key)
  }
  return new Set([...mine.keys(), ...theirs.keys()].filter(isKept))
}

/** The value of the side that has changed it; of my side where the other has not; undefined when both have, differently. */
function pickSide<Value>(base: Value, mine: Value, theirs: Value): MergeSide | undefined {
  if (mine === theirs || theirs === base) return 'mine'
  return mine === base ? 'theirs' : undefined
}

/** The side whose values a block gets, and the parents that it can have, the best first. */
function placeBlock(
  { base, mine, theirs }: Indexes,
  key: string,
  sideOf: SideOf,
  kinds: ConflictKinds,
): { readonly source: MergeSide; readonly parents: readonly (string | undefined)[] } {
  const [before, my, their] = [base.get(key), mine.get(key), theirs.get(key)]
  if (!my || !their)
    return { source: my ? 'mine' : 'theirs', parents: [(my ?? their)?.parent, before?.parent] }
  const source = pickSide(before?.own, my.own, their.own)
  const mover = pickSide(before?.parent, my.parent, their.parent)
  if (!source || !mover) kinds.set(key, source ? 'moved' : 'changed')
  const parentSide = mover ?? sideOf(key)
  const both = [my.parent, their.parent]
  return {
    source: source ?? sideOf(key),
    parents: [...(parentSide === 'mine' ? both : both.toReversed()), before?.parent],
  }
}

/** Puts what only the other list has behind the same neighbour as there. */
function combined(first: readonly string[], other: readonly string[]): string[] {
  const order = [...first]
  const firstKeys = new Set(first)
  for (const [index, key] of other.entries()) {
    if (firstKeys.has(key)) continue
    const before = other[index - 1]
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, key)
  }
  return order
}

function orderChildren(
  { base, mine, theirs }: Indexes,
  parent: string,
  children: ReadonlySet<string>,
  sideOf: SideOf,
  kinds: ConflictKinds,
): readonly string[] {
  const present = (index: BlockIndex) =>
    index.get(parent)?.children.filter(child => children.has(child)) ?? []
  const [before, my, their] = [present(base), present(mine), present(theirs)]
  const [isMine, isTheirs] = [isReordered(before, my), isReordered(before, their)]
  const isConflict = isMine && isTheirs && isReordered(my, their)
  if (isConflict && !kinds.has(parent)) kinds.set(parent, 'order')
  const side = isConflict ? sideOf(parent) : isTheirs ? 'theirs' : 'mine'
  const order = side === 'mine' ? combined(my, their) : combined(their, my)
  const ordered = new Set(order)
  return [...order, ...[...children].filter(child => !ordered.has(child))]
}

/** Undefined when the moves of the two sides put blocks into each other. */
function build(indexes: Indexes, sideOf: SideOf, kinds: ConflictKinds): Content | undefined {
  const blockKeys = keptKeys(indexes, sideOf, kinds)
  const sources = new Map<string, MergeSide>()
  const parents = new Map<string, readonly (string | undefined)[]>()
  for (const key of blockKeys) {
    const placed = placeBlock(indexes, key, sideOf, kinds)
    sources.set(key, placed.source)
    parents.set(key, placed.parents)
  }
  const parentOf = (key: string) =>
    parents.get(key)?.find(parent => parent !== undefined && blockKeys.has(parent))
  // What was put into a block that goes, goes with it.
  for (let size = -1; size !== blockKeys.size; ) {
    size = blockKeys.size
    for (const key of blockKeys) if (key !== rootKey && parentOf(key) === undefined) blockKeys.delete(key)
  }
  const childrenByParent = Map.groupBy(
    [...blockKeys].filter(key => key !== rootKey),
    key => parentOf(key) ?? rootKey,
  )
  let built = 0
  const buildBlock = (key: string): AnyBlock => {
    built += 1
    const block = indexes[sources.get(key) ?? 'mine'].get(key)?.block as AnyBlock
    const keys = new Set(childrenByParent.get(key))
    const children = orderChildren(indexes, key, keys, sideOf, kinds).map(buildBlock)
    const current = childrenOf(block)
    const isSame =
      children.length === current.length && children.every((child, index) => child === current[index])
    return isSame ? block : withChildren(block, children)
  }
  const tree = buildBlock(rootKey) as Content
  return built === blockKeys.size ? tree : undefined
}

/** The two trees as one question. */
function mergeWhole({ mine, theirs }: MergeInput, choices: MergeChoices, theirChanges: number): Merge {
  return {
    tree: choices.get(wholeKey) === 'theirs' ? theirs : mine,
    conflicts: [{ key: wholeKey, kind: 'whole', mine, theirs }],
    theirChanges,
  }
}

/** Undefined when the two trees cannot be put together. The tree can break a rule: nothing has checked it. */
export function mergeUnchecked(input: MergeInput, choices: MergeChoices = new Map()): Merge | undefined {
  const [base, mine, theirs] = [input.base, input.mine, input.theirs].map(indexBlocks)
  if (!base || !mine || !theirs) return undefined
  const theirChanges = changedKeys(base, theirs).length
  if (isSameContent(input.mine, input.theirs)) return { tree: input.mine, conflicts: [], theirChanges }
  const kinds: ConflictKinds = new Map()
  const tree = build({ base, mine, theirs }, key => choices.get(key) ?? 'mine', kinds)
  if (!tree) return undefined
  const conflicts = [...kinds].map(([key, kind]) => ({
    key,
    kind,
    mine: mine.get(key)?.block,
    theirs: theirs.get(key)?.block,
  }))
  return { tree: isSameContent(tree, input.theirs) ? input.theirs : tree, conflicts, theirChanges }
}

export function mergeContents(input: MergeInput, choices: MergeChoices = new Map()): Merge {
  const merge = mergeUnchecked(input, choices)
  if (merge && isSameContent(input.mine, input.theirs)) return merge
  if (merge && !choices.has(wholeKey) && problemsOf(merge.tree, input.kind).length === 0) return merge
  const [base, theirs] = [input.base, input.theirs].map(indexBlocks)
  return mergeWhole(input, choices, base && theirs ? changedKeys(base, theirs).length : 0)
}
