// Pictures in image fields: which asset a value names, and the route that sets one picture.
import type { Crop } from '@signoff/render'
import {
  type AssetDeps,
  findAssetIdsByToken,
  keepPicture,
  lockPictureAssets,
  type PictureAsset,
  type PreparedAsset,
  prepareAsset,
  prepareFetched,
  type SourceInput,
  squareCropOf,
} from '#features/content/assets/index.ts'
import { type SmartField, smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import type { ReserveMemory } from '#kernel/api/body.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { apiError, type Detail, detail, invalid, orNotFound, validationError } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { ignoredBecause, type SentPicture, type StoredPicture } from '../values.ts'

/** Pictures of a request that were fetched before its transaction, by smart field id. */
export type FetchedPictures = ReadonlyMap<string, PreparedAsset>

/** Each fetch takes up to ten seconds, one after the other. */
const maxFetches = 5

/** Fetches the pictures that a request names by addresses. Holds no database connection. */
export async function fetchPictures(
  db: Db,
  workspaceId: string,
  pictures: readonly SentPicture[],
  deps: AssetDeps & ReserveMemory,
): Promise<FetchedPictures> {
  const fetched = new Map<string, PreparedAsset>()
  for (const { fieldId, at, source } of pictures) {
    if (source.kind !== 'url') continue
    if (fetched.size === maxFetches)
      throw invalid('smart_fields', 'too_many', {
        message: `smart_fields has more than ${maxFetches} addresses of pictures`,
      })
    fetched.set(fieldId, await prepareFetched(db, workspaceId, { url: source.url, field: at }, deps))
  }
  return fetched
}

const asStored = (asset: PictureAsset): StoredPicture => ({
  assetId: asset.id,
  crop: squareCropOf(asset),
})

interface ResolvedPictures {
  /** The pictures of assets. Those named by addresses on the internet are missing. */
  readonly assets: ReadonlyMap<SentPicture, StoredPicture>
  readonly problems: ReadonlyMap<SentPicture, Detail>
}

/** Finds the assets that values name. Their rows are locked, so they are not deleted meanwhile. */
export async function resolveAssets(
  tx: Db,
  workspaceId: string,
  pictures: readonly SentPicture[],
): Promise<ResolvedPictures> {
  const named = pictures.filter(({ source }) => source.kind !== 'url')
  const assets = new Map<SentPicture, StoredPicture>()
  const problems = new Map<SentPicture, Detail>()
  if (named.length === 0) return { assets, problems }
  const tokens = named.flatMap(({ source }) => (source.kind === 'token' ? [source.token] : []))
  const byToken =
    tokens.length === 0
      ? new Map<string, string>()
      : new Map((await findAssetIdsByToken(tx, workspaceId, tokens)).map(({ token, id }) => [token, id]))
  const idOf = ({ source }: SentPicture): string | undefined =>
    source.kind === 'asset' ? source.id : source.kind === 'token' ? byToken.get(source.token) : undefined
  const ids = [...new Set(named.flatMap(picture => idOf(picture) ?? []))]
  const locked = new Map(
    (await lockPictureAssets(tx, workspaceId, ids)).map(asset => [asset.id, asset] as const),
  )
  for (const picture of named) {
    const asset = locked.get(idOf(picture) ?? '')
    if (asset) assets.set(picture, asStored(asset))
    else problems.set(picture, detail(picture.at, 'unknown_reference'))
  }
  return { assets, problems }
}

/** The pictures of one request, by smart field id. */
export async function keepPictures(
  tx: Db,
  by: Caller,
  pictures: readonly SentPicture[],
  fetched: FetchedPictures,
  publicUrl: string,
): Promise<Map<string, StoredPicture>> {
  const { assets, problems } = await resolveAssets(tx, by.workspaceId, pictures)
  if (problems.size > 0) throw validationError([...problems.values()])
  const stored = new Map<string, StoredPicture>()
  for (const picture of pictures) {
    const { fieldId } = picture
    const prepared = fetched.get(fieldId)
    const asset = assets.get(picture)
    if (asset) stored.set(fieldId, asset)
    else if (prepared)
      stored.set(fieldId, asStored(await keepPicture(tx, by, prepared, 'profile_picture', publicUrl)))
    // The field became an image field after the request was prepared.
    else throw apiError('unavailable', { headers: { 'Retry-After': '1' } })
  }
  return stored
}

export interface ImageInput extends SourceInput {
  readonly asset_id?: string | null
  readonly crop?: Crop | null
}

/** The problems of an image that its schema cannot express. */
export function imageProblems(body: object): Detail[] {
  const { crop, ...sources } = body as Partial<ImageInput>
  const named = (['file_base64', 'source_url', 'asset_id'] as const).filter(name => sources[name] != null)
  const problems: Detail[] = []
  if (named.length === 0) {
    const missing = ['file_base64', 'source_url', 'asset_id']
    const message = 'image lacks its picture: send file_base64 with filename, source_url, or asset_id'
    problems.push(detail('image', 'missing', { missing, message }))
  }
  for (const name of named.slice(1))
    problems.push(detail(name, 'invalid', { message: `${name} and ${named[0]} exclude each other` }))
  for (const [start, size] of [
    ['x', 'width'],
    ['y', 'height'],
  ] as const) {
    const [from, length] = [crop?.[start], crop?.[size]]
    if (typeof from !== 'number' || typeof length !== 'number' || from + length <= 1.0001) continue
    const message = `crop.${size} reaches beyond the picture: crop.${start} + crop.${size} is at most 1`
    problems.push(detail(`crop.${size}`, 'out_of_range', { message }))
  }
  return problems
}

/** The image field that a path names by its id or its key. */
export async function findImageField(db: Db, workspaceId: string, name: string): Promise<SmartField> {
  const fields = await smartFieldsOf(db, workspaceId)
  const field = orNotFound(fields.find(({ id, key }) => id === name || key === name))
  if (field.kind !== 'image')
    throw invalid('smart_field_id', 'invalid', {
      message: `smart_field_id names ${field.label}, which is a ${field.kind} field, not an image field`,
    })
  return field
}

/** Reads and stores the file of an image, unless an asset is named or the value is not written anyway. */
export async function prepareImage(
  db: Db,
  workspaceId: string,
  fieldId: string,
  image: ImageInput,
  deps: AssetDeps & ReserveMemory,
): Promise<PreparedAsset | null> {
  const field = await findImageField(db, workspaceId, fieldId)
  if (image.asset_id != null || ignoredBecause(field)) return null
  return prepareAsset(db, workspaceId, image, deps)
}

/** The value that an image becomes. */
export async function storedPictureOf(
  tx: Db,
  by: Caller,
  { asset_id, crop }: ImageInput,
  prepared: PreparedAsset | null,
  publicUrl: string,
): Promise<StoredPicture> {
  const [asset] = prepared
    ? [await keepPicture(tx, by, prepared, 'profile_picture', publicUrl)]
    : await lockPictureAssets(tx, by.workspaceId, [asset_id ?? ''])
  if (!asset) throw invalid('asset_id', 'unknown_reference')
  return { assetId: asset.id, crop: crop ?? squareCropOf(asset) }
}
