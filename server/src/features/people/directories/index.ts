export { isAddressRace } from './context.ts'
export type { ImportedRun, RefusedLine } from './deps.ts'
export {
  type Directories,
  type Directory,
  type DirectoryConnection,
  DirectoryError,
  type DirectoryErrorCode,
  type DirectoryGroup,
  type DirectoryMembership,
  type DirectoryPage,
  type DirectoryPerson,
  type DirectoryPhoto,
  type ExternalId,
  kindsOfSources,
  type OfferedAttribute,
  type RefusedRecord,
} from './directory.ts'
export { type FilePreviewDeps, type PreviewedLine, previewFile } from './files/preview.ts'
export { directoryJobs } from './jobs.ts'
export { countProblems, currentProblems } from './leavers/queries.ts'
export { refillValues } from './mapping/remap.ts'
export { searchSeatsNow } from './people/seats.ts'
export type { MappedField } from './people/values.ts'
export {
  pushGone,
  pushGroups,
  pushPeople,
} from './push.ts'
export { type DirectoryRef, ofDirectory } from './queries.ts'
export { directoryRoutes } from './routes.ts'
export { findRun, insertPastRuns, type PastRun, type RunView } from './runs/queries.ts'
export { approveHeldRun, releaseDirectory, requestSync, type SyncRuleDeps, startRun } from './runs/rules.ts'
