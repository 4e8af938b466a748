export { findBrand, lockBrandForShare } from './queries.ts'
export { brandRoutes } from './routes.ts'
export { changeBrand } from './rules.ts'
export type { Brand, ColorName } from './schemas.ts'
