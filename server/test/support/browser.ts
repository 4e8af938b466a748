// A real browser, from npm, with the libraries a bare machine may lack.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import chromium, { inflate } from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'
import { afterAll } from 'vitest'

export async function openBrowser(): Promise<Browser> {
  const packed = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../bin')
  const libraries = await inflate(join(packed, 'al2023.tar.br'))
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    // Not the package's own arguments: with them the browser dies after the first page.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none'],
    env: { LD_LIBRARY_PATH: join(libraries, 'lib') },
    headless: true,
  })
  afterAll(() => browser.close())
  return browser
}
