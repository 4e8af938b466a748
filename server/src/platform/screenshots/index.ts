export { type BrowserOptions, endBrowser, type RunningBrowser, startBrowser } from './browser.ts'
export type { Load, Loaded, ScreenshotLook } from './drawing.ts'
export { createScreenshots, type ScreenshotOptions, type Screenshots } from './pictures.ts'
export { createThreadedScreenshots } from './threaded-pictures.ts'
