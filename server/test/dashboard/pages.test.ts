// Every page of the dashboard, full and empty: accessible, without sideways scrolling, and within its policy.
// @module-tag deep
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeSeatLimit } from '#features/workspace/workspaces/index.ts'
import {
  type DashboardApp,
  dashboardApp,
  follow,
  visit,
  waitUntilComplete,
} from '../support/browser/dashboard.ts'
import {
  checkAccess,
  checkPage,
  checkWidth,
  colorSchemes,
  pageFaults,
  phone,
  waitForHeading,
} from '../support/browser/sign-in-browser.ts'

const sections = ['workspace', 'brand', 'members', 'sign-in', 'keys', 'webhooks', 'audit', 'billing']
const paths = [
  '/',
  '/welcome',
  '/signatures',
  '/people',
  '/people/import',
  '/fields',
  '/campaigns',
  '/analytics',
  '/assets',
  '/installations',
  '/integrations',
  '/approvals',
  '/me',
  ...sections.map(section => `/settings/${section}`),
]

const withoutNonce = (html: string): string => html.replaceAll(/nonce="[^"]+"|content="[\w-]{22}"/g, '')

let dashboard: DashboardApp
let full: Page
let empty: Page
beforeAll(async () => {
  dashboard = await dashboardApp({ hasDemo: true })
  full = await dashboard.signIn()
  empty = await dashboard.signIn({ workspace: dashboard.app.other }, { viewport: phone })
  await Promise.all([visit(full, dashboard.url), visit(empty, dashboard.url)])
})
afterAll(() => {
  expect(pageFaults).toEqual([])
})

const desk = { width: 1280, height: 720 }
/** Another width draws the whole page again, so each page begins in the window in which the one before it ended. */
async function checkFull(path: string): Promise<void> {
  await follow(full, path)
  const isNarrow = full.viewportSize()?.width === phone.width
  if (isNarrow) {
    await checkWidth(full)
    await waitUntilComplete(full, () => full.setViewportSize(desk))
  }
  await waitForHeading(full)
  await checkAccess(full, undefined, colorSchemes)
  if (!isNarrow) {
    await full.setViewportSize(phone)
    await checkWidth(full)
  }
}

async function checkEmpty(path: string): Promise<void> {
  await follow(empty, path)
  await checkWidth(empty)
  await waitForHeading(empty)
  await checkAccess(empty)
}

describe('each page of the dashboard', () => {
  it.each(paths)('%s is accessible in light and dark, and fits a phone, full and empty', async path => {
    // Not loaded again: the first run of axe in a new document takes three times as long.
    await Promise.all([checkFull(path), checkEmpty(path)])
  })

  it('is served at its address', async () => {
    const person = await dashboard.app.signIn()
    const { text: program } = await person.get('/')
    for (const path of paths) {
      const { status, text } = await person.get(path)
      expect([status, withoutNonce(text)], path).toEqual([200, withoutNonce(program)])
    }
  })

  it.each(['signatures', 'people', 'campaigns'])('shows one of the %s', async area => {
    const resource = { signatures: 'signatures', people: 'teammates', campaigns: 'marketing_campaigns' }[area]
    const { body } = await dashboard.app.get(`/v1/${resource}?limit=1`)
    const parts = area === 'signatures' ? ['', '/recipients', '/versions'] : ['']
    await full.setViewportSize(desk)
    for (const part of parts) {
      await follow(full, `/${area}/${body.data[0].id}${part}`)
      await checkPage(full)
    }
  })
})

describe('the billing page', () => {
  it('shows seats and their limit, and downloads the file of an invoice', async () => {
    const { app, url } = dashboard
    const { now, max_this_month } = (await app.get('/v1/workspace')).body.data.seats
    await changeSeatLimit(app.db, app.by, now)
    // Loaded again: the page has read the seats before.
    await visit(full, `${url}/settings/billing`)
    const facts = await full.getByRole('definition').allTextContents()
    expect(facts.slice(-3)).toEqual([`${now}All taken`, String(max_this_month), String(now)])
    const download = full.waitForEvent('download')
    await full.getByRole('button', { name: 'Download PDF of DEMO-00003' }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('invoice-DEMO-00003.pdf')
    const [invoice] = (await app.get('/v1/financial_documents')).body.data
    const { bytes } = await app.get(`/v1/financial_documents/${invoice.id}/file`)
    expect((await readFile(await file.path())).equals(bytes)).toBe(true)
    await follow(empty, '/settings/billing')
    expect(await empty.getByText('No invoices').isVisible()).toBe(true)
    await changeSeatLimit(app.db, app.by, null)
  })
})
