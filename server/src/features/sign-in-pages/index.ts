export type { SsoChoice } from './deps.ts'
export { languageOf } from './language.ts'
export { type NoticeDocument, noticeDocument } from './notice.ts'
export { signInPageRoutes } from './routes.ts'
