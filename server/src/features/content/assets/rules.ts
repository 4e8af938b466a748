import type { Caller } from '#kernel/api/scopes.ts'
import { apiError, invalid, orNotFound } from '#kernel/base/errors.ts'
import { extensionOf } from '#kernel/base/public-address.ts'
import type { Db } from '#kernel/db/db.ts'
import { enqueue } from '#kernel/db/jobs.ts'
import { endLeaseInTransaction, leaseBytes } from './bytes/leases.ts'
import type { ImageInfo } from './imaging/convert.ts'
import { type DecodedImage, readImage } from './imaging/index.ts'
import { BadImage } from './imaging/limits.ts'
import { type RemovalPayload, removeBytesJob } from './jobs.ts'
import {
  type Asset,
  findAsset,
  insertAsset,
  lockAsset,
  lockSamePicture,
  markDeleted,
  type NewAsset,
  type PictureAsset,
  updateAsset,
} from './queries.ts'
import type { AssetRole } from './schemas.ts'
import { type FileStore, originalKey } from './store.ts'
import {
  type FetchOptions,
  type FetchPublic,
  fetchSource,
  readSource,
  type SourceInput,
  type UploadSource,
} from './upload.ts'

export interface AssetDeps {
  readonly publicUrl: string
  readonly store: FileStore
  readonly fetchPublic: FetchPublic
}

interface Description {
  readonly name?: string | null
  readonly role?: AssetRole | null
}

async function decodeSource(
  workspaceId: string,
  { bytes, encoding, field }: UploadSource,
): Promise<DecodedImage> {
  try {
    return await readImage(workspaceId, bytes, encoding)
  } catch (error) {
    if (!(error instanceof BadImage)) throw error
    if (error.code === 'malformed_json') throw apiError('malformed_json')
    throw invalid(field, error.code, { message: `${field} ${error.message}` })
  }
}

/** A picture whose bytes are in the store, but which has no row yet. */
export interface PreparedAsset {
  readonly image: ImageInfo
  readonly hash: string
  readonly byteSize: number
  readonly filename: string
  readonly leaseId: string
}

type StoreDeps = Pick<AssetDeps, 'publicUrl' | 'store'>

/** The slow part: reads the picture and writes its bytes to the store. Holds no database connection. */
export async function prepareBytes(
  db: Db,
  workspaceId: string,
  source: UploadSource,
  store: FileStore,
): Promise<PreparedAsset> {
  const { bytes, hash, ...image } = await decodeSource(workspaceId, source)
  const leaseId = await leaseBytes(db, workspaceId, hash)
  const key = originalKey(workspaceId, hash)
  if (!(await store.has(key))) await store.put(key, bytes, image.contentType)
  const filename = source.filename ?? `image.${extensionOf(image.contentType)}`
  return { image, hash, byteSize: bytes.length, filename, leaseId }
}

export const prepareAsset = async (
  db: Db,
  workspaceId: string,
  input: SourceInput,
  { store, ...fetchOptions }: Pick<AssetDeps, 'store'> & FetchOptions,
): Promise<PreparedAsset> => prepareBytes(db, workspaceId, await readSource(input, fetchOptions), store)

/** Like `prepareAsset`, from an address in `field`. */
export const prepareFetched = async (
  db: Db,
  workspaceId: string,
  { url, field }: { readonly url: string; readonly field: string },
  { store, ...fetchOptions }: Pick<AssetDeps, 'store'> & FetchOptions,
): Promise<PreparedAsset> =>
  prepareBytes(db, workspaceId, await fetchSource(url, null, fetchOptions, field), store)

/** The file name without its extension; the whole file name if nothing else would remain. */
function titleOf(filename: string): string {
  const dot = filename.lastIndexOf('.')
  const withoutExtension = dot > 0 ? filename.slice(0, dot) : filename
  return [...withoutExtension].slice(0, 200).join('').trim() || filename
}

const rowOf = ({ leaseId: _, ...prepared }: PreparedAsset, { name, role = null }: Description): NewAsset => ({
  ...prepared,
  name: name ?? titleOf(prepared.filename),
  role,
})

/** Inserts the row of a picture whose bytes are in the store. */
export const createAsset = (
  db: Db,
  by: Caller,
  prepared: PreparedAsset,
  description: Description,
  publicUrl: string,
): Promise<Asset> =>
  db.transaction(async tx => {
    await endLeaseInTransaction(tx, by.workspaceId, prepared.hash, prepared.leaseId)
    return insertAsset(tx, by, publicUrl, rowOf(prepared, description))
  })

/** Adds a picture to the library, unless the library has the same picture in this role already. Null is any role. */
export async function keepPicture(
  tx: Db,
  by: Caller,
  prepared: PreparedAsset,
  role: AssetRole | null,
  publicUrl: string,
): Promise<PictureAsset> {
  const { hash, leaseId, image } = prepared
  await endLeaseInTransaction(tx, by.workspaceId, hash, leaseId)
  const same = await lockSamePicture(tx, by.workspaceId, hash, role)
  if (same) return same
  const { id } = await insertAsset(tx, by, publicUrl, rowOf(prepared, { role }))
  return { id, width: image.width, height: image.height, square_offset: image.squareOffset }
}

export async function saveAsset(
  db: Db,
  by: Caller,
  source: UploadSource,
  description: Description,
  { publicUrl, store }: StoreDeps,
): Promise<Asset> {
  const prepared = await prepareBytes(db, by.workspaceId, source, store)
  return createAsset(db, by, prepared, description, publicUrl)
}

interface AssetChanges {
  readonly name?: string
  readonly role?: AssetRole | null
}

export const changeAsset = async (
  db: Db,
  by: Caller,
  id: string,
  patch: AssetChanges,
  publicUrl: string,
): Promise<Asset> =>
  db.transaction(async tx => {
    if (Object.keys(patch).length === 0) return orNotFound(await findAsset(tx, by.workspaceId, publicUrl, id))
    const asset = orNotFound(await lockAsset(tx, by.workspaceId, id))
    return orNotFound(await updateAsset(tx, by, publicUrl, id, { ...asset, ...patch }))
  })

/** Removes the asset from lists at once. The job decides whether the bytes are deleted: content can still use them. */
export async function deleteAsset(db: Db, by: Caller, id: string): Promise<void> {
  await db.transaction(async tx => {
    orNotFound(await markDeleted(tx, by, id))
    const payload: RemovalPayload = { workspace_id: by.workspaceId, asset_id: id }
    await tx.query(enqueue(removeBytesJob, payload))
  })
}
