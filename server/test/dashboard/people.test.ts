// The pages of people in a real browser: import, the reason of a signature, the keyboard, and 20,000 people.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import type { TestWorkspace } from '../support/app.ts'
import { type DashboardApp, dashboardApp, follow, visit } from '../support/browser/dashboard.ts'
import { checkPage, pageFaults } from '../support/browser/sign-in-browser.ts'
import { runAllJobs } from '../support/jobs.ts'
import { stack, text } from '../support/signatures.ts'
import { createPublished } from '../support/world.ts'

const content = { draft_content: stack(text('Kind regards')) }

let dashboard: DashboardApp
let page: Page
beforeAll(async () => {
  dashboard = await dashboardApp()
  page = await dashboard.signIn()
  // Reading a file and answering about 20,000 people takes seconds on a busy machine.
  page.setDefaultTimeout(20_000)
})
afterAll(() => {
  expect(pageFaults).toEqual([])
})

const named = (name: string): object => ({ name })
const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).first().click()
const waitForText = (text: string | RegExp) => page.getByText(text).first().waitFor()
const findPerson = async (search: string) => {
  const { body } = await dashboard.app.get(`/v1/teammates?search=${search}`)
  return body.data[0]
}
const personValue = async (search: string, label: string) =>
  (await findPerson(search)).smart_fields.find((field: { label: string }) => field.label === label)?.value

describe('the pages of people', () => {
  it('import 50 people from a file, show what will change before, and name the line that is wrong', async () => {
    const lines = Array.from({ length: 50 }, (_, n) => `person${n}@example.com,Person,No${n},Sales`)
    const csv = ['E-Mail,Vorname,Nachname,Abteilung', ...lines, 'not an address,X,Y,Z'].join('\n')
    await visit(page, `${dashboard.url}/people/import`)
    const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
    await page.locator('input[type=file]').setInputFiles(file)
    await waitForText('Which column is what?')
    await checkPage(page)
    await page.reload()
    await press('See what will change')
    await waitForText('What will change')
    await waitForText('Line 52')
    await press('Import 50 people')
    await waitForText('Importing …')
    await runAllJobs(dashboard.app)
    await waitForText('The import is done')
    await waitForText('Download what was not imported')
    expect(await personValue('person49', 'Department')).toBe('Sales')
  })

  it('say why a person has a signature, and take it back', async () => {
    const { app } = dashboard
    const { id, emails } = await findPerson('person7@')
    const sales = await createPublished(app, { ...content, ...named('Sales team'), priority: 20 })
    const conditions = [[{ smart_field: 'department', values: ['Sales', 'Support'] }]]
    await app.call('PUT', `/v1/signatures/${sales}/recipient_rules`, { body: { conditions } })
    await createPublished(app, { ...content, ...named('Wrong one'), priority: 10 }, emails[0].id)
    await follow(page, `/people/${id}`)
    await waitForText('Mail from this address carries “Wrong one”.')
    await waitForText(/It was given to this address by hand/)
    await press('Take it back')
    await waitForText('Mail from this address carries “Sales team”.')
    await waitForText(/because Department is Sales/)
  })

  it('are used by keyboard alone: select, edit, save, and open', async () => {
    await follow(page, '/people?search=person12%40')
    await page.getByRole('grid', { name: 'People' }).focus()
    await page.keyboard.press('Space')
    await waitForText('1 person selected')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Head of Sales')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Job title' }).waitFor({ state: 'detached' })
    await page.getByRole('gridcell', { name: 'Head of Sales' }).waitFor()
    expect(await personValue('person12@', 'Job title')).toBe('Head of Sales')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('F2')
    await page.keyboard.type('no number')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await page.keyboard.press('Escape')
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Person No12' }).waitFor()
  })

  it('change a value of many people, after saying for how many', async () => {
    await follow(page, '/people?field=department&value=Sales')
    await page.getByRole('checkbox', { name: 'Select all people in this list' }).press('Space')
    await waitForText('All 50 people found are selected')
    await press('Edit a field')
    await page.getByRole('button', { name: /^Choose a field/ }).click()
    await page.getByRole('option', { name: 'Company' }).click()
    await page.getByLabel('New value').fill('Example Ltd')
    await press('See what will change')
    await waitForText('50 people will change.')
    await press('Change 50 people')
    await waitForText('50 people were changed')
    expect(await personValue('person3@', 'Company')).toBe('Example Ltd')
  })

  it('show 20,000 people with few rows in the document, to the last one, and find one', async () => {
    const { url, signIn } = dashboard
    page = await signIn({ workspace: await insertPeople(20_000) })
    page.setDefaultTimeout(20_000)
    await visit(page, `${url}/people?sort=email`)
    await waitForText('20,000 people')
    await page.getByRole('grid', { name: 'People' }).focus()
    await page.keyboard.press('End')
    await waitForText('p019999@example.com')
    expect(await page.getByRole('row').count()).toBeLessThanOrEqual(60)
    await page.getByRole('searchbox', { name: 'Search names, addresses and values' }).fill('p014321')
    await waitForText('1 person')
    await waitForText('p014321@example.com')
    expect(await page.getByRole('row').count()).toBe(2)
  })
})

/** By SQL and without triggers, because the API would take minutes. */
async function insertPeople(count: number): Promise<TestWorkspace> {
  const { db } = dashboard.app
  const workspace = await dashboard.app.workspace('Many')
  const ids = sql`('018f0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`
  const all = sql`from generate_series(0, ${count - 1}::int) n`
  const address = sql`'p' || lpad(n::text, 6, '0') || '@example.com'`
  const kinds = ['teammates.manual', 'seats', 'emails']
  await db.transaction(async tx => {
    await tx.query(sql`set local session_replication_role = replica`)
    await tx.query(sql`
      insert into teammates (workspace_id, id, source, created_at, updated_at)
      select ${workspace.id}::uuid, ${ids}, 'manual', now(), now() ${all}`)
    await tx.query(sql`
      insert into emails (workspace_id, id, teammate_id, address, address_key, is_primary, created_at, updated_at)
      select ${workspace.id}::uuid, ${ids}, ${ids}, ${address}, ${address}, true, now(), now() ${all}`)
    await tx.query(sql`
      insert into tallies (workspace_id, kind, n)
      select ${workspace.id}::uuid, kind, ${count}::bigint from unnest(${kinds}::text[]) kind`)
  })
  await db.query(sql`analyze teammates, emails`)
  return workspace
}
