export { pauseRemovals } from './bytes/queries.ts'
export { type FittedPicture, fittedPicture } from './fitted.ts'
export {
  type ImageBox,
  type RenditionSource,
  renditionOf,
} from './imaging/rendition.ts'
export { assetJobs } from './jobs.ts'
export { createLogoIcons, type LogoIconOf } from './logo-icons.ts'
export { createPhotos } from './photo.ts'
export {
  comparedValue,
  type Portrait,
  parsePortrait,
  portraitDrawer,
  portraitUrl,
  squareCropOf,
} from './portraits.ts'
export { createPublicPictures } from './public-pictures.ts'
export {
  findAssetByName,
  findAssetIdsByToken,
  findAssets,
  findAssetsAt,
  lockPictureAssets,
  type PictureAsset,
  type StoredAsset,
  unknownAssets,
  valueOrPortrait,
} from './queries.ts'
export { assetRoutes, fileRoutes } from './routes.ts'
export {
  type AssetDeps,
  keepPicture,
  type PreparedAsset,
  prepareAsset,
  prepareBytes,
  prepareFetched,
  saveAsset,
} from './rules.ts'
export { examplePicture, imageFile } from './schemas.ts'
export type { FileStore } from './store.ts'
export { type FetchPublic, type SourceInput, SourceUnreachable } from './upload.ts'
