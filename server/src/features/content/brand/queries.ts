import { audited } from '#features/workspace/audit-log/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import { iso } from '#kernel/db/text.ts'
import type { Brand } from './schemas.ts'

const shape = sql`
  logo_asset_id,
  json_build_object('primary', colors ->> 'primary', 'text', colors ->> 'text', 'muted', colors ->> 'muted',
    'link', colors ->> 'link') as colors,
  font_family, website, address, social, legal, ${iso(sql`updated_at`)} as updated_at`

const emptyBrand: Brand = {
  logo_asset_id: null,
  colors: { primary: null, text: null, muted: null, link: null },
  font_family: null,
  website: null,
  address: null,
  social: [],
  legal: null,
  updated_at: null,
}

async function selectBrand(db: Db, workspaceId: string, lock: Sql): Promise<Brand> {
  const brand = await db.first<Brand>(
    sql`select ${shape} from brands where workspace_id = ${workspaceId} ${lock}`,
  )
  return brand ?? emptyBrand
}

/** The empty brand when nothing was set. */
export const findBrand = (db: Db, workspaceId: string): Promise<Brand> => selectBrand(db, workspaceId, sql``)

/** The logo stays in use until the transaction ends, so content can refer to it. */
export const lockBrandForShare = (tx: Db, workspaceId: string): Promise<Brand> =>
  selectBrand(tx, workspaceId, sql`for share`)

/** Creates the row if it is missing, and locks it: concurrent changes wait. */
export async function lockBrand(tx: Db, workspaceId: string): Promise<Brand> {
  const now = new Date()
  await tx.query(sql`
    insert into brands (workspace_id, created_at, updated_at) values (${workspaceId}, ${now}, ${now})
    on conflict do nothing`)
  return selectBrand(tx, workspaceId, sql`for no key update`)
}

/** Writes all values of a locked brand. */
export async function updateBrand(tx: Db, by: Caller, brand: Omit<Brand, 'updated_at'>): Promise<Brand> {
  const update = sql`
    update brands set logo_asset_id = ${brand.logo_asset_id}, colors = ${JSON.stringify(brand.colors)}::jsonb,
      font_family = ${brand.font_family}, website = ${brand.website}, address = ${brand.address},
      social = ${JSON.stringify(brand.social)}::jsonb, legal = ${brand.legal}, updated_at = ${new Date()}
    where workspace_id = ${by.workspaceId}
    returning *, workspace_id as id`
  const result = sql`select ${shape} from changed`
  const updated = await tx.first<Brand>(audited(by, 'brand.updated', update, undefined, result))
  return updated as Brand
}
