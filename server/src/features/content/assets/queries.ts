import { audited } from '#features/workspace/audit-log/index.ts'
import { type ListResult, limitOffset, listAsJson, type PageQuery } from '#kernel/api/pagination.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { alphabetical, orderBy, type SortColumns, type SortQuery } from '#kernel/api/sorting.ts'
import { missingIds, newRow } from '#kernel/base/ids.ts'
import { filesAddress, newAddressToken, newSecret } from '#kernel/base/public-address.ts'
import { type Db, empty, type Sql, sql } from '#kernel/db/db.ts'
import { comparisonKey, contains, iso } from '#kernel/db/text.ts'
import type { ImageInfo } from './imaging/convert.ts'
import type { AssetRole, ContentType } from './schemas.ts'

export interface Asset {
  readonly id: string
  readonly name: string
  readonly filename: string
  readonly role: AssetRole | null
  readonly url: string
}

/** The asset fields that the renderer needs. */
export interface StoredAsset {
  readonly id: string
  readonly filename: string
  readonly url: string
  readonly rendition_secret: Buffer
  readonly content_type: ContentType
  readonly content_hash: string
  readonly byte_size: number
  readonly width: number
  readonly height: number
  readonly animated: boolean
}

/** References to the asset row with alias `a`, in this workspace. */
const references = (workspace: Sql): Sql => sql`
  content_references r where r.workspace_id = ${workspace} and r.target_kind = 'asset' and r.target_id = a.id`
/** In content, as the picture of a teammate, or in a change of a picture that waits for a decision. */
export const inUse = (workspace: Sql): Sql => sql`(exists (select from ${references(workspace)})
  or exists (select from smart_field_values v where v.workspace_id = ${workspace} and v.asset_id = a.id)
  or exists (select from profile_changes c
    where c.workspace_id = ${workspace} and c.before_asset_id = a.id and c.status = 'pending')
  or exists (select from profile_changes c
    where c.workspace_id = ${workspace} and c.after_asset_id = a.id and c.status = 'pending'))`
/** A deleted asset is still served while it is referenced. */
export const isServed = (workspaceId: string): Sql =>
  sql`(a.deleted_at is null or ${inUse(sql`${workspaceId}`)})`

const url = (publicUrl: string, workspaceId: string): Sql =>
  sql`${filesAddress(publicUrl, workspaceId)}::text || a.token || '.' || split_part(a.content_type, '/', 2)`

const shape = (publicUrl: string, workspaceId: string): Sql => sql`
  a.id, a.name, a.filename, a.role, a.content_type, a.byte_size, a.width, a.height, a.animated,
  ${url(publicUrl, workspaceId)} as url, ${inUse(sql`${workspaceId}`)} as in_use,
  (select count(distinct r.signature_id)::int from ${references(sql`${workspaceId}`)}) as signature_template_count,
  ${iso(sql`a.created_at`)} as created_at, ${iso(sql`a.updated_at`)} as updated_at`

const storedColumns = (publicUrl: string, workspaceId: string): Sql => sql`
  a.id, a.filename, ${url(publicUrl, workspaceId)} as url, a.rendition_secret, a.content_type, a.content_hash, a.byte_size,
  a.width, a.height, a.animated`

export const assetSorts = {
  name: alphabetical(sql`name`),
  byte_size: sql`byte_size`,
  created_at: null,
  updated_at: sql`updated_at`,
} satisfies SortColumns

interface AssetFilter extends SortQuery {
  readonly role?: AssetRole
  readonly without_role?: AssetRole
  readonly search?: string
}

export function listAssets(
  db: Db,
  workspaceId: string,
  publicUrl: string,
  page: PageQuery,
  { role, without_role: without, search, sort }: AssetFilter,
): Promise<ListResult> {
  const order = orderBy(sort, assetSorts, sql`id`)
  const fromUndeleted = sql`
    from assets where workspace_id = ${workspaceId} and deleted_at is null
      ${role ? sql`and role = ${role}` : empty}
      ${without ? sql`and role is distinct from ${without}` : empty} ${search ? sql`and ${contains(sql`search_key`, search)}` : empty}`
  return listAsJson(
    db,
    page,
    sql`
      select ${shape(publicUrl, workspaceId)}
      from (select * ${fromUndeleted} ${order} ${limitOffset(page)}) a
      ${order}`,
    sql`select count(*) ${fromUndeleted}`,
  )
}

export const findAsset = (db: Db, workspaceId: string, publicUrl: string, id: string) =>
  db.first<Asset>(sql`
    select ${shape(publicUrl, workspaceId)} from assets a
    where a.workspace_id = ${workspaceId} and a.id = ${id} and a.deleted_at is null`)

/** For the renderer: includes deleted assets that are still in use. */
export const findAssets = (db: Db, workspaceId: string, publicUrl: string, ids: readonly string[]) =>
  db.query<StoredAsset>(sql`
    select ${storedColumns(publicUrl, workspaceId)} from assets a
    where a.workspace_id = ${workspaceId} and a.id = any(${ids}::uuid[]) and ${isServed(workspaceId)}
    order by a.id`)

/**
 * Returns the ids that are not assets of the workspace, or are deleted. Locks the rows of the others: they cannot be
 * deleted before this transaction ends, so it can safely refer to them.
 */
export async function unknownAssets(tx: Db, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const existing = await tx.column<string>(sql`
    select id from assets
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) and deleted_at is null
    order by id
    for share`)
  return missingIds(ids, existing)
}

/** The assets whose original files have these addresses. Other addresses are ignored. */
export async function findAssetsAt(
  db: Db,
  workspaceId: string,
  publicUrl: string,
  addresses: readonly string[],
): Promise<StoredAsset[]> {
  const start = filesAddress(publicUrl, workspaceId)
  const tokens = addresses
    .filter(address => address.startsWith(start))
    .map(address => address.slice(start.length).split('.')[0])
  if (tokens.length === 0) return []
  return db.query(sql`
    select ${storedColumns(publicUrl, workspaceId)} from assets a
    where a.workspace_id = ${workspaceId} and a.token = any(${tokens}::text[]) and ${isServed(workspaceId)}`)
}

/** The asset behind a public address. */
export const findServed = (db: Db, workspaceId: string, token: string) =>
  db.first<StoredAsset>(sql`
    select ${storedColumns('', workspaceId)} from assets a
    where a.workspace_id = ${workspaceId} and a.token = ${token} and ${isServed(workspaceId)}`)

export interface NewAsset {
  readonly name: string
  readonly filename: string
  readonly role: AssetRole | null
  readonly hash: string
  readonly byteSize: number
  readonly image: ImageInfo
}

const searchKey = (name: string, filename: string): string => comparisonKey(`${name}\n${filename}`)

export async function insertAsset(
  tx: Db,
  by: Caller,
  publicUrl: string,
  { name, filename, role, hash, byteSize, image }: NewAsset,
): Promise<Asset> {
  const { id, now } = newRow()
  const insert = sql`
    insert into assets as a (workspace_id, id, name, filename, search_key, role, content_type, content_hash, byte_size,
      width, height, animated, square_offset, token, rendition_secret, created_at, updated_at)
    values (${by.workspaceId}, ${id}, ${name}, ${filename}, ${searchKey(name, filename)}, ${role},
      ${image.contentType}, ${hash}, ${byteSize}, ${image.width}, ${image.height}, ${image.animated},
      ${image.squareOffset}, ${newAddressToken()}, ${newSecret()}, ${now}, ${now})
    returning a.*`
  const result = sql`select ${shape(publicUrl, by.workspaceId)} from changed a`
  const asset = await tx.first<Asset>(audited(by, 'asset.created', insert, undefined, result))
  return asset as Asset
}

/** An asset as the picture of a person. */
export interface PictureAsset {
  readonly id: string
  readonly width: number
  readonly height: number
  readonly square_offset: number | null
}

/** Locks the rows: they cannot be deleted before this transaction ends, so it can safely refer to them. */
export const lockPictureAssets = (tx: Db, workspaceId: string, ids: readonly string[]) =>
  tx.query<PictureAsset>(sql`
    select id, width, height, square_offset from assets
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) and deleted_at is null
    order by id
    for share`)

/** A profile picture with these bytes that is in the library already. Locks its row like `lockPictureAssets`. */
export const lockSamePicture = (tx: Db, workspaceId: string, hash: string, role: AssetRole | null) =>
  tx.first<PictureAsset>(sql`
    select id, width, height, square_offset from assets
    where workspace_id = ${workspaceId} and content_hash = ${hash} and deleted_at is null
      and ${role === null ? sql`true` : sql`role = ${role}`}
    order by id
    limit 1
    for share`)

/** The ids of assets by the tokens of their addresses. */
export const findAssetIdsByToken = (db: Db, workspaceId: string, tokens: readonly string[]) =>
  db.query<{ readonly token: string; readonly id: string }>(sql`
    select token, id from assets
    where workspace_id = ${workspaceId} and token = any(${tokens}::text[]) and deleted_at is null`)

/**
 * The value of the row of smart_field_values with alias `v`: for a picture, the text that `parsePortrait` reads. (A join
 * would be evaluated for values that are no pictures too.)
 */
export const valueOrPortrait = (workspaceId: string): Sql => sql`
  case when v.asset_id is null then v.value else (
    select concat_ws(' ', 'portrait', a.id, a.token, encode(a.rendition_secret, 'hex'), a.content_type, a.width, a.height,
      a.animated, array_to_string(v.crop, ' '))
    from assets a where a.workspace_id = ${workspaceId} and a.id = v.asset_id) end`

export const lockAsset = (tx: Db, workspaceId: string, id: string) =>
  tx.first<Pick<Asset, 'name' | 'filename' | 'role'>>(sql`
    select name, filename, role from assets
    where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null
    for update`)

export async function updateAsset(
  tx: Db,
  by: Caller,
  publicUrl: string,
  id: string,
  { name, filename, role }: Pick<Asset, 'name' | 'filename' | 'role'>,
): Promise<Asset | undefined> {
  const update = sql`
    update assets as a
    set name = ${name}, search_key = ${searchKey(name, filename)}, role = ${role}, updated_at = ${new Date()}
    where a.workspace_id = ${by.workspaceId} and a.id = ${id} and a.deleted_at is null
    returning a.*`
  const result = sql`select ${shape(publicUrl, by.workspaceId)} from changed a`
  return tx.first<Asset>(audited(by, 'asset.updated', update, undefined, result))
}

export async function markDeleted(tx: Db, by: Caller, id: string): Promise<{ id: string } | undefined> {
  const now = new Date()
  const remove = sql`
    update assets set deleted_at = ${now}, updated_at = ${now}
    where workspace_id = ${by.workspaceId} and id = ${id} and deleted_at is null
    returning id`
  return tx.first<{ id: string }>(audited(by, 'asset.deleted', remove))
}

/** The oldest asset with these bytes. It cannot be deleted before this transaction ends. */

export const findAssetByName = (db: Db, workspaceId: string, name: string) =>
  db.first<{ id: string }>(sql`
    select id from assets where workspace_id = ${workspaceId} and name = ${name} and deleted_at is null limit 1`)
