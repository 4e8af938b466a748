import type { Content } from '@signoff/render'
import type { TObject } from 'typebox'
import {
  acceptContent,
  dropReferences,
  referencesOf,
  saveReferences,
} from '#features/content/content/index.ts'
import { draftFromTemplate } from '#features/content/templates/index.ts'
import { saveLabel } from '#features/measurement/analytics/index.ts'
import { announce } from '#features/workspace/webhooks/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { propertyPicker } from '#kernel/api/validation.ts'
import {
  type Detail,
  detail,
  invalid,
  orNotFound,
  problemsThrownBy,
  validationError,
} from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import {
  findSignature,
  insertSignature,
  lockFolder,
  lockForDeletion,
  lockSignature,
  removeSignature,
  restoreDraft,
  updateSignature,
} from './queries.ts'
import type { Signature, SignatureInput, SignaturePatch } from './schemas.ts'
import { findVersion } from './versions/queries.ts'

/**
 * Called in the transaction of every change that affects what addresses get: activation, content or priority. For a
 * deletion it is called before, while the recipients still exist.
 */
export type OnSignatureChange = (
  tx: Db,
  change: {
    readonly workspaceId: string
    readonly signatureId: string
    /** Set when the change concerns only these addresses. */
    readonly emailIds?: readonly string[]
    /** The signature is being deleted. */
    readonly isBeingDeleted?: true
  },
) => Promise<void>

/** Validates a sent draft and returns the content to store; undefined and null pass unchanged. */
export async function acceptDraft<T extends Content | null | undefined>(
  tx: Db,
  workspaceId: string,
  sent: T,
): Promise<Content | Exclude<T, Content>> {
  if (sent === null || sent === undefined) return sent as Exclude<T, Content>
  return (await acceptContent(tx, workspaceId, sent, { field: 'draft_content' })).content
}

async function draftFrom(tx: Db, workspaceId: string, template: string): Promise<Content> {
  const content = await draftFromTemplate(tx, workspaceId, template)
  if (content === undefined) {
    const message = `template_id: there is no template ${JSON.stringify(template)}; GET /v1/templates lists them`
    throw invalid('template_id', 'unknown_reference', { message })
  }
  return content
}

type FolderAndDraft = Pick<SignatureInput, 'folder_id' | 'draft_content' | 'template_id'>

/** Checks folder, draft and template, and reports the problems of all in one error. Returns the draft to store. */
async function checkFolderAndDraft(
  tx: Db,
  workspaceId: string,
  { folder_id, draft_content, template_id }: FolderAndDraft,
): Promise<Content | null | undefined> {
  const problems: Detail[] = []
  if (typeof folder_id === 'string' && !(await lockFolder(tx, workspaceId, folder_id)))
    problems.push(detail('folder_id', 'unknown_reference'))
  if (template_id !== undefined && draft_content !== undefined) {
    const message = 'template_id cannot stand beside draft_content'
    problems.push(detail('template_id', 'invalid', { message }))
  }
  let draft: Content | null | undefined
  const acceptAny = async () => {
    draft =
      template_id === undefined || draft_content !== undefined
        ? await acceptDraft(tx, workspaceId, draft_content)
        : await draftFrom(tx, workspaceId, template_id)
  }
  problems.push(...(await problemsThrownBy(acceptAny)))
  if (problems.length > 0) throw validationError(problems)
  return draft
}

/** The problems that only the database knows, of a body with other problems. */
export function storedSignatureProblems(
  schema: TObject,
): (db: Db, workspaceId: string, body: object) => Promise<readonly Detail[]> {
  const pickValid = propertyPicker(schema)
  return (db, workspaceId, body) =>
    problemsThrownBy(() => db.transaction(tx => checkFolderAndDraft(tx, workspaceId, pickValid(body))))
}

/** Stores the references of the published content and of the draft. */
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
    const draftContent = (await checkFolderAndDraft(tx, by.workspaceId, input)) ?? null
    const row = { name, draftContent, folderId: folder_id, priority }
    const signature = await insertSignature(tx, by, row, 'signature.created')
    if (draftContent) await saveSignatureReferences(tx, by.workspaceId, signature)
    return signature
  })
}

export async function changeSignature(
  db: Db,
  by: Caller,
  id: string,
  patch: SignaturePatch,
  onChange: OnSignatureChange,
): Promise<Signature> {
  const { workspaceId } = by
  if (Object.keys(patch).length === 0) return orNotFound(await findSignature(db, workspaceId, id))
  const { name, folder_id: folderId, priority } = patch
  return db.transaction(async tx => {
    const before = orNotFound(await lockSignature(tx, workspaceId, id))
    const draftContent = await checkFolderAndDraft(tx, workspaceId, patch)
    const after = await updateSignature(tx, by, id, { name, folderId, priority, draftContent })
    if (draftContent !== undefined) await saveSignatureReferences(tx, workspaceId, after)
    if (after.priority !== before.priority) await onChange(tx, { workspaceId, signatureId: after.id })
    return after
  })
}

export interface DeleteDeps {
  readonly onChange: OnSignatureChange
  /** Called before the signature is locked: no recipient can be added until the transaction ends. */
  readonly lockRecipients: (tx: Db, workspaceId: string) => Promise<unknown>
  /** Called while the signature still exists. */
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
    const {
      id: signatureId,
      name,
      content,
      ...signature
    } = orNotFound(await lockForDeletion(tx, workspaceId, id))
    await saveLabel(tx, workspaceId, 'signature_template', signatureId, name)
    if (content) await changed(tx, { workspaceId, signatureId, isBeingDeleted: true })
    await goes(tx, by, signatureId)
    await dropReferences(tx, workspaceId, signatureId)
    await removeSignature(tx, by, signatureId)
    if (signature.signature_installation_activated)
      await announce(tx, workspaceId, 'signature.deactivated', [{ id: signatureId, name, deleted: true }])
  })
}

/** Restores the content unchanged. References to things that were deleted since render as empty. */
export const restoreVersion = async (
  db: Db,
  by: Caller,
  signatureId: string,
  versionId: string,
): Promise<Signature> =>
  db.transaction(async tx => {
    orNotFound(await lockSignature(tx, by.workspaceId, signatureId))
    const { content, number } = orNotFound(await findVersion(tx, by.workspaceId, signatureId, versionId))
    const restored = await restoreDraft(tx, by, signatureId, content, `Restored from version ${number}`)
    await saveSignatureReferences(tx, by.workspaceId, restored)
    return restored
  })
