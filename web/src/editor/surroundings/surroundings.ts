// What the renderer needs to know of the workspace.
import type { AssetSource, Surroundings } from '@signoff/render'
import type { Asset, SmartField } from '@signoff/sdk'
import type { PictureSurroundings } from './picture-hooks.ts'

/** Undefined: still loading. Null: it does not exist. */
type Loaded<Data> = ReadonlyMap<string, Data | null | undefined>

export interface WorkspaceData {
  readonly fields: readonly Pick<SmartField, 'id' | 'kind' | 'fallback'>[]
  readonly assets: Loaded<Pick<Asset, 'width' | 'height' | 'byte_size' | 'content_type'>>
  readonly campaigns: Loaded<unknown>
  readonly ownAddress: string
}

/** An asset that is still loading has a place already, and no warning says that it does not exist. */
const unknownSource: AssetSource = { width: 120, height: 120, bytes: 0, contentType: 'image/png' }

function sourcesOf(assets: WorkspaceData['assets']): ReadonlyMap<string, AssetSource> {
  const sources = new Map<string, AssetSource>()
  for (const [id, asset] of assets) {
    if (asset === undefined) sources.set(id, unknownSource)
    else if (asset !== null) {
      const { width, height, byte_size: bytes, content_type: contentType } = asset
      sources.set(id, { width, height, bytes, contentType })
    }
  }
  return sources
}

export const surroundingsFrom = (
  { fields, assets, campaigns, ownAddress }: WorkspaceData,
  pictures: PictureSurroundings,
): Surroundings => ({
  ...pictures,
  fields: new Map(fields.map(({ id, kind, fallback }) => [id, { kind, fallback }])),
  assets: sourcesOf(assets),
  campaigns: new Set([...campaigns].filter(([, campaign]) => campaign !== null).map(([id]) => id)),
  ownAddress,
})
