import { insertMember, notAnAddress, refuseLookAlike } from '#features/workspace/accounts/index.ts'
import { createKey } from '#features/workspace/api-keys/index.ts'
import { addBuiltIns } from '#features/workspace/smart-fields/index.ts'
import { type Caller, operator } from '#kernel/api/scopes.ts'
import { isLocalOrEmailAddress } from '#kernel/api/validation.ts'
import { newRow } from '#kernel/base/ids.ts'
import type { Db } from '#kernel/db/db.ts'
import { insertWorkspace, listWorkspaces, lockFirstStart, type Workspace } from './queries.ts'

interface NewWorkspace {
  readonly name: string
  readonly ownerName: string
  readonly ownerEmail: string
  /** The first API key, when the operator has chosen it; otherwise a new key is created. */
  readonly key?: string | undefined
}

/** The person who creates a workspace, unless the operator does. */
type WorkspaceActor = Pick<Caller, 'accountId' | 'sessionId' | 'requestId'>

/** Inserts a workspace with its owner and its built-in smart fields. With `actor`, the audit log names the owner. */
export async function addWorkspace(
  tx: Db,
  { name, ownerName, ownerEmail }: Omit<NewWorkspace, 'key'>,
  actor?: WorkspaceActor,
): Promise<Workspace & { readonly ownerId: string }> {
  const row = newRow()
  const owner = { name: ownerName, email: ownerEmail, role: 'owner' as const }
  const callerIn = (workspaceId: string): Caller => ({
    ...operator(workspaceId),
    ...(actor && { ...actor, memberId: row.id, actorId: row.id, memberEmail: ownerEmail }),
  })
  const workspace = await insertWorkspace(tx, name, callerIn)
  await insertMember(tx, workspace.id, owner, callerIn(workspace.id), row)
  await addBuiltIns(tx, workspace.id)
  return { ...workspace, ownerId: row.id }
}

/** Creates a workspace with its owner, its built-in smart fields and a key with all scopes. */
export async function createWorkspace(
  db: Db,
  input: NewWorkspace,
): Promise<Workspace & { readonly key: string }> {
  if (!isLocalOrEmailAddress(input.ownerEmail)) throw notAnAddress('owner_email', input.ownerEmail)
  refuseLookAlike('owner_email', input.ownerEmail)
  return db.transaction(async tx => {
    const { ownerId, ...workspace } = await addWorkspace(tx, input)
    const { key } = await createKey(
      tx,
      operator(workspace.id),
      ownerId,
      { name: 'First key', scopes: ['*'] },
      input.key,
    )
    return { ...workspace, key }
  })
}

/** Creates the first workspace. On later starts it changes nothing and returns undefined. */
export const createFirstWorkspace = (
  db: Db,
  input: NewWorkspace,
): Promise<{ readonly key: string } | undefined> =>
  db.transaction(async tx => {
    await tx.query(lockFirstStart)
    const [existing] = await listWorkspaces(tx)
    return existing ? undefined : createWorkspace(tx, input)
  })
