export { newToken, tokenPattern, workspaceIn, workspacePart } from '#kernel/public-address.ts'
export { pauseRemovals } from './bytes/queries.ts'
export {
  type Original,
  type Place,
  type Rendition,
  renditionOf,
  type Shape,
  shapes,
} from './imaging/rendition.ts'
export { assetJobs } from './jobs.ts'
export { assetNamed, findAssets, type StoredAsset, unknownAssets } from './queries.ts'
export { assetRoutes, fileRoutes } from './routes.ts'
export { keepAsset } from './rules.ts'
export type { FileStore } from './store.ts'
export type { FetchPublic } from './upload.ts'
