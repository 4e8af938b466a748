// The five-minute story through the editor: a new admin, whose people and brand are there, makes the first signature.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DashboardApp, dashboardApp, visit } from '../support/browser/dashboard.ts'
import { checkPage, pageFaults } from '../support/browser/sign-in-browser.ts'
import { assign, createTeammate, fieldIds, type TestTeammate } from '../support/world.ts'

let dashboard: DashboardApp
let page: Page
let ada: TestTeammate
let grace: TestTeammate
beforeAll(async () => {
  dashboard = await dashboardApp()
  const { app } = dashboard
  // Links of installed signatures lead through the service otherwise.
  await app.patch('/v1/workspace', { event_tracking: { enabled: false } })
  await app.patch('/v1/workspace/brand', {
    colors: { primary: '#0a7d55' },
    social: [{ name: 'linkedin-in', href: 'https://www.linkedin.com/company/northwind' }],
  })
  const { first_name, last_name, job_title, work_phone, department, company } = await fieldIds(app)
  const person = (first: string, last: string, title: string) =>
    createTeammate(app, {
      email: `${first.toLowerCase()}@northwind.example`,
      values: {
        [first_name]: first,
        [last_name]: last,
        [job_title]: title,
        [work_phone]: '+44 20 7946 0100',
        [department]: `Team ${first}`,
        [company]: 'Northwind Coffee',
      },
    })
  ada = await person('Ada', 'Lovelace', 'Founder')
  grace = await person('Grace', 'Hopper', 'Rear Admiral')
  page = await dashboard.signIn({ role: 'admin' })
  page.setDefaultTimeout(15_000)
  await page.setViewportSize({ width: 1440, height: 900 })
})
afterAll(() => {
  expect(pageFaults).toEqual([])
})

const press = (name: string | RegExp) => page.getByRole('button', { name }).last().click()
const item = (name: string) => page.getByRole('treeitem', { name })
const canvas = () => page.locator('[data-canvas-pane]')
const signatureId = (): string => new URL(page.url()).pathname.split('/')[2] ?? ''
const draft = async (): Promise<string> =>
  JSON.stringify((await dashboard.app.get(`/v1/signatures/${signatureId()}`)).body.data.draft_content)

/** The HTML on the canvas, without the marks of the blocks. */
const drawn = (): Promise<string> =>
  page.evaluate(() => {
    const host = [...document.querySelectorAll('section > div')].find(({ shadowRoot }) => shadowRoot)
    return (host?.shadowRoot?.innerHTML ?? '').replaceAll(/<!--.*?-->/g, '')
  })

/** The browser writes attributes in its own way, so HTML of the service passes through it, too. */
async function asBrowserWrites(html: string): Promise<string> {
  const blank = await dashboard.browser.newPage()
  await blank.setContent(html)
  const written = await blank.evaluate(() => document.body.innerHTML)
  await blank.close()
  return written
}

describe('a new admin', () => {
  it('chooses a template, and is in the editor at once', async () => {
    await visit(page, `${dashboard.url}/signatures?new=template`)
    await press('Photo')
    await page.getByText('Quiet', { exact: true }).waitFor({ state: 'detached' })
    await press('Photo')
    await press(/^Quiet/)
    await checkPage(page)
    await page.getByLabel('Name', { exact: true }).fill('Northwind')
    await press('Create and edit')
    await item('Job title').waitFor()
    // The place for banners can be seen and selected, though mails show nothing there yet.
    await canvas().getByText("A campaign's banner appears here").waitFor()
    await item('Campaign banner').click()
    await page.keyboard.press('Delete')
    await expect.poll(draft).not.toContain('"marketing"')
  })

  it('changes words in place, adds a field, a social link and a button', async () => {
    const button = await page.getByRole('button', { name: 'Button', exact: true }).boundingBox()
    const words = await canvas().getByText('Founder').first().boundingBox()
    if (!button || !words) throw new Error('not on the page')
    await page.mouse.move(button.x + 20, button.y + 10)
    await page.mouse.down()
    await page.mouse.move(words.x + words.width / 2, words.y - 30, { steps: 4 })
    await page.mouse.move(words.x + words.width / 2, words.y + words.height - 2, { steps: 4 })
    await page.mouse.up()
    await item('Book a meeting').waitFor()
    await canvas().getByText('Founder').first().dblclick()
    await page.getByRole('textbox', { name: 'Edit text' }).waitFor()
    await page.keyboard.press('End')
    await page.keyboard.type(' of {depart')
    await page.getByRole('option', { name: 'Department' }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await canvas().getByText('Team Ada').first().waitFor()
    await press('Social links')
    await press('Add a link')
    await page.getByRole('searchbox').fill('https://northwind.example/blog')
    await page.keyboard.press('Enter')
    await expect.poll(draft).toMatch(/northwind\.example\/blog/)
    await expect.poll(draft).toContain('"button"')
    await page.getByText('Saved', { exact: true }).waitFor()
  })

  it('sees it as another person, publishes, and mailboxes get what the canvas shows', async () => {
    await assign(dashboard.app, signatureId(), ada.emailId, grace.emailId)
    await press(/^Show for a person/)
    await page.getByRole('searchbox', { name: 'Search people' }).fill('Grace')
    await page.getByRole('menuitem', { name: /Grace Hopper/ }).click()
    await canvas().getByText('Team Grace').first().waitFor()
    // The service of this test is reached by this machine alone; otherwise the check is content.
    await page.getByText('1 issue', { exact: true }).waitFor()
    await page.getByText('Pictures and links lead to an address').waitFor()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish now' }).click()
    await page.getByRole('heading', { name: 'It is live' }).waitFor()
    const { body } = await dashboard.app.get(`/v1/emails/${grace.emailId}/signature`)
    expect(body.data.html).toContain('northwind.example/blog')
    await expect.poll(drawn).toContain('Team Grace')
    const installed = await asBrowserWrites(body.data.html)
    expect(await drawn()).toBe(installed)
  })

  it('pastes the signature of a colleague, and mends it with the original beside the canvas', async () => {
    await visit(page, `${dashboard.url}/signatures?new=paste`)
    await page.getByRole('textbox', { name: 'Paste the signature here' }).evaluate(
      // biome-ignore lint/suspicious/noExplicitAny: the function runs in the browser, whose types the server lacks
      (element: any) => {
        const { DataTransfer, ClipboardEvent } = element.ownerDocument.defaultView
        const data = new DataTransfer()
        data.setData(
          'text/html',
          '<p style="font-variant:small-caps">Grace Hopper</p><p>grace@northwind.example</p><img src="cid:1">',
        )
        element.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        )
      },
    )
    // The owner is found by the address, so the name is a field already.
    await page.getByRole('checkbox', { name: 'Hopper Last name' }).waitFor()
    await checkPage(page)
    await press('Create and edit')
    const original = page.getByRole('region', { name: 'Original signature' })
    await original.getByText('things look different').waitFor()
    await original.getByRole('button', { name: 'Close the original' }).click()
    await original.waitFor({ state: 'detached' })
    await page.reload()
    await item('Name').or(item('Text')).first().waitFor()
    expect(await original.count()).toBe(0)
    await press('Original')
    await original.getByText('things look different').waitFor()
  })
})
