import type { Db } from '#kernel/db.ts'
import { invalid, orNotFound } from '#kernel/errors.ts'
import type { Caller } from '#kernel/scopes.ts'
import { insertSignature, lockFolder, lockSignature, type Signature } from './queries.ts'
import { saveSignatureReferences } from './rules.ts'
import type { DuplicateInput } from './schemas.ts'
import { copyVariants } from './variants/rules.ts'

const suffix = ' (Copy)'
const longest = 200

/** Counted as names are: by characters, not by halves of them. */
const copyOf = (name: string): string => [...name].slice(0, longest - suffix.length).join('') + suffix

/** A new signature that nobody gets yet, with the newest layout of this one as its draft. */
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
        name: name ?? copyOf(original.name),
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
