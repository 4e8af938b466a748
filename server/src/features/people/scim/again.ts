// Writes all stored users again, after a setting of the directory has changed, or when seats can be free: a provider sends only what changes there.
import { pushPeople } from '#features/people/directories/index.ts'
import { operator } from '#kernel/api/scopes.ts'
import type { Db } from '#kernel/db/db.ts'
import type { ScimDeps } from './deps.ts'
import { personOfScim } from './person.ts'
import { scimUsersAfter } from './users/queries.ts'
import { writeScim } from './writes.ts'

const perBatch = 200

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
