export { type CardHooks, type ContactCards, createContactCards, type WorkspaceCards } from './cards.ts'
export { contactCardRoutes } from './routes.ts'
export type { ContactCardDeps } from './rules.ts'
