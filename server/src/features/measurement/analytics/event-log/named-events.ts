// Adds names to exported events: a reader of a table knows people and signatures by their names.
import type { Db } from '#kernel/db/db.ts'
import type { Dimension } from '../dimension.ts'
import { labelsFor } from '../labels/rules.ts'

/** The column with the name, the column with its id, and what it names. */
const names = [
  ['signature_name', 'signature_template_uuid', 'signature_template'],
  ['campaign_name', 'marketing_campaign_uuid', 'marketing_campaign'],
  ['person_name', 'teammate_uuid', 'teammate'],
  ['link_name', 'anchor_uuid', 'anchor'],
] as const satisfies readonly (readonly [string, string, Dimension])[]

export const nameColumns: readonly string[] = names.map(([column]) => column)

/** At most one read for each kind of name. An id without a known name has an empty cell. */
export async function withNames(db: Db, workspaceId: string, events: readonly object[]): Promise<object[]> {
  const rows = events.map(event => ({ ...event }) as Record<string, unknown>)
  for (const [column, idColumn, dimension] of names) {
    const ids = new Set(rows.map(row => row[idColumn]).filter(id => typeof id === 'string'))
    const labelOf = await labelsFor(db, workspaceId, dimension, [...ids])
    for (const row of rows) {
      const id = row[idColumn]
      const label = typeof id === 'string' ? labelOf(id) : ''
      row[column] = label === id ? '' : label
    }
  }
  return rows
}
