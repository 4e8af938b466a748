export type { SsoChoice } from './deps.ts'
export { signInPageRoutes } from './routes.ts'
