import type { Caller } from '#kernel/api/scopes.ts'
import { invalid, orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { insertSignature, lockFolder, lockSignature } from './queries.ts'
import { saveSignatureReferences } from './rules.ts'
import type { DuplicateInput, Signature } from './schemas.ts'
import { copyVariants } from './variants/rules.ts'

const suffix = ' (Copy)'
const maxNameLength = 200

/** Cuts by code points, as the validation of names counts, so no surrogate pair is split. */
const nameOfCopy = (name: string): string =>
  [...name].slice(0, maxNameLength - suffix.length).join('') + suffix

/** Creates a signature without recipients; its draft is the newest layout of this one. */
export async function duplicateSignature(
  db: Db,
  by: Caller,
  id: string,
  { name, folder_id }: DuplicateInput,
): Promise<Signature> {
  const { workspaceId } = by
  return db.transaction(async tx => {
    const original = orNotFound(await lockSignature(tx, workspaceId, id))
    if (typeof folder_id === 'string' && !(await lockFolder(tx, workspaceId, folder_id)))
      throw invalid('folder_id', 'unknown_reference')
    const copy = await insertSignature(
      tx,
      by,
      {
        name: name ?? nameOfCopy(original.name),
        draftContent: original.draft_content ?? original.content,
        folderId: folder_id === undefined ? original.folder_id : folder_id,
      },
      'signature.duplicated',
    )
    await saveSignatureReferences(tx, workspaceId, copy)
    await copyVariants(tx, workspaceId, original.id, copy.id)
    return copy
  })
}
