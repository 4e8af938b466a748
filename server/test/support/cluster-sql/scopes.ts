// The tables, subqueries and functions that one level of a statement reads, and their columns.
import { as, type NodeOf, stringsOf } from './tree.ts'

/** A column is named by its range and its name: `3.workspace_id`. */
export type ColumnId = string

export interface Range {
  readonly id: number
  readonly alias: string
  /** Undefined for subqueries, functions and parts of WITH. */
  readonly table: string | undefined
  /** Of subqueries and parts of WITH: what each column stands for. */
  readonly columns: ReadonlyMap<string, readonly ColumnId[]>
}

export interface Scope {
  readonly ranges: Range[]
  readonly parent: Scope | undefined
  /** Whether PostgreSQL plans this level as a part of the level around it. */
  readonly isMerged: boolean
}

export const columnId = (range: Range, column: string): ColumnId => `${range.id}.${column}`

/** Tables of the installation have no `workspace_id`. */
const withoutWorkspace = new Set(['workspaces', 'accounts'])

function hasColumn(range: Range, column: string): boolean {
  if (range.columns.has(column)) return true
  return range.table !== undefined && column === 'workspace_id' && !withoutWorkspace.has(range.table)
}

/** PostgreSQL refuses a name without a table that two tables have, so the first one with the column is meant. */
function rangeOf(scope: Scope, fields: readonly string[]): Range | undefined {
  const [first = '', second] = fields
  if (second !== undefined) return scope.ranges.find(({ alias }) => alias === first)
  const [only, another] = scope.ranges
  return scope.ranges.find(range => hasColumn(range, first)) ?? (another || !only?.table ? undefined : only)
}

export interface ResolvedColumn {
  readonly id: ColumnId
  /** Whether the column belongs to this level, or to one that PostgreSQL plans together with it. */
  readonly isOwn: boolean
}

export function resolveColumn(
  scope: Scope,
  reference: NodeOf<'ColumnRef'> | undefined,
): ResolvedColumn | undefined {
  const fields = stringsOf(reference?.fields)
  let isOwn = true
  for (let level: Scope | undefined = scope; level && fields.length > 0; level = level.parent) {
    const range = rangeOf(level, fields)
    if (range) return { id: columnId(range, fields.at(-1) ?? ''), isOwn }
    isOwn &&= level.isMerged
  }
  return undefined
}

/** A parameter or a literal, with or without a cast. */
export function isConstant(node: Parameters<typeof as>[1]): boolean {
  const cast = as('TypeCast', node)
  return cast ? isConstant(cast.arg) : as('ParamRef', node) !== undefined || as('A_Const', node) !== undefined
}
