// The personal page in a real browser, served by the running service: its owner copies the signature, and corrects values
// and the picture.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from './support/app.ts'
import { openBrowser } from './support/browser/browser.ts'
import { freePort } from './support/browser/dashboard.ts'
import { checkPage, openContext, pageFaults } from './support/browser/sign-in-browser.ts'
import { solidPicture } from './support/pictures.ts'
import { migratedFolder, type Served, serve, stop } from './support/processes/process.ts'

const name = 'Ada <b>& "Zoë"</b> <script>alert(1)</script>'
let served: Served
let browser: Browser
let openPage: (options?: object) => Promise<Page>
let address: string
let signatureId: string
let emailId: string
const errors: string[] = []

async function api(method: string, path: string, body?: object) {
  const answer = await fetch(served.url + path, {
    method,
    headers: { authorization: `Bearer ${served.key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(answer.status, `${method} ${path}`).toBeLessThan(300)
  return ((await answer.json()) as Answer['body']).data
}

beforeAll(async () => {
  const port = await freePort()
  const started = serve({ env: { SIGNOFF_DATA_DIR: await migratedFolder(), PORT: port } })
  ;[served, browser] = await Promise.all([started, openBrowser()])
  const fields: { id: string; key: string }[] = await api('GET', '/v1/smart_fields?limit=100')
  const firstName = fields.find(field => field.key === 'first_name')?.id
  const smart_fields = [{ smart_field_id: firstName, value: name }]
  const person = await api('POST', '/v1/teammates', { teammate: { email: 'ada@example.com', smart_fields } })
  emailId = person.emails[0].id
  const content = (words: string) => ({
    type: 'stack',
    children: [
      { type: 'text', tokens: [{ value: `${words} ` }, { smartFieldUuid: firstName }] },
      { type: 'icon', name: 'phone' },
      { type: 'text', tokens: [{ value: 'a long line of words '.repeat(3).replaceAll(' ', '\u00a0') }] },
    ],
  })
  const signature = { name: 'Standard', draft_content: content('Regards,') }
  signatureId = (await api('POST', '/v1/signatures', { signature })).id
  await api('POST', `/v1/signatures/${signatureId}/emails`, { email_ids: [emailId] })
  await api('POST', `/v1/signatures/${signatureId}/publish`)
  const variant = { draft_content: content('Re:'), activated: true }
  await api('PATCH', `/v1/signatures/${signatureId}/variants/reply`, { variant })
  await api('POST', `/v1/signatures/${signatureId}/variants/reply/publish`)
  address = (await api('GET', `/v1/emails/${emailId}/personal_page`)).url

  openPage = async options => {
    const context: BrowserContext = await browser.newContext({
      permissions: ['clipboard-read', 'clipboard-write'],
      ...options,
    })
    const page = await context.newPage()
    page.on('pageerror', error => void errors.push(error.message))
    page.on('console', message => void (message.type() === 'error' && errors.push(message.text())))
    await page.goto(address)
    return page
  }
})
afterAll(async () => {
  expect(await stop(served)).toBe(0)
})

/** Evaluates an expression for the first element of a selector; in it, `element` is the element. */
const evaluateOn = <T>(page: Page, selector: string, expression: string): Promise<T> =>
  page.evaluate<T>(`(element => ${expression})(document.querySelector('${selector}'))`)

const signatureFor = (kind: string) => api('GET', `/v1/emails/${emailId}/signature?kind=${kind}`)

/** Pastes the clipboard, like a mail program would get it. */
async function paste(page: Page): Promise<{ html: string; text: string }> {
  const target = await page.context().newPage()
  await target.goto(`${served.url}/healthz`)
  await target.evaluate(`
    document.body.innerHTML = '<div contenteditable id="mail">x</div>'
    document.addEventListener('paste', ({ clipboardData: data }) => {
      window.got = { html: data.getData('text/html'), text: data.getData('text/plain') }
    })`)
  await target.focus('#mail')
  await target.keyboard.press('Control+V')
  await target.waitForFunction('window.got')
  const pastedData = await target.evaluate<{ html: string; text: string }>('window.got')
  await target.close()
  return pastedData
}
const installationStatuses = async () => {
  const rows: { status: string }[] = await api('GET', `/v1/installations?email_id=${emailId}`)
  return rows.map(row => row.status)
}

describe('the personal page in a browser', () => {
  it('shows the signature unchanged, with values as text', async () => {
    const page = await openPage()
    const signature = page.locator('#own-new')
    expect(await signature.innerText()).toContain(`Regards, ${name}`)
    await expect
      .poll(() => evaluateOn<number>(page, '#own-new img', 'element.naturalWidth'))
      .toBeGreaterThan(0)
    const font = (where: string) => evaluateOn<string>(page, where, 'getComputedStyle(element).fontFamily')
    expect(await font('#own-new')).not.toBe(await font('body')) // the styles of the page do not affect the signature
    await page.context().close()
  })

  it('is accessible: labels, headings, one title and a language', async () => {
    const page = await openPage()
    expect(await page.locator('h1').count()).toBe(1)
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    expect(await page.locator('main').count()).toBe(1)
    for (const button of await page.locator('button').all())
      expect((await button.textContent())?.trim()).toMatch(/^Copy /)
    for (const id of ['kind-new', 'kind-reply', 'on-dark'])
      expect(await evaluateOn(page, `#${id}`, 'element.labels.length'), id).toBe(1)
    expect(await page.locator('input').count()).toBe(3)
    for (const region of await page.locator('section').all()) {
      const title = await region.getAttribute('aria-labelledby')
      expect(await page.locator(`h2[id="${title}"]`).count()).toBe(1)
    }
    const ids = await page.evaluate<string[]>(
      '[...document.querySelectorAll("[id]")].map(element => element.id)',
    )
    expect(new Set(ids).size).toBe(ids.length)
    expect(
      await page
        .getByRole('group')
        .filter({ has: page.locator('summary') })
        .count(),
    ).toBe(7)
    expect(await page.getByRole('status').count()).toBe(1)
    await page.context().close()
  })

  it('copies exactly what the service rendered, by keyboard only, and reports the copy', async () => {
    const page = await openPage()
    expect(await page.locator('#state').textContent()).toContain('Your signature is ready.')
    const focused = () => page.evaluate<string>('document.activeElement.textContent')
    for (let n = 0; n < 12 && (await focused()) !== 'Copy signature'; n++) await page.keyboard.press('Tab')
    expect(await focused()).toBe('Copy signature')
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineWidth')
    expect(outline).toBe('2px')
    await page.keyboard.press('Enter')
    await page.getByRole('status').filter({ hasText: 'Copied.' }).waitFor()
    await page.getByText('You have the current signature.').waitFor()
    const { html, text } = await signatureFor('new')
    expect(await paste(page)).toEqual({ html, text })
    expect(await installationStatuses()).toEqual(['installed'])
    await page.reload()
    expect(await page.locator('#state').textContent()).toContain('You have the current signature.')
    await page.context().close()
  })

  it('copies plain text, the source, and the signature for replies', async () => {
    const page = await openPage()
    const [first, reply] = [await signatureFor('new'), await signatureFor('reply')]
    const waitForStatus = (words: string) => page.getByRole('status').filter({ hasText: words }).waitFor()
    await page.getByRole('button', { name: 'Copy as plain text' }).click()
    await waitForStatus('Copied as plain text')
    expect(await paste(page)).toEqual({ html: '', text: first.text })
    await page.getByRole('button', { name: 'Copy HTML source' }).click()
    await waitForStatus('source is copied')
    expect((await paste(page)).text).toBe(first.html)
    await page.getByRole('radio', { name: 'For replies' }).check()
    await page.getByRole('button', { name: 'Copy signature' }).click()
    await waitForStatus('Now paste it')
    expect(await paste(page)).toEqual({ html: reply.html, text: reply.text })
    expect(reply.html).not.toBe(first.html)
    await page.context().close()
  })

  it('copies with the Clipboard API when execCommand is refused', async () => {
    const page = await openPage()
    await page.evaluate('document.execCommand = () => false; 0')
    await page.getByRole('button', { name: 'Copy signature' }).click()
    await page.getByRole('status').filter({ hasText: 'Copied.' }).waitFor()
    const { html, text } = await paste(page)
    expect(html).toContain('Ada &lt;b&gt;')
    expect(text).toBe((await signatureFor('new')).text)
    await page.context().close()
  })

  it('tells the visitor what to do when copying does not work', async () => {
    const page = await openPage()
    await page.evaluate(`
      document.execCommand = () => false
      navigator.clipboard.write = () => Promise.reject(new Error('no'))
      0`)
    await page.getByRole('button', { name: 'Copy signature' }).click()
    await page.getByRole('status').filter({ hasText: 'press Ctrl+C' }).waitFor()
    expect(await page.evaluate('String(getSelection())')).toContain('Regards,')
    await page.context().close()
  })

  it('fits a phone, light or dark; only the signature scrolls', async () => {
    for (const colorScheme of ['light', 'dark']) {
      const page = await openPage({ viewport: { width: 375, height: 700 }, colorScheme })
      for (const summary of await page.locator('summary').all()) await summary.click()
      const width = () => page.evaluate('document.documentElement.scrollWidth')
      expect(await width()).toBe(375)
      const background = (where: string) =>
        evaluateOn<string>(page, where, 'getComputedStyle(element).backgroundColor')
      const sheet = await background('.for-new .mail')
      expect(sheet).toBe(colorScheme === 'dark' ? 'rgb(31, 31, 31)' : 'rgb(255, 255, 255)')
      expect(await background('body')).toBe(colorScheme === 'dark' ? 'rgb(15, 17, 21)' : 'rgb(247, 247, 248)')
      await page.getByLabel('Show it on a dark background').check()
      expect(await background('.for-new .mail')).toBe('rgb(31, 31, 31)')
      await page.context().close()
    }
  })

  it('can be read without JavaScript', async () => {
    const page = await openPage({ javaScriptEnabled: false })
    expect(await page.locator('#own-new').innerText()).toContain('Regards,')
    expect(await page.getByRole('button').count()).toBe(0)
    expect(await page.getByText('need JavaScript').isVisible()).toBe(true)
    await page.getByRole('radio', { name: 'For replies' }).check()
    expect(await page.locator('#own-reply').isVisible()).toBe(true)
    expect(await page.locator('#own-new').isVisible()).toBe(false)
    await page.context().close()
  })

  it('is not counted as a view of the signature, although the copy contains the pixel', async () => {
    expect(await evaluateOn(await openPage(), 'body', 'element.innerHTML')).toContain('/o/')
    const metrics = await (await fetch(`${served.url}/metrics`)).text()
    expect(metrics).toContain('signoff_tracking_total{kind="view",outcome="own"}')
    const outcomes = ['counted', 'bot', 'scanner', 'prefetch', 'head']
    for (const outcome of outcomes)
      expect(await api('GET', `/v1/analytics/events?name=$view&outcome=${outcome}`)).toEqual([])
  })

  it('causes no script error and no policy violation', () => {
    expect(errors).toEqual([])
  })
})

describe('the owner of a page', () => {
  let address: string
  let teammateId: string

  const value = (smart_field: string, text: string) => ({ smart_field, value: text })
  const fileOf = async (width: number, height: number, colour: string) =>
    solidPicture(width, height, colour).png().toBuffer()

  beforeAll(async () => {
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
      value('first_name', 'Grace'),
      value('job_title', 'Engineer'),
      value('mobile_phone', '+49 170 1234567'),
    ]
    const person = await api('POST', '/v1/teammates', {
      teammate: { email: 'grace@example.com', smart_fields },
    })
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
