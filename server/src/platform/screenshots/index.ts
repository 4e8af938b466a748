export { type BrowserOptions, endBrowser, type RunningBrowser, startBrowser } from './browser.ts'
export type { Load, Loaded, Look } from './drawing.ts'
export { createPictures, type Pictures, type PicturesOptions } from './pictures.ts'
export { createThreadedPictures } from './threaded-pictures.ts'
