import { membershipsOf } from '#features/accounts/index.ts'
import type { Db } from '#kernel/db.ts'
import { apiError, orNotFound } from '#kernel/errors.ts'
import { findWorkspace } from '../queries.ts'
import { addWorkspace } from '../rules.ts'

/** Who creates further workspaces: accounts that own one, or only the operator. */
export type WorkspaceCreation = 'owners' | 'operator'

export interface WorkspaceCreator {
  readonly accountId: string
  readonly name: string
  readonly email: string
  readonly sessionId: string
  readonly requestId: string
}

/** The account becomes the owner. Returns the workspace as the API shows it. */
export async function createOwnWorkspace(
  db: Db,
  { accountId, name: ownerName, email: ownerEmail, sessionId, requestId }: WorkspaceCreator,
  name: string,
  allowed: WorkspaceCreation,
): Promise<{ readonly id: string }> {
  if (allowed === 'operator')
    throw apiError('insufficient_role', {
      message: 'Only the operator of this service creates workspaces (`npx signoff workspaces create`).',
    })
  return db.transaction(async tx => {
    const isOwner = (await membershipsOf(tx, accountId)).some(({ role }) => role === 'owner')
    if (!isOwner)
      throw apiError('insufficient_role', { message: 'Only accounts that own a workspace can create one.' })
    const { id } = await addWorkspace(
      tx,
      { name, ownerName, ownerEmail },
      { accountId, sessionId, requestId },
    )
    return orNotFound(await findWorkspace(tx, id)) as { readonly id: string }
  })
}
