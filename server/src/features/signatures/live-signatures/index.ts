export { openSampleTracking, trackedFill } from './link-tracking.ts'
export { hasEmail } from './queries.ts'
export {
  type FormRequest,
  type LiveRenderer,
  type LiveSignature,
  openRenderer,
  type RenderContext,
  type RenderDeps,
  renderOne,
} from './render.ts'
export { renderDepsOf } from './render-deps.ts'
export { liveRoutes } from './routes.ts'
export { currentContent } from './rules.ts'
