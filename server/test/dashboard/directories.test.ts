// A directory in the dashboard, from the first form to the end: connect, test, map, preview, sync, approve, disconnect.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertRelayMessages, type RelayedMessage } from '#features/delivery/relay/index.ts'
import { changeIntegration } from '#features/workspace/integrations/index.ts'
import { type DashboardApp, dashboardApp, follow, visit } from '../support/browser/dashboard.ts'
import { checkAccess, checkPage, pageFaults } from '../support/browser/sign-in-browser.ts'
import type { Google } from '../support/directories/google.ts'
import { addUser, adminAddress, startDirectory } from '../support/directories/google-people.ts'
import { startJobs } from '../support/jobs.ts'
import { standInHop } from '../support/mail/next-hop.ts'
import { stack, text } from '../support/signatures.ts'
import { createPublished, createTeammate } from '../support/world.ts'

const groupScope = 'https://www.googleapis.com/auth/admin.directory.group.readonly'

let dashboard: DashboardApp
let google: Google
let page: Page
let id = ''
let stopJobs: () => Promise<unknown>
beforeAll(async () => {
  ;[dashboard, google] = await Promise.all([dashboardApp(), startDirectory()])
  for (let n = 0; n < 100; n++) addUser(google, `person${n}`)
  const worker = startJobs(dashboard.app)
  stopJobs = () => worker.stop(0)
  page = await dashboard.signIn()
  page.setDefaultTimeout(20_000)
  await visit(page, `${dashboard.url}/integrations`)
  await useFakeGoogle()
})
afterAll(async () => {
  await stopJobs()
  expect([...pageFaults, ...google.directory.faults]).toEqual([])
})

/** Only the operator can name other addresses: they are set before the dashboard knows that it is connected. */
const useFakeGoogle = () =>
  page.route('**/v1/integrations', async route => {
    if (route.request().method() !== 'POST') return route.continue()
    const response = await route.fetch()
    id = (await response.json()).data.id
    const settings = { api: google.api, directory_api: google.api, token_uri: google.tokenUri }
    const { db, by, parts } = dashboard.app
    await changeIntegration(db, by, id, { settings }, parts.integrations)
    await route.fulfill({ response })
  })

const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).first().click()
const waitForText = (text: string | RegExp) => page.getByText(text).first().waitFor()
const newestRun = async () =>
  (await dashboard.app.get(`/v1/sync_runs?integration_id=${id}&limit=1`)).body.data[0]
const peopleCount = async () =>
  (await dashboard.app.get('/v1/teammates?active=true&limit=1')).body.pagination.total_count

describe('a directory', () => {
  it('is connected with its key, and the test says how to get a permission that is missing', async () => {
    google.delegated.delete(groupScope)
    await page.getByRole('link', { name: /^Connect ?: Google Workspace/ }).click()
    const key = { name: 'key.json', mimeType: 'application/json', buffer: Buffer.from(google.keyFile) }
    await page.locator('input[type=file]').setInputFiles(key)
    await waitForText('Client id, from your key file')
    await page.getByRole('textbox', { name: 'Administrator' }).fill(adminAddress)
    await page.getByText('Deliver signatures', { exact: true }).click()
    await checkPage(page)
    await press('Connect and test')
    await waitForText(/^One check failed/)
    await waitForText(/Domain-wide delegation, add this scope/)
    await page.getByText(groupScope, { exact: true }).waitFor()
    await checkPage(page)
    google.delegated.add(groupScope)
    await press('Test again')
    await waitForText('All checks passed.')
  })

  it('fills the fields that were chosen, and shows who would join before anything is written', async () => {
    await press('Continue')
    await waitForText(/values fit fields of yours/)
    await press('Use these')
    await page.getByRole('button', { name: 'Job title Field for Job title' }).waitFor()
    await checkPage(page)
    await press('See what would happen')
    await waitForText('100 people would join')
    expect(await peopleCount()).toBe(0)
    await checkPage(page)
    await press('Start the first sync')
    await waitForText('From now on, changes arrive automatically.')
    expect(await peopleCount()).toBe(100)
    await follow(page, '/fields')
    await page.getByRole('link', { name: 'Google Workspace' }).first().waitFor()
    const { body } = await dashboard.app.get('/v1/teammates?limit=1')
    await follow(page, `/people/${body.data[0].id}`)
    await waitForText('From Google Workspace')
    expect(await page.getByRole('textbox', { name: 'Job title' }).isDisabled()).toBe(true)
  })

  it('that lacks 12 % waits, and lets exactly those leave after a question that says how many', async () => {
    const leaving = [...google.directory.users.values()].slice(20, 32)
    for (const user of leaving) google.directory.users.delete(user.id)
    await follow(page, `/integrations/${id}`)
    await press('Sync now')
    await waitForText('12 people would leave.')
    await follow(page, '/integrations')
    await checkPage(page)
    await page.getByRole('link', { name: 'Look at the list' }).click()
    for (const { primaryEmail } of leaving) await page.getByRole('link', { name: primaryEmail }).waitFor()
    await checkPage(page)
    await press('Let these 12 people leave')
    await waitForText('Let 12 people leave?')
    await press('Let 12 people leave')
    await waitForText('The people of the list were allowed to leave.')
    await expect.poll(async () => (await newestRun()).people_missing).toBe(12)
    // They keep their signatures until the grace is over.
    expect(await peopleCount()).toBe(100)
  })

  it('is disconnected, and its people stay', async () => {
    for (const tab of ['', '/values', '/runs', '/settings']) {
      await follow(page, `/integrations/${id}${tab}`)
      await checkPage(page)
    }
    await press('Enter a new one')
    await page.getByRole('textbox', { name: 'Key of the service account' }).waitFor()
    await checkAccess(page, '[role=dialog]')
    await page.keyboard.press('Escape')
    await press('Disconnect')
    await waitForText('The 100 people from there stay here')
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await waitForText('Google Workspace is disconnected')
    await page.getByRole('link', { name: /^Connect ?: Google Workspace/ }).waitFor()
    const { body } = await dashboard.app.get('/v1/teammates?source=manual&limit=1')
    expect(body.pagination.total_count).toBe(100)
  })
})

describe('the Outlook add-in', () => {
  it('is connected without a tenant, shows its manifest, and replaces its token', async () => {
    await page.unroute('**/v1/integrations')
    await follow(page, '/integrations')
    await page.getByRole('link', { name: /^Connect ?: Outlook/ }).click()
    await waitForText('Next you get the file to upload')
    expect(await page.getByRole('textbox', { name: /tenant/i }).count()).toBe(0)
    await press('Connect')
    await waitForText('Manifest 1')
    const { body } = await dashboard.app.get('/v1/integrations')
    const [{ id: outlookId, capabilities }] = body.data
    expect(capabilities).toEqual(['channel'])
    const tokens = async () =>
      (await dashboard.app.get(`/v1/integrations/${outlookId}/deployment_tokens`)).body.data
    await waitForText((await tokens())[0].manifest_url)
    await press('Make a new manifest')
    await waitForText('Manifest 2')
    await checkPage(page)
    await press(/^Revoke ?: Manifest 1$/)
    await page
      .getByRole('dialog')
      .or(page.getByRole('alertdialog'))
      .getByRole('button', { name: 'Revoke' })
      .click()
    await expect
      .poll(async () => (await tokens()).map(({ number }: { number: number }) => number))
      .toEqual([2])
  })

  it('says in words what an Outlook reports, and what could not be loaded', async () => {
    const { app, url } = dashboard
    const { emailId } = await createTeammate(app, { email: 'ada@example.com' })
    await createPublished(app, { draft_content: stack(text('Ada')) }, emailId)
    const [{ id: outlookId }] = (await app.get('/v1/integrations')).body.data
    const [{ manifest_url }] = (await app.get(`/v1/integrations/${outlookId}/deployment_tokens`)).body.data
    const path = new URL('trouble', manifest_url).pathname
    const body = { code: 'too_long', host: 'OutlookIOS', platform: 'iOS', from: 'ada@example.com' }
    const reported = async () => {
      await app.call('POST', path, { key: null, body })
      return (await app.get('/v1/installations?trouble=any')).body.data.length
    }
    await expect.poll(reported).toBe(1)
    await page.route('**/deployment_tokens', route => route.fulfill({ status: 500, json: {} }))
    await visit(page, `${url}/integrations/${outlookId}`)
    await waitForText('The signature is too long for Outlook')
    await waitForText(/^ada@example\.com, .*OutlookIOS, iOS/)
    await waitForText('This could not be loaded.')
    await page.unroute('**/deployment_tokens')
    await press('Try again')
    await waitForText('Manifest 2')
  })
})

describe('the SMTP relay', () => {
  let relayId = ''
  const field = (name: string) => page.getByRole('textbox', { name })
  const addTo = async (name: string, text: string) => {
    await field(name).fill(text)
    await field(name).press('Enter')
  }

  it('is connected when its form says what is wrong with no field any more', async () => {
    await follow(page, '/integrations')
    await page.getByRole('link', { name: /^Connect ?: SMTP relay/ }).click()
    await field('Next hop').fill('smtp://10.0.0.4:25')
    await addTo('Who may send', '10.1')
    await page.getByText('Mail among colleagues', { exact: true }).click()
    // What is typed counts without Enter, and the press on the button does not miss it.
    await field('Domains of senders').fill('example.com')
    await press('Connect')
    await waitForText('10.1: write an IP address')
    await press(/10\.1$/)
    await addTo('Who may send', '192.0.2.7;tenant=6a8ff8b8-2f0c-4b7f-a1f5-3a3e1d7f9b21')
    await press('Connect')
    await waitForText('This address is not on the public internet. Only the operator')
    await checkPage(page)
    await field('Next hop').fill('smtp://mail.example.com:25?starttls=required')
    await press('Connect')
    await waitForText('example.com: first name it as a domain of your company')
    // The form is sent again although none of its fields has changed.
    await dashboard.app.patch('/v1/workspace', { domains: ['example.com'] })
    await press('Connect')
    await waitForText('No mail yet')
    const { body } = await dashboard.app.get('/v1/integrations')
    const relay = body.data.find(({ kind }: { readonly kind: string }) => kind === 'smtp_relay')
    expect(relay.settings).toEqual({
      next_hop: 'smtp://mail.example.com:25?starttls=required',
      clients: ['192.0.2.7;tenant=6a8ff8b8-2f0c-4b7f-a1f5-3a3e1d7f9b21'],
      domains: ['example.com'],
      mails: ['external', 'replies'],
    })
    relayId = relay.id
  })

  it('shows whether the next hop answers, and what happened to which mail', async () => {
    const { db, by, parts } = dashboard.app
    const { url } = await standInHop()
    await changeIntegration(db, by, relayId, { settings: { next_hop: url } }, parts.integrations)
    await press('Test now')
    await waitForText('All checks passed.')
    await page.getByText('Domains of the company').waitFor()
    const message = {
      workspaceId: by.workspaceId,
      integrationId: relayId,
      senderDomain: 'example.com',
      recipientDomains: ['customer.test', 'partner.test'],
      recipientsCount: 2,
      senderAddress: null,
      recipientAddresses: null,
      bytes: 20_000,
      milliseconds: 87,
      at: new Date(),
    }
    const results = [
      { outcome: 'stamped', reason: null, status: 250 },
      { outcome: 'passed', reason: 'invitation', status: 250 },
      { outcome: 'rejected', reason: 'next_hop', status: 550 },
    ] as const
    const messages = results.map((result): RelayedMessage => ({ ...message, ...result }))
    await db.query(insertRelayMessages(by.workspaceId, messages))
    const table = page.getByRole('table', { name: 'Last messages' })
    const filter = page.getByRole('combobox', { name: 'What happened' })
    await filter.selectOption('Without signature')
    await table.getByText('An invitation to an appointment').waitFor()
    expect(await table.getByRole('row').count()).toBe(2)
    await filter.selectOption('Refused')
    await table.getByText('The next hop answered 550').waitFor()
    await table.getByText('to customer.test, partner.test').waitFor()
    await table.getByText('87 ms').last().waitFor()
    await checkPage(page)
    await filter.selectOption('Deferred')
    await waitForText('No message of this kind')
    const tabs = page.getByRole('navigation', { name: 'SMTP relay' }).getByRole('link')
    expect(await tabs.allInnerTexts()).toEqual(['Overview', 'Settings'])
  })
})
