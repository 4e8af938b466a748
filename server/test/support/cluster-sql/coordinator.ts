// What a statement does on the coordinator of a cluster, while its distributed tables are on other nodes: local tables
// and functions that mean the coordinator.
import type { Node } from 'libpg-query'
import { armsOf, as, findNodes, functionName, isObject, type NodeOf, stringsOf, visitNodes } from './tree.ts'

/** Whether a table is on the coordinator alone, on one other node, or on every node. */
export type TablePlace = 'local' | 'distributed' | 'reference' | undefined

/**
 * Advisory locks, notifications and the queue are those of the node that calls the function. Citus can send any part of
 * a statement with tables to another node, a SELECT without FROM behind WITH too.
 */
const coordinatorFunctions =
  /^(pg_(try_)?advisory\w*|pg_notify|add_jobs?|set_config|pg_backend_pid|lastval|currval)$/

type Change = NodeOf<'UpdateStmt'> | NodeOf<'DeleteStmt'> | NodeOf<'InsertStmt'>

const namedParts = (statement: Node): ReadonlySet<string> =>
  new Set(findNodes('CommonTableExpr', statement).map(({ ctename }) => ctename ?? ''))

/** The tables and aliases of FROM, without those of subqueries. */
function ownRanges(from: unknown): { readonly tables: string[]; readonly aliases: string[] } {
  const tables: string[] = []
  const aliases: string[] = []
  visitNodes(from, (kind, content) => {
    const { relname = '', alias } = content as NodeOf<'RangeVar'>
    if (kind === 'RangeVar') tables.push(relname)
    if (kind.startsWith('Range')) aliases.push(alias?.aliasname ?? relname)
    return kind !== 'RangeSubselect' && kind !== 'SubLink'
  })
  return { tables, aliases }
}

/** `a.b` names a column of the range `a`. */
const namedRanges = (value: unknown): string[] =>
  findNodes('ColumnRef', value).flatMap(({ fields }) =>
    fields?.length === 2 ? stringsOf(fields).slice(0, 1) : [],
  )

const changesIn = (value: unknown): Change[] => [
  ...findNodes('UpdateStmt', value),
  ...findNodes('DeleteStmt', value),
  ...findNodes('InsertStmt', value),
]

export const tablesIn = (value: unknown): string[] => [
  ...findNodes('RangeVar', value).map(({ relname = '' }) => relname),
  ...changesIn(value).map(({ relation }) => relation?.relname ?? ''),
]

interface Level {
  readonly level: object
  /** Those that the level names itself. */
  readonly tables: readonly string[]
  readonly aliases: readonly string[]
}

/** The levels of a statement, outer ones first. */
function levelsOf(statement: Node): Level[] {
  const levels: Level[] = []
  visitNodes(statement, (kind, content) => {
    if (kind === 'SelectStmt')
      for (const level of armsOf(content as NodeOf<'SelectStmt'>))
        levels.push({ level, ...ownRanges(level.fromClause) })
    if (/^(Insert|Update|Delete)Stmt$/.test(kind)) levels.push(levelOfChange(content as Change))
    return true
  })
  return levels
}

function levelOfChange(level: Change): Level {
  const { relname = '', alias } = level.relation ?? {}
  const from = 'fromClause' in level ? level.fromClause : undefined
  const { tables, aliases } = ownRanges([from, 'usingClause' in level ? level.usingClause : undefined])
  return { level, tables: [relname, ...tables], aliases: [alias?.aliasname ?? relname, ...aliases] }
}

/** Columns of ranges that the level does not declare itself. */
export function outerRanges(level: object): string[] {
  const declared = new Set([
    ...ownRanges(level).aliases,
    ...findNodes('RangeVar', level).map(({ relname = '', alias }) => alias?.aliasname ?? relname),
    ...findNodes('RangeSubselect', level).map(({ alias }) => alias?.aliasname ?? ''),
    ...findNodes('RangeFunction', level).map(({ alias }) => alias?.aliasname ?? ''),
    'relation' in level
      ? ((level as Change).relation?.alias?.aliasname ?? (level as Change).relation?.relname ?? '')
      : '',
    'excluded',
  ])
  return namedRanges(level).filter(name => !declared.has(name))
}

/**
 * Citus reads local tables before the rest: as a subquery or a part of WITH that names no other tables, at most as
 * subqueries of their own, and no columns of outer queries.
 */
function localTableProblems(statement: Node, placeOf: (table: string) => TablePlace): string[] {
  const parts = namedParts(statement)
  const placeOfTable = (table: string) => (parts.has(table) ? undefined : placeOf(table))
  const distributedIn = (value: unknown) =>
    tablesIn(value).find(table => placeOfTable(table) === 'distributed')
  const levels = levelsOf(statement)
  const locals = levels.flatMap(({ level, tables, aliases }) => {
    const local = tables.find(table => placeOfTable(table) === 'local')
    return local === undefined ? [] : [{ level, tables, aliases, local }]
  })
  return locals.flatMap(({ level, tables, aliases, local }) => {
    // The largest query around the table that names local tables only.
    const around = levels
      .map(other => other.level)
      .find(other => !distributedIn(other) && contains(other, level))
    const [outer] = outerRanges(around ?? level)
    const correlated = findNodes('SubLink', level).find(
      ({ subselect }) =>
        distributedIn(subselect) && namedRanges(subselect).some(name => aliases.includes(name)),
    )
    const other =
      tables.find(table => placeOfTable(table) === 'distributed') ??
      distributedIn('relation' in level ? level : correlated)
    return [
      ...(other === undefined
        ? []
        : [
            `${local}, which is on the coordinator, together with ${other}: read it in a subquery of its own`,
          ]),
      ...(outer === undefined
        ? []
        : [`${local}, which is on the coordinator, compared with a column of an outer query (${outer})`]),
    ]
  })
}

/** Whether a level is another one, or inside of it. */
function contains(outer: object, inner: object): boolean {
  return outer === inner || Object.values(outer).some(value => isObject(value) && contains(value, inner))
}

/** Every copy of a reference table must change alike, so a change of one reads other reference tables only. */
function referenceChangeProblems(statement: Node, placeOf: (table: string) => TablePlace): string[] {
  const parts = namedParts(statement)
  return [...findNodes('UpdateStmt', statement), ...findNodes('DeleteStmt', statement)].flatMap(change => {
    const table = change.relation?.relname ?? ''
    if (placeOf(table) !== 'reference') return []
    const { withClause, ...own } = change
    const other = tablesIn(own).find(name => !parts.has(name) && placeOf(name) === 'distributed')
    return other === undefined
      ? []
      : [`a change of ${table}, which is on every node, that reads ${other}: read it in a part of WITH`]
  })
}

export function coordinatorProblems(statement: Node, placeOf: (table: string) => TablePlace): string[] {
  const places = tablesIn(statement).map(placeOf)
  const isRemote = places.includes('distributed') || places.includes('reference')
  const functions = findNodes('FuncCall', statement).map(functionName)
  return [
    ...(isRemote ? functions.filter(name => coordinatorFunctions.test(name)) : []).map(
      name =>
        `${name}() in a statement with tables: Citus can call it on another node; call it in a statement of its own`,
    ),
    ...(places.includes('distributed') ? localTableProblems(statement, placeOf) : []),
    ...referenceChangeProblems(statement, placeOf),
  ]
}

export const isRecursive = (statement: Node): boolean =>
  findNodes('SelectStmt', statement).some(({ withClause }) => withClause?.recursive) ||
  changesIn(statement).some(({ withClause }) => withClause?.recursive)

export const setsWorkspace = (statement: Node): boolean =>
  findNodes('UpdateStmt', statement).some(({ targetList }) =>
    targetList?.some(target => as('ResTarget', target)?.name === 'workspace_id'),
  )
