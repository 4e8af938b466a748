// What the import of a file learns about its run.
import type { Db } from '#kernel/db/db.ts'
import type { SyncContext } from '../context.ts'
import type { ImportedRun, RefusedLine } from '../deps.ts'
import { refusedPeople } from '../people/queries.ts'
import type { NamedPeople, ReadDirectory } from '../runs/named.ts'
import type { RunCounts } from '../runs/queries.ts'

type RefusedPerson = Awaited<ReturnType<typeof refusedPeople>>[number]

/** Lines that could not be used, and those of people who are no teammates because of their problems. */
export const refusedLines = (
  { refused, lines }: Pick<NamedPeople, 'refused' | 'lines'>,
  people: readonly RefusedPerson[],
): RefusedLine[] => [
  ...refused.map(({ line, kind, field, message }) => ({ line, kind, field, message })),
  ...people.flatMap(({ external_id, problems }) => {
    const line = lines.get(external_id)
    return line === undefined ? [] : problems.map(problem => ({ ...problem, line }))
  }),
]

export const importedRunOf = async (
  tx: Db,
  context: SyncContext,
  importId: string,
  read: ReadDirectory,
  counts: RunCounts,
): Promise<ImportedRun> => ({
  importId,
  integrationId: context.integrationId,
  error: null,
  added: counts.people_added ?? 0,
  changed: counts.people_changed ?? 0,
  reactivated: counts.people_reactivated ?? 0,
  deactivated: (counts.people_deactivated ?? 0) + (counts.people_missing ?? 0),
  refused: refusedLines(read.people, await refusedPeople(tx, context)),
})
