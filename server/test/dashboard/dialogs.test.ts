// Every dialog and menu of the dashboard is accessible, in light or in dark by turns.
// @module-tag deep
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DashboardApp, dashboardApp, follow, visit } from '../support/browser/dashboard.ts'
import { checkAccess, dialogs, overlays, pageFaults } from '../support/browser/sign-in-browser.ts'

/** The names of what a person presses, one after the other. Each opens a dialog or a menu. */
type Presses = readonly (string | RegExp)[]

const moreOf = (menu: RegExp, ...entries: readonly (string | RegExp)[]): readonly Presses[] =>
  entries.map(entry => [menu, entry])

/**
 * Questions before a deletion are one component: one of them is checked. The test of campaigns checks the dialog that
 * creates one. The first resource of the list takes the place of `{…}`.
 */
const openersByPage: Readonly<Record<string, readonly Presses[]>> = {
  '/': [[/^Search/], [/Admin$/]],
  '/people': [['Add a person'], ['Filter'], ['Columns']],
  '/people/{teammates}': [...moreOf(/^More$/, 'Delete'), ...moreOf(/^More for/, 'Make a new link')],
  '/fields': [['Create a field'], ...moreOf(/^More for Pronouns/, 'Edit')],
  '/assets': [[/^Northbean logo/]],
  '/signatures': [
    ['New folder'],
    ...moreOf(/^New signature/, /^From a template/, /^Import a signature/, /^From scratch/),
    ...moreOf(/^Actions for Northbean standard/, 'Move to folder'),
  ],
  '/signatures/{signatures}': [['Send a test'], ['Publish'], [/ Folder$/]],
  '/signatures/{signatures}/recipients': [['Paste addresses']],
  '/campaigns/{marketing_campaigns}': [['Rename'], ['Start now'], ['Compare a second banner']],
  '/analytics': [['Single clicks']],
  '/approvals': [['Reject']],
  '/settings/members': [['Invite'], ...moreOf(/^Actions for Ada/, 'Change role')],
  '/settings/sign-in': [['Connect a login'], [/^Actions for/], ['Test']],
  '/settings/keys': [['Create key'], ...moreOf(/^Actions for/, 'New secret')],
  '/settings/webhooks': [
    ['Add webhook'],
    ...moreOf(/^Actions for .*crm/, 'New secret', 'Send events again …'),
  ],
  '/settings/audit': [[/signed in/]],
}

/**
 * True if no grey shape that stands for something that loads is in sight. Pictures further down wait to be scrolled to.
 */
const isDrawn = `[...document.querySelectorAll(':is(${overlays}) .animate-pulse')].every(shape => {
  const { x, y, width, height } = shape.getBoundingClientRect()
  return document.elementFromPoint(x + width / 2, y + height / 2) !== shape
})`

let dashboard: DashboardApp
let page: Page
beforeAll(async () => {
  dashboard = await dashboardApp({ hasDemo: true })
  page = await dashboard.signIn({ email: 'elena.petrova@northbean.example', role: 'admin' })
  await visit(page, dashboard.url)
})
afterAll(() => {
  expect(pageFaults).toEqual([])
})

/** With the id of the resource that is in the path. */
async function fullPath(path: string): Promise<string> {
  const [, resource] = /\{(.+)\}/.exec(path) ?? []
  if (resource === undefined) return path
  const { body } = await dashboard.app.get(`/v1/${resource}?limit=1`)
  return path.replace(/\{.+\}/, body.data[0].id)
}

async function press(name: string | RegExp): Promise<void> {
  const options = { name, exact: true }
  await page.getByRole('button', options).or(page.getByRole('menuitem', options)).first().click()
}

async function closeAll(): Promise<void> {
  const opened = page.locator(overlays)
  await expect
    .poll(async () => {
      if ((await opened.count()) > 0) await page.keyboard.press('Escape')
      return opened.count()
    })
    .toBe(0)
}

describe('the approvals', () => {
  it('show the signature of the person as it is and as it would be', async () => {
    await follow(page, '/approvals')
    const card = page.getByRole('listitem').filter({ hasText: 'Senior Support Specialist' })
    const signature = (title: string) => card.frameLocator(`iframe[title="${title}"]`).locator('body')
    await signature('Signature with the change').getByText('Senior Support Specialist').waitFor()
    expect(await signature('Signature now').innerText()).not.toContain('Senior Support Specialist')
  })
})

describe('the dialogs and menus of a page are accessible', () => {
  it.each(Object.entries(openersByPage))('%s', async (path, openers) => {
    // Not loaded again: the first run of axe in a new document takes three times as long.
    await follow(page, await fullPath(path))
    const checked = new Set<string>()
    for (const presses of openers) {
      for (const [index, name] of presses.entries()) {
        await press(name)
        // An entry of a menu opens a dialog, while the menu can still be there for a moment.
        await page
          .locator(index === 0 ? overlays : dialogs)
          .last()
          .waitFor()
        await expect.poll(() => page.evaluate(isDrawn), { message: String(presses) }).toBe(true)
        // The menu of several entries is opened for each.
        if (!checked.has(String(name))) await checkAccess(page, overlays)
        checked.add(String(name))
      }
      await closeAll()
    }
  })
})
