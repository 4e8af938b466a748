import { pushPeople } from '#features/people/directories/index.ts'
import { operator } from '#kernel/api/scopes.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Job } from '#kernel/db/jobs.ts'
import type { ScimDeps } from './deps.ts'
import { personOfScim } from './person.ts'
import { deleteForgottenUsers, scimUsersAfter } from './users/queries.ts'
import { writeScim } from './writes.ts'

export const scimJobs = (db: Db): readonly Job[] => [
  {
    name: 'scim.expire',
    schedule: '53 4 * * *',
    async run() {
      await db.query(deleteForgottenUsers)
    },
  },
]

const perBatch = 200

/**
 * Writes all stored users again, after a setting of the directory has changed, or when seats can be free: a provider
 * sends only what changes there.
 */
export async function pushScimUsersAgain(
  db: Db,
  workspaceId: string,
  deps: Pick<ScimDeps, 'onPeopleChange'>,
): Promise<void> {
  let after: string | null = null
  do {
    const start: string | null = after
    after = await writeScim(db, workspaceId, async (tx, scope) => {
      const users = await scimUsersAfter(tx, scope, start, perBatch)
      const by = { ...operator(workspaceId), directoryId: scope.integrationId }
      await pushPeople(tx, by, scope.integrationId, users.map(personOfScim), deps)
      return users.length < perBatch ? null : (users.at(-1)?.id ?? null)
    })
  } while (after !== null)
}
