export type { StoredAddress } from './directory/plan.ts'
export { lockAddressesOf, removeAddressesOf, saveAddresses } from './directory/queries.ts'
export {
  changePrimary,
  emailShape,
  inactiveAddresses,
  insertEmails,
  isOfActivePerson,
  isOwnEmail,
  removeEmailsOf,
  rethrowAddressTaken,
  teammatesOf,
} from './queries.ts'
export { emailRoutes } from './routes.ts'
export type { OnPeopleChange } from './rules.ts'
export { type Email, Email as EmailSchema } from './schemas.ts'
