export { type Condition, type Conditions, compileConditions, fieldsIn, type Operator } from './conditions.ts'
export { refreshTeammates } from './membership.ts'
export { choose, newMail, type Occasion } from './precedence.ts'
export {
  candidatesFor,
  candidatesForMany,
  chosenRecipients,
  countChosen,
  lockMembership,
} from './queries.ts'
export { recipientRoutes } from './routes.ts'
export { changeRules, checkConditions, preferredTo } from './rules.ts'
export {
  Conditions as ConditionsSchema,
  type InstallationStatus,
  installationStatuses,
  RecipientSource as SourceSchema,
} from './schemas.ts'
