// Draws one picture in its own browser context, which is isolated from other pictures, runs no script and has no
// network.
import type { Browser, BrowserContext, Route } from 'playwright-core'
import { htmlPageOf, policy, type Theme, type Width, widths } from './page.ts'

export interface ScreenshotAppearance {
  readonly theme: Theme
  readonly width: Width
}

export interface Loaded {
  readonly body: Buffer
  readonly contentType: string
}

/** Loads a path of this service, such as `/icons/….png`; null when it does not exist. */
export type Load = (path: string) => Promise<Loaded | null>

const loadablePaths = ['files/', 'icons/', 'q/']

export async function openContext(
  browser: Browser,
  { theme, width }: ScreenshotAppearance,
): Promise<BrowserContext> {
  return browser.newContext({
    javaScriptEnabled: false,
    serviceWorkers: 'block',
    acceptDownloads: false,
    colorScheme: theme,
    viewport: { width: widths[width], height: 1 }, // so that a full-page picture is as high as its content
    deviceScaleFactor: 2,
  })
}

interface DrawingOptions {
  readonly appearance: ScreenshotAppearance
  readonly publicUrl: string
  readonly load: Load
}

export async function drawScreenshot(
  context: BrowserContext,
  html: string,
  { appearance: { theme, width }, publicUrl, load }: DrawingOptions,
): Promise<Buffer> {
  const base = new URL(`${publicUrl}/`).href
  const address = `${base}preview`
  let isPageServed = false
  // A file that cannot be loaded is a missing picture, as in a mail.
  const loadOrNull = async (path: string) => load(path).catch(() => null)
  // Intercepts every request of the browser: it is answered here, or aborted.
  await context.route(
    () => true,
    async route => {
      const url = route.request().url()
      if (url === address && !isPageServed) {
        isPageServed = true
        return answer(route, {
          body: Buffer.from(htmlPageOf(html, theme)),
          contentType: 'text/html; charset=utf-8',
          headers: { 'content-security-policy': policy },
        })
      }
      const isLoadable = loadablePaths.some(path => url.startsWith(base + path))
      return answer(route, isLoadable ? await loadOrNull(url.slice(base.length - 1)) : null)
    },
  )
  const page = await context.newPage()
  await page.goto(address, { waitUntil: 'load' })
  return shrinkToWidth(await page.screenshot({ fullPage: true, caret: 'initial' }), 2 * widths[width])
}

async function answer(
  route: Route,
  response: (Loaded & { headers?: Record<string, string> }) | null,
): Promise<void> {
  // `aborted` leaves the page unchanged; with another reason the browser would show its error page.
  const sent = response ? route.fulfill(response) : route.abort('aborted')
  await sent.catch(() => undefined) // the page was closed meanwhile
}

/** Shrinks a picture that is wider than the screen, as phones do. */
async function shrinkToWidth(png: Buffer, width: number): Promise<Buffer> {
  const pngWidth = png.readUInt32BE(16) // the width is in the header of every PNG
  if (pngWidth <= width) return png
  const { default: sharp } = await import('sharp')
  return sharp(png).resize({ width }).png().toBuffer()
}
