export { findBrand, lockBrandForShare } from './queries.ts'
export { brandRoutes } from './routes.ts'
export { type BrandDeps, changeBrand } from './rules.ts'
export type { Brand, ColorName } from './schemas.ts'
