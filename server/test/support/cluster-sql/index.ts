// Whether a statement can run in a Citus cluster, and there on one node. `loadParser` must have ended before.
import { loadModule, parseSync } from 'libpg-query'
import { distributedTables, localTables, referenceTables } from '#platform/distribution/tables.ts'
import { coordinatorProblems, isRecursive, setsWorkspace, type TablePlace } from './coordinator.ts'
import { onEveryNode, wholeInstallation } from './exceptions.ts'
import { refusedChanges, refusedForms } from './forms.ts'
import { alterTableProblems } from './migrations.ts'
import { everyNodeProblems, partProblems } from './parts.ts'
import { type StatementTable, StatementTables } from './table-uses.ts'

export const loadParser = loadModule

const places: ReadonlyMap<string, TablePlace> = new Map([
  ...distributedTables.map(table => [table, 'distributed'] as const),
  ...referenceTables.map(table => [table, 'reference'] as const),
  ...localTables.map(table => [table, 'local'] as const),
])
const placeOf = (table: string): TablePlace => places.get(table)
const isDistributed = (table: string): boolean => placeOf(table) === 'distributed'
const isOnNodes = (table: string): boolean => isDistributed(table) || placeOf(table) === 'reference'

const exceptions = Object.keys({ ...wholeInstallation, ...onEveryNode })

/** A statement without comments, on one line. */
export const oneLine = (text: string): string => text.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim()

const reasons = {
  elsewhere:
    'is not given on its own level: compare it with the parameter there, not with a column of a subquery, a part of WITH or an outer query',
  never: 'is not given: compare it with a parameter, or name the statement in exceptions.ts',
}

function missingKey({ table, given, isLocked }: StatementTable, isExcepted: boolean): string[] {
  if (!isDistributed(table) || given === 'here' || (isExcepted && !isLocked)) return []
  return [`workspace_id of ${table} ${reasons[given]}`]
}

/** What keeps a statement from running in a cluster, in words; empty for one that can. */
export function clusterProblems(text: string): readonly string[] {
  const line = oneLine(text)
  const isExcepted = exceptions.some(start => line.startsWith(start))
  return (
    parseSync(text).stmts?.flatMap(({ stmt }) => {
      if (!stmt) return []
      const tables = new StatementTables(stmt).all
      const ofAnyTables = [...coordinatorProblems(stmt, placeOf), ...refusedChanges(stmt, isOnNodes)]
      if (!tables.some(({ table }) => isDistributed(table))) return ofAnyTables
      return [
        ...new Set([
          ...tables.flatMap(table => missingKey(table, isExcepted)),
          ...ofAnyTables,
          ...refusedForms(stmt),
          ...partProblems(stmt, placeOf),
          ...(isExcepted ? everyNodeProblems(stmt, placeOf) : []),
          ...(isExcepted && isRecursive(stmt) ? ['a recursive query on all nodes'] : []),
          ...(setsWorkspace(stmt) ? ['a change of workspace_id, by which rows are distributed'] : []),
        ]),
      ]
    }) ?? []
  )
}

/** What keeps a migration from running in a database that is distributed. Its statements are about all workspaces. */
export const migrationProblems = (text: string): readonly string[] =>
  parseSync(text).stmts?.flatMap(({ stmt }) =>
    stmt
      ? [
          ...alterTableProblems(stmt, isOnNodes),
          ...coordinatorProblems(stmt, placeOf),
          ...refusedChanges(stmt, isOnNodes),
          ...everyNodeProblems(stmt, placeOf),
        ]
      : [],
  ) ?? []
