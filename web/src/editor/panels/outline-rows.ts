// The tree as the rows of the outline.
import type { Content } from '@signoff/render'
import { type AnyBlock, childrenOf, idOf } from '#records/content/block.ts'
import { isContainer } from '../model/rules.ts'

export interface OutlineRow {
  readonly block: AnyBlock
  readonly id: string
  readonly parentId: string
  /** The position among the siblings, and their number: screen readers say both. */
  readonly index: number
  readonly siblings: number
  readonly depth: number
  readonly isOpen: boolean | undefined
}

/** The root is the whole signature and has no row. Blocks inside closed ones have none either. */
export function rowsOf(root: Content, closed: ReadonlySet<string>): readonly OutlineRow[] {
  const rows: OutlineRow[] = []
  const visit = (parent: AnyBlock, depth: number): void => {
    const children = childrenOf(parent)
    for (const [index, block] of children.entries()) {
      const id = idOf(block)
      const isOpen = isContainer(block) ? !closed.has(id) : undefined
      rows.push({ block, id, parentId: idOf(parent), index, siblings: children.length, depth, isOpen })
      if (isOpen) visit(block, depth + 1)
    }
  }
  visit(root, 0)
  return rows
}

/** The names of the rows. Lines and links of the same name in one list get numbers: `LinkedIn`, `LinkedIn 2`. */
export function rowNames(
  rows: readonly OutlineRow[],
  nameOf: (block: AnyBlock) => string,
): readonly string[] {
  const counts = new Map<string, number>()
  return rows.map(({ block, parentId }) => {
    const name = nameOf(block)
    if (block.type !== 'socialListItem' && block.type !== 'listItem') return name
    const key = `${parentId} ${name}`
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count === 1 ? name : `${name} ${count}`
  })
}

export type OutlineMove = 'up' | 'down' | 'first' | 'last' | 'open' | 'close'

/** The row that a key leads to, as in other trees: right goes to the first child, left to the parent. */
export function rowAfter(rows: readonly OutlineRow[], at: number, move: OutlineMove): number {
  const row = rows[at]
  switch (move) {
    case 'up':
      return Math.max(0, at - 1)
    case 'down':
      return Math.min(rows.length - 1, at + 1)
    case 'first':
      return 0
    case 'last':
      return rows.length - 1
    case 'open':
      return row?.isOpen && (rows[at + 1]?.depth ?? 0) > row.depth ? at + 1 : at
    case 'close': {
      const parent = rows.findIndex(({ id }) => id === row?.parentId)
      return parent === -1 ? at : parent
    }
  }
}
