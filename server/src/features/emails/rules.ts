import type { Db } from '../../kernel/db.ts'
import { apiError, found, invalid } from '../../kernel/errors.ts'
import type { Caller } from '../../kernel/scopes.ts'
import { refuseIfDirectoryDriven } from '../integrations/index.ts'
import {
  addressTaken,
  type Email,
  findEmail,
  insertAlias,
  lockEmail,
  makePrimary,
  removeAlias,
  touchEmail,
  updateAddress,
} from './queries.ts'

export interface Settings {
  readonly publicUrl: string
}

export async function createAlias(
  db: Db,
  by: Caller,
  input: { teammate_id: string; address: string },
  settings: Settings,
): Promise<Email> {
  return db.transaction(async tx => {
    await refuseIfDirectoryDriven(tx, by.workspaceId, settings.publicUrl)
    const email = await insertAlias(tx, by, input.teammate_id, input.address).catch(addressTaken('address'))
    if (!email) throw invalid('teammate_id', 'unknown_reference')
    return email
  })
}

interface Patch {
  readonly address?: string
  readonly primary?: boolean
}

export async function changeEmail(
  db: Db,
  by: Caller,
  id: string,
  patch: Patch,
  settings: Settings,
): Promise<Email> {
  return db.transaction(async tx => {
    const email = found(await lockEmail(tx, by.workspaceId, id))
    if (patch.address === undefined && patch.primary === undefined) return email
    await refuseIfDirectoryDriven(tx, by.workspaceId, settings.publicUrl)
    if (patch.primary === false && email.primary) {
      throw invalid('primary', 'invalid', {
        message: 'primary cannot be taken away: make another address the primary instead',
      })
    }
    if (patch.address !== undefined)
      await updateAddress(tx, by.workspaceId, id, patch.address).catch(addressTaken('address'))
    if (patch.primary && !email.primary) await makePrimary(tx, by.workspaceId, email)
    await touchEmail(tx, by, id)
    return found(await findEmail(tx, by.workspaceId, id))
  })
}

export async function deleteEmail(db: Db, by: Caller, id: string, settings: Settings): Promise<void> {
  await db.transaction(async tx => {
    const email = found(await lockEmail(tx, by.workspaceId, id))
    await refuseIfDirectoryDriven(tx, by.workspaceId, settings.publicUrl)
    if (email.primary) throw apiError('primary_email')
    await removeAlias(tx, by, id)
  })
}
