// SQL that runs on one PostgreSQL and not in a cluster: forms that Citus 13.2 refuses, and functions that it calls on
// another node. `npm run test:citus` asks Citus itself; this list tells the same to tests without a cluster.
// `loadParser` must have ended before.
import { loadModule, type Node, parseSync } from 'libpg-query'
import { distributedTables, referenceTables } from '#platform/distribution/tables.ts'

export const loadParser = loadModule

type Keys<T> = T extends unknown ? keyof T : never
type NodeOf<Kind extends Keys<Node>> = Extract<Node, Record<Kind, unknown>>[Kind]

/** All nodes of a kind below `value`. */
function findNodes<Kind extends Keys<Node>>(kind: Kind, value: unknown): NodeOf<Kind>[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, content]) => [
    ...(key === kind ? [content as NodeOf<Kind>] : []),
    ...findNodes(kind, content),
  ])
}

const namesOf = (nodes: readonly Node[] | undefined): string[] =>
  findNodes('String', nodes).map(({ sval = '' }) => sval)
const functionsIn = (value: unknown) =>
  findNodes('FuncCall', value).map(({ funcname, args }) => ({ name: namesOf(funcname).at(-1) ?? '', args }))

const volatile = /^(clock_timestamp|gen_random_uuid|nextval|random)$/
/** PostgreSQL marks them STABLE: their result can depend on the clock or on settings of the session. */
const stable =
  /^(now|age|concat|concat_ws|current_setting|date_trunc|format|to_char|to_timestamp|(statement|transaction)_timestamp|row_to_json|to_jsonb?|jsonb?_(agg|build_array|build_object|object_agg|populate_recordset|populate_record|to_recordset|to_record))$/

/** `current_timestamp` is no function for the parser. */
const mutablesIn = (value: unknown): string[] => [
  ...functionsIn(value)
    .map(({ name }) => name)
    .filter(name => stable.test(name) || volatile.test(name)),
  ...findNodes('SQLValueFunction', value).map(() => 'current_timestamp'),
]

const onNodes = new Set<string>([...distributedTables, ...referenceTables])
const isOnNodes = (table = ''): boolean => onNodes.has(table)

const hasColumn = (value: unknown): boolean => findNodes('ColumnRef', value).length > 0
const isInterval = (value: unknown): boolean =>
  findNodes('TypeCast', value).some(({ typeName }) => namesOf(typeName?.names).at(-1) === 'interval') ||
  functionsIn(value).some(({ name }) => name === 'make_interval')

/** New values and conditions of a change, which every copy of a shard must compute alike. */
const valueProblems = (values: unknown): string[] => [
  ...[...findNodes('CaseExpr', values), ...findNodes('CoalesceExpr', values)]
    .flatMap(mutablesIn)
    .map(name => `${name}() inside CASE or COALESCE: pass the value in`),
  ...functionsIn(values).flatMap(({ name, args }) => [
    ...(volatile.test(name) ? [`${name}(): pass the value in`] : []),
    ...(stable.test(name) && hasColumn(args) ? [`${name}() of a column: it is not immutable`] : []),
  ]),
  ...findNodes('CaseExpr', values)
    .filter(({ arg }) => arg)
    .map(() => 'CASE x WHEN: write CASE WHEN x ='),
  ...findNodes('A_Expr', values)
    .filter(({ name }) => /^[+-]$/.test(namesOf(name)[0] ?? ''))
    .filter(({ lexpr, rexpr }) => hasColumn([lexpr, rexpr]) && (isInterval(rexpr) || isInterval(lexpr)))
    .map(() => 'an interval added to a column: pass the time in'),
]

function insertProblems({ selectStmt, onConflictClause, returningClause }: NodeOf<'InsertStmt'>): string[] {
  const { targetList, whereClause } = onConflictClause ?? {}
  const rows = selectStmt && 'SelectStmt' in selectStmt ? selectStmt.SelectStmt : undefined
  return [
    ...findNodes('SubLink', [rows?.valuesLists, onConflictClause, returningClause]).map(
      () => 'a subquery inside VALUES, ON CONFLICT or RETURNING: write INSERT … SELECT',
    ),
    // Rows of a table come from its node, which inserts them. Others come from the coordinator.
    ...(rows?.valuesLists || tablesIn(selectStmt).some(isOnNodes)
      ? []
      : findNodes('ParamRef', [targetList, whereClause])
    ).map(() => 'a parameter behind ON CONFLICT of INSERT … SELECT: write a literal'),
    ...mutablesIn([targetList, whereClause]).map(name => `${name}() behind ON CONFLICT: pass the value in`),
  ]
}

type Change = NodeOf<'InsertStmt'> | NodeOf<'UpdateStmt'> | NodeOf<'DeleteStmt'>

const changesIn = (statement: unknown): Change[] => [
  ...findNodes('InsertStmt', statement),
  ...findNodes('UpdateStmt', statement),
  ...findNodes('DeleteStmt', statement),
]

function changeProblems(change: Change): string[] {
  const table = change.relation?.relname ?? ''
  if (!isOnNodes(table)) return []
  const { returningClause } = change
  const isInsert = 'selectStmt' in change
  const { targetList, whereClause } = change as NodeOf<'UpdateStmt'>
  const values = isInsert ? change.onConflictClause : [targetList, whereClause]
  return [
    ...valueProblems(values),
    ...(isInsert ? insertProblems(change) : []),
    ...mutablesIn(returningClause).map(name => `${name}() in RETURNING: it is not immutable`),
  ].map(problem => `a change of ${table}: ${problem}`)
}

/** Locks, notifications and the queue are those of the node that calls the function: it must be the coordinator. */
const ofCoordinator =
  /^(pg_(try_)?advisory\w*|pg_notify|add_jobs?|set_config|pg_backend_pid|lastval|currval)$/

const tablesIn = (statement: unknown): string[] => [
  ...findNodes('RangeVar', statement).map(({ relname = '' }) => relname),
  ...changesIn(statement).map(({ relation }) => relation?.relname ?? ''),
]

const callProblems = (statement: Node): string[] =>
  tablesIn(statement).some(isOnNodes)
    ? functionsIn(statement)
        .filter(({ name }) => ofCoordinator.test(name))
        .map(({ name }) => `${name}() beside tables: call it in a statement of its own`)
    : []

/** Statements about all workspaces, by how they begin. They run on every node. */
const wholeInstallation: readonly string[] = [
  // Jobs delete by age.
  'delete from idempotency_keys where created_at',
  'delete from imports where created_at',
  'delete from directory_people where state',
  'delete from sync_runs r where r.status',
  'delete from installation_troubles where at',
  'delete from sso_attempts where expires_at',
  'delete from sso_used_assertions where expires_at',
  // A metric.
  'select count(*)::int as n from webhook_deliveries where due_at',
  // The command looks for a prefix that another issuer has used.
  "select issued ->> 'issuerCode' as code from financial_documents",
]

/**
 * Each use of a distributed table names its workspace: otherwise the statement runs on all nodes. Only counted, because
 * where a name belongs to is for a planner to find.
 */
function workspaceProblems(statement: Node, text: string): string[] {
  const uses = tablesIn(statement).filter(table => (distributedTables as readonly string[]).includes(table))
  const line = text.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim()
  const names = line.match(/\bworkspace_id\b/g) ?? []
  const isExcepted = wholeInstallation.some(start => line.startsWith(start))
  return names.length < uses.length && !isExcepted
    ? [`workspace_id is named ${names.length} times for ${uses.length} tables: ${uses.join(', ')}`]
    : []
}

/** A constraint is added by an ALTER TABLE of its own, not beside other changes and not with its column. */
function alterProblems({ relation, cmds = [] }: NodeOf<'AlterTableStmt'>): string[] {
  const checked = findNodes('Constraint', cmds).some(({ contype = '' }) =>
    /^CONSTR_(CHECK|FOREIGN|PRIMARY|UNIQUE)$/.test(contype),
  )
  const isAlone =
    cmds.length === 1 &&
    findNodes('AlterTableCmd', cmds).every(({ subtype }) => subtype === 'AT_AddConstraint')
  return isOnNodes(relation?.relname) && checked && !isAlone
    ? [`a constraint of ${relation?.relname} beside other changes: add it by an ALTER TABLE of its own`]
    : []
}

const statementsIn = (text: string): Node[] => (parseSync(text).stmts ?? []).flatMap(({ stmt }) => stmt ?? [])

/** Reasons why a statement cannot run in a cluster; empty for one that can. */
export const clusterProblems = (text: string): readonly string[] =>
  statementsIn(text).flatMap(statement => [
    ...changesIn(statement).flatMap(changeProblems),
    ...callProblems(statement),
    ...workspaceProblems(statement, text),
  ])

/** The same for a migration, whose statements are about all workspaces. */
export const migrationProblems = (text: string): readonly string[] =>
  statementsIn(text).flatMap(statement => [
    ...findNodes('AlterTableStmt', statement).flatMap(alterProblems),
    ...changesIn(statement).flatMap(changeProblems),
    ...callProblems(statement),
  ])
