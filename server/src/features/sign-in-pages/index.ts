export type { SignInPageDeps, SsoChoice } from './deps.ts'
export { signInPageRoutes } from './routes.ts'
export type { Visitor } from './visit.ts'
