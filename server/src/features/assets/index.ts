export { pauseRemovals } from './bytes/queries.ts'
export {
  type ImageBox,
  type ImageShape,
  imageShapes,
  type Rendition,
  type RenditionSource,
  renditionOf,
} from './imaging/rendition.ts'
export { assetJobs } from './jobs.ts'
export { findAssetByName, findAssets, type StoredAsset, unknownAssets } from './queries.ts'
export { assetRoutes, fileRoutes } from './routes.ts'
export {
  type AssetDeps,
  keepAsset,
  type PreparedAsset,
  prepareAsset,
  prepareBytes,
  saveAsset,
} from './rules.ts'
export type { FileStore } from './store.ts'
export type { FetchPublic } from './upload.ts'
