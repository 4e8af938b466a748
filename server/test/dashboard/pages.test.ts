// Every page of the dashboard, full and empty: accessible, without sideways scrolling, and within its policy.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DashboardApp, dashboardApp, follow, visit } from '../support/dashboard.ts'
import { checkPage, pageFaults } from '../support/sign-in-browser.ts'

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

let dashboard: DashboardApp
let full: Page
let empty: Page
beforeAll(async () => {
  dashboard = await dashboardApp({ hasDemo: true })
  full = await dashboard.signIn()
  empty = await dashboard.signIn({ workspace: dashboard.app.other })
  await visit(empty, dashboard.url)
})
afterAll(() => {
  expect(pageFaults).toEqual([])
})

describe('each page of the dashboard', () => {
  it.each(paths)('%s is accessible in light and dark, and fits a phone, full and empty', async path => {
    // One is loaded, the other is reached from the page before.
    await Promise.all([
      visit(full, dashboard.url + path).then(() => checkPage(full)),
      follow(empty, path).then(() => checkPage(empty)),
    ])
  })

  it.each(['signatures', 'people', 'campaigns'])('shows one of the %s', async area => {
    const resource = { signatures: 'signatures', people: 'teammates', campaigns: 'marketing_campaigns' }[area]
    const { body } = await dashboard.app.get(`/v1/${resource}?limit=1`)
    const parts = area === 'signatures' ? ['', '/recipients', '/versions'] : ['']
    for (const part of parts) {
      await visit(full, `${dashboard.url}/${area}/${body.data[0].id}${part}`)
      await checkPage(full)
    }
  })
})
