import { refuseIfManagedByDirectory } from '#features/workspace/integrations/index.ts'
import { announce } from '#features/workspace/webhooks/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { apiError, invalid, orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import {
  findEmail,
  insertAlias,
  lockEmail,
  makePrimary,
  removeAlias,
  rethrowAddressTaken,
  touchEmail,
  updateAddress,
} from './queries.ts'
import type { Email } from './schemas.ts'

export interface EmailDeps {
  readonly publicUrl: string
  /**
   * Marks a teammate as changed and locks the row; false if it does not exist. Lock order: the teammate is always
   * locked before an address, here and in the teammates feature, so transactions cannot deadlock.
   */
  readonly lockTeammate: (tx: Db, workspaceId: string, id: string) => Promise<boolean>
  /** Called last in the transaction of every change of teammates or addresses. */
  readonly onPeopleChange: OnPeopleChange
}

export type OnPeopleChange = (
  tx: Db,
  workspaceId: string,
  teammateIds: readonly string[],
  newEmailIds?: readonly string[],
) => Promise<void>

const announceAddresses = (tx: Db, { workspaceId }: Caller, teammateId: string): Promise<void> =>
  announce(tx, workspaceId, 'teammate.updated', [{ id: teammateId, changed: ['emails'] }])

interface AliasInput {
  readonly teammate_id: string
  readonly address: string
}

export const createAlias = (db: Db, by: Caller, input: AliasInput, deps: EmailDeps): Promise<Email> =>
  db.transaction(async tx => {
    await refuseIfManagedByDirectory(tx, by, deps.publicUrl)
    if (!(await deps.lockTeammate(tx, by.workspaceId, input.teammate_id))) {
      throw invalid('teammate_id', 'unknown_reference')
    }
    const { teammate_id, address } = input
    const alias = await insertAlias(tx, by, teammate_id, address).catch(rethrowAddressTaken('address'))
    await announceAddresses(tx, by, teammate_id)
    await deps.onPeopleChange(tx, by.workspaceId, [teammate_id], [alias.id])
    return alias
  })

async function lockEmailAndTeammate(tx: Db, by: Caller, id: string, deps: EmailDeps): Promise<Email> {
  const { teammate_id } = orNotFound(await findEmail(tx, by.workspaceId, id))
  await deps.lockTeammate(tx, by.workspaceId, teammate_id)
  return orNotFound(await lockEmail(tx, by.workspaceId, id))
}

export const changeEmail = (
  db: Db,
  by: Caller,
  id: string,
  patch: { readonly address?: string; readonly primary?: boolean },
  deps: EmailDeps,
): Promise<Email> =>
  db.transaction(async tx => {
    if (patch.address === undefined && patch.primary === undefined)
      return orNotFound(await findEmail(tx, by.workspaceId, id))
    const email = await lockEmailAndTeammate(tx, by, id, deps)
    await refuseIfManagedByDirectory(tx, by, deps.publicUrl)
    if (patch.primary === false && email.primary) {
      throw invalid('primary', 'invalid', {
        message: 'primary cannot be taken away: make another address the primary instead',
      })
    }
    if (patch.address !== undefined) {
      await updateAddress(tx, by.workspaceId, id, patch.address).catch(rethrowAddressTaken('address'))
    }
    if (patch.primary && !email.primary) await makePrimary(tx, by.workspaceId, email)
    await touchEmail(tx, by, id)
    await announceAddresses(tx, by, email.teammate_id)
    await deps.onPeopleChange(tx, by.workspaceId, [email.teammate_id])
    return orNotFound(await findEmail(tx, by.workspaceId, id))
  })

export const deleteEmail = (db: Db, by: Caller, id: string, deps: EmailDeps): Promise<void> =>
  db.transaction(async tx => {
    const email = await lockEmailAndTeammate(tx, by, id, deps)
    await refuseIfManagedByDirectory(tx, by, deps.publicUrl)
    if (email.primary) throw apiError('primary_email')
    await removeAlias(tx, by, id)
    await announceAddresses(tx, by, email.teammate_id)
    await deps.onPeopleChange(tx, by.workspaceId, [email.teammate_id])
  })
