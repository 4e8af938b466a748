// The icons of the add-in: the logo of the company, or the mark of this product.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LogoIconOf } from '#features/content/assets/index.ts'
import { findBrand } from '#features/content/brand/index.ts'
import type { Db } from '#kernel/db/db.ts'
import { type IconSide, iconSides } from './manifests/facts.ts'

const ownIcons = new Map<IconSide, Buffer>(
  iconSides.map(side => [side, readFileSync(join(import.meta.dirname, 'icons', `${side}.png`))]),
)

export async function addInIcon(
  db: Db,
  workspaceId: string,
  side: IconSide,
  logoIconOf: LogoIconOf,
): Promise<Buffer> {
  const { logo_asset_id: assetId } = await findBrand(db, workspaceId)
  const logo = assetId === null ? null : await logoIconOf(db, workspaceId, assetId, side)
  return logo ?? (ownIcons.get(side) as Buffer)
}
