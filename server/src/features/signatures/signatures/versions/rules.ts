import type { Caller } from '#kernel/api/scopes.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { lockSignature, restoreDraft, type Signature } from '../queries.ts'
import { saveSignatureReferences } from '../rules.ts'
import { findVersion } from './queries.ts'

/** Restores the content unchanged. References to things that were deleted since render as empty. */
export async function restoreVersion(
  db: Db,
  by: Caller,
  signatureId: string,
  versionId: string,
): Promise<Signature> {
  return db.transaction(async tx => {
    orNotFound(await lockSignature(tx, by.workspaceId, signatureId))
    const { content, number } = orNotFound(await findVersion(tx, by.workspaceId, signatureId, versionId))
    const restored = await restoreDraft(tx, by, signatureId, content, `Restored from version ${number}`)
    await saveSignatureReferences(tx, by.workspaceId, restored)
    return restored
  })
}
