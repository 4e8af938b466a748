import { referencesOf, saveReferences } from '#features/content/index.ts'
import type { Db } from '#kernel/db.ts'
import { invalid, orNotFound } from '#kernel/errors.ts'
import { newRow } from '#kernel/ids.ts'
import type { Caller } from '#kernel/scopes.ts'
import { activate, deactivate, lockSignature, type Signature } from './queries.ts'
import { type OnSignatureChange, saveSignatureReferences } from './rules.ts'
import { insertVersion } from './versions/queries.ts'

/** The draft goes live and a version of it is kept. Without a draft, what was published before goes live again. */
export async function publishSignature(
  db: Db,
  by: Caller,
  id: string,
  changed: OnSignatureChange,
): Promise<Signature> {
  const { workspaceId } = by
  return db.transaction(async tx => {
    const before = orNotFound(await lockSignature(tx, workspaceId, id))
    if (!before.draft_content && !before.content) throw invalid('draft_content', 'blank')
    const published = before.draft_content
      ? await publishDraft(tx, by, before.id)
      : await activate(tx, by, before.id, null)
    await changed(tx, { workspaceId, signatureId: before.id })
    return published
  })
}

async function publishDraft(tx: Db, by: Caller, signatureId: string): Promise<Signature> {
  const { id, now } = newRow()
  await insertVersion(tx, by, { id, signatureId, publishedAt: now })
  const published = await activate(tx, by, signatureId, now)
  const version = { kind: 'version', id, signatureId } as const
  await saveReferences(tx, by.workspaceId, version, referencesOf(published.content))
  await saveSignatureReferences(tx, by.workspaceId, published)
  return published
}

/** Recipients fall to their next signature. */
export async function deactivateSignature(
  db: Db,
  by: Caller,
  id: string,
  changed: OnSignatureChange,
): Promise<Signature> {
  const { workspaceId } = by
  return db.transaction(async tx => {
    const { id: signatureId } = orNotFound(await lockSignature(tx, workspaceId, id))
    const deactivated = await deactivate(tx, by, signatureId)
    await changed(tx, { workspaceId, signatureId })
    return deactivated
  })
}
