export { teammateChangeJobs } from './bulk/jobs.ts'
export {
  adoptTeammates,
  type DirectoryTeammate,
  type KeptValue,
  lockTeammates,
  releaseTeammates,
  removeTeammates,
  restoreTeammates,
  touchTeammates,
  valuesToKeep,
} from './directory/queries.ts'
export { importTeammates, seatInOrder } from './import.ts'
export { type PlannedRow, planImport } from './import-plan.ts'
export { isForeignTo } from './own-changes.ts'
export { pictureJobs } from './pictures/jobs.ts'
export { prepareImage } from './pictures/rules.ts'
export { ImageCrop } from './pictures/schemas.ts'
export { type DecisionDeps, rejectChange, visibleTo, withdraw } from './profile-changes/decisions.ts'
export { profileChangeJobs } from './profile-changes/jobs.ts'
export {
  countPendingChanges,
  findChangedValues,
  lastChangesOf,
  type ProfileChangeView,
} from './profile-changes/queries.ts'
export {
  analyzePeople,
  findOwners,
  findTeammate,
  insertTeammates,
  lockTeammate,
  ownersOf,
  storedValuesOf,
  touchOwnersOfField,
  updateActive,
  writeValues,
} from './queries.ts'
export { teammateRoutes } from './routes.ts'
export {
  assertOwnPicture,
  changeTeammate,
  clearPicture,
  createTeammate,
  setActive,
  setPicture,
  type TeammateDeps,
  type TeammateWriteDeps,
} from './rules.ts'
export { ignoredBecause, type SmartFieldValues, type StoredPicture } from './values.ts'
