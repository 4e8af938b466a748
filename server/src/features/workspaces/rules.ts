import { createKey } from '#features/api-keys/index.ts'
import { addBuiltIns } from '#features/smart-fields/index.ts'
import { type Db, isViolation } from '#kernel/db.ts'
import { CommandError } from '#kernel/errors.ts'
import { operator, type Role } from '#kernel/scopes.ts'
import { isEmailAddress } from '#kernel/validation.ts'
import { insertMember, insertWorkspace, listWorkspaces, lockFirstStart, type Workspace } from './queries.ts'

export interface NewWorkspace {
  readonly name: string
  readonly ownerName: string
  readonly ownerEmail: string
  /** The first API key, where the operator chose it; otherwise one is made. */
  readonly key?: string | undefined
}

/** A workspace with its owner, its built-in smart fields and a key that may do everything. */
export async function createWorkspace(
  db: Db,
  input: NewWorkspace,
): Promise<Workspace & { readonly key: string }> {
  if (!isEmailAddress(input.ownerEmail)) throw new CommandError(`${input.ownerEmail} is not an email address`)
  return db.transaction(async tx => {
    const workspace = await insertWorkspace(tx, input.name)
    const owner = { name: input.ownerName, email: input.ownerEmail, role: 'owner' as const }
    const ownerId = await insertMember(tx, workspace.id, owner)
    await addBuiltIns(tx, workspace.id)
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

/** On the first start alone: later ones change nothing and answer undefined. */
export async function firstStart(db: Db, input: NewWorkspace): Promise<{ readonly key: string } | undefined> {
  return db.transaction(async tx => {
    await tx.query(lockFirstStart)
    const [existing] = await listWorkspaces(tx)
    return existing ? undefined : createWorkspace(tx, input)
  })
}

export interface NewMember {
  readonly name: string
  readonly email: string
  readonly role: Exclude<Role, 'owner'>
}

export async function addMember(db: Db, workspaceId: string, member: NewMember): Promise<string> {
  if (!isEmailAddress(member.email)) throw new CommandError(`${member.email} is not an email address`)
  return insertMember(db, workspaceId, member).catch(error => {
    throw isViolation(error, 'members_email')
      ? new CommandError(`${member.email} is a member of this workspace already`)
      : error
  })
}
