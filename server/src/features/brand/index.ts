export { findBrand, lockBrandForShare } from './queries.ts'
export { brandRoutes } from './routes.ts'
export { type BrandDeps, changeBrand, patchedBrand } from './rules.ts'
export { type Brand, BrandPatch, brandProblems, type ColorName } from './schemas.ts'
