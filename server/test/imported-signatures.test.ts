// Signatures as mail clients and generators write them: imported, rendered and compared with the original in a browser.

import { globSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Measured, measureSignature } from './signatures/measure-signature.ts'
import { type TestApp, testApp } from './support/app.ts'
import { openBrowser } from './support/browser/browser.ts'
import { drawStandIn, picturesHost, startPictures } from './support/files/signature-pictures.ts'

const folder = join(import.meta.dirname, 'signatures')
const names = globSync('*.html', { cwd: folder })
  .map(file => basename(file, '.html'))
  .sort()

let app: TestApp
let page: Page
let pictures: string
beforeAll(async () => {
  app = await testApp({ env: { SIGNOFF_PRIVATE_TARGETS: '127.0.0.1' } })
  pictures = await startPictures()
  page = await (await openBrowser()).newPage({ viewport: { width: 760, height: 700 } })
  await page.route('**/*', async route => {
    const url = new URL(route.request().url())
    if (url.origin === picturesHost)
      return route.fulfill({ contentType: 'image/png', body: await drawStandIn(url.pathname) })
    if (!/^\/(files|icons)\//.test(url.pathname)) return route.abort()
    const { rawPayload, headers } = await app.http.inject(url.pathname)
    return route.fulfill({ contentType: String(headers['content-type']), body: rawPayload })
  })
})

const show = (html: string): Promise<void> =>
  page.setContent(
    `<!doctype html><style>body{margin:0;padding:10px;font:14px Arial}a{color:#1155cc}</style>${html}`,
    { waitUntil: 'load' },
  )

/** With this folder set, the test writes a picture of each original and of its import. */
const output = process.env.SIGNOFF_TEST_IMPORT_PICTURES

async function measure(name: string, kind: 'original' | 'imported', html: string): Promise<Measured> {
  await show(html)
  if (output) {
    await mkdir(output, { recursive: true })
    await writeFile(join(output, `${name}-${kind}.png`), await page.screenshot())
  }
  return page.evaluate(measureSignature)
}

async function importOf(html: string) {
  const { status, body, text } = await app.post('/v1/content/import', {
    html: html.replaceAll(picturesHost, pictures),
  })
  expect(status, text).toBe(200)
  return body.data
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const percentile90 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.9)] ?? 0

describe('an imported signature', () => {
  it('is tried in more than 25 forms', () => {
    expect(names.length).toBeGreaterThan(25)
  })

  it.each(names)('from %s has every text, link and picture, at its place', async name => {
    const html = await readFile(join(folder, `${name}.html`), 'utf8')
    const data = await importOf(html)
    if (output) {
      await mkdir(output, { recursive: true })
      await writeFile(join(output, `${name}.json`), JSON.stringify(data, null, 1))
    }
    const created = await app.post('/v1/signatures', { name, draft_content: data.content })
    expect(created.status, created.text).toBe(201)
    const preview = await app.post('/v1/content/preview', { content: data.content })
    const original = await measure(name, 'original', html)
    const imported = await measure(name, 'imported', preview.body.data.html)

    expect(imported.words.map(word => word.text)).toEqual(original.words.map(word => word.text))
    expect(imported.links).toEqual(expect.arrayContaining([...original.links]))
    expect(imported.pictures.length).toBe(original.pictures.length)

    const off = original.words.map((word, at) => {
      const other = imported.words[at]
      return { x: Math.abs(word.x - (other?.x ?? 0)), y: Math.abs(word.y - (other?.y ?? 0)) }
    })
    const summary = {
      x: [median(off.map(({ x }) => x)), percentile90(off.map(({ x }) => x))],
      y: [median(off.map(({ y }) => y)), percentile90(off.map(({ y }) => y))],
      size: [imported.width / original.width, imported.height / original.height],
    }
    if (output) console.log(name, JSON.stringify(summary))
    const message = `${name}: ${JSON.stringify(summary)}`
    expect(summary.x[0], message).toBeLessThan(12)
    expect(summary.x[1], message).toBeLessThan(50)
    expect(summary.y[0], message).toBeLessThan(16)
    expect(summary.y[1], message).toBeLessThan(30)
    for (const ratio of summary.size) {
      expect(ratio, message).toBeGreaterThan(0.75)
      expect(ratio, message).toBeLessThan(1.3)
    }
  })
})
