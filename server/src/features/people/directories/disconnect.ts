// A directory is disconnected: its people become manual teammates, and nothing is deleted.

import { releaseTeammates } from '#features/people/teammates/index.ts'
import { clearMappings } from '#features/workspace/smart-fields/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import type { Db } from '#kernel/db/db.ts'
import { forgetDirectory } from './people/queries.ts'
import { failRunsOf } from './runs/queries.ts'

export async function releaseDirectory(tx: Db, by: Caller, integrationId: string): Promise<void> {
  await tx.query(failRunsOf(by.workspaceId, integrationId))
  await releaseTeammates(tx, by, integrationId)
  await clearMappings(tx, by, integrationId)
  for (const statement of forgetDirectory(by.workspaceId, integrationId)) await tx.query(statement)
}
