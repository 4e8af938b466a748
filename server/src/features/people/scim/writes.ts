// One request at a time changes the users and groups of a workspace: members of nested groups depend on each other.
import { type DirectoryRef, isAddressRace } from '#features/people/directories/index.ts'
import { findDirectoryOfKind } from '#features/workspace/integrations/index.ts'
import { apiError } from '#kernel/base/errors.ts'
import { KeyedQueue } from '#kernel/base/queues.ts'
import type { Db } from '#kernel/db/db.ts'

const notConnected = () =>
  apiError('not_found', {
    message: 'No SCIM integration is connected in this workspace: connect one with POST /v1/integrations.',
  })

/** The SCIM integration of a workspace. */
export async function scimScopeOf(db: Db, workspaceId: string, isLocked = false): Promise<DirectoryRef> {
  const integrationId = await findDirectoryOfKind(db, workspaceId, 'scim', isLocked)
  if (integrationId === undefined) throw notConnected()
  return { workspaceId, integrationId }
}

/** A little less than a provider waits for an answer. */
const waitMilliseconds = 55_000

/** Requests wait here, and not for a lock: waiting for a lock takes a connection from other workspaces. */
export const createScimQueue = (): KeyedQueue =>
  new KeyedQueue({
    atOnce: 2,
    waiting: 500,
    waitMilliseconds,
    message: 'Too many changes of users and groups are on their way; try again shortly.',
  })

/** Runs work in a transaction that has locked the integration. */
export async function writeScim<T>(
  db: Db,
  workspaceId: string,
  work: (tx: Db, scope: DirectoryRef) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(async tx => work(tx, await scimScopeOf(tx, workspaceId, true)))
    } catch (error) {
      if (attempt === 5 || !isAddressRace(error)) throw error
    }
  }
}
