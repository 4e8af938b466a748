// What the renderer needs to know of the workspace.
import type { AssetSource, Content, Surroundings } from '@signoff/render'
import type { Asset, SmartField } from '@signoff/sdk'
import { blocksIn } from '../model/tree.ts'
import type { PictureSurroundings } from './picture-hooks.ts'

/** Undefined: still loading. Null: it does not exist. */
type Loaded<Data> = ReadonlyMap<string, Data | null | undefined>

interface WorkspaceData {
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

// The assets and campaigns that content names.

interface NamedInContent {
  readonly assets: readonly string[]
  readonly campaigns: readonly string[]
}

/** Sorted ids in lower case, each once. */
export function namedIn(...contents: readonly (Content | null | undefined)[]): NamedInContent {
  const assets = new Set<string>()
  const campaigns = new Set<string>()
  for (const content of contents)
    for (const block of content ? blocksIn(content) : []) {
      if ('assetUuid' in block && block.assetUuid) assets.add(block.assetUuid.toLowerCase())
      if ('campaignUuid' in block && block.campaignUuid) campaigns.add(block.campaignUuid.toLowerCase())
    }
  return { assets: [...assets].sort(), campaigns: [...campaigns].sort() }
}
