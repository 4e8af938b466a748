// Forms of SQL that Citus refuses, although PostgreSQL accepts them. Found on a cluster of version 13.2.
import type { Node, ReturningClause } from 'libpg-query'
import { armsOf, as, findNodes, functionName, type NodeOf, stringsOf } from './tree.ts'

/** The built-in functions of our statements whose result can change between two calls: PostgreSQL marks them so. */
const mutableFunctions = new Set([
  'age',
  'clock_timestamp',
  'concat',
  'concat_ws',
  'current_setting',
  'date_trunc',
  'format',
  'gen_random_uuid',
  'json_agg',
  'json_build_array',
  'json_build_object',
  'json_object_agg',
  'jsonb_agg',
  'jsonb_build_array',
  'jsonb_build_object',
  'jsonb_object_agg',
  'jsonb_populate_record',
  'jsonb_populate_recordset',
  'jsonb_to_record',
  'jsonb_to_recordset',
  'nextval',
  'now',
  'random',
  'row_to_json',
  'statement_timestamp',
  'to_char',
  'to_json',
  'to_jsonb',
  'to_timestamp',
  'transaction_timestamp',
])

/** `now()` and `current_timestamp` are different kinds of nodes. */
export function mutablesIn(value: unknown): string[] {
  const calls = findNodes('FuncCall', value).map(functionName)
  const found = calls.filter(name => mutableFunctions.has(name))
  return findNodes('SQLValueFunction', value).length > 0 ? [...found, 'current_timestamp'] : found
}

const hasColumn = (value: unknown): boolean => findNodes('ColumnRef', value).length > 0

function isInterval(node: Node | undefined): boolean {
  const cast = as('TypeCast', node)
  if (cast && stringsOf(cast.typeName?.names).at(-1) === 'interval') return true
  const call = as('FuncCall', node)
  if (call && functionName(call) === 'make_interval') return true
  const product = as('A_Expr', node)
  return product !== undefined && (isInterval(product.lexpr) || isInterval(product.rexpr))
}

/** A time plus an interval depends on the session's time zone. */
const hasIntervalOnColumn = (value: unknown): boolean =>
  findNodes('A_Expr', value).some(
    ({ name, lexpr, rexpr }) =>
      ['+', '-'].includes(stringsOf(name)[0] ?? '') &&
      (isInterval(rexpr) || isInterval(lexpr)) &&
      hasColumn([lexpr, rexpr]),
  )

/** Such as the clock, which goes on during a statement. PostgreSQL calls them VOLATILE. */
const volatileFunctions = new Set(['clock_timestamp', 'gen_random_uuid', 'nextval', 'random'])

/** Of new values and conditions of a change, which every copy of a shard must compute alike. */
function changedValues(table: string, values: unknown): string[] {
  const branches = [...findNodes('CaseExpr', values), ...findNodes('CoalesceExpr', values)]
  const calls = findNodes('FuncCall', values)
  return [
    ...branches
      .flatMap(mutablesIn)
      .map(name => `${name}() inside CASE or COALESCE of a change of ${table}: pass the value in`),
    ...calls
      .filter(call => mutableFunctions.has(functionName(call)) && hasColumn(call.args))
      .map(call => `${functionName(call)}() of a column in a change of ${table}: it is not immutable`),
    ...calls
      .filter(call => volatileFunctions.has(functionName(call)))
      .map(call => `${functionName(call)}() in a change of ${table}: pass the value in`),
    ...(hasIntervalOnColumn(values)
      ? [`an interval added to a column in a change of ${table}: pass the time in`]
      : []),
  ]
}

const hasSubquery = (value: unknown): boolean => findNodes('SubLink', value).length > 0

const returnedValues = (table: string, clause: ReturningClause | undefined): string[] =>
  mutablesIn(clause?.exprs).map(name => `${name}() in RETURNING of a change of ${table}: it is not immutable`)

function insertForms(insert: NodeOf<'InsertStmt'>, table: string): string[] {
  const { valuesLists } = as('SelectStmt', insert.selectStmt) ?? {}
  const { targetList, whereClause } = insert.onConflictClause ?? {}
  return [
    ...(hasSubquery([valuesLists, insert.onConflictClause, insert.returningClause])
      ? [
          `a subquery inside VALUES, ON CONFLICT or RETURNING of an insert into ${table}: write INSERT … SELECT`,
        ]
      : []),
    ...changedValues(table, [targetList, whereClause]),
    ...mutablesIn([targetList, whereClause]).map(
      name => `${name}() behind ON CONFLICT of an insert into ${table}: pass the value in`,
    ),
    ...returnedValues(table, insert.returningClause),
  ]
}

const armsWithoutFrom = (statement: Node): boolean =>
  findNodes('SelectStmt', statement)
    .map(armsOf)
    .filter(arms => arms.length > 1)
    .flat()
    .some(arm => arm.targetList && !arm.fromClause && !arm.valuesLists)

const untypedLists = (statement: Node): boolean =>
  findNodes('RangeFunction', statement).some(range =>
    findNodes('FuncCall', range.functions)
      .filter(call => functionName(call) === 'unnest')
      .some(call => call.args?.some(argument => as('ParamRef', argument))),
  )

/** Of changes. `isOnNodes`: of a table; those that are on every node must change alike there, too. */
export function refusedChanges(statement: Node, isOnNodes: (table: string) => boolean): string[] {
  const changes = [...findNodes('UpdateStmt', statement), ...findNodes('DeleteStmt', statement)]
  const ofTable = <T extends { relation?: { relname?: string } }>(
    found: readonly T[],
    forms: (change: T, table: string) => string[],
  ): string[] =>
    found.flatMap(change => {
      const table = change.relation?.relname ?? ''
      return isOnNodes(table) ? forms(change, table) : []
    })
  return [
    ...ofTable(findNodes('InsertStmt', statement), insertForms),
    ...ofTable(changes, (change, table) => [
      ...changedValues(table, ['targetList' in change ? change.targetList : undefined, change.whereClause]),
      ...returnedValues(table, change.returningClause),
      ...(hasSubquery(change.returningClause)
        ? [`a subquery inside RETURNING of a change of ${table}: read before the change`]
        : []),
    ]),
  ]
}

/** Of a statement with distributed tables. */
export const refusedForms = (statement: Node): string[] => [
  ...(armsWithoutFrom(statement) ? ['a SELECT without FROM under UNION: use VALUES'] : []),
  ...(untypedLists(statement) ? ['a parameter without type inside unnest(): cast it'] : []),
]
