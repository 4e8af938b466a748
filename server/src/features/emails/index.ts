export {
  addressTaken,
  changePrimary,
  type Email,
  emailShape,
  insertEmails,
  removeEmailsOf,
} from './queries.ts'
export { emailRoutes } from './routes.ts'
export type { OnPeopleChange } from './rules.ts'
export { Email as EmailSchema } from './schemas.ts'
