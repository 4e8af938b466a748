import type { Db } from '../../kernel/db.ts'
import { found, invalid } from '../../kernel/errors.ts'
import { enqueue } from '../../kernel/jobs.ts'
import type { Caller } from '../../kernel/scopes.ts'
import { extensionOf } from './address.ts'
import { type Image, readImage } from './images.ts'
import { type Removal, removal } from './jobs.ts'
import { BadImage } from './limits.ts'
import {
  type Asset,
  findAsset,
  insertAsset,
  keepBytes,
  lockAsset,
  markDeleted,
  updateAsset,
} from './queries.ts'
import type { Role } from './schemas.ts'
import { type FetchPublic, readSource, type Source, type SourceInput } from './source.ts'
import { contentHash, type FileStore, originalKey } from './store.ts'

export interface Settings {
  readonly publicUrl: string
  readonly store: FileStore
  readonly fetchPublic: FetchPublic
}

interface Description {
  readonly name?: string | null
  readonly role?: Role | null
}

export async function createAsset(
  db: Db,
  by: Caller,
  input: SourceInput & Description,
  settings: Settings,
): Promise<Asset> {
  return keepAsset(db, by, await readSource(input, settings.fetchPublic), input, settings)
}

async function imageIn({ bytes, field }: Source): Promise<Image> {
  try {
    return await readImage(bytes)
  } catch (error) {
    if (!(error instanceof BadImage)) throw error
    const message = `${field} ${error.message}`
    throw invalid(field, error.tooBig ? 'out_of_range' : 'invalid', { message })
  }
}

/** Without its ending, unless there is nothing else. */
const titleOf = (filename: string): string =>
  [...filename.replace(/(?<=.)\.[^.]*$/, '')].slice(0, 200).join('').trim() || filename

export async function keepAsset(
  db: Db,
  by: Caller,
  source: Source,
  { name, role = null }: Description,
  { publicUrl, store }: Pick<Settings, 'publicUrl' | 'store'>,
): Promise<Asset> {
  const image = await imageIn(source)
  const filename = source.filename ?? `image.${extensionOf(image.contentType)}`
  const hash = contentHash(image.bytes)
  const key = originalKey(by.workspaceId, hash)
  return db.transaction(async tx => {
    // The bytes first: a row is never without them. Bytes without a row do no harm, and doing it again changes nothing.
    await keepBytes(tx, by.workspaceId, hash)
    if (!(await store.has(key))) await store.put(key, image.bytes, image.contentType)
    return insertAsset(tx, by, publicUrl, { name: name ?? titleOf(filename), filename, role, hash, image })
  })
}

export interface Patch {
  readonly name?: string
  readonly role?: Role | null
}

export async function changeAsset(
  db: Db,
  by: Caller,
  id: string,
  patch: Patch,
  publicUrl: string,
): Promise<Asset> {
  return db.transaction(async tx => {
    if (Object.keys(patch).length === 0) return found(await findAsset(tx, by.workspaceId, publicUrl, id))
    const asset = found(await lockAsset(tx, by.workspaceId, id))
    return found(await updateAsset(tx, by, publicUrl, id, { ...asset, ...patch }))
  })
}

/** It leaves the list at once. Whether its bytes may go is decided by the job: something may still use it. */
export async function deleteAsset(db: Db, by: Caller, id: string): Promise<void> {
  await db.transaction(async tx => {
    found(await markDeleted(tx, by, id))
    const payload: Removal = { workspace_id: by.workspaceId, asset_id: id }
    await tx.query(enqueue(removal, payload))
  })
}
