export type { PlannedAddresses, StoredAddress } from './directory/plan.ts'
export { lockAddressesOf, removeAddressesOf, saveAddresses } from './directory/queries.ts'
export {
  changePrimary,
  type Email,
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
export { Email as EmailSchema } from './schemas.ts'
