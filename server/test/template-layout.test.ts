// Measures the templates in a browser: nothing is wider than a phone or a desktop mail.
// @module-tag random
import { compile, render } from '@signoff/render'
import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { designs } from '#features/content/templates/designs/index.ts'
import { kitOf } from '#features/content/templates/rules.ts'
import { bannerSize } from '#features/content/templates/sample-pictures.ts'
import {
  sampleBrand,
  sampleFields,
  sampleLogo,
  sampleSurroundings,
} from '#features/content/templates/samples.ts'
import { openBrowser } from './support/browser/browser.ts'
import { templatePerson } from './support/files/template-people.ts'
import { solidPicture } from './support/pictures.ts'
import { runs } from './support/runs.ts'

let page: Page
beforeAll(async () => {
  page = await (await openBrowser()).newPage()
  // A picture that is missing does not shrink with its mail.
  const body = await solidPicture(1, 1).png().toBuffer()
  await page.route(/^https:/, route => route.fulfill({ body, contentType: 'image/png' }))
})

const surroundings = sampleSurroundings('https://sign.example', 'https://sign.example/')
const banner = compile(
  { type: 'stack', children: [{ type: 'image', assetUuid: 'banner', alt: '', ...bannerSize }] },
  {
    ...surroundings,
    assets: new Map([['banner', { width: 960, height: 192, bytes: 9_000, contentType: 'image/png' }]]),
  },
)
const hooks = {
  campaign: () => ({ id: 'campaign', template: banner }),
  vcard: () => 'https://sign.example/v/x.vcf',
  qrUrl: () => 'https://sign.example/code.png',
}

const people = fc.sample(templatePerson, { numRuns: runs(12), seed: 7 })
const fonts = ['Arial', 'Verdana'] as const

describe.each([375, 700])('at %d px', width => {
  it.each(designs.map(design => [design.id, design] as const))('%s fits', async (_, { build }) => {
    await page.setViewportSize({ width, height: 400 })
    for (const font of fonts) {
      const content = build(kitOf({ ...sampleBrand, font_family: font }, sampleFields, sampleLogo))
      const cells = people.map(
        person =>
          `<section style="padding:0 12px">${render(content, person, { ...surroundings, ...hooks }).html}</section>`,
      )
      await page.setContent(`<!doctype html><body style="margin:0">${cells.join('')}</body>`, {
        waitUntil: 'load',
      })
      const widths = await page.$$eval('section', sections =>
        sections.map(section => (section as unknown as { scrollWidth: number }).scrollWidth),
      )
      const tooWide = people.filter((__, n) => (widths[n] ?? 0) > width)
      expect(tooWide, `${font}: ${Math.max(...widths)} px`).toEqual([])
    }
  })
})
