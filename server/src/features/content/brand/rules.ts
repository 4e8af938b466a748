import { unknownAssets } from '#features/content/assets/index.ts'
import { saveReferences } from '#features/content/content/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { invalid } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { findBrand, lockBrand, updateBrand } from './queries.ts'
import type { Brand, BrandPatch } from './schemas.ts'

export interface BrandDeps {
  /** Runs last in the transaction that changes the website: QR codes of contact cards contain it. */
  readonly onWebsiteChange: (tx: Db, workspaceId: string) => Promise<unknown>
}

/** The brand after the change. Colours that are left out stay as they are. */
export const patchedBrand = (brand: Brand, patch: BrandPatch): Brand => ({
  ...brand,
  ...patch,
  colors: { ...brand.colors, ...patch.colors },
})

/**
 * Changes what is sent; null clears. The logo is recorded as a reference, so the asset counts as in use and its file is
 * served even after the asset is deleted.
 */
export async function changeBrand(
  db: Db,
  by: Caller,
  patch: BrandPatch,
  { onWebsiteChange }: BrandDeps,
): Promise<Brand> {
  const { workspaceId } = by
  if (Object.keys(patch).length === 0) return findBrand(db, workspaceId)
  return db.transaction(async tx => {
    const before = await lockBrand(tx, workspaceId)
    const logo = patch.logo_asset_id === undefined ? before.logo_asset_id : patch.logo_asset_id
    const isNewLogo = logo !== null && logo.toLowerCase() !== before.logo_asset_id
    if (isNewLogo && (await unknownAssets(tx, workspaceId, [logo])).length > 0)
      throw invalid('logo_asset_id', 'unknown_reference')
    const after = await updateBrand(tx, by, { ...patchedBrand(before, patch), logo_asset_id: logo })
    const holder = { kind: 'brand', id: workspaceId, signatureId: null } as const
    await saveReferences(tx, workspaceId, holder, logo === null ? [] : [{ kind: 'asset', id: logo }])
    if (after.website !== before.website) await onWebsiteChange(tx, workspaceId)
    return after
  })
}
