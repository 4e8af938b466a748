// Content in its workspace: validates it, checks its references, and loads the data that the renderer needs.
import { randomUUID } from 'node:crypto'
import {
  type AssetSource,
  type Content,
  type ContentReference,
  exampleContent,
  fillIds,
  type Surroundings,
  validateContent,
} from '@signoff/render'
import {
  findAssets,
  portraitDrawer,
  renditionOf,
  type StoredAsset,
  unknownAssets,
} from '#features/content/assets/index.ts'
import { iconUrl } from '#features/content/icons/index.ts'
import { lockFieldsForShare, type SmartField, smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { uuid } from '#kernel/api/validation.ts'
import { type Detail, detail, validationError } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { knownCampaigns } from './queries.ts'

interface AcceptedContent {
  /** Every block and token has an id. */
  readonly content: Content
  readonly references: readonly ContentReference[]
}

interface AcceptOptions {
  /** The name of the API field that contains the content. */
  readonly field: string
  readonly isCampaign?: boolean
}

/** Returns the content as it is to be stored. Throws one error with all problems. */
export async function acceptContent(
  tx: Db,
  workspaceId: string,
  input: unknown,
  options: AcceptOptions,
): Promise<AcceptedContent> {
  const { problems, references } = validateContent(input, options)
  const fieldIds = idsIn(references, 'smart_field')
  await lockFieldsForShare(tx, workspaceId, fieldIds)
  const fields = fieldIds.length > 0 ? await smartFieldsOf(tx, workspaceId) : []
  const unknown = await unknownReferences(tx, workspaceId, references, fields)
  const kinds = new Map(fields.map(field => [field.id, field.kind]))
  const wrongKind = references.filter(({ id, fieldKind }) => {
    const kind = kinds.get(id.toLowerCase())
    return fieldKind !== undefined && kind !== undefined && kind !== fieldKind
  })
  const details: readonly Detail[] = [
    ...problems.map(({ field, code, message, ...more }) =>
      detail(field, code, { ...more, message: `${field} ${message}` }),
    ),
    ...unknown.map(({ field }) => detail(field, 'unknown_reference')),
    ...wrongKind.map(({ field }) =>
      detail(field, 'invalid', { message: `${field} must be a smart field for images` }),
    ),
  ]
  if (details.length > 0) throw validationError(details)
  return { content: fillIds(input as Content, randomUUID), references }
}

async function unknownReferences(
  tx: Db,
  workspaceId: string,
  references: readonly ContentReference[],
  knownFields: readonly SmartField[],
): Promise<readonly ContentReference[]> {
  const assets = idsIn(references, 'asset')
  const unknownAssetIds = new Set(assets.length === 0 ? [] : await unknownAssets(tx, workspaceId, assets))
  const campaignIds = await knownCampaigns(tx, workspaceId, idsIn(references, 'campaign'))
  const fieldIds = new Set(knownFields.map(field => field.id))
  const isKnown: Readonly<Record<ContentReference['kind'], (id: string) => boolean>> = {
    smart_field: id => fieldIds.has(id),
    asset: id => !unknownAssetIds.has(id),
    campaign: id => campaignIds.has(id),
  }
  return references.filter(({ kind, id }) => !uuid.test(id) || !isKnown[kind](id.toLowerCase()))
}

/** Distinct ids in lower case; invalid UUIDs are left out. */
const idsIn = (references: readonly ContentReference[], kind: ContentReference['kind']): string[] => [
  ...new Set(
    references
      .filter(reference => reference.kind === kind && uuid.test(reference.id))
      .map(reference => reference.id.toLowerCase()),
  ),
]

/** The references of stored content. */
export const referencesOf = (content: Content | null): readonly ContentReference[] =>
  content === null ? [] : validateContent(content, { field: 'content' }).references

/** The data of the workspace that the renderer needs for this content. */
export async function surroundingsOf(
  db: Db,
  workspaceId: string,
  publicUrl: string,
  fields: readonly SmartField[],
  references: readonly ContentReference[],
): Promise<Surroundings> {
  const ids = idsIn(references, 'asset')
  const assets = ids.length === 0 ? [] : await findAssets(db, workspaceId, publicUrl, ids)
  const byId = new Map(assets.map(asset => [asset.id, asset]))
  return {
    fields: new Map(fields.map(({ id, kind, fallback }) => [id, { kind, fallback }])),
    assets: new Map(assets.map(asset => [asset.id, assetSourceOf(asset)])),
    assetUrl(id, box) {
      const asset = byId.get(id)
      return asset ? renditionOf(asset, box).url : ''
    },
    campaigns: await knownCampaigns(db, workspaceId, idsIn(references, 'campaign')),
    ownAddress: publicUrl,
    iconUrl: icon => iconUrl(publicUrl, icon),
    personPicture: portraitDrawer(publicUrl, workspaceId),
  }
}

const assetSourceOf = ({ width, height, byte_size, content_type }: StoredAsset): AssetSource => ({
  width,
  height,
  bytes: byte_size,
  contentType: content_type,
})

/** The example content, with the smart fields of this workspace. */
export function exampleContentFor(fields: readonly SmartField[]): Content {
  const id = (key: string): string => fields.find(field => field.key === key)?.id ?? ''
  return exampleContent({
    firstName: id('first_name'),
    lastName: id('last_name'),
    jobTitle: id('job_title'),
    company: id('company'),
    workPhone: id('work_phone'),
    email: id('email'),
    calendarLink: id('calendar_link'),
    profilePicture: id('profile_picture'),
  })
}
