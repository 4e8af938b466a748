// Pictures in the editor and on the page of images: dropped, pasted, described, cut, linked and replaced.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DashboardApp, dashboardApp, follow, visit } from '../support/browser/dashboard.ts'
import { checkPage, overlays, pageFaults } from '../support/browser/sign-in-browser.ts'

let dashboard: DashboardApp
let page: Page
let id: string
beforeAll(async () => {
  dashboard = await dashboardApp({ hasDemo: true })
  page = await dashboard.signIn()
  await page.setViewportSize({ width: 1440, height: 900 })
  const { body } = await dashboard.app.get('/v1/signatures')
  id = body.data.find(({ name }: { name: string }) => name === 'Winter redesign').id
  await visit(page, `${dashboard.url}/signatures/${id}/edit`)
  await item('Job title').waitFor()
})

afterAll(() => {
  expect(pageFaults).toEqual([])
})

interface StoredBlock {
  readonly id: string
  readonly type: string
  readonly alt?: string
  readonly name?: string
  readonly assetUuid?: string
  readonly crop?: object
  readonly href?: { readonly text?: string }
  readonly children?: readonly StoredBlock[]
}
const blocksOf = (block: StoredBlock): StoredBlock[] => [block, ...(block.children ?? []).flatMap(blocksOf)]
const draft = async (): Promise<StoredBlock> =>
  (await dashboard.app.get(`/v1/signatures/${id}`)).body.data.draft_content
const images = async () =>
  blocksOf(await draft()).filter(({ type, assetUuid }) => type === 'image' && assetUuid)

const item = (name: string) => page.getByRole('treeitem', { name }).first()
const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')

interface Given {
  readonly event: 'dragover' | 'drop' | 'paste'
  readonly name: string
  readonly type?: string
  readonly x?: number
  readonly y?: number
}

/** A file of 300 × 100 pixels from another program. The browser of the test cannot drag real ones. */
const give = ({ event, name, type = 'image/png', x = 0, y = 0 }: Given) =>
  page.evaluate(
    async given => {
      const canvas = document.createElement('canvas')
      canvas.width = 300
      canvas.height = 100
      canvas.getContext('2d')?.fillRect(20, 20, 200, 60)
      const blob = await new Promise<Blob | null>(done => canvas.toBlob(done, 'image/png'))
      const data = new DataTransfer()
      data.items.add(new File([blob ?? ''], given.name, { type: given.type }))
      const { x: clientX, y: clientY } = given
      const options = { bubbles: true, cancelable: true, composed: true }
      const happened =
        given.event === 'paste'
          ? new ClipboardEvent('paste', { ...options, clipboardData: data })
          : new DragEvent(given.event, { ...options, clientX, clientY, dataTransfer: data })
      const target = given.event === 'paste' ? document.body : document.elementFromPoint(clientX, clientY)
      target?.dispatchEvent(happened)
    },
    { event, name, type, x, y },
  )

const canvasBox = async () => {
  const box = await page.locator('[data-canvas]').boundingBox()
  if (!box) throw new Error('no canvas')
  return box
}

describe('pictures in the editor', () => {
  it('are dropped at a place, and described before they are put in', async () => {
    const { x, y, width, height } = await canvasBox()
    const point = { x: x + width / 2, y: y + height - 3 }
    await give({ event: 'dragover', name: 'company-logo_2x.png', ...point })
    await page.getByText('Add picture', { exact: true }).waitFor()
    await give({ event: 'drop', name: 'notes.pdf', type: 'application/pdf', ...point })
    await page.getByText('Only pictures can be dropped here').waitFor()
    await give({ event: 'drop', name: 'company-logo_2x.png', ...point })
    expect(await dialog().getByLabel('Description').inputValue()).toBe('Company logo')
    await checkPage(page, overlays)
    await dialog().getByLabel('Description').fill('Logo of Northbean')
    await button('Add picture').click()
    await expect.poll(async () => (await draft()).children?.at(-1)?.alt).toBe('Logo of Northbean')
    expect(await item('Logo of Northbean').getAttribute('aria-selected')).toBe('true')
  })

  it('replace the picture of an image on which they are dropped, and keep its description', async () => {
    const before = (await images()).at(-1)
    const { x, y, width, height } = await canvasBox()
    await give({ event: 'drop', name: 'other.png', x: x + width / 2, y: y + height - 50 })
    expect(await dialog().getByLabel('Description').inputValue()).toBe('Logo of Northbean')
    await button('Replace picture').click()
    await expect.poll(async () => (await images()).at(-1)?.assetUuid).not.toBe(before?.assetUuid)
    expect((await images()).at(-1)).toMatchObject({ id: before?.id, alt: 'Logo of Northbean' })
  })

  it('are pasted, and can be decoration; one that is given up does not stay in the library', async () => {
    await give({ event: 'paste', name: 'given-up.png' })
    const stored = async () => (await dashboard.app.get('/v1/assets?search=given-up')).body.data.length
    await expect.poll(stored).toBe(1)
    await dialog().waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(stored).toBe(0)
    await give({ event: 'paste', name: 'image.png' })
    await dialog().getByLabel('Description').waitFor()
    await button('Add picture').click()
    await page.getByText('Describe the picture, or mark it as decoration.').waitFor()
    await expect.poll(async () => (await images()).length).toBe(2)
    await page.getByText('Decorative').click()
    await expect.poll(async () => (await images()).map(({ alt }) => alt)).toContain('')
  })

  it('are cut to a part, which is part of the undo', async () => {
    await item('Logo of Northbean').click()
    await button('Crop').click()
    await dialog().getByRole('radio', { name: '1:1' }).click()
    await page.getByRole('application').press('ArrowRight')
    await checkPage(page, overlays)
    await dialog().getByRole('button', { name: 'Crop', exact: true }).click()
    await expect
      .poll(async () => (await images()).find(({ alt }) => alt !== '')?.crop)
      .toMatchObject({ y: 0, height: 1, width: 0.33333 })
    await button('Undo').click()
    await expect.poll(async () => (await images()).filter(({ crop }) => crop).length).toBe(0)
  })

  it('are links to networks that an address tells, and icons that words find', {
    tags: ['deep'],
  }, async () => {
    await item('Social profiles').click()
    await button('Add a link').click()
    await page.getByRole('searchbox', { name: 'Search, or paste an address' }).fill('github.com/northbean')
    await page.getByRole('option', { name: 'GitHub' }).waitFor()
    await checkPage(page, overlays)
    await page.keyboard.press('Enter')
    const links = async () => blocksOf(await draft()).filter(({ type }) => type === 'socialListItem')
    await expect
      .poll(async () => (await links()).at(-1))
      .toMatchObject({ name: 'github', href: { text: 'https://github.com/northbean' } })
    await page.getByLabel('Address of GitHub').fill('https://www.xing.com/companies/northbean')
    await expect.poll(async () => (await links()).at(-1)?.name).toBe('xing')
    await button('More for XING').click()
    await page.getByRole('menuitem', { name: 'Move forward' }).click()
    await expect.poll(async () => (await links()).at(-2)?.name).toBe('xing')
    await button('Icon').click()
    await page.getByRole('button', { name: 'Icon: Star' }).click()
    await page.getByRole('searchbox', { name: 'Search icons' }).fill('telep')
    await page.getByRole('option', { name: 'Phone' }).waitFor()
    await page.keyboard.press('Enter')
    await expect
      .poll(async () => blocksOf(await draft()).find(({ type }) => type === 'icon')?.name)
      .toBe('phone')
  })

  it('show whether a colour can be read, and offer one that can', { tags: ['deep'] }, async () => {
    await item('Job title').click()
    await page.getByLabel('Text color', { exact: true }).last().fill('#c08060')
    await page.getByText('on its background').first().waitFor()
    await page.getByText('Below 4.5:1').waitFor()
    await checkPage(page)
    await button('Use a safe color').click()
    await page.getByText('Readable').first().waitFor()
    await page.getByText('Saved', { exact: true }).waitFor()
  })
})

describe('an image of the library', () => {
  it('is replaced everywhere it is used, and says what must be published', async () => {
    const { app } = dashboard
    const { logo_asset_id: logo } = (await app.get('/v1/workspace/brand')).body.data
    const [, second] = (await app.get('/v1/assets?role=company_logo')).body.data
    expect(second).toBeUndefined()
    const content = { type: 'stack', children: [{ type: 'image', assetUuid: logo, alt: 'Logo' }] }
    await app.patch(`/v1/signatures/${id}/variants/reply`, { variant: { draft_content: content } })
    const campaign = (
      await app.post('/v1/marketing_campaigns', { marketing_campaign: { name: 'Fair', content } })
    ).body.data
    const shows = async (asset: string) => {
      const answers = await Promise.all([
        app.get('/v1/workspace/brand'),
        app.get('/v1/signatures?include_content=true&limit=100'),
        app.get(`/v1/signatures/${id}/variants/reply`),
        app.get(`/v1/marketing_campaigns/${campaign.id}`),
      ])
      const [brand, signatures, variant, banner] = answers.map(({ body }) => body.data)
      const drafts = signatures.map(
        (each: { draft_content: unknown; content: unknown }) => each.draft_content ?? each.content,
      )
      return [brand.logo_asset_id, drafts, variant.draft_content, banner.content].map(each =>
        JSON.stringify(each).includes(asset),
      )
    }
    expect(await shows(logo)).toEqual([true, true, true, true])

    await follow(page, '/assets?role=company_logo')
    await page.getByRole('main').getByRole('listitem').getByRole('button').first().click()
    await button('Replace everywhere').click()
    await button('Choose the new picture').click()
    await page.getByRole('option', { name: 'other' }).waitFor()
    await checkPage(page, overlays)
    await page.getByRole('option', { name: 'other' }).click()
    await page.getByRole('button', { name: /^Replace in \d+ places$/ }).click()
    await page.getByText(/must be published again/).waitFor()
    await checkPage(page, overlays)
    expect(await shows(logo)).toEqual([false, false, false, false])
    const [other] = (await app.get('/v1/assets?search=other')).body.data
    expect(await shows(other.id)).toEqual([true, true, true, true])
  })
})
