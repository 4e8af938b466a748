// Nothing is lost: two people who change the same thing, and a service that restarts while a person saves.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { type DashboardApp, dashboardApp, visit } from '../support/browser/dashboard.ts'

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

  it('is shown beside the own value, also after the page was read again in the background', async () => {
    const { app, url } = dashboard
    const { body } = await app.post('/v1/teammates', { teammate: { email: 'grace@example.com' } })
    const { id, smart_fields: fields } = body.data
    const field = fields.find(({ label }: { label: string }) => label === 'Job title').smart_field_id
    const storedTitle = async () =>
      (await app.get(`/v1/teammates/${id}`)).body.data.smart_fields.find(
        (each: { smart_field_id: string }) => each.smart_field_id === field,
      ).value
    const setTitle = (value: string) =>
      app.patch(`/v1/teammates/${id}`, { teammate: { smart_fields: [{ smart_field_id: field, value }] } })
    const title = ada.getByLabel('Job title', { exact: true })
    // The cache counts as fresh for ten seconds: the clock of the page moves on, and the window gets the focus.
    const refocus = async () => {
      await ada.clock.fastForward(15_000)
      const read = ada.waitForResponse(response => response.url().endsWith(`/v1/teammates/${id}`))
      await ada.evaluate("window.dispatchEvent(new Event('visibilitychange'))")
      await read
    }
    await ada.clock.install()
    await visit(ada, `${url}/people/${id}`)
    await title.fill('Title of Ada')
    await setTitle('Title of a colleague')
    await refocus()
    await save(ada)
    const conflict = ada.getByRole('alert').filter({ hasText: 'Someone else has changed this meanwhile' })
    await conflict.getByText('Title of a colleague', { exact: true }).waitFor()
    await conflict.getByText('Title of Ada', { exact: true }).waitFor()
    await conflict.getByRole('button', { name: 'Take theirs' }).click()
    await expect.poll(() => title.inputValue()).toBe('Title of a colleague')
    await title.fill('Title of Ada')
    await setTitle('A third title')
    await save(ada)
    await conflict.getByRole('button', { name: 'Save mine anyway' }).click()
    await expect.poll(storedTitle).toBe('Title of Ada')
    await ada.clock.resume()
  })

  it('stays on the page while the service does not answer, and is saved afterwards', async () => {
    await visit(ada, dashboard.url + path)
    await ada.route('**/v1/workspace', route => route.abort('connectionrefused'))
    await name(ada).fill('Saved after the restart')
    await save(ada)
    await ada.getByText('Can’t reach Signoff. Check your connection').first().waitFor({ timeout: 30_000 })
    expect(await name(ada).inputValue()).toBe('Saved after the restart')
    await ada.unroute('**/v1/workspace')
    await save(ada)
    await expect.poll(storedName).toBe('Saved after the restart')
  })
})
