// People whose addresses other people have, after the last page of a run.

import { findOwners } from '#features/people/teammates/index.ts'
import { markExpansion } from '#features/workspace/integrations/index.ts'
import { readFreeSeats } from '#features/workspace/workspaces/index.ts'
import type { Db } from '#kernel/db/db.ts'
import type { SyncContext } from '../context.ts'
import { endGrace } from '../leavers/queries.ts'
import { addCounts } from '../runs/queries.ts'
import { applyPeople } from './apply.ts'
import { addressKeysOfPerson, cleanPerson, type PersonProblem } from './clean.ts'
import { peopleWithProblems, type RawPerson, recordsOfTeammates } from './queries.ts'

/** People who want each other's addresses must be in one batch. */
const conflictsAtOnce = 2_000

/** Batches of people with problems who are in the directory. */
async function* problemBatches(
  db: Db,
  context: SyncContext,
  kinds: readonly PersonProblem['kind'][],
): AsyncGenerator<RawPerson[]> {
  for (let after = ''; ; ) {
    const people = await peopleWithProblems(db, context, kinds, after, conflictsAtOnce)
    const last = people.at(-1)
    if (!last) return
    yield people.filter(({ external_id }) => !context.isUnseen(external_id))
    after = last.external_id
  }
}

/**
 * Addresses can be free now, and records of people who were deleted and created anew give up their teammates. Seats can
 * be free too: those of leavers, or more of them.
 */
export async function retryConflicts(db: Db, context: SyncContext, runId: string): Promise<void> {
  const { left } = await readFreeSeats(db, context.workspaceId)
  const kinds: PersonProblem['kind'][] = left > 0 ? ['conflict', 'no_seat'] : ['conflict']
  for await (const people of problemBatches(db, context, kinds)) {
    const clean = people.map(person => ({
      ...cleanPerson({
        externalId: person.external_id,
        primaryAddress: person.address,
        aliases: person.aliases,
        isActive: person.is_active,
        attributes: person.attributes,
        photoTag: person.photo_tag,
        orgUnitId: person.org_unit_id,
      }),
      // What was unusable is not stored; its problem and the fingerprint are.
      fingerprint: person.fingerprint,
      problems: person.problems.filter(({ kind }) => kind === 'unusable'),
    }))
    await context.write(async tx => {
      const { added, changed, reactivated, affectsMembers } = await applyPeople(tx, context, clean)
      await addCounts(tx, context.workspaceId, runId, {
        people_added: added,
        people_changed: changed,
        people_reactivated: reactivated,
      })
      if (affectsMembers) await tx.query(markExpansion(context.workspaceId, context.integrationId, true))
    })
  }
}

/** Missing people whose addresses other people of the directory have now. Returns whether there are any. */
export async function endGraceOfWanted(db: Db, context: SyncContext): Promise<boolean> {
  const { workspaceId, write } = context
  let areFound = false
  for await (const people of problemBatches(db, context, ['conflict'])) {
    const keys = [...new Set(people.flatMap(addressKeysOfPerson))]
    const owners = new Set((await findOwners(db, workspaceId, keys)).map(({ teammate_id }) => teammate_id))
    const records = await recordsOfTeammates(db, context, [...owners])
    const missing = records.filter(({ state }) => state === 'missing').map(({ external_id }) => external_id)
    if (missing.length === 0) continue
    areFound = true
    await write(tx => tx.query(endGrace(context, missing)))
  }
  return areFound
}
