// Signatures as a browser draws them, against pictures that people have looked at.
// After a change that is meant, UPDATE_PICTURES=1 draws them anew; look at each before committing it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pixelmatch from 'pixelmatch'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { iconUrl } from '#features/icons/index.ts'
import { createLog } from '#kernel/log.ts'
import { createScreenshots, type Screenshots } from '#platform/screenshots/index.ts'
import { type Golden, renderGolden } from '../../render/test/support/surroundings.ts'
import { type TestApp, testApp } from './support/app.ts'
import { browserFolder } from './support/browser.ts'

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
      body: path.startsWith('/icons/') ? (await app.get(path)).bytes : await stripes(path),
      contentType: 'image/png',
    }),
  })
})
afterAll(() => pictures.close())

/** Stands in for an uploaded picture: its size and shape are in its name. */
async function stripes(path: string): Promise<Buffer> {
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

const pixels = async (png: Buffer) => {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

describe.each(['bank-with-disclaimer', 'agency-with-banner', 'full-tracked'])('%s', name => {
  const golden = JSON.parse(readFileSync(join(goldens, `${name}.json`), 'utf8')) as Golden
  const { html } = renderGolden(golden, { iconUrl: icon => iconUrl(host, icon) })

  it.each(['light', 'dark'] as const)('looks as it always has, %s', async theme => {
    const drawn = await pictures.draw(html, { theme, width: 'desktop' })
    const file = join(folder, `${name}-${theme}.png`)
    if (process.env.UPDATE_PICTURES) writeFileSync(file, drawn)
    expect(existsSync(file)).toBe(true)
    const [was, is] = [await pixels(readFileSync(file)), await pixels(drawn)]
    expect([is.width, is.height]).toEqual([was.width, was.height])
    const different = pixelmatch(was.data, is.data, undefined, was.width, was.height, { threshold: 0.15 })
    expect(different / (was.width * was.height)).toBeLessThan(0.002)
  })
})
