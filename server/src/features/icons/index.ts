export { type Icon, iconUrl } from './address.ts'
export { iconRoutes } from './routes.ts'
