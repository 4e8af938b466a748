// The changes that a person can make to a tree. Each returns the new tree; the same tree when there is nothing to do.
// The store refuses a result that the rules of the service do not allow.
import type { Content } from '@signoff/render'
import { type AnyBlock, childrenOf, idOf, withChildren } from '#records/content/block.ts'
import { copyWithNewIds, newId } from '#records/content/ids.ts'
import { columnGap, type Position, settingsOfRow } from './position.ts'
import { blockOf, blocksIn, changeBlock, changeChildren, findBlock, outermost, parentOf } from './tree.ts'

export const insertBlocks = (
  root: Content,
  { parentId, index }: Position,
  blocks: readonly AnyBlock[],
): Content => changeChildren(root, parentId, children => children.toSpliced(index, 0, ...blocks))

/** Keeps blocks that stay the same objects. */
function filterChildren(block: AnyBlock, isKept: (child: AnyBlock) => boolean): AnyBlock {
  const children = childrenOf(block)
  const left = children.filter(isKept).map(child => filterChildren(child, isKept))
  return left.length === children.length && left.every((child, index) => child === children[index])
    ? block
    : withChildren(block, left)
}

const withoutBlocks = (root: Content, ids: readonly string[]): Content =>
  filterChildren(root, child => !ids.includes(idOf(child))) as Content

/** A list item without text goes, with its label: the service does not accept it. */
const withoutEmptyItems = (root: Content): Content =>
  filterChildren(
    root,
    child => child.type !== 'listItem' || child.children.some(({ type }) => type === 'text'),
  ) as Content

/** The root stays. */
export const removeBlocks = (root: Content, ids: readonly string[]): Content =>
  withoutEmptyItems(
    withoutBlocks(
      root,
      ids.filter(id => id !== idOf(root)),
    ),
  )

/** Moves blocks to a place, in the order of the tree. Blocks cannot go into themselves. */
export function moveBlocks(root: Content, ids: readonly string[], { parentId, index }: Position): Content {
  const moved = outermost(root, ids).filter(id => id !== idOf(root))
  const target = findBlock(root, parentId)
  if (!target || moved.length === 0) return root
  const path = [...target.ancestors, target.block].map(idOf)
  if (moved.some(id => path.includes(id))) return root
  const blocks = moved.flatMap(id => blockOf(root, id) ?? [])
  const children = childrenOf(target.block)
  const before = children.slice(0, index).filter(child => moved.includes(idOf(child))).length
  const rest = withoutBlocks(root, moved)
  const result = withoutEmptyItems(insertBlocks(rest, { parentId, index: index - before }, blocks))
  return isSameOrder(root, result, parentId, moved) ? root : result
}

function isSameOrder(before: Content, after: Content, parentId: string, moved: readonly string[]): boolean {
  const order = (root: Content) => childrenOf(blockOf(root, parentId) ?? root).map(idOf)
  const parents = moved.map(id => {
    const match = findBlock(before, id)
    return match && parentOf(match)
  })
  return (
    parents.every(parent => parent !== undefined && idOf(parent) === parentId) &&
    order(before).join() === order(after).join()
  )
}

/** Copies with new ids, each after its original. The ids of the copies come with the tree. */
export function duplicateBlocks(
  root: Content,
  ids: readonly string[],
): { readonly root: Content; readonly copies: readonly string[] } {
  const copies: string[] = []
  let result = root
  for (const id of outermost(root, ids)) {
    const match = findBlock(result, id)
    const parent = match && parentOf(match)
    if (!match || !parent) continue
    const [copy] = withFreeNames(result, [copyWithNewIds(match.block)])
    if (!copy) continue
    copies.push(idOf(copy))
    result = insertBlocks(result, { parentId: idOf(parent), index: match.index + 1 }, [copy])
  }
  return { root: result, copies }
}

export interface Wrapped {
  readonly root: Content
  /** Undefined when the blocks cannot be wrapped. */
  readonly wrapperId: string | undefined
}

/**
 * Puts siblings into a new stack at the place of the first one. Blocks with different parents, and items of lists, stay
 * as they are.
 */
export const wrapBlocks = (root: Content, ids: readonly string[], direction: 'row' | 'column'): Wrapped =>
  wrapSiblings(root, ids, (parent, blocks) =>
    direction === 'row' ? { direction, ...settingsOfRow(blocks) } : { direction, ...columnStyle(parent) },
  )

/** A column in a column has the same gap, so that the lines stay where they are. */
function columnStyle({ direction, blockStyle }: StackBlock): Properties {
  const gap = direction === 'row' ? columnGap : blockStyle?.gap
  return gap === undefined ? {} : { blockStyle: { gap } }
}

/** A group has the direction and the gap of its parent, so that it looks like the blocks before. */
export const groupBlocks = (root: Content, ids: readonly string[], displayName: string): Wrapped =>
  wrapSiblings(root, ids, ({ direction = 'column', blockStyle }) => ({
    direction,
    displayName,
    ...(blockStyle?.gap !== undefined && { blockStyle: { gap: blockStyle.gap } }),
  }))

type StackBlock = Extract<AnyBlock, { readonly type: 'stack' }>

function wrapSiblings(
  root: Content,
  ids: readonly string[],
  settings: (parent: StackBlock, blocks: readonly AnyBlock[]) => Properties,
): Wrapped {
  const chosen = outermost(root, ids)
  const [first, ...others] = chosen.map(id => findBlock(root, id))
  const parent = first && parentOf(first)
  if (!first || parent?.type !== 'stack' || others.some(match => match && parentOf(match) !== parent))
    return { root, wrapperId: undefined }
  const blocks = chosen.flatMap(id => blockOf(root, id) ?? [])
  const wrapper = { type: 'stack', id: newId(), children: blocks, ...settings(parent, blocks) } as AnyBlock
  return {
    root: changeChildren(root, idOf(parent), children =>
      children
        .map(child => (child === first.block ? wrapper : child))
        .filter(child => child === wrapper || !chosen.includes(idOf(child))),
    ),
    wrapperId: idOf(wrapper),
  }
}

/** Puts the children of stacks in their places. */
export const unwrapBlocks = (root: Content, ids: readonly string[]): Content => ids.reduce(unwrapBlock, root)

export function unwrapBlock(root: Content, id: string): Content {
  const match = findBlock(root, id)
  const parent = match && parentOf(match)
  if (!match || !parent || match.block.type !== 'stack' || parent.type !== 'stack') return root
  return changeChildren(root, idOf(parent), children =>
    children.toSpliced(match.index, 1, ...childrenOf(match.block)),
  )
}

export type Properties = Readonly<Record<string, unknown>>

/** Sets properties of a block. Undefined removes a property, so that its default applies. */
export const setProperties = (root: Content, id: string, properties: Properties): Content =>
  changeBlock(root, id, block => patched(block, properties))

/** Sets keys of `blockStyle`. A style without keys is removed. */
export const setStyle = (root: Content, id: string, style: Properties): Content =>
  changeBlock(root, id, block => {
    const next = patched(block.blockStyle ?? {}, style)
    return patched(block, { blockStyle: Object.keys(next).length === 0 ? undefined : next })
  })

function patched<T extends object>(value: T, changes: Properties): T {
  const entries = Object.entries(changes)
  const old = value as Properties
  if (entries.every(([key, next]) => (next === undefined ? !(key in old) : Object.is(old[key], next))))
    return value
  const next: Record<string, unknown> = { ...old }
  for (const [key, changed] of entries)
    if (changed === undefined) delete next[key]
    else next[key] = changed
  return next as T
}

export type Step = 'earlier' | 'later' | 'out' | 'in'

/**
 * Moves blocks by a step of the keyboard: among their siblings, out of their parent, or into the block before them.
 * Blocks with different parents stay.
 */
export function moveByStep(root: Content, ids: readonly string[], step: Step): Content {
  const moved = outermost(root, ids)
  const matches = moved.flatMap(id => findBlock(root, id) ?? [])
  const [first, last] = [matches[0], matches.at(-1)]
  const parent = first && parentOf(first)
  if (!first || !last || !parent || matches.some(each => parentOf(each) !== parent)) return root
  const parentId = idOf(parent)
  if (step === 'earlier') return moveBlocks(root, moved, { parentId, index: Math.max(0, first.index - 1) })
  if (step === 'later') return moveBlocks(root, moved, { parentId, index: last.index + 2 })
  if (step === 'in') {
    const before = childrenOf(parent)[first.index - 1]
    return before?.type === 'stack'
      ? moveBlocks(root, moved, { parentId: idOf(before), index: childrenOf(before).length })
      : root
  }
  const outer = first.ancestors.at(-2)
  if (!outer) return root
  return moveBlocks(root, moved, { parentId: idOf(outer), index: childrenOf(outer).indexOf(parent) + 1 })
}

// The names that people gave to blocks: a copy gets one of its own, so that both can be told apart.

const longest = 200

/** Blocks whose name is taken get the next number: `Contacts`, `Contacts 2`. */
export function withFreeNames(root: Content, blocks: readonly AnyBlock[]): readonly AnyBlock[] {
  const taken = new Set([...blocksIn(root)].map(({ displayName }) => displayName))
  return blocks.map(block => {
    if (!block.displayName) return block
    const displayName = freeName(block.displayName, taken)
    taken.add(displayName)
    return { ...block, displayName }
  })
}

function freeName(name: string, taken: ReadonlySet<string | undefined>): string {
  if (!taken.has(name)) return name
  const base = name.replace(/ \d{1,4}$/, '').slice(0, longest - 5)
  let number = 2
  while (taken.has(`${base} ${number}`)) number++
  return `${base} ${number}`
}
