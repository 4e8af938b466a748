// The five-minute story: a person who has never seen Signoff publishes a good-looking signature to ten people.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DashboardApp, dashboardApp, visit } from '../support/browser/dashboard.ts'
import { checkPage, pageFaults } from '../support/browser/sign-in-browser.ts'
import { runAllJobs } from '../support/jobs.ts'

const oldSignature =
  '<p style="font-family:Georgia;color:#0a7d55">Ada Lovelace</p><p style="color:#666">Founder</p><a href="https://www.northwind.example/about">northwind.example</a>'
const colleagues = Array.from(
  { length: 9 },
  (_, number) => `Person Number${number}\tperson${number}@northwind.example\tBarista`,
)

let dashboard: DashboardApp
let page: Page
beforeAll(async () => {
  dashboard = await dashboardApp()
  page = await dashboard.signIn()
  page.setDefaultTimeout(15_000)
})
afterAll(() => {
  expect(pageFaults).toEqual([])
})

const press = (name: string | RegExp) => page.getByRole('button', { name }).last().click()
const title = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()

/** As a person who presses Ctrl V in the element. */
const paste = (label: string, index: number, type: string, text: string) =>
  page
    .getByRole('textbox', { name: label })
    .nth(index)
    .evaluate(
      // biome-ignore lint/suspicious/noExplicitAny: the function runs in the browser, whose types the server lacks
      (element: any, [mime, value]: readonly string[]) => {
        const { DataTransfer, ClipboardEvent } = element.ownerDocument.defaultView
        const data = new DataTransfer()
        data.setData(mime, value)
        const options = { clipboardData: data, bubbles: true, cancelable: true }
        element.dispatchEvent(new ClipboardEvent('paste', options))
      },
      [type, text] as const,
    )

describe('a marketer who has never seen Signoff', () => {
  it('takes the brand from the current signature', async () => {
    await visit(page, `${dashboard.url}/welcome`)
    await press('Import from my current signature')
    await paste('Paste it here', 0, 'text/html', oldSignature)
    await page.getByText('#0a7d55').first().waitFor()
    await press('Use this')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByLabel('Company name').fill('Northwind Coffee')
    await press('Continue')
    await title('Who gets a signature?')
    await expect
      .poll(async () => (await dashboard.app.get('/v1/workspace/brand')).body.data.colors.primary)
      .toBe('#0a7d55')
  })

  it('adds ten people from a spreadsheet, and chooses a design', async () => {
    await paste('First name', 1, 'text/plain', colleagues.join('\n'))
    await press(/^Continue with/)
    await title('Choose a design')
    await checkPage(page)
    await page.getByRole('radio').nth(2).check({ force: true })
    await press('Use this design')
    await title('Ready to publish')
  })

  it('publishes it, and every one of them has a page to copy it from', async () => {
    await press(/^Publish$/)
    await page
      .getByText(/signature is live/)
      .first()
      .waitFor()
    const { body } = await dashboard.app.get('/v1/emails?limit=100')
    expect(body.data.length).toBe(10)
    for (const { id } of body.data) {
      const chosen = (await dashboard.app.get(`/v1/emails/${id}/signature`)).body.data
      expect(chosen.html).toContain('0a7d55')
    }
    await runAllJobs(dashboard.app)
    for (const name of ['Google Workspace', 'Microsoft 365', 'Any mail server', 'Send everyone their link'])
      await page.getByRole('heading', { level: 3, name }).waitFor()
    await page.getByText('0 of 10 have it', { exact: true }).waitFor()
    await checkPage(page)
  })

  it('is told at home who has not got it, until a person copies it from the own page', async () => {
    const { app, url } = dashboard
    await visit(page, url)
    await page.getByText(/^10 people don’t have “.+” yet$/).waitFor()
    const [{ id }] = (await app.get('/v1/emails?limit=1')).body.data
    const link = (await app.get(`/v1/emails/${id}/personal_page`)).body.data.url
    const person = await page.context().newPage()
    await person.goto(link)
    await person.getByRole('button', { name: /^Copy/ }).first().click()
    await person.close()
    await page.getByText(/^10 people don’t have/).click()
    await page.getByText('1 of 10 have it', { exact: true }).waitFor()
  })

  it('finds in a workspace that is set up no way to change a live signature from there', async () => {
    const { app, url } = dashboard
    const selections = async () => {
      const { body } = await app.get('/v1/signatures?limit=100')
      const rules = body.data.map(({ id }: { id: string }) => app.get(`/v1/signatures/${id}/emails?limit=1`))
      return (await Promise.all(rules)).map(answer => answer.body.selection)
    }
    const before = await selections()
    await visit(page, `${url}/welcome`)
    await title('Your workspace is set up')
    await visit(page, `${url}/welcome?step=publish`)
    await page.getByText('There is no draft to publish').waitFor()
    expect(await page.getByRole('button', { name: 'Publish', exact: true }).count()).toBe(0)
    await visit(page, `${url}/welcome?step=design`)
    await press('Use this design')
    await title('Ready to publish')
    await press(/^Publish$/)
    await page
      .getByText(/signature is live/)
      .first()
      .waitFor()
    const after = await selections()
    expect(after).toEqual(expect.arrayContaining(before))
    expect(after.filter(({ everybody }) => !everybody)).toEqual([
      expect.objectContaining({ email_ids_count: 1, matching_emails_count: 1 }),
    ])
  })
})
