export { type Condition, type Conditions, compileConditions, fieldsIn, type Operator } from './conditions.ts'
export { refreshTeammates } from './membership.ts'
export { choose, type MailKind, newMail } from './precedence.ts'
export {
  candidatesFor,
  candidatesForMany,
  chosenRecipients,
  countChosen,
  lockMembership,
} from './queries.ts'
export { recipientRoutes } from './routes.ts'
export { changeRules, checkConditions, signaturesWinningOver } from './rules.ts'
export {
  Conditions as ConditionsSchema,
  type InstallationStatus,
  installationStatuses,
  RecipientSource as SourceSchema,
} from './schemas.ts'
