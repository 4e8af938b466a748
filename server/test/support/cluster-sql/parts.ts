// What Citus refuses in a statement that it does not send to one node as a whole: it plans parts of such a statement on
// their own, and sends the rest to all nodes.
import type { Node } from 'libpg-query'
import { outerRanges, type TablePlace, tablesIn } from './coordinator.ts'
import { mutablesIn } from './forms.ts'
import {
  armsOf,
  as,
  findNodes,
  functionName,
  type NodeKind,
  type NodeOf,
  stringsOf,
  visitNodes,
} from './tree.ts'

type PlaceOf = (table: string) => TablePlace

/** Without those of parts of WITH, which are statements of their own. */
function ownNodes<Kind extends NodeKind>(kind: Kind, statement: Node): NodeOf<Kind>[] {
  const found: NodeOf<Kind>[] = []
  visitNodes(statement, (name, content) => {
    if (name === kind) found.push(content as NodeOf<Kind>)
    return name !== 'CommonTableExpr'
  })
  return found
}

const levelsIn = (statement: Node): readonly NodeOf<'SelectStmt'>[] =>
  ownNodes('SelectStmt', statement).flatMap(armsOf)

const isOnNodes = (place: TablePlace): boolean => place === 'distributed' || place === 'reference'

/** A part of WITH that inserts, another change before an insert, or a local table beside others. */
function isPlannedInParts(statement: Node, parts: readonly (Node | undefined)[], placeOf: PlaceOf): boolean {
  const places = new Set(tablesIn(statement).map(placeOf))
  const isInsert = as('InsertStmt', statement) !== undefined
  return (
    parts.some(part => as('InsertStmt', part) ?? (isInsert && !as('SelectStmt', part))) ||
    (places.has('local') && places.has('distributed'))
  )
}

/** Citus reads the result of a part as a function with a list of columns, which must not be empty. */
function emptyLists(statement: Node, placeOf: PlaceOf): string[] {
  return levelsIn(statement)
    .filter(level => !level.targetList && !level.valuesLists && outerRanges(level).length === 0)
    .flatMap(level => tablesIn(level).filter(table => isOnNodes(placeOf(table))))
    .map(
      table => `a SELECT without columns from ${table}, in a statement that Citus plans in parts: select 1`,
    )
}

/** Those of FROM, without subqueries. */
function rangesOf(level: NodeOf<'SelectStmt'>): {
  readonly count: number
  readonly functions: NodeOf<'RangeFunction'>[]
} {
  let count = 0
  const functions: NodeOf<'RangeFunction'>[] = []
  visitNodes(level.fromClause, (kind, content) => {
    if (kind.startsWith('Range')) count++
    if (kind === 'RangeFunction') functions.push(content as NodeOf<'RangeFunction'>)
    return kind === 'JoinExpr'
  })
  return { count, functions }
}

const callsOf = (range: NodeOf<'RangeFunction'>): NodeOf<'FuncCall'>[] =>
  findNodes('FuncCall', range.functions)

/** Citus takes the type of the first list for all columns. */
function mixedLists(statement: Node): string[] {
  const lists = levelsIn(statement)
    .map(rangesOf)
    .filter(({ count }) => count > 1)
    .flatMap(({ functions }) => functions)
    .flatMap(callsOf)
    .filter(call => functionName(call) === 'unnest' && findNodes('ColumnRef', call.args).length === 0)
    .filter(({ args = [] }) => {
      const types = args.map(argument => stringsOf(as('TypeCast', argument)?.typeName?.names).at(-1))
      return new Set(types).size > 1
    })
  return lists.length > 0
    ? [
        'unnest() of lists of several types, joined, in a statement that Citus plans in parts: put it into WITH',
      ]
    : []
}

export function partProblems(statement: Node, placeOf: PlaceOf): string[] {
  const parts = ownNodes('CommonTableExpr', statement).map(({ ctequery }) => ctequery)
  return [
    ...(isPlannedInParts(statement, parts, placeOf)
      ? [...emptyLists(statement, placeOf), ...mixedLists(statement)]
      : []),
    ...parts.flatMap(part => (part ? partProblems(part, placeOf) : [])),
  ]
}

/** UNION inside of a subquery for each row: its tables must be on the node of the row, all of them or none. */
function mixedUnions(statement: Node, placeOf: PlaceOf): string[] {
  return findNodes('SelectStmt', statement)
    .map(armsOf)
    .filter(arms => arms.some(arm => outerRanges(arm).length > 0))
    .filter(arms => arms.length > 1)
    .flatMap(arms => arms.filter(arm => !tablesIn(arm).some(table => placeOf(table) === 'distributed')))
    .map(
      arm =>
        `${tablesIn(arm)[0] ?? 'a SELECT without table'} under UNION in a subquery for each row, on all nodes`,
    )
}

/** Of a statement over all workspaces. */
export function everyNodeProblems(statement: Node, placeOf: PlaceOf): string[] {
  const functions = findNodes('RangeFunction', statement).flatMap(range => mutablesIn(range.functions))
  const values = findNodes('RangeSubselect', statement)
    .map(({ subquery }) => as('SelectStmt', subquery))
    .filter(query => query && !query.fromClause && !query.valuesLists)
    .flatMap(query => mutablesIn(query?.targetList))
  return [
    ...functions.map(name => `${name}() as a table, on all nodes: it is not immutable`),
    ...values.map(name => `${name}() in a subquery without FROM, on all nodes: pass the value in`),
    ...mixedUnions(statement, placeOf),
  ]
}
