export { openSampleTracking, trackedFill } from './link-tracking.ts'
export { hasEmail } from './queries.ts'
export {
  type FormRequest,
  type LiveRenderer,
  type LiveSignature,
  openRenderer,
  type RenderContext,
  type RenderDeps,
  renderDepsOf,
  renderOne,
} from './render.ts'
export { liveRoutes } from './routes.ts'
export { currentContent } from './rules.ts'
