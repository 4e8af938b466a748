// Errors that every person meets: a session that has ended, a service that is away, a dashboard that was upgraded.
import type { Page, Route } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { type DashboardApp, dashboardApp, follow, visit } from '../support/browser/dashboard.ts'

let dashboard: DashboardApp
let page: Page
beforeAll(async () => {
  dashboard = await dashboardApp()
  page = await dashboard.signIn()
})

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const open = (name: string) =>
  page.getByRole('navigation').getByRole('link', { name, exact: true }).first().click()
const notice = () => page.getByRole('status').filter({ hasText: 'Can’t reach Signoff' })
const isScript = (url: URL): boolean => url.pathname.endsWith('.js')

describe('a person who was signed out in another tab', () => {
  it('signs in, and comes back to the page that was to be opened', async () => {
    await visit(page, dashboard.url)
    const cookies = await page.context().cookies()
    await page.context().clearCookies()
    await open('Signatures')
    await page.waitForURL('**/sign-in?return_to=%2Fsignatures')
    await page.context().addCookies(cookies)
  })

  it('loses nothing that was typed: a dialog leads to the sign-in in a tab of its own', async () => {
    await visit(page, `${dashboard.url}/settings/workspace`)
    const name = page.getByLabel('Name', { exact: true })
    const save = () => page.getByRole('button', { name: 'Save', exact: true }).click()
    await name.fill('Typed before the sign-out')
    const cookies = await page.context().cookies()
    await page.context().clearCookies()
    await save()
    const dialog = page.getByRole('dialog', { name: 'You’ve been signed out' })
    await dialog.waitFor()
    await page.getByText('You’ve been signed out. Sign in again.').waitFor()
    expect(await dialog.getByRole('link', { name: 'Sign in' }).getAttribute('target')).toBe('_blank')
    await page.context().addCookies(cookies)
    await dialog.waitFor({ state: 'detached' })
    expect(await name.inputValue()).toBe('Typed before the sign-out')
    await save()
    const stored = async () => (await dashboard.app.get('/v1/workspace')).body.data.name
    await expect.poll(stored).toBe('Typed before the sign-out')
  })
})

describe('while the service is away', () => {
  it('every page says so, also one that was not visited yet, and opens by itself afterwards', async () => {
    await visit(page, dashboard.url)
    await page.route('**', route => route.abort('connectionrefused'))
    await open('People')
    await heading('Can’t reach Signoff right now').waitFor()
    await notice().waitFor()
    await page.unroute('**')
    await heading('People').waitFor()
    await notice().waitFor({ state: 'detached' })
  })

  it('a dialog that cannot be loaded leaves the page as it is, with what was typed', async () => {
    await visit(page, `${dashboard.url}/settings/workspace`)
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('Typed before')
    await page.route('**', route => route.abort('connectionrefused'))
    await page.keyboard.press('Control+k')
    await page.getByText('Part of this page couldn’t be loaded. Reload the page.').waitFor()
    expect(await name.inputValue()).toBe('Typed before')
    await page.unroute('**')
    await notice().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Discard', exact: true }).click()
  })

  it('the first page says so, and opens by itself afterwards', async () => {
    const fail = (route: Route) => route.fulfill({ status: 503, body: 'starting' })
    for (const path of ['**/v1/**', '**/readyz']) await page.route(path, fail)
    await page.goto(`${dashboard.url}/people`)
    await heading('Can’t reach Signoff right now').waitFor()
    for (const path of ['**/v1/**', '**/readyz']) await page.unroute(path)
    await heading('People').waitFor()
  })
})

describe('after an upgrade', () => {
  const gone = (route: Route) => route.fulfill({ status: 404, body: 'Not found' })

  it('a page whose file is gone is loaded anew, once', async () => {
    await visit(page, dashboard.url)
    await page.route(isScript, gone, { times: 1 })
    await open('Analytics')
    await heading('Analytics').waitFor()
    await page.unroute(isScript)
  })

  it('a file that stays gone is said, without an endless reload', async () => {
    await visit(page, dashboard.url)
    let loads = 0
    page.on('load', () => loads++)
    await page.route(/campaigns-page[^/]*\.js/, gone)
    await open('Campaigns')
    await page.getByText('Part of this page couldn’t be loaded. Reload the page.').waitFor()
    expect(loads).toBeLessThan(2)
    await page.unroute(/campaigns-page[^/]*\.js/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await heading('Campaigns').waitFor()
  })
})

it('finds pages by the names of the menu', async () => {
  await visit(page, dashboard.url)
  for (const [path, name] of [
    ['/images', 'Images'],
    ['/smart-fields', 'Smart fields'],
  ] as const) {
    await follow(page, path)
    await heading(name).waitFor()
  }
  await page.context().close()
})
