// Pictures of signatures, drawn by a real browser: what a mail client shows is more than a parser can tell.
import { setTimeout as sleep } from 'node:timers/promises'
import { createBoundedQueue } from '#kernel/bounded-queue.ts'
import { ApiError, apiError } from '#kernel/errors.ts'
import { type BrowserOptions, type RunningBrowser, startBrowser } from './browser.ts'
import { drawScreenshot, type Load, openContext, type ScreenshotLook } from './drawing.ts'
import { shareBrowser } from './shared-browser.ts'

export interface Screenshots {
  /** A PNG of an HTML fragment, with two pixels for each CSS pixel. */
  draw(html: string, look: ScreenshotLook): Promise<Buffer>
  close(): Promise<void>
}

export interface ScreenshotOptions extends Pick<BrowserOptions, 'chromium' | 'folder'> {
  readonly publicUrl: string
  readonly load: Load
  readonly log: {
    readonly warn: (about: { readonly err: unknown; readonly attempt?: number }, message: string) => void
  }
  readonly limits?: Partial<Limits>
}

interface Limits {
  readonly atOnce: number
  readonly waiting: number
  /** For one picture, once it is its turn and there is a browser. */
  readonly milliseconds: number
  /** For the end of one; a browser that takes longer is replaced. */
  readonly closingMilliseconds: number
  /** Without a picture, until the browser goes. */
  readonly idleMilliseconds: number
}
const usual: Limits = {
  atOnce: 2,
  waiting: 20,
  milliseconds: 10_000,
  closingMilliseconds: 1_000,
  idleMilliseconds: 300_000,
}

// Whatever should get past the answering of requests finds no host.
const cutOff = ['--host-resolver-rules=MAP * ~NOTFOUND']

export function createScreenshots({
  chromium,
  folder,
  publicUrl,
  load,
  log,
  limits,
}: ScreenshotOptions): Screenshots {
  const { milliseconds, closingMilliseconds, idleMilliseconds, ...places } = { ...usual, ...limits }
  const inLine = createBoundedQueue(places)
  const shared = shareBrowser(start, idleMilliseconds)

  async function start(): Promise<RunningBrowser> {
    try {
      return await startBrowser({ chromium, folder, args: cutOff })
    } catch (error) {
      log.warn({ err: error }, 'no browser can be started')
      throw apiError('preview_unavailable')
    }
  }

  async function drawWith(one: RunningBrowser, html: string, look: ScreenshotLook): Promise<Buffer> {
    const opened = openContext(one.browser, look)
    const drawn = opened.then(context => drawScreenshot(context, html, { look, publicUrl, load }))
    try {
      const picture = await within(milliseconds, drawn)
      if (picture) return picture
      throw apiError('unavailable', { message: 'The picture took too long to draw.' })
    } finally {
      const closed = opened.then(context => context.close()).catch(() => undefined)
      const isClosed = closed.then(() => true)
      if (!(await within(closingMilliseconds, isClosed))) await shared.drop(one)
    }
  }

  return {
    draw: (html, look) =>
      inLine(async () => {
        for (let attempt = 1; ; attempt++) {
          try {
            return await shared.use(one => drawWith(one, html, look))
          } catch (error) {
            if (error instanceof ApiError) throw error
            log.warn({ err: error, attempt }, 'a picture was not drawn')
            // The browser may have died under it; a second time it is the picture.
            if (attempt === 2) throw apiError('unavailable', { message: 'The picture could not be drawn.' })
          }
        }
      }),
    close: shared.close,
  }
}

/** Undefined when it takes longer; what comes of it then is nobody's business. */
const within = <T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> => {
  work.catch(() => undefined)
  return Promise.race([work, sleep(milliseconds, undefined, { ref: false })])
}
