import { randomUUID } from 'node:crypto'
import { type Content, fillIds } from '@signoff/render'
import { findAssets } from '#features/content/assets/index.ts'
import {
  type Brand,
  type BrandPatch,
  findBrand,
  lockBrandForShare,
  patchedBrand,
} from '#features/content/brand/index.ts'
import { referencesOf } from '#features/content/content/index.ts'
import { builtInFields, type SmartField, smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import type { Db } from '#kernel/db/db.ts'
import { shownBrand } from './bounds.ts'
import type { Design, FieldIds, FontFamily, Kit, Logo } from './design.ts'
import { designs } from './designs/index.ts'
import { paletteOf } from './palette.ts'

const designById = new Map(designs.map(design => [design.id, design]))
export const templateIds: readonly string[] = designs.map(design => design.id)

const fieldIdsOf = (fields: readonly SmartField[]): FieldIds =>
  Object.fromEntries(
    builtInFields.map(({ key }) => [key, fields.find(field => field.key === key)?.id ?? '']),
  ) as FieldIds

export const kitOf = (brand: Brand, fields: FieldIds, logo: Logo | null): Kit => ({
  ...shownBrand(brand),
  fields,
  palette: paletteOf(brand.colors),
  font: (brand.font_family ?? undefined) as FontFamily | undefined,
  logo,
})

async function loadKit(
  db: Db,
  workspaceId: string,
  brand: Brand,
  fields: readonly SmartField[],
): Promise<Kit> {
  const ids = brand.logo_asset_id === null ? [] : [brand.logo_asset_id]
  const [logo = null] = ids.length === 0 ? [] : await findAssets(db, workspaceId, '', ids)
  return kitOf(brand, fieldIdsOf(fields), logo)
}

/** The labels of the smart fields in the content, in the order of the workspace. */
function labelsIn(content: Content, fields: readonly SmartField[]): readonly string[] {
  const ids = new Set(referencesOf(content).map(({ id }) => id))
  return fields.filter(field => ids.has(field.id)).map(field => field.label)
}

export interface FilledTemplate extends Omit<Design, 'build' | 'isDrawnWithBanner'> {
  readonly content: Content
  readonly fields: readonly string[]
}

/** The templates of these designs, filled with the brand (after `patch`) and the smart fields of the workspace. */
export async function fillTemplates(
  db: Db,
  workspaceId: string,
  chosen: readonly Design[] = designs,
  patch: BrandPatch = {},
): Promise<readonly FilledTemplate[]> {
  const fields = await smartFieldsOf(db, workspaceId)
  const brand = patchedBrand(await findBrand(db, workspaceId), patch)
  const kit = await loadKit(db, workspaceId, brand, fields)
  return chosen.map(({ build, isDrawnWithBanner: _, ...design }) => {
    const content = build(kit)
    return { ...design, content, fields: labelsIn(content, fields) }
  })
}

export const findDesign = (id: string): Design | undefined => designById.get(id)

/**
 * The first draft of a signature, with ids; undefined for an unknown template. The brand stays locked, so its logo is in
 * use until the references of the draft are stored. Built-in smart fields cannot be deleted.
 */
export async function draftFromTemplate(
  tx: Db,
  workspaceId: string,
  templateId: string,
): Promise<Content | undefined> {
  const design = designById.get(templateId)
  if (!design) return undefined
  const brand = await lockBrandForShare(tx, workspaceId)
  const kit = await loadKit(tx, workspaceId, brand, await smartFieldsOf(tx, workspaceId))
  return fillIds(design.build(kit), randomUUID)
}
