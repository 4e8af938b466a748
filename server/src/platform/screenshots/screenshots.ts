// Pictures of signatures, drawn by a real browser, because only a browser shows a signature as a mail client does.
import { setTimeout as sleep } from 'node:timers/promises'
import { minute } from '#kernel/base/durations.ts'
import { ApiError, apiError } from '#kernel/base/errors.ts'
import { createBoundedQueue } from '#kernel/base/queues.ts'
import { type BrowserOptions, type RunningBrowser, startBrowser } from './browser.ts'
import { type Drawing, drawScreenshot, type Load, openContext, type ScreenshotAppearance } from './drawing.ts'
import { shareBrowser } from './shared-browser.ts'

export interface Screenshots {
  /** A PNG of an HTML fragment, with two pixels for each CSS pixel. */
  draw(html: string, appearance: ScreenshotAppearance): Promise<Drawing>
  close(): Promise<void>
}

export interface ScreenshotOptions extends Pick<BrowserOptions, 'chromium' | 'folder'> {
  readonly publicUrl: string
  readonly load: Load
  readonly log: {
    readonly warn: (fields: { readonly err: unknown; readonly attempt?: number }, message: string) => void
  }
  readonly limits?: Partial<Limits>
}

interface Limits {
  readonly atOnce: number
  readonly waiting: number
  /** The timeout for one picture, after it left the queue and the browser has started. */
  readonly milliseconds: number
  /** The timeout for closing the context of a picture; after it the browser is replaced. */
  readonly closingMilliseconds: number
  /** The browser is ended after this time without a picture. */
  readonly idleMilliseconds: number
}
const defaultLimits: Limits = {
  atOnce: 2,
  waiting: 20,
  milliseconds: 10_000,
  closingMilliseconds: 1_000,
  idleMilliseconds: 5 * minute,
}

// A second protection: a request that is not intercepted cannot resolve any host.
const noNetworkArgs = ['--host-resolver-rules=MAP * ~NOTFOUND']

export function createScreenshots({
  chromium,
  folder,
  publicUrl,
  load,
  log,
  limits,
}: ScreenshotOptions): Screenshots {
  const { milliseconds, closingMilliseconds, idleMilliseconds, ...queueLimits } = {
    ...defaultLimits,
    ...limits,
  }
  const enqueue = createBoundedQueue({
    ...queueLimits,
    message: 'Too many pictures are being drawn; try again shortly.',
  })
  const shared = shareBrowser(start, idleMilliseconds)

  async function start(): Promise<RunningBrowser> {
    try {
      return await startBrowser({ chromium, folder, args: noNetworkArgs })
    } catch (error) {
      log.warn({ err: error }, 'no browser can be started')
      throw apiError('preview_unavailable')
    }
  }

  async function drawWith(
    running: RunningBrowser,
    html: string,
    appearance: ScreenshotAppearance,
  ): Promise<Drawing> {
    const opened = openContext(running.browser, appearance)
    const drawing = opened.then(context => drawScreenshot(context, html, { appearance, publicUrl, load }))
    try {
      const picture = await within(milliseconds, drawing)
      if (picture) return picture
      throw apiError('unavailable', { message: 'The picture took too long to draw.' })
    } finally {
      const closed = opened.then(context => context.close()).catch(() => undefined)
      const isClosed = closed.then(() => true)
      if (!(await within(closingMilliseconds, isClosed))) await shared.endAndReplace(running)
    }
  }

  return {
    draw: (html, appearance) =>
      enqueue(async () => {
        for (let attempt = 1; ; attempt++) {
          try {
            return await shared.use(running => drawWith(running, html, appearance))
          } catch (error) {
            if (error instanceof ApiError) throw error
            log.warn({ err: error, attempt }, 'a picture was not drawn')
            // The first failure can be a browser that died; after a second failure the picture itself is the cause.
            if (attempt === 2) throw apiError('unavailable', { message: 'The picture could not be drawn.' })
          }
        }
      }),
    close: shared.close,
  }
}

/** Undefined after the timeout; the later result or error is ignored. */
const within = <T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> => {
  work.catch(() => undefined)
  return Promise.race([work, sleep(milliseconds, undefined, { ref: false })])
}
