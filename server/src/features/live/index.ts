export { type Drawing, drawLive, drawLiveOne, type LiveSignature, type Place } from './draw.ts'
export { liveRoutes } from './routes.ts'
export { currentContent } from './rules.ts'
