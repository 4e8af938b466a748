// The company on the page: its name, its logo and its colour, which is made readable on light and on dark paper.
import { type FittedPicture, findAssets, fittedPicture } from '#features/content/assets/index.ts'
import { accentStyle, findBrand } from '#features/content/brand/index.ts'
import { mailIdentityOf } from '#features/workspace/workspaces/index.ts'
import type { Db } from '#kernel/db/db.ts'

export interface PageLook {
  readonly company: string
  readonly logo: FittedPicture | null
  /** CSS: the accent on light and on dark paper, and the labels on it. */
  readonly colors: string
}

/** As high as two lines of text; wide logos become less high. */
const logoBox = { width: 176, height: 44 }

export async function lookOf(db: Db, workspaceId: string, publicUrl: string): Promise<PageLook> {
  const [identity, brand] = await Promise.all([mailIdentityOf(db, workspaceId), findBrand(db, workspaceId)])
  const { logo_asset_id } = brand
  const [asset] = logo_asset_id ? await findAssets(db, workspaceId, publicUrl, [logo_asset_id]) : []
  const company = identity?.name ?? ''
  const colors = accentStyle(brand.colors.primary)
  if (!asset) return { company, logo: null, colors }
  return { company, logo: fittedPicture(asset, logoBox), colors }
}
