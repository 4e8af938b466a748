export { importTeammates } from './import.ts'
export { pictureJobs } from './pictures/jobs.ts'
export { prepareImage } from './pictures/rules.ts'
export { ImageCrop } from './pictures/schemas.ts'
export { type DecisionDeps, rejectChange, withdraw } from './profile-changes/decisions.ts'
export { profileChangeJobs } from './profile-changes/jobs.ts'
export { lastChangesOf, type ProfileChangeView } from './profile-changes/queries.ts'
export { findTeammate, lockTeammate, ownersOf } from './queries.ts'
export { teammateRoutes } from './routes.ts'
export {
  assertOwnPicture,
  changeTeammate,
  clearPicture,
  createTeammate,
  setPicture,
  type TeammateDeps,
} from './rules.ts'
export { ignoredBecause } from './values.ts'
