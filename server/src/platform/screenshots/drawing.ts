// One picture, in a context of its own that sees nothing of other pictures, runs no script and reaches no network.
import type { Browser, BrowserContext, Route } from 'playwright-core'
import { pageOf, policy, type Theme, type Width, widths } from './page.ts'

export interface ScreenshotLook {
  readonly theme: Theme
  readonly width: Width
}

export interface Loaded {
  readonly body: Buffer
  readonly contentType: string
}

/** What is at a path of this service, such as `/icons/….png`; null for nothing. */
export type Load = (path: string) => Promise<Loaded | null>

const places = ['files/', 'icons/']

export async function openContext(
  browser: Browser,
  { theme, width }: ScreenshotLook,
): Promise<BrowserContext> {
  return browser.newContext({
    javaScriptEnabled: false,
    serviceWorkers: 'block',
    acceptDownloads: false,
    colorScheme: theme,
    viewport: { width: widths[width], height: 1 }, // a picture of the full page is then as high as its content
    deviceScaleFactor: 2,
  })
}

interface Surroundings {
  readonly look: ScreenshotLook
  readonly publicUrl: string
  readonly load: Load
}

export async function drawScreenshot(
  context: BrowserContext,
  html: string,
  { look: { theme, width }, publicUrl, load }: Surroundings,
): Promise<Buffer> {
  const base = new URL(`${publicUrl}/`).href
  const address = `${base}preview`
  let isShown = false
  // What cannot be loaded is a picture that is missing, as it would be in a mail.
  const loaded = async (path: string) => load(path).catch(() => null)
  // Each request of the browser comes here and is answered here, or dies here.
  await context.route(
    () => true,
    async route => {
      const url = route.request().url()
      if (url === address && !isShown) {
        isShown = true
        return answer(route, {
          body: Buffer.from(pageOf(html, theme)),
          contentType: 'text/html; charset=utf-8',
          headers: { 'content-security-policy': policy },
        })
      }
      const isOwn = places.some(place => url.startsWith(base + place))
      return answer(route, isOwn ? await loaded(url.slice(base.length - 1)) : null)
    },
  )
  const page = await context.newPage()
  await page.goto(address, { waitUntil: 'load' })
  return fit(await page.screenshot({ fullPage: true, caret: 'initial' }), 2 * widths[width])
}

async function answer(
  route: Route,
  found: (Loaded & { headers?: Record<string, string> }) | null,
): Promise<void> {
  // `aborted` leaves the page as it is; another reason would put an error page of the browser's in its place.
  const answered = found ? route.fulfill(found) : route.abort('aborted')
  await answered.catch(() => undefined) // the page was given up meanwhile
}

/** What is wider than the screen is shrunk, as phones do. */
async function fit(png: Buffer, width: number): Promise<Buffer> {
  const drawn = png.readUInt32BE(16) // the width, in the header of every PNG
  if (drawn <= width) return png
  const { default: sharp } = await import('sharp')
  return sharp(png).resize({ width }).png().toBuffer()
}
