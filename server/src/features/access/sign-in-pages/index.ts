export { languageOf } from './language.ts'
export { type NoticeDocument, noticeDocument, unknownPage } from './notice.ts'
export { signInPageRoutes } from './routes.ts'
export { signedInName } from './visitor.ts'
