// Fills values again after smart fields were mapped to other attributes, from what is known about people already.

import { lockTeammates, touchTeammates } from '#features/people/teammates/index.ts'
import { smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { operator } from '#kernel/api/scopes.ts'
import type { Db } from '#kernel/db/db.ts'
import { peoplePerBatch, writerOf } from '../context.ts'
import type { DirectoryDeps } from '../deps.ts'
import type { PersonProblem } from '../people/clean.ts'
import { linkedPeopleAfter, saveProblems } from '../people/queries.ts'
import { mappedFieldsOf } from '../people/values.ts'
import { writeMappedValues } from '../people/write-values.ts'

const isOfPerson = ({ kind, field }: PersonProblem): boolean =>
  kind === 'conflict' || ['address', 'aliases', 'attributes'].includes(field)

export async function remapPeople(
  db: Db,
  workspaceId: string,
  integrationId: string,
  { onPeopleChange }: Pick<DirectoryDeps, 'onPeopleChange'>,
): Promise<void> {
  const by = { ...operator(workspaceId), directoryId: integrationId }
  // The writer waits for batches of runs and requests that began with the earlier mapping: it must see their people.
  const write = writerOf(db, { workspaceId, integrationId })
  for (let after = ''; ; ) {
    const last = await write(async tx => {
      const fields = mappedFieldsOf(await smartFieldsOf(tx, workspaceId), integrationId)
      const found = await linkedPeopleAfter(tx, workspaceId, integrationId, after, peoplePerBatch)
      const ids = found.map(({ teammate_id }) => teammate_id)
      const living = new Set(
        (await lockTeammates(tx, workspaceId, ids)).filter(row => !row.is_deleted).map(({ id }) => id),
      )
      const people = found
        .filter(({ teammate_id }) => living.has(teammate_id))
        .map(({ external_id: externalId, teammate_id: teammateId, attributes }) => ({
          teammateId,
          person: { externalId, attributes },
        }))
      const { changed, problems } = await writeMappedValues(tx, { workspaceId, fields }, people)
      const renewed = found.flatMap(({ external_id: externalId, problems: earlier }) => {
        const now = [...earlier.filter(isOfPerson), ...(problems.get(externalId) ?? [])]
        return JSON.stringify(now) === JSON.stringify(earlier) ? [] : [{ externalId, problems: now }]
      })
      if (renewed.length > 0) await tx.query(saveProblems(workspaceId, integrationId, renewed))
      const ordered = [...changed].sort()
      await touchTeammates(
        tx,
        by,
        ordered.map(id => ({ id, changed: ['smart_fields'] })),
      )
      await onPeopleChange(tx, workspaceId, ordered)
      return found.at(-1)?.external_id
    })
    if (last === undefined) return
    after = last
  }
}
