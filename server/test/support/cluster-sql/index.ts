// Whether a statement can run in a Citus cluster, and there on one node. `loadParser` must have ended before.
import { loadModule, parseSync } from 'libpg-query'
import { distributedTables } from '#platform/distribution/tables.ts'
import { onEveryNode, refusedInCluster, wholeInstallation } from './exceptions.ts'
import { refusedForms } from './forms.ts'
import { type StatementTable, StatementTables } from './table-uses.ts'

export const loadParser = loadModule

const distributed: ReadonlySet<string> = new Set(distributedTables)
const isDistributed = (table: string): boolean => distributed.has(table)

const exceptions = Object.keys({ ...wholeInstallation, ...onEveryNode, ...refusedInCluster })

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
      if (!tables.some(({ table }) => isDistributed(table))) return []
      return [
        ...new Set([
          ...tables.flatMap(table => missingKey(table, isExcepted)),
          ...refusedForms(stmt, isDistributed),
        ]),
      ]
    }) ?? []
  )
}
