import type { Db } from '#kernel/db.ts'
import { found } from '#kernel/errors.ts'
import type { Caller } from '#kernel/scopes.ts'
import { lockSignature, restoreDraft, type Signature } from '../queries.ts'
import { keepSignatureReferences } from '../rules.ts'
import { findVersion } from './queries.ts'

/** As it was then: what it refers to and has gone since renders as empty. */
export async function restoreVersion(
  db: Db,
  by: Caller,
  signatureId: string,
  versionId: string,
): Promise<Signature> {
  return db.transaction(async tx => {
    found(await lockSignature(tx, by.workspaceId, signatureId))
    const { content, number } = found(await findVersion(tx, by.workspaceId, signatureId, versionId))
    const restored = await restoreDraft(tx, by, signatureId, content, `Restored from version ${number}`)
    await keepSignatureReferences(tx, by.workspaceId, restored)
    return restored
  })
}
