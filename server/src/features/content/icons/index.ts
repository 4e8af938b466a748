export { type IconDrawing, iconUrl } from './address.ts'
export { iconRoutes } from './routes.ts'
