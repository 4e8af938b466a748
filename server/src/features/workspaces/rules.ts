import { insertMember, notAnAddress } from '#features/accounts/index.ts'
import { createKey } from '#features/api-keys/index.ts'
import { addBuiltIns } from '#features/smart-fields/index.ts'
import type { Db } from '#kernel/db.ts'
import { invalid } from '#kernel/errors.ts'
import { type Caller, operator } from '#kernel/scopes.ts'
import { isLocalOrEmailAddress } from '#kernel/validation.ts'
import {
  insertWorkspace,
  listWorkspaces,
  lockFirstStart,
  setClickParameter,
  setEventRetention,
  setSwitch,
  type Workspace,
  type WorkspaceSwitch,
} from './queries.ts'

export interface NewWorkspace {
  readonly name: string
  readonly ownerName: string
  readonly ownerEmail: string
  /** The first API key, when the operator has chosen it; otherwise a new key is created. */
  readonly key?: string | undefined
}

/** Creates a workspace with its owner, its built-in smart fields and a key with all scopes. */
export async function createWorkspace(
  db: Db,
  input: NewWorkspace,
): Promise<Workspace & { readonly key: string }> {
  if (!isLocalOrEmailAddress(input.ownerEmail)) throw notAnAddress('owner_email', input.ownerEmail)
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

/** Creates the first workspace. On later starts it changes nothing and returns undefined. */
export async function createFirstWorkspace(
  db: Db,
  input: NewWorkspace,
): Promise<{ readonly key: string } | undefined> {
  return db.transaction(async tx => {
    await tx.query(lockFirstStart)
    const [existing] = await listWorkspaces(tx)
    return existing ? undefined : createWorkspace(tx, input)
  })
}

export interface WorkspaceDeps {
  /** Runs last in the transaction that changes a switch: signatures can look different, or lose a channel. */
  readonly onSwitchChange: (tx: Db, workspaceId: string) => Promise<unknown>
}

export async function changeSwitch(
  db: Db,
  by: Caller,
  name: WorkspaceSwitch,
  isOn: boolean,
  { onSwitchChange }: WorkspaceDeps,
): Promise<void> {
  await db.transaction(async tx => {
    await setSwitch(tx, by, name, isOn)
    await onSwitchChange(tx, by.workspaceId)
  })
}

export async function changeEventRetention(db: Db, by: Caller, days: number | null): Promise<void> {
  if (days !== null && !(Number.isInteger(days) && days >= 1 && days <= 99_999))
    throw invalid('event_retention_days', 'out_of_range', {
      message: `event_retention_days must be a number of days from 1 to 99999, or null; not ${days}`,
    })
  await setEventRetention(db, by, days)
}

/** The default, and the name that links of other systems use: web pages understand both. */
export const knownClickParameters = ['signoff_click_id', 'scribe_click_id']

/** Needs no escaping in a URL. */
const parameterName = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/

export async function changeClickParameter(db: Db, by: Caller, name: string): Promise<void> {
  if (!parameterName.test(name))
    throw invalid('click_parameter', 'invalid', {
      message: `click_parameter must be 1 to 64 letters, digits, _, . or -, and begin with a letter or _; not ${name.slice(0, 100)}`,
    })
  await setClickParameter(db, by, name)
}
