// The import of a signature: converts it, loads its pictures, and stores them as assets.
import { randomUUID } from 'node:crypto'
import type { Content, Person } from '@signoff/render'
import { type AssetDeps, keepPicture } from '#features/content/assets/index.ts'
import type { ContactCards } from '#features/content/contact-cards/index.ts'
import { acceptContent, personAt, renderPreview } from '#features/content/content/index.ts'
import { type SmartField, smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import type { ReserveMemory } from '#kernel/api/body.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { invalid } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { type ConvertedHtml, convertHtml } from './convert.ts'
import { type FilledField, type RecognisedField, recogniseFields } from './fields.ts'
import { insertPictures, type PictureSlot } from './insert-pictures.ts'
import { type Draft, stackOf } from './layout/draft.ts'
import type { ImportNote } from './notes.ts'
import { type LoadedPicture, loadPictures } from './pictures.ts'
import type { ContentImportInput } from './schemas.ts'

export interface ContentImportDeps extends AssetDeps {
  readonly cards: ContactCards
}

interface PreparedImport {
  readonly converted: ConvertedHtml
  readonly pictures: readonly LoadedPicture[]
  readonly filled: readonly FilledField[]
}

interface ImportedContent {
  readonly content: Content
  readonly warnings: readonly object[]
  readonly fields: readonly RecognisedField[]
  readonly not_mapped: readonly ImportNote[]
}

const filledFields = (fields: readonly SmartField[], person: Person): FilledField[] =>
  fields.flatMap(field => {
    const value = person[field.id]
    return value ? [{ field, value }] : []
  })

/** The slow part: reads the HTML and loads its pictures. Holds no database connection. */
export async function prepareImport(
  db: Db,
  workspaceId: string,
  { html, email_id }: ContentImportInput,
  deps: Pick<AssetDeps, 'store' | 'fetchPublic'> & ReserveMemory,
): Promise<PreparedImport> {
  const fields = email_id === undefined ? [] : await smartFieldsOf(db, workspaceId)
  const person = email_id === undefined ? {} : await personAt(db, workspaceId, email_id, fields)
  if (!person) throw invalid('email_id', 'unknown_reference')
  const converted = await convertHtml(html)
  const pictures = await loadPictures(db, workspaceId, converted.sources, deps)
  return { converted, pictures, filled: filledFields(fields, person) }
}

/** Stores the pictures as assets and completes the content, in one transaction. */
export const finishImport = (
  db: Db,
  by: Caller,
  { email_id }: ContentImportInput,
  { converted, pictures, filled }: PreparedImport,
  { publicUrl, cards }: Pick<ContentImportDeps, 'publicUrl' | 'cards'>,
): Promise<ImportedContent> =>
  db.transaction(async tx => {
    const { sources, notes } = converted
    const slots: PictureSlot[] = []
    for (const [at, source] of sources.entries()) {
      const picture = pictures[at]
      const asset = picture?.ok ? await keepPicture(tx, by, picture.asset, null, publicUrl) : null
      slots.push({
        source,
        assetId: asset?.id ?? null,
        problem: picture?.ok === false ? picture.problem : '',
      })
    }
    // A copy: the transaction can run again.
    const copy: Draft = structuredClone(converted.root)
    const root = insertPictures(copy, slots, notes) ?? stackOf([])
    const fields = await recogniseFields(root, filled, randomUUID, notes)
    const accepted = await acceptContent(tx, by.workspaceId, root, { field: 'content' })
    const emailId = email_id ?? null
    const preview = await renderPreview(tx, {
      workspaceId: by.workspaceId,
      publicUrl,
      cards,
      ...accepted,
      emailId,
    })
    return { content: accepted.content, warnings: preview?.warnings ?? [], fields, not_mapped: notes.list() }
  })
