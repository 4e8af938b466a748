// The owner of a personal page corrects values and the picture, in a real browser, served by the running service.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from './support/app.ts'
import { openBrowser } from './support/browser.ts'
import { solidPicture } from './support/pictures.ts'
import { migratedFolder, type Served, serve, stop } from './support/process.ts'
import { checkPage, openContext, pageFaults } from './support/sign-in-browser.ts'

let served: Served
let browser: Browser
let address: string
let teammateId: string

/** The port is chosen before the start, because the URLs of pictures contain it. */
async function freePort(): Promise<string> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return String(port)
}

async function api(method: string, path: string, body?: object) {
  const answer = await fetch(served.url + path, {
    method,
    headers: { authorization: `Bearer ${served.key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(answer.status, `${method} ${path}`).toBeLessThan(300)
  return ((await answer.json()) as Answer['body']).data
}

const value = (smart_field: string, text: string) => ({ smart_field, value: text })
const fileOf = async (width: number, height: number, colour: string) =>
  solidPicture(width, height, colour).png().toBuffer()

beforeAll(async () => {
  const port = await freePort()
  const own = { SIGNOFF_PUBLIC_URL: `http://localhost:${port}`, PORT: port }
  const started = serve({ env: { SIGNOFF_DATA_DIR: await migratedFolder(), ...own } })
  ;[served, browser] = await Promise.all([started, openBrowser()])
  served = { ...served, url: own.SIGNOFF_PUBLIC_URL }
  const fields: { id: string; key: string }[] = await api('GET', '/v1/smart_fields?limit=100')
  const editable = { mobile_phone: 'none', job_title: 'required', profile_picture: 'none' }
  for (const { id, key } of fields) {
    const approval = editable[key as keyof typeof editable]
    if (approval) await api('PATCH', `/v1/smart_fields/${id}`, { editable_by_owner: true, approval })
  }
  const logo = (await fileOf(300, 80, '#7a4a21')).toString('base64')
  const asset = await api('POST', '/v1/assets', { asset: { file_base64: logo, filename: 'logo.png' } })
  await api('PATCH', '/v1/workspace', { name: 'Northbean Coffee' })
  await api('PATCH', '/v1/workspace/brand', { logo_asset_id: asset.id, colors: { primary: '#e8b04b' } })
  const smart_fields = [
    value('first_name', 'Ada'),
    value('job_title', 'Engineer'),
    value('mobile_phone', '+49 170 1234567'),
  ]
  const person = await api('POST', '/v1/teammates', { teammate: { email: 'ada@example.com', smart_fields } })
  teammateId = person.id
  const jobTitle = fields.find(({ key }) => key === 'job_title')?.id
  const draft_content = {
    type: 'stack',
    children: [{ type: 'text', tokens: [{ smartFieldUuid: jobTitle }] }],
  }
  const signature = await api('POST', '/v1/signatures', { signature: { name: 'Standard', draft_content } })
  await api('POST', `/v1/signatures/${signature.id}/emails`, { email_ids: [person.emails[0].id] })
  await api('POST', `/v1/signatures/${signature.id}/publish`)
  address = (await api('GET', `/v1/emails/${person.emails[0].id}/personal_page`)).url
})
afterAll(async () => {
  expect(await stop(served)).toBe(0)
})

async function open(options: object = {}): Promise<Page> {
  const page = await (await openContext(browser, options)).newPage()
  await page.goto(address)
  return page
}
const stored = async (label: string) =>
  (await api('GET', `/v1/teammates/${teammateId}`)).smart_fields.find(
    (item: { label: string }) => item.label === label,
  )
const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click()
const pending = async () => (await api('GET', '/v1/profile_changes?status=pending')) as { id: string }[]

describe('the owner of a page', () => {
  it('corrects values: one is live at once, the other waits, and a wrong one is marked', async () => {
    const page = await open()
    await page.getByLabel('Mobile phone').fill('call me')
    await page.getByLabel('Job title').fill('Lead engineer')
    await save(page)
    await page.getByRole('alert').waitFor()
    expect(await page.getByLabel('Mobile phone').getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByLabel('Job title').inputValue()).toBe('Lead engineer')
    await checkPage(page)

    await page.getByLabel('Mobile phone').fill('+49 170 7654321')
    await save(page)
    await page.getByText('as soon as it is approved').waitFor()
    expect((await stored('Mobile phone')).value).toBe('+49 170 7654321')
    expect((await stored('Job title')).value).toBe('Engineer')
    await page.getByText('your signature shows: Engineer').waitFor()
    await checkPage(page)

    const [change] = await pending()
    await api('POST', `/v1/profile_changes/${change?.id}/reject`, { reason: 'Ask your team lead first.' })
    await page.reload()
    await page.getByText('Ask your team lead first.').waitFor()
    expect(await page.getByLabel('Job title').inputValue()).toBe('Engineer')
    await page.context().close()
  })

  it('withdraws a change, in the language of the browser, without scripts', async () => {
    const page = await open({ locale: 'de-DE', javaScriptEnabled: false })
    await page.getByLabel('Position').fill('Chefin')
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page.getByRole('button', { name: 'Zurückziehen' }).click()
    await page.getByText('Ihr Wunsch ist zurückgezogen.').waitFor()
    expect(await pending()).toEqual([])
    await page.context().close()
  })

  it('chooses the part of a picture by keyboard and mouse, and removes the picture', async () => {
    const page = await open({ viewport: { width: 900, height: 900 } })
    const buffer = await fileOf(1_200, 600, '#3355aa')
    await page.getByLabel('Add a picture').setInputFiles({ name: 'ada.png', mimeType: 'image/png', buffer })
    const stage = page.getByRole('application')
    await stage.waitFor()
    await checkPage(page)
    const box = () =>
      page.evaluate<number[]>(`(({ style }) => [style.left, style.width].map(parseFloat))(
        document.getElementById('stage-picture'))`)
    const stageWidth = await page.evaluate<number>('document.getElementById("stage").clientWidth')
    await expect.poll(async () => (await box())[1]).toBeCloseTo(2 * stageWidth, 0)
    const [left = 0, width = 0] = await box()
    expect(left).toBeLessThan(0) // a wide picture begins in its middle
    await stage.press('ArrowRight')
    expect((await box())[0]).toBeGreaterThan(left)
    for (let n = 0; n < 5; n++) await stage.press('+')
    expect((await box())[1]).toBeGreaterThan(width * 1.5)
    const area = await stage.boundingBox()
    const before = (await box())[0]
    await page.mouse.move((area?.x ?? 0) + 100, (area?.y ?? 0) + 100)
    await page.mouse.down()
    await page.mouse.move((area?.x ?? 0) + 60, (area?.y ?? 0) + 100)
    await page.mouse.up()
    expect((await box())[0]).toBeCloseTo((before ?? 0) - 40, 0)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Home') // the zoom
    expect((await box())[1]).toBeCloseTo(width, 0)
    await page.getByRole('button', { name: 'Use this picture' }).press('Enter')
    await expect
      .poll(async () => page.locator('#crop-said, .state').allInnerTexts())
      .toContain('Saved. Your signature shows it now.')
    expect((await stored('Profile picture')).asset_id).not.toBeNull()
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('The picture is removed.').waitFor()
    expect((await stored('Profile picture')).asset_id).toBeNull()
    await page.context().close()
  })

  it('reads the page from right to left in Arabic', async () => {
    const page = await open({ locale: 'ar' })
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
    await checkPage(page)
    await page.context().close()
  })

  it('causes no script error and no policy violation', () => {
    expect(pageFaults).toEqual([])
  })
})
