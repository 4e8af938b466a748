// Campaigns and their numbers in the dashboard: a campaign runs through its states by keyboard alone, and the page of
// numbers shows what the API counts.
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DashboardApp, dashboardApp, follow, visit } from '../support/browser/dashboard.ts'
import { tabTo } from '../support/browser/keyboard.ts'
import { checkPage, overlays, pageFaults } from '../support/browser/sign-in-browser.ts'

let dashboard: DashboardApp
let page: Page
beforeAll(async () => {
  dashboard = await dashboardApp({ hasDemo: true })
  page = await dashboard.signIn({}, { reducedMotion: 'reduce' })
})
afterAll(() => {
  expect(pageFaults).toEqual([])
})

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })

async function pressKey(control: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, control)
  await page.keyboard.press(key)
}

describe('campaigns in the dashboard', () => {
  it('are created, scheduled and stopped by keyboard alone', async () => {
    await visit(page, `${dashboard.url}/campaigns`)
    await pressKey(button('New campaign'))
    await tabTo(page, page.getByLabel('Name', { exact: true }))
    await page.keyboard.type('Open day')
    await pressKey(button('Choose a picture'))
    await pressKey(page.getByRole('listbox', { name: 'Pictures of the library' }).getByRole('option'))
    await tabTo(page, page.getByLabel('Link', { exact: true }))
    await page.keyboard.insertText('example.com/open-day')
    await tabTo(page, page.getByLabel('Description', { exact: true }))
    await page.keyboard.insertText('Visit us on the open day')
    // The first choice, “As soon as I start it”, has the focus; the arrow goes to “At a certain time”.
    await tabTo(page, page.getByRole('radio', { name: 'As soon as I start it' }))
    await page.keyboard.press('ArrowDown')
    await page.getByRole('group', { name: 'Starts at' }).waitFor()
    await pressKey(button('Create draft'))

    await page.getByRole('heading', { level: 1, name: 'Open day' }).waitFor()
    await pressKey(button('Schedule'))
    await page.getByRole('dialog').getByText('It starts on').waitFor()
    await pressKey(page.getByRole('dialog').getByRole('button', { name: 'Schedule', exact: true }))
    await page.getByText('Scheduled', { exact: true }).first().waitFor()
    const { body } = await dashboard.app.get('/v1/marketing_campaigns?search=Open%20day')
    expect(body.data).toMatchObject([
      {
        status: 'scheduled',
        content: {
          children: [{ alt: 'Visit us on the open day', href: { text: 'https://example.com/open-day' } }],
        },
      },
    ])

    await pressKey(button('Stop now'))
    await pressKey(page.getByRole('dialog').getByRole('button', { name: 'Stop now', exact: true }))
    await page.getByText('Ended', { exact: true }).first().waitFor()
    expect((await dashboard.app.get(`/v1/marketing_campaigns/${body.data[0].id}`)).body.data.status).toBe(
      'ended',
    )
  })

  it('are created in a dialog that is accessible and fits a phone', async () => {
    await follow(page, '/campaigns?view=list')
    await button('New campaign').click()
    await page.getByRole('radio', { name: 'As soon as I start it' }).waitFor()
    await checkPage(page, overlays)
  })

  it('have an editor for the banner, which sends nothing of a running campaign by itself and keeps a deleted one', async () => {
    const children = [{ type: 'text', displayName: 'Line', tokens: [{ value: 'Open day' }] }]
    const { body } = await dashboard.app.post('/v1/marketing_campaigns', {
      marketing_campaign: { name: 'Banner', content: { type: 'stack', children } },
    })
    const stored = `/v1/marketing_campaigns/${body.data.id}`
    await dashboard.app.post(`${stored}/schedule`)
    const path = `/campaigns/${body.data.id}/edit`
    await follow(page, path)
    await page.getByRole('link', { name: 'Back to the campaign' }).waitFor()
    await page.getByRole('region', { name: 'Banner' }).getByText('Open day').waitFor()
    await page.getByRole('heading', { name: 'Whole banner' }).waitFor()
    await page.getByText('that a signature and its banners may have together').waitFor()
    await page.getByText('This campaign is running').waitFor()
    await page.getByRole('treeitem', { name: 'Line' }).click()
    const name = page.getByLabel('Layer name', { exact: true })
    await name.fill('New line')
    await page.getByText('Not live yet').waitFor()
    await checkPage(page)
    const lineOf = async (campaign: string) =>
      (await dashboard.app.get(campaign)).body.data.content.children[0].displayName
    // Left and opened again: the change waits.
    await page.getByRole('link', { name: 'Back to the campaign' }).click()
    await page.getByText('“Banner” are not live').waitFor()
    expect(await lineOf(stored)).toBe('Line')
    await visit(page, dashboard.url + path)
    await button('Send changes').click()
    await page.getByText('Mailboxes get it within minutes').waitFor()
    expect(await lineOf(stored)).toBe('New line')
    await dashboard.app.del(stored)
    await page.getByRole('treeitem', { name: 'New line' }).click()
    await name.fill('First line')
    await button('Send changes').click()
    await page.getByText('Another person has deleted this campaign').waitFor()
    await button('Keep it as a new campaign').click()
    await page.waitForURL(url => url.pathname !== path && url.pathname.endsWith('/edit'))
    expect(await lineOf(`/v1/marketing_${new URL(page.url()).pathname.slice(1, -5)}`)).toBe('First line')
  })
})

/** Types into the first fields for dates, numbers and choices that the page shows, and returns how many it shows. */
async function typeIntoFields(limit = 3): Promise<number> {
  const fields = page
    .locator('[role=spinbutton], [role=combobox], input[inputmode=numeric]')
    .filter({ visible: true })
  await fields.first().waitFor()
  const count = await fields.count()
  for (let index = 0; index < Math.min(count, limit); index += 1) {
    if (!(await fields.nth(index).isEditable())) continue
    await fields.nth(index).focus()
    await page.keyboard.type('1')
    await page.keyboard.press('ArrowUp')
  }
  // The dialog around the list of a combo box stays open.
  await page.keyboard.press('Tab')
  return count
}

describe('fields for dates, numbers and choices', () => {
  it('can be typed into without an error of the page', async () => {
    await follow(page, '/campaigns')
    await button('New campaign').click()
    const certain = page.getByText('At a certain time')
    await certain.nth(1).waitFor()
    for (const choice of await certain.all()) await choice.click()
    // Day, month, year, hour and minute of start and end.
    expect(await typeIntoFields(20)).toBeGreaterThanOrEqual(10)
    const { body } = await dashboard.app.get('/v1/marketing_campaigns')
    const compared = body.data.find(
      ({ variants, status }: { variants: unknown[]; status: string }) =>
        variants.length > 1 && status !== 'ended',
    )
    await follow(page, `/campaigns/${compared.id}`)
    expect(await typeIntoFields()).toBeGreaterThanOrEqual(2)
    for (const path of ['/analytics?range=custom&from=2026-01-01&to=2026-01-31', '/settings/audit']) {
      await follow(page, path)
      expect(await typeIntoFields(), path).toBeGreaterThan(0)
    }
    expect(pageFaults).toEqual([])
  })
})

describe('the page of numbers', () => {
  it('shows the numbers of the API, in the chart as in its table', async () => {
    await follow(page, '/analytics')
    const { totals, series } = (await dashboard.app.get('/v1/analytics/overview')).body.data
    const formatted = (value: number) => value.toLocaleString('en')
    const tiles = page.locator('button[aria-pressed]')
    expect(await tiles.nth(0).innerText()).toContain(formatted(totals.views))
    expect(await tiles.nth(1).innerText()).toContain(formatted(totals.clicks))

    await page.getByText('Show as a table').click()
    const cells = page.locator('details[open] tbody tr td:last-child')
    const tableViews = (await cells.allInnerTexts()).map(text => Number(text.replaceAll(',', '')))
    expect(tableViews).toEqual(series.map(({ views }: { views: number }) => views))
    const chart = page.getByRole('slider', { name: 'Views over time' })
    await chart.focus()
    expect(await chart.getAttribute('aria-valuetext')).toContain(`Views ${formatted(tableViews.at(-1) ?? 0)}`)
    await page.keyboard.press('ArrowLeft')
    expect(await chart.getAttribute('aria-valuetext')).toContain(`Views ${formatted(tableViews.at(-2) ?? 0)}`)
  })

  it('is limited to a row, and shows the events behind its number', async () => {
    await follow(page, '/analytics')
    const { body } = await dashboard.app.get('/v1/analytics/breakdown?dimension=country&limit=1')
    const [{ id, clicks }] = body.data
    const country = page.getByRole('table', { name: 'By country' })
    await country.getByRole('row').nth(1).getByRole('button').nth(2).click()
    const rows = page.getByRole('dialog').getByRole('grid')
    await page
      .getByRole('dialog')
      .locator(`[aria-rowcount="${clicks + 1}"]`)
      .waitFor()
    expect(await rows.getByRole('row').count()).toBeGreaterThan(1)
    await page.keyboard.press('Escape')
    await country.getByRole('row').nth(1).getByRole('button').first().click()
    await page.waitForURL(url => url.searchParams.get('country') === id)
    const { totals } = (await dashboard.app.get(`/v1/analytics/overview?country=${id}`)).body.data
    await page
      .locator('button[aria-pressed]', { hasText: totals.views.toLocaleString('en') })
      .first()
      .waitFor()
  })
})
