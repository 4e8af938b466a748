// The settings by keyboard alone, and a service that restarts while a person saves.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testApp } from '../support/app.ts'
import { type DashboardApp, dashboardApp, follow, visit } from '../support/browser/dashboard.ts'
import { pageFaults } from '../support/browser/sign-in-browser.ts'

let dashboard: DashboardApp
let page: Page
beforeAll(async () => {
  dashboard = await dashboardApp()
  page = await dashboard.signIn()
})
afterAll(() => {
  expect(pageFaults).toEqual([])
})

/** The focused element, as a screen reader says it. */
const focused = (): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement | null
    const name = element?.getAttribute('aria-label') ?? element?.labels?.[0]?.textContent
    return (name ?? element?.textContent ?? '').trim()
  })

/** Presses Tab until the focus is on the control with this name. */
async function tabTo(name: string): Promise<void> {
  for (let step = 0; step < 80; step++) {
    await page.keyboard.press('Tab')
    if ((await focused()) === name) return
  }
  throw new Error(`Tab does not reach “${name}”.`)
}

describe('the settings', () => {
  it('are changed by keyboard alone', async () => {
    const { app, url } = dashboard
    await visit(page, `${url}/settings/workspace`)
    await tabTo('Name')
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText('By keyboard')
    await tabTo('Save')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await app.get('/v1/workspace')).body.data.name).toBe('By keyboard')
    // The page asks before it is left, until it has the answer.
    await page.getByText('You have unsaved changes.').waitFor({ state: 'detached' })
    await follow(page, '/settings/members')
    await tabTo('Invite')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    if ((await focused()) !== 'Email address') await tabTo('Email address')
    await page.keyboard.insertText('ines@example.com')
    await page.keyboard.press('Enter')
    await expect
      .poll(async () => JSON.stringify((await app.get('/v1/members')).body.data))
      .toContain('ines@example.com')
    await follow(page, '/settings/keys')
    await tabTo('Create key')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    if ((await focused()) !== 'Name') await tabTo('Name')
    await page.keyboard.insertText('Made by keyboard')
    await page.keyboard.press('Enter')
    await expect
      .poll(async () => JSON.stringify((await app.get('/v1/api_keys')).body.data))
      .toContain('Made by keyboard')
  })

  it('keep what was typed while the service restarts', { tags: ['deep'] }, async () => {
    const { app, url } = dashboard
    await visit(page, `${url}/settings/workspace`)
    const name = page.getByLabel('Name', { exact: true })
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await name.fill('Typed before the restart')
    app.http.server.closeAllConnections()
    await app.http.close()
    await save.click()
    await page.getByText('Can’t reach Signoff. Check your connection').first().waitFor()
    const { dataDir, port } = app.config
    const second = await testApp({
      connection: app.connection,
      workspaces: { own: app, other: app.other },
      env: { SIGNOFF_DATA_DIR: dataDir, PORT: String(port), SIGNOFF_PUBLIC_URL: url },
    })
    await Promise.all([second.startDashboard(), second.http.listen({ port, host: 'localhost' })])
    expect(await name.inputValue()).toBe('Typed before the restart')
    await save.click()
    const stored = async () => (await second.get('/v1/workspace')).body.data.name
    await expect.poll(stored).toBe('Typed before the restart')
    await visit(page, `${url}/settings/workspace`)
    expect(await name.inputValue()).toBe('Typed before the restart')
  })
})
