// A directory is disconnected: its people become manual teammates, and nothing is deleted.
import { clearMappings } from '#features/smart-fields/index.ts'
import { releaseTeammates } from '#features/teammates/index.ts'
import type { Db } from '#kernel/db.ts'
import type { Caller } from '#kernel/scopes.ts'
import { forgetDirectory } from './people/queries.ts'
import { failRunsOf } from './runs/queries.ts'

export async function releaseDirectory(tx: Db, by: Caller, integrationId: string): Promise<void> {
  await tx.query(failRunsOf(by.workspaceId, integrationId))
  await releaseTeammates(tx, by, integrationId)
  await clearMappings(tx, by, integrationId)
  for (const statement of forgetDirectory(by.workspaceId, integrationId)) await tx.query(statement)
}
