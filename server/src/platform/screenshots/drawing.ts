// Draws one picture in its own browser context, which is isolated from other pictures, runs no script and has no
// network.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page, Request, Route } from 'playwright-core'
import { htmlPageOf, policy, type Theme, type Width, widths } from './page.ts'
import { fontsFor, type PageFonts, readFont } from './script-fonts.ts'

export interface ScreenshotAppearance {
  readonly theme: Theme
  readonly width: Width
}

export interface Loaded {
  readonly body: Buffer
  readonly contentType: string
}

/**
 * Loads a path of this service, such as `/icons/….png`, or a picture of another server by its whole address. Null when
 * there is none.
 */
export type Load = (address: string) => Promise<Loaded | null>

export interface Drawing {
  readonly png: Buffer
  /** Characters that no font has: the picture shows boxes. At most 20. */
  readonly missingGlyphs: readonly string[]
  /** The number of pictures that could not be loaded: the picture shows their alternative text. */
  readonly missingPictures: number
}

const loadablePaths = ['files/', 'icons/', 'q/', 'templates/']
/** The browser asks for font files below this path. */
const fontPath = 'preview-fonts/'
/** Pictures of other servers in one drawing. Further ones are missing. */
const maxPublicPictures = 20
/** Distinct characters that are checked in one drawing. */
const maxCharacters = 1_000
const maxMissingGlyphs = 20

const inPage = readFileSync(join(import.meta.dirname, 'in-page.js'), 'utf8')
/** The function of the file, as an expression. */
const applyFontsInPage = inPage.slice(inPage.indexOf('async function'))

export async function openContext(
  browser: Browser,
  { theme, width }: ScreenshotAppearance,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    serviceWorkers: 'block',
    acceptDownloads: false,
    colorScheme: theme,
    viewport: { width: widths[width], height: 1 }, // so that a full-page picture is as high as its content
    deviceScaleFactor: 2,
  })
  // The limit of the whole picture (`screenshots.ts`) is the only one. Playwright's own 30 seconds per step would end
  // a picture with a longer limit, and count as a browser that died.
  context.setDefaultTimeout(0)
  return context
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
): Promise<Drawing> {
  const base = new URL(`${publicUrl}/`).href
  const address = `${base}preview`
  const fonts = await fontsFor(html, base + fontPath)
  const loadAddress = limitedLoader(base, load)
  let isPageServed = false
  const missingPictures = new Set<string>()
  // Intercepts every request of the browser: it is answered here, or aborted.
  await context.route(
    () => true,
    async route => {
      const request = route.request()
      if (request.url() === address && !isPageServed) {
        isPageServed = true
        return answer(route, {
          body: Buffer.from(htmlPageOf(html, theme, fonts)),
          contentType: 'text/html; charset=utf-8',
          headers: { 'content-security-policy': policy },
        })
      }
      const loaded = await loadAddress(request)
      if (!loaded && request.resourceType() === 'image') missingPictures.add(request.url())
      return answer(route, loaded)
    },
  )
  const page = await context.newPage()
  await page.goto(address, { waitUntil: 'load' })
  const missingGlyphs = await applyFonts(page, fonts)
  const screenshot = await page.screenshot({ fullPage: true, caret: 'initial' })
  return {
    png: await shrinkToWidth(screenshot, 2 * widths[width]),
    missingGlyphs,
    missingPictures: missingPictures.size,
  }
}

interface FulfilledRequest extends Loaded {
  readonly headers?: Record<string, string>
}

/** Answers the requests for fonts and pictures. A file that cannot be loaded is a missing picture, as in a mail. */
function limitedLoader(base: string, load: Load): (request: Request) => Promise<FulfilledRequest | null> {
  let publicPictures = 0
  return async request => {
    const url = request.url()
    if (url.startsWith(base + fontPath)) {
      const body = await readFont(url.slice(base.length + fontPath.length))
      // The page has no origin (`sandbox`), and a font needs the permission of its server.
      return body && { body, contentType: 'font/woff2', headers: { 'access-control-allow-origin': '*' } }
    }
    if (url.startsWith(base)) {
      const isLoadable = loadablePaths.some(path => url.startsWith(base + path))
      return isLoadable ? load(url.slice(base.length - 1)).catch(() => null) : null
    }
    if (request.resourceType() !== 'image' || !/^https?:/.test(url)) return null
    publicPictures++
    return publicPictures > maxPublicPictures ? null : load(url).catch(() => null)
  }
}

/** Returns the characters that no font has. */
async function applyFonts(page: Page, { families }: PageFonts): Promise<string[]> {
  const options = JSON.stringify({ families, maxCharacters })
  const missing = await page.evaluate<string[]>(`(${applyFontsInPage})(${options})`)
  return missing.slice(0, maxMissingGlyphs)
}

async function answer(route: Route, response: FulfilledRequest | null): Promise<void> {
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
