export {
  type Drawing,
  drawLiveOne,
  type LiveDrawing,
  type LiveSignature,
  openDrawing,
  type Place,
} from './render.ts'
export { liveRoutes } from './routes.ts'
export { currentContent } from './rules.ts'
