// Draws contact sheets of all templates, to look at them:
// npx node server/generate/template-sheets.ts <folder> [case] [part of a template's id]
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compile, type RenderHooks, render } from '@signoff/render'
import type { Page } from 'playwright-core'
import { iconFile } from '#features/content/icons/drawing.ts'
import type { FieldKey } from '#features/content/templates/design.ts'
import { designs } from '#features/content/templates/designs/index.ts'
import { kitOf } from '#features/content/templates/rules.ts'
import {
  sampleBrand,
  sampleFields,
  sampleLogo,
  samplePerson,
  sampleSurroundings,
} from '#features/content/templates/samples.ts'
import { samplePictureOf } from '#features/content/templates/thumbnails.ts'
import { endBrowser, startBrowser } from '#platform/screenshots/index.ts'
import { htmlPageOf } from '#platform/screenshots/page.ts'
import { templateCases } from './template-cases.ts'

const origin = 'https://sign.northbean.example'
/** As long as the addresses of real files. */
const pictures = `${origin}/files/0198c2d4-7d0a-7c3e-9b1f-2f4c5a6b7c8d/Zk3v9QmT2xR7pL5w/192x192-circle-3f2a9c1e-`

async function load(path: string): Promise<Buffer | undefined> {
  const file = path.split('/').at(-1)?.split('-3f2a9c1e-').at(-1) ?? ''
  if (path.startsWith('/icons/')) return iconFile(file)
  return samplePictureOf(file)?.()
}

async function openPage(width: number): Promise<{ page: Page; close: () => Promise<void> }> {
  const instance = await startBrowser({ chromium: null, folder: join(tmpdir(), 'signoff-sheets') })
  const page = await instance.browser.newPage({ viewport: { width, height: 100 }, deviceScaleFactor: 1.5 })
  await page.route(`${origin}/**`, async route => {
    const body = await load(new URL(route.request().url()).pathname)
    return body ? route.fulfill({ body, contentType: 'image/png' }) : route.abort()
  })
  return { page, close: () => endBrowser(instance) }
}

const [folder = 'sheets', onlyCase = '', onlyId = ''] = process.argv.slice(2)
await mkdir(folder, { recursive: true })
const surroundings = sampleSurroundings(origin, pictures)
const banner = compile(
  { type: 'stack', children: [{ type: 'image', assetUuid: 'banner', alt: '', width: 480, height: 96 }] },
  {
    ...surroundings,
    assets: new Map([['banner', { width: 960, height: 192, bytes: 9, contentType: 'image/png' }]]),
  },
)
const hooks: RenderHooks = {
  vcard: () => `${origin}/v/token.vcf`,
  qrUrl: () => `${pictures}code.png`,
}
for (const { name, person, theme = 'light', width = 480, brand = {}, hasBanner } of templateCases) {
  if (onlyCase !== '' && name !== onlyCase) continue
  const full = { ...sampleBrand, ...brand }
  const kit = kitOf(full, sampleFields, full.logo_asset_id === null ? null : sampleLogo)
  const cells = designs
    .filter(({ id }) => id.includes(onlyId))
    .map(({ id, category, build, isDrawnWithBanner }) => {
      const values = { ...samplePerson(pictures, category), ...person } as Record<FieldKey, string>
      const campaign = () => (hasBanner || isDrawnWithBanner ? { id: 'campaign', template: banner } : null)
      const { html, warnings } = render(build(kit), values, { ...surroundings, ...hooks, campaign })
      const notes = [...new Set(warnings.map(({ code }) => code))].join(' ')
      return `<div style="display:inline-block;vertical-align:top;width:${width}px;margin:0 24px 32px 0;overflow:visible"><div style="font:11px monospace;color:#888;margin-bottom:8px">${id} ${Buffer.byteLength(html)} ${notes}</div><div style="outline:1px dotted #ccc8;padding:12px 12px">${html}</div></div>`
    })
  const { page, close } = await openPage(Math.max(1, Math.floor(1530 / (width + 24))) * (width + 24) + 24)
  const perSheet = 9
  for (let n = 0; n * perSheet < cells.length; n++) {
    const part = cells.slice(n * perSheet, (n + 1) * perSheet).join('')
    await page.goto('about:blank')
    await page.setContent(
      htmlPageOf(part, theme, { css: '', families: [] }).replaceAll('max-height:2000px', ''),
      { waitUntil: 'load' },
    )
    await writeFile(join(folder, `${name}-${n + 1}.png`), await page.screenshot({ fullPage: true }))
  }
  await close()
}
