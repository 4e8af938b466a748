// The workspaces of an account, with their names.
import { membershipsOf } from '#features/accounts/index.ts'
import type { Db } from '#kernel/db.ts'
import { namesOfWorkspaces } from '../queries.ts'

export interface OwnWorkspace {
  readonly id: string
  readonly name: string
  readonly role: string
}

export async function workspacesOf(db: Db, accountId: string): Promise<readonly OwnWorkspace[]> {
  const memberships = await membershipsOf(db, accountId)
  const rows = await namesOfWorkspaces(
    db,
    memberships.map(({ workspaceId }) => workspaceId),
  )
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return memberships.map(({ workspaceId, role }) => ({
    id: workspaceId,
    name: names.get(workspaceId) ?? '',
    role,
  }))
}
