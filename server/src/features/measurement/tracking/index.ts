export type { TrackedKind, TrackingOutcome } from './pipeline.ts'
export type { LinkHolder, TrackedItem } from './queries.ts'
export { trackingRoutes } from './routes.ts'
export type { TrackingDeps } from './rules.ts'
export {
  createTracking,
  type LinkSet,
  type Tracker,
  type Tracking,
} from './tracked-links.ts'
