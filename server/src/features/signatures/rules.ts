import type { Content } from '@signoff/render'
import { saveLabel } from '#features/analytics/index.ts'
import { acceptContent, dropReferences, referencesOf, saveReferences } from '#features/content/index.ts'
import type { Db } from '#kernel/db.ts'
import { ApiError, type Detail, detail, orNotFound, validationError } from '#kernel/errors.ts'
import type { Caller } from '#kernel/scopes.ts'
import {
  findSignature,
  insertSignature,
  lockFolder,
  lockForDeletion,
  lockSignature,
  removeSignature,
  type Signature,
  updateSignature,
} from './queries.ts'
import type { SignatureInput, SignaturePatch } from './schemas.ts'

/**
 * Told in the transaction of every change of what addresses get: whether, what, and before which other signature.
 * Of a signature that is deleted it is told before, while its recipients are still known.
 */
export type OnSignatureChange = (
  tx: Db,
  what: {
    readonly workspaceId: string
    readonly signatureId: string
    /** When no others are concerned. */
    readonly emailIds?: readonly string[]
    /** It is being deleted. */
    readonly isGoing?: true
  },
) => Promise<void>

/** What a draft that was sent becomes: undefined and null stay what they are. */
export async function acceptDraft<T extends Content | null | undefined>(
  tx: Db,
  workspaceId: string,
  sent: T,
): Promise<Content | Exclude<T, Content>> {
  if (sent === null || sent === undefined) return sent as Exclude<T, Content>
  return (await acceptContent(tx, workspaceId, sent, { field: 'draft_content' })).content
}

const draftProblems = (error: unknown): readonly Detail[] => {
  if (error instanceof ApiError && error.details) return error.details
  throw error
}

/** The folder and the draft, with the problems of both. */
async function accept(
  tx: Db,
  workspaceId: string,
  { folder_id, draft_content }: Pick<SignaturePatch, 'folder_id' | 'draft_content'>,
): Promise<Content | null | undefined> {
  const isUnknown = typeof folder_id === 'string' && !(await lockFolder(tx, workspaceId, folder_id))
  const inFolder = isUnknown ? [detail('folder_id', 'unknown_reference')] : []
  let inDraft: readonly Detail[] = []
  const draft = await acceptDraft(tx, workspaceId, draft_content).catch(error => {
    inDraft = draftProblems(error)
    return null
  })
  if (inFolder.length + inDraft.length > 0) throw validationError([...inFolder, ...inDraft])
  return draft
}

/** All that the signature itself shows now, or may show after the next publish. */
export const saveSignatureReferences = (
  tx: Db,
  workspaceId: string,
  { id, content, draft_content }: Pick<Signature, 'id' | 'content' | 'draft_content'>,
): Promise<void> =>
  saveReferences(tx, workspaceId, { kind: 'signature', id, signatureId: id }, [
    ...referencesOf(content),
    ...referencesOf(draft_content),
  ])

export async function createSignature(db: Db, by: Caller, input: SignatureInput): Promise<Signature> {
  const { name, folder_id = null, priority } = input
  return db.transaction(async tx => {
    const draftContent = (await accept(tx, by.workspaceId, input)) ?? null
    const fresh = { name, draftContent, folderId: folder_id, priority }
    const signature = await insertSignature(tx, by, fresh, 'signature.created')
    if (draftContent) await saveSignatureReferences(tx, by.workspaceId, signature)
    return signature
  })
}

export async function changeSignature(
  db: Db,
  by: Caller,
  id: string,
  patch: SignaturePatch,
  changed: OnSignatureChange,
): Promise<Signature> {
  const { workspaceId } = by
  if (Object.keys(patch).length === 0) return orNotFound(await findSignature(db, workspaceId, id))
  const { name, folder_id: folderId, priority } = patch
  return db.transaction(async tx => {
    const before = orNotFound(await lockSignature(tx, workspaceId, id))
    const draftContent = await accept(tx, workspaceId, patch)
    const after = await updateSignature(tx, by, id, { name, folderId, priority, draftContent })
    if (draftContent !== undefined) await saveSignatureReferences(tx, workspaceId, after)
    if (after.priority !== before.priority) await changed(tx, { workspaceId, signatureId: after.id })
    return after
  })
}

export interface DeleteDeps {
  readonly onChange: OnSignatureChange
  /** Comes before the lock on the signature: nobody is made a recipient of it meanwhile. */
  readonly lockRecipients: (tx: Db, workspaceId: string) => Promise<unknown>
  /** Told while it is still there. */
  readonly beforeDelete: (tx: Db, by: Caller, signatureId: string) => Promise<unknown>
}

export async function deleteSignature(
  db: Db,
  by: Caller,
  id: string,
  { onChange: changed, lockRecipients: holdRecipients, beforeDelete: goes }: DeleteDeps,
): Promise<void> {
  const { workspaceId } = by
  await db.transaction(async tx => {
    await holdRecipients(tx, workspaceId)
    const { id: signatureId, name, content } = orNotFound(await lockForDeletion(tx, workspaceId, id))
    await saveLabel(tx, workspaceId, 'signature_template', signatureId, name)
    if (content) await changed(tx, { workspaceId, signatureId, isGoing: true })
    await goes(tx, by, signatureId)
    await dropReferences(tx, workspaceId, signatureId)
    await removeSignature(tx, by, signatureId)
  })
}
