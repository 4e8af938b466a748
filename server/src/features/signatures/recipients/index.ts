export { type Condition, type Conditions, compileConditions, fieldsIn, type Operator } from './conditions.ts'
export { signaturesKept } from './kept/rules.ts'
export { refreshTeammates } from './membership.ts'
export { choose, type MailKind, newMail, reasonCodes } from './precedence.ts'
export {
  candidatesFor,
  candidatesForMany,
  chosenRecipients,
  countChosen,
  lockMembership,
} from './queries.ts'
export { recipientRoutes } from './routes.ts'
export {
  acceptConditions,
  changeRules,
  peopleWithSignature,
  signaturesWinningOver,
  unknownFieldsIn,
} from './rules.ts'
export {
  Conditions as ConditionsSchema,
  ConditionsInput,
  type InstallationStatus,
  installationStatuses,
  RecipientSource as SourceSchema,
} from './schemas.ts'
