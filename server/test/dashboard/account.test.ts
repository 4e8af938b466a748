// The page of a person's own account, in a real browser.
import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashPassword } from '#features/access/access/index.ts'
import { addMember, updatePasswordHash } from '#features/workspace/accounts/index.ts'
import { sql } from '#kernel/db/db.ts'
import { type DashboardApp, dashboardApp, visit, waitUntilComplete } from '../support/browser/dashboard.ts'
import { addDevice, checkPage, pageFaults, submitForm, titleOf } from '../support/browser/sign-in-browser.ts'
import { goodPassword } from '../support/person.ts'

let dashboard: DashboardApp
let page: Page
let accountId: string
const nextPassword = 'seven paper boats float'

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const inDialog = (name: string) =>
  page.getByRole('dialog').or(page.getByRole('alertdialog')).getByRole('button', { name, exact: true })

beforeAll(async () => {
  dashboard = await dashboardApp()
  const { app } = dashboard
  const person = await app.signIn({ role: 'member' })
  accountId = person.accountId
  await updatePasswordHash(app.db, accountId, await hashPassword(goodPassword))
  await addMember(app.db, app.other.id, { name: 'Two', email: person.email, role: 'admin' })
  await app.db.query(sql`
    insert into sessions (id, account_id, hash, method, browser, network, pending, has_second_factor,
      created_at, last_used_at, expires_at)
    select gen_random_uuid(), account_id, sha256('other'), method, 'Firefox on Linux', '192.0.2.7', false, false,
      created_at, last_used_at, expires_at
    from sessions where account_id = ${accountId}`)
  page = await dashboard.openAs(person)
  await visit(page, `${dashboard.url}/account`)
})
afterAll(() => {
  expect(pageFaults).toEqual([])
})

describe('the page of an account', () => {
  it('shows a member the profile, the workspaces and the browsers that are signed in', async () => {
    expect(await titleOf(page)).toBe('Your account')
    await button('Switch to Other').waitFor()
    await checkPage(page)
    await button('Sign out Firefox on Linux').click()
    await button('Sign out Firefox on Linux').waitFor({ state: 'detached' })
  })

  it('changes the name, and the language of the dashboard', async () => {
    // The page reads the account again; a list that is open then can close when the page scrolls.
    await waitUntilComplete(page, async () => {
      await submitForm(page, { 'Your name': 'Ada' }, 'Save')
      await page.getByText('Saved', { exact: true }).waitFor()
    })
    await page.getByRole('button', { name: /Language$/ }).click()
    await page.getByRole('option', { name: 'Deutsch' }).click()
    await button('Save').click()
    await page.getByRole('heading', { name: 'Ihr Konto' }).waitFor()
    await page.getByRole('button', { name: /Sprache$/ }).click()
    await page.getByRole('option', { name: 'Wie im Browser' }).click()
    await button('Speichern').click()
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
  })

  it('changes the password; a wrong one is told beside its field', async () => {
    const change = (current: string) =>
      submitForm(page, { 'Current password': current, 'New password': nextPassword }, 'Change password')
    await change('wrong password 1')
    await page.getByText('This is not your current password.').waitFor()
    await change(goodPassword)
    await page.getByText('Your password is changed.').waitFor()
  })

  it('sets up an authenticator app, shows the recovery codes once, and turns it off', async () => {
    await button('Set up').click()
    await page.getByRole('img', { name: 'QR code' }).waitFor()
    await checkPage(page, '[role=dialog]')
    const secret = (await page.locator('[role=dialog] code').innerText()).replaceAll(/\s/g, '')
    await submitForm(page, { Code: '000000' }, 'Turn on')
    await page.getByText('This code is not right.').waitFor()
    await submitForm(page, { Code: new TOTP({ secret }).generate() }, 'Turn on')
    await page.getByRole('heading', { name: 'Keep these recovery codes' }).waitFor()
    expect(await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').count()).toBe(10)
    await checkPage(page, '[role=dialog]')
    await button('I have kept them').click()
    await page.getByText('10 recovery codes left').waitFor()
    await button('New recovery codes').click()
    await inDialog('Make new codes').click()
    await button('I have kept them').click()
    await button('Turn off').click()
    await inDialog('Turn off').click()
    await button('Set up').waitFor()
  })

  it('adds, renames and removes a passkey', async () => {
    const device = await addDevice(page)
    await button('Add a passkey').click()
    await submitForm(page, { 'Name of this passkey': 'Laptop' }, 'Continue')
    await button('I have kept them').click()
    await button('Rename Laptop').click()
    await page.getByRole('dialog').getByLabel('Name of this passkey').fill('Notebook')
    await inDialog('Save').click()
    await button('Remove Notebook').waitFor()
    await checkPage(page)
    await button('Remove Notebook').click()
    await inDialog('Remove').click()
    await page.getByText('You have no passkey yet.').waitFor()
    await device.remove()
  })

  it('asks for a new sign-in where the last one is too old', async () => {
    const { app, url } = dashboard
    await app.db.query(
      sql`update sessions set created_at = now() - interval '1 day' where account_id = ${accountId}`,
    )
    await button('Set up').click()
    await page.waitForURL(`${url}/sign-in?again=1&return_to=%2Faccount`)
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
  })

  it('shows nothing of the account after single sign-on', async () => {
    const { app, url } = dashboard
    const person = await app.signIn({ role: 'admin' })
    await app.db.query(sql`
      update sessions set method = 'oidc', sso_workspace_id = ${app.id}, workspace_id = ${app.id}
      where account_id = ${person.accountId}`)
    const guest = await dashboard.openAs(person)
    await visit(guest, `${url}/account`)
    await guest.getByText('You are signed in through your company.').waitFor()
    expect(await guest.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
      'Profile',
      'Workspaces',
      'Where you are signed in',
    ])
    await checkPage(guest)
    await guest.context().close()
  })

  it('leads to the choice of a workspace when the chosen one is not open', async () => {
    const { app, url } = dashboard
    await app.db.query(sql`
      insert into sign_in_policies (workspace_id, sso_required, second_factor_required, updated_at)
      values (${app.other.id}, false, true, ${new Date()})`)
    await app.db.query(sql`update sessions set has_second_factor = false where account_id = ${accountId}`)
    // The service may answer from its cache of sessions for a moment.
    const ask = (id: string) =>
      fetch('/v1/me', { headers: { 'Signoff-Workspace': id } }).then(({ status }) => status)
    await expect.poll(() => page.evaluate(ask, app.other.id)).toBe(403)
    await button('Switch to Other').click()
    await page.waitForURL(/\/sign-in\/workspace/)
    await page.getByRole('button', { name: /^Own/ }).click()
    await page.waitForURL(`${url}/`)
    await app.db.query(sql`delete from sign_in_policies where workspace_id = ${app.other.id}`)
  })

  it('signs out everywhere', async () => {
    const { url } = dashboard
    await visit(page, `${url}/account`)
    await button('Sign out everywhere').click()
    await inDialog('Sign out everywhere').click()
    await page.waitForURL(`${url}/signed-out`)
  })
})
