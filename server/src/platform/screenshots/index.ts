export { type BrowserOptions, endBrowser, type RunningBrowser, startBrowser } from './browser.ts'
export type { Drawing, Load, Loaded, ScreenshotAppearance } from './drawing.ts'
export { createScreenshots, type ScreenshotOptions, type Screenshots } from './screenshots.ts'
export { createThreadedScreenshots } from './threaded-screenshots.ts'
