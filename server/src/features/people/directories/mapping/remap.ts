// Fills values again after smart fields were mapped to other attributes, from what is known about people already.

import { lockTeammates, touchTeammates } from '#features/people/teammates/index.ts'
import { smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { operator } from '#kernel/api/scopes.ts'
import type { Db } from '#kernel/db/db.ts'
import { peoplePerBatch, writerOf } from '../context.ts'
import type { DirectoryDeps } from '../deps.ts'
import { enqueueRemap } from '../enqueue.ts'
import type { PersonProblem } from '../people/clean.ts'
import { linkedPeopleAfter, saveProblems } from '../people/queries.ts'
import { mappedFieldsOf } from '../people/values.ts'
import { writeMappedValues } from '../people/write-values.ts'
import { forgetPhotoTags, schedulePhotos } from '../photos/queries.ts'
import type { DirectoryRef } from '../queries.ts'

const isOfPerson = ({ kind, field }: PersonProblem): boolean =>
  kind === 'conflict' || ['address', 'aliases', 'attributes'].includes(field)

export async function remapPeople(
  db: Db,
  directory: DirectoryRef,
  { onPeopleChange }: Pick<DirectoryDeps, 'onPeopleChange'>,
): Promise<void> {
  const { workspaceId, integrationId } = directory
  const by = { ...operator(workspaceId), directoryId: integrationId }
  // The writer waits for batches of runs and requests that began with the earlier mapping: it must see their people.
  const write = writerOf(db, directory)
  for (let after = ''; ; ) {
    const last = await write(async tx => {
      const fields = mappedFieldsOf(await smartFieldsOf(tx, workspaceId), integrationId)
      const linked = await linkedPeopleAfter(tx, directory, after, peoplePerBatch)
      const ids = linked.map(({ teammate_id }) => teammate_id)
      const living = new Set(
        (await lockTeammates(tx, workspaceId, ids)).filter(row => !row.is_deleted).map(({ id }) => id),
      )
      const people = linked
        .filter(({ teammate_id }) => living.has(teammate_id))
        .map(({ external_id: externalId, teammate_id: teammateId, attributes }) => ({
          teammateId,
          person: { externalId, attributes },
        }))
      const { changed, problems } = await writeMappedValues(tx, { workspaceId, fields }, people)
      const renewed = linked.flatMap(({ external_id: externalId, problems: earlier }) => {
        const now = [...earlier.filter(isOfPerson), ...(problems.get(externalId) ?? [])]
        return JSON.stringify(now) === JSON.stringify(earlier) ? [] : [{ externalId, problems: now }]
      })
      if (renewed.length > 0) await tx.query(saveProblems(directory, renewed))
      const ordered = [...changed].sort()
      await touchTeammates(
        tx,
        by,
        ordered.map(id => ({ id, changed: ['smart_fields'] })),
      )
      await onPeopleChange(tx, workspaceId, ordered)
      return linked.at(-1)?.external_id
    })
    if (last === undefined) return
    after = last
  }
}

/** A smart field is mapped to another attribute: its values are filled in the background. */
export async function refillValues(
  tx: Db,
  workspaceId: string,
  integrationId: string,
  isPicture: boolean,
): Promise<void> {
  const directory = { workspaceId, integrationId }
  if (!isPicture) {
    await tx.query(enqueueRemap(directory))
    return
  }
  await tx.query(forgetPhotoTags(directory))
  await schedulePhotos(tx, directory)
}
