// The editor of a signature, as a person uses it: by mouse, by keyboard, and with a lost connection.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DashboardApp, dashboardApp, visit } from '../support/browser/dashboard.ts'
import { checkPage, pageFaults } from '../support/browser/sign-in-browser.ts'

let dashboard: DashboardApp
let page: Page
let id: string
/** The person whose values the editor shows at first. */
let person: { readonly emailId: string; readonly jobTitle: string }
beforeAll(async () => {
  dashboard = await dashboardApp({ hasDemo: true })
  page = await dashboard.signIn()
  await page.setViewportSize({ width: 1440, height: 900 })
  const { body } = await dashboard.app.get('/v1/signatures')
  id = body.data.find(({ name }: { name: string }) => name === 'Winter redesign').id
  const [first] = (await dashboard.app.get('/v1/teammates?limit=1&sort=name')).body.data
  const fields = (await dashboard.app.get('/v1/smart_fields?limit=100')).body.data
  const jobTitle = fields.find(({ key }: { key: string }) => key === 'job_title').id
  person = {
    emailId: first.emails[0].id,
    jobTitle: first.smart_fields.find(
      (value: { smart_field_id: string }) => value.smart_field_id === jobTitle,
    ).value,
  }
})

afterAll(() => {
  expect(pageFaults.filter(fault => !fault.includes('ERR_CONNECTION_REFUSED'))).toEqual([])
})

interface StoredBlock {
  readonly id: string
  readonly type: string
  readonly tokens?: readonly { readonly value?: string }[]
  readonly children?: readonly StoredBlock[]
}
const draft = async (): Promise<StoredBlock> =>
  (await dashboard.app.get(`/v1/signatures/${id}`)).body.data.draft_content
const typesOf = (block: StoredBlock): string[] => [block.type, ...(block.children ?? []).flatMap(typesOf)]
const wordsOf = (block: StoredBlock): string =>
  [(block.tokens ?? []).map(({ value = '' }) => value).join(''), ...(block.children ?? []).map(wordsOf)].join(
    '|',
  )

const open = async (tab: Page = page) => {
  await visit(tab, `${dashboard.url}/signatures/${id}/edit`)
  await tab.getByRole('tree', { name: 'Blocks' }).waitFor()
  await tab.getByText('Job title').first().waitFor()
}
const item = (name: string, tab: Page = page) => tab.getByRole('treeitem', { name }).first()
const isSaved = (tab: Page = page) => tab.getByText('Saved', { exact: true }).waitFor()

/** With the step before it, more than the 200 steps of undo that outlive a reload. An even number: it changes nothing. */
const pressOften = (key: object) =>
  page.evaluate(init => {
    for (let count = 0; count < 204; count += 1)
      document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }),
      )
  }, key)

/** The HTML on the canvas without the marks of the blocks. */
const drawn = () =>
  page.evaluate(() => {
    const host = [...document.querySelectorAll('section > div')].find(({ shadowRoot }) => shadowRoot)
    return (host?.shadowRoot?.innerHTML ?? '').replaceAll(/<!--.*?-->/g, '')
  })

describe('the editor', () => {
  it('shows exactly what the service renders', async () => {
    await open()
    const { body } = await dashboard.app.get(
      `/v1/signatures/${id}/preview?source=draft&email_id=${person.emailId}`,
    )
    // The browser writes attributes in its own way, so both pass through it.
    const blank = await dashboard.browser.newPage()
    await blank.setContent(body.data.html)
    const expected = await blank.evaluate(() => document.body.innerHTML)
    await blank.close()
    await expect.poll(drawn).toBe(expected)
  })

  it('is accessible in light and dark, with and without a selected block', async () => {
    await checkPage(page)
    await item('Job title').click()
    await page.getByRole('button', { name: 'Edit text' }).waitFor()
    await checkPage(page)
  })

  it('changes words in their place, saves by itself, and undoes after a reload', async () => {
    await page.getByText(person.jobTitle).first().dblclick()
    await page.getByRole('textbox', { name: 'Edit text' }).waitFor()
    await page.keyboard.type(' and more')
    await page.keyboard.press('Escape')
    await expect.poll(async () => wordsOf(await draft())).toContain(' and more')
    await page.getByRole('treeitem', { name: 'Job title' }).first().focus()
    await pressOften({ key: 'H', ctrlKey: true, shiftKey: true })
    await isSaved()
    await open()
    await pressOften({ key: 'z', ctrlKey: true })
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => wordsOf(await draft())).not.toContain(' and more')
    await page.getByRole('button', { name: 'Redo' }).click()
    await expect.poll(async () => wordsOf(await draft())).toContain(' and more')
  })

  it('takes a block from the palette to the place where it is dropped', async () => {
    const button = await page.getByRole('button', { name: 'Button', exact: true }).boundingBox()
    const links = await item('Social profiles').boundingBox()
    if (!button || !links) throw new Error('not on the page')
    await page.mouse.move(button.x + 20, button.y + 10)
    await page.mouse.down()
    await page.mouse.move(links.x + 60, links.y + 40, { steps: 5 })
    await page.mouse.move(links.x + 60, links.y + 3, { steps: 5 })
    await page.mouse.up()
    await item('Book a meeting').waitFor()
    await expect
      .poll(async () => (await draft()).children?.map(({ type }) => type))
      .toEqual(['stack', 'text', 'text', 'button', 'socialList', 'marketing'])
  })

  it('moves, copies and removes blocks by keyboard alone', async () => {
    await item('Book a meeting').click()
    await page.keyboard.press('Alt+ArrowUp')
    await page.getByText('Book a meeting is now number 3').waitFor({ state: 'attached' })
    await page.keyboard.press('Control+d')
    await expect.poll(async () => typesOf(await draft()).filter(type => type === 'button').length).toBe(2)
    await page.keyboard.press('Delete')
    await expect.poll(async () => typesOf(await draft()).filter(type => type === 'button').length).toBe(1)
    await page.keyboard.press('Control+z')
    await expect.poll(async () => typesOf(await draft()).filter(type => type === 'button').length).toBe(2)
  })

  it('keeps changes while the service does not answer, and saves them afterwards', async () => {
    await page.route('**/v1/signatures/*', route =>
      route.request().method() === 'PATCH' ? route.abort('connectionrefused') : route.continue(),
    )
    await item('Book a meeting').click()
    await page.keyboard.press('Delete')
    await page.getByText('No connection. Your changes are kept').waitFor()
    await page.unroute('**/v1/signatures/*')
    await expect.poll(async () => typesOf(await draft()).filter(type => type === 'button').length).toBe(1)
    await isSaved()
  })
})
