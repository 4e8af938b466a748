// What Citus refuses in a migration of a distributed database, besides what it refuses in other statements.
import type { Node } from 'libpg-query'
import { as, findNodes } from './tree.ts'

const checkedKinds = new Set(['CONSTR_CHECK', 'CONSTR_FOREIGN', 'CONSTR_PRIMARY', 'CONSTR_UNIQUE'])

/** A constraint is added by an ALTER TABLE of its own, not beside other changes and not with its column. */
export function alterTableProblems(statement: Node, isOnNodes: (table: string) => boolean): string[] {
  const { relation, cmds = [] } = as('AlterTableStmt', statement) ?? {}
  const table = relation?.relname ?? ''
  if (!isOnNodes(table)) return []
  const isTogether =
    cmds.length > 1 && cmds.some(cmd => as('AlterTableCmd', cmd)?.subtype === 'AT_AddConstraint')
  const withColumn = cmds
    .map(cmd => as('AlterTableCmd', cmd))
    .filter(command => command?.subtype === 'AT_AddColumn')
    .flatMap(command => findNodes('Constraint', command))
    .some(({ contype = '' }) => checkedKinds.has(contype))
  return isTogether || withColumn
    ? [`a constraint of ${table} beside other changes: add it by an ALTER TABLE of its own`]
    : []
}
