// The company on the page: its name and its logo.
import { findAssets } from '#features/assets/index.ts'
import { findBrand } from '#features/brand/index.ts'
import type { Db } from '#kernel/db.ts'
import { findOnlyWorkspace, findWorkspaceName } from './queries.ts'

export interface PageBrand {
  readonly workspaceId: string
  readonly name: string
  readonly logoUrl: string | null
}

async function logoOf(db: Db, publicUrl: string, workspaceId: string): Promise<string | null> {
  const { logo_asset_id } = await findBrand(db, workspaceId)
  if (logo_asset_id === null) return null
  const [logo] = await findAssets(db, workspaceId, publicUrl, [logo_asset_id])
  return logo?.url ?? null
}

/** Null for an unknown workspace. Without an id: the workspace of an installation that has only one. */
export async function brandFor(db: Db, publicUrl: string, workspaceId?: string): Promise<PageBrand | null> {
  const found =
    workspaceId === undefined ? await findOnlyWorkspace(db) : await findWorkspaceName(db, workspaceId)
  if (!found) return null
  return { workspaceId: found.id, name: found.name, logoUrl: await logoOf(db, publicUrl, found.id) }
}
