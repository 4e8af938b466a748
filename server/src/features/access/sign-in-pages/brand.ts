// The company on the page: its name, its logo and its colour.
import { findAssets } from '#features/content/assets/index.ts'
import { accentStyle, findBrand } from '#features/content/brand/index.ts'
import type { Db } from '#kernel/db/db.ts'
import { findOnlyWorkspace, findWorkspaceName } from './queries.ts'

export interface PageBrand {
  readonly workspaceId: string
  readonly name: string
  readonly logoUrl: string | null
  /** CSS properties; empty for a brand without a colour. */
  readonly colors: string
}

async function logoOf(
  db: Db,
  publicUrl: string,
  workspaceId: string,
  assetId: string | null,
): Promise<string | null> {
  if (assetId === null) return null
  const [logo] = await findAssets(db, workspaceId, publicUrl, [assetId])
  return logo?.url ?? null
}

/** Null for an unknown workspace. Without an id: the workspace of an installation that has only one. */
export async function brandFor(db: Db, publicUrl: string, workspaceId?: string): Promise<PageBrand | null> {
  const workspace =
    workspaceId === undefined ? await findOnlyWorkspace(db) : await findWorkspaceName(db, workspaceId)
  if (!workspace) return null
  const { logo_asset_id, colors } = await findBrand(db, workspace.id)
  return {
    workspaceId: workspace.id,
    name: workspace.name,
    logoUrl: await logoOf(db, publicUrl, workspace.id, logo_asset_id),
    colors: accentStyle(colors.primary),
  }
}
