// Compares signatures, as a browser draws them, with reviewed pictures.
// After an intended change, UPDATE_PICTURES=1 writes them again; review each before you commit it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pixelmatch from 'pixelmatch'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { iconUrl } from '#features/content/icons/index.ts'
import { createLog } from '#kernel/base/log.ts'
import { createScreenshots, type Screenshots } from '#platform/screenshots/index.ts'
import { type Golden, renderGolden } from '../../render/test/support/surroundings.ts'
import { type TestApp, testApp } from './support/app.ts'
import { browserFolder } from './support/browser/browser.ts'

const host = 'https://sign.example'
const goldens = join(import.meta.dirname, '../../render/test/golden/signatures')
const folder = join(import.meta.dirname, 'pictures')

let app: TestApp
let pictures: Screenshots
beforeAll(async () => {
  app = await testApp()
  pictures = createScreenshots({
    chromium: app.config.chromium,
    folder: browserFolder(),
    publicUrl: host,
    log: createLog('silent'),
    load: async path => ({
      body: path.startsWith('/icons/') ? (await app.get(path)).bytes : await drawStripes(path),
      contentType: 'image/png',
    }),
  })
})
afterAll(() => pictures.close())

/** Replaces an uploaded picture. Its name contains its size and shape. */
async function drawStripes(path: string): Promise<Buffer> {
  const [, width = '80', height = '80', shape = 'square'] = /-(\d+)x(\d+)-(\w+)\./.exec(path) ?? []
  const [w, h] = [Number(width) * 2, Number(height) * 2]
  const clip =
    shape === 'circle'
      ? `<circle cx="${w / 2}" cy="${h / 2}" r="${w / 2}"/>`
      : '<rect width="100%" height="100%"/>'
  const drawing = `<defs><pattern id="p" width="24" height="24" patternUnits="userSpaceOnUse"><rect width="24" height="24" fill="#1f5fbf"/><rect width="12" height="24" fill="#8fb3e8"/></pattern><clipPath id="c">${clip}</clipPath></defs><rect width="100%" height="100%" fill="url(#p)" clip-path="url(#c)"/>`
  return sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}">${drawing}</svg>`),
  )
    .png()
    .toBuffer()
}

const readPixels = async (png: Buffer) => {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

describe.each(['bank-with-disclaimer', 'agency-with-banner', 'full-tracked'])('%s', name => {
  const golden = JSON.parse(readFileSync(join(goldens, `${name}.json`), 'utf8')) as Golden
  const { html } = renderGolden(golden, { iconUrl: icon => iconUrl(host, icon) })

  it.each(['light', 'dark'] as const)('looks like the reviewed picture, %s', async theme => {
    const { png } = await pictures.draw(html, { theme, width: 'desktop' })
    const file = join(folder, `${name}-${theme}.png`)
    if (process.env.UPDATE_PICTURES) writeFileSync(file, png)
    expect(existsSync(file)).toBe(true)
    const [expected, actual] = [await readPixels(readFileSync(file)), await readPixels(png)]
    expect([actual.width, actual.height]).toEqual([expected.width, expected.height])
    const differentPixels = pixelmatch(
      expected.data,
      actual.data,
      undefined,
      expected.width,
      expected.height,
      { threshold: 0.15 },
    )
    expect(differentPixels / (expected.width * expected.height)).toBeLessThan(0.002)
  })
})
