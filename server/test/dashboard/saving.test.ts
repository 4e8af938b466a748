// Nothing is lost: two people who change the same thing, and a service that restarts while a person saves.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { type DashboardApp, dashboardApp, visit } from '../support/dashboard.ts'

let dashboard: DashboardApp
let ada: Page
let ben: Page
const path = '/settings/workspace'
beforeAll(async () => {
  dashboard = await dashboardApp()
  ada = await dashboard.signIn()
  ben = await dashboard.signIn({ role: 'admin' })
})

const name = (page: Page) => page.getByLabel('Name', { exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
const storedName = async () => (await dashboard.app.get('/v1/workspace')).body.data.name

describe('a change that a person saves', () => {
  it('is never overwritten in silence by a second person', async () => {
    for (const page of [ada, ben]) await visit(page, dashboard.url + path)
    await name(ada).fill('Name of Ada')
    await name(ben).fill('Name of Ben')
    await save(ada)
    await expect.poll(storedName).toBe('Name of Ada')
    await save(ben)
    await ben.getByText('Someone else has changed this meanwhile').first().waitFor()
    expect(await storedName()).toBe('Name of Ada')
    await ben.getByRole('button', { name: 'Save mine anyway' }).click()
    await expect.poll(storedName).toBe('Name of Ben')
  })

  it('stays on the page while the service does not answer, and is saved afterwards', async () => {
    await visit(ada, dashboard.url + path)
    await ada.route('**/v1/workspace', route => route.abort('connectionrefused'))
    await name(ada).fill('Saved after the restart')
    await save(ada)
    await ada.getByText('The service cannot be reached').first().waitFor({ timeout: 30_000 })
    expect(await name(ada).inputValue()).toBe('Saved after the restart')
    await ada.unroute('**/v1/workspace')
    await save(ada)
    await expect.poll(storedName).toBe('Saved after the restart')
  })
})
