// The pages to sign in, in a real browser, served by the running service.
import { TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from './support/browser/browser.ts'
import { freePort } from './support/browser/dashboard.ts'
import {
  addDevice,
  checkPage,
  openContext,
  pageFaults,
  phone,
  submitForm,
  titleOf,
} from './support/browser/sign-in-browser.ts'
import { migratedFolder, type Served, serve, signoff, stop } from './support/processes/process.ts'
import { certifiedProvider } from './support/sign-in/oidc-provider.ts'
import { oidcConnection, ssoEnv } from './support/sign-in/sso.ts'

const owner = { email: 'ada@example.com', name: 'Ada <b>"Lovelace"</b>', password: 'four green ducks swim' }
const colleague = { email: 'grace@example.com', name: 'Grace', password: 'eleven quiet lanterns' }
const newPassword = 'seven paper boats float'

let served: Served
let browser: Browser
let dataDir: string
let setUpLink: string
let page: Page
let totpSecret: string
let recoveryCode: string

const open = (target: Page, path: string) => target.goto(served.url + path)
/** Without waiting for the dashboard, which takes a second of CPU time to start. */
const isAt = (target: Page, path: string) => target.waitForURL(served.url + path, { waitUntil: 'commit' })
const currentPath = (target: Page = page) => target.url().replace(served.url, '')
/** A code works once: the code of the next step is accepted too. */
const codeOf = (stepsAhead = 0) =>
  new TOTP({ secret: totpSecret }).generate({ timestamp: Date.now() + stepsAhead * 30_000 })
const call = <Data>(path: string, body: object = {}) =>
  page.evaluate<Data>(
    `fetch('${path}', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '${JSON.stringify(body)}' }).then(answer => answer.json())`,
  )
/** By the page that chooses a workspace, which is no part of the dashboard. */
async function signOut(target: Page): Promise<void> {
  await open(target, '/sign-in/workspace?again=1')
  await target.getByRole('button', { name: 'Sign out', exact: true }).click()
}
const signIn = (target: Page, password: string, email = owner.email) =>
  submitForm(target, { 'Email address': email, Password: password }, 'Sign in')

beforeAll(async () => {
  const port = await freePort()
  dataDir = await migratedFolder()
  const own = { SIGNOFF_DATA_DIR: dataDir, PORT: port, SIGNOFF_PUBLIC_URL: `http://localhost:${port}` }
  const env = { ...ssoEnv, ...own }
  ;[served, browser] = await Promise.all([serve({ env }), openBrowser()])
  served = { ...served, url: env.SIGNOFF_PUBLIC_URL }
  setUpLink = /\S+\/setup#[\w-]+/.exec(served.out())?.[0] ?? ''
  // The owner has a phone, the others have a desk.
  page = await (await openContext(browser, { viewport: phone })).newPage()
})
afterAll(async () => {
  expect(await stop(served)).toBe(0)
})

describe('the pages to sign in', () => {
  it('set up the owner by the link of the banner', async () => {
    await open(page, '/')
    await page.getByRole('link', { name: 'Sign in' }).click()
    expect(await titleOf(page)).toContain('Sign in')
    await checkPage(page)
    await page.goto(setUpLink)
    await page.getByLabel('Your name').waitFor()
    expect(page.url()).not.toContain('#')
    const fields = { 'Your name': owner.name, 'Email address': owner.email }
    await submitForm(page, { ...fields, Password: 'password1234' }, 'Create my account')
    expect(await page.locator('#password-wrong').innerText()).toContain('leaked')
    expect(await page.getByLabel('Password').getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByLabel('Your name').inputValue()).toBe(owner.name)
    await checkPage(page)
    await submitForm(page, { Password: owner.password }, 'Create my account')
    expect(currentPath()).toBe('/setup/passkey')
    await checkPage(page)
  })

  it('offer a passkey after the set-up, with recovery codes, and can be skipped', async () => {
    const old = await page.context().newPage()
    await old.addInitScript("Object.defineProperty(window, 'PublicKeyCredential', { value: undefined })")
    await open(old, '/setup/passkey')
    await old.getByText('This browser offers no passkeys here').waitFor()
    expect(await old.getByRole('button', { name: 'Add a passkey' }).isVisible()).toBe(false)
    await checkPage(old)
    await old.getByRole('link', { name: 'Not now' }).click()
    await isAt(old, '/welcome')
    await old.close()
    const again = await page.context().newPage()
    const error = { type: 'permission_error', code: 'recent_sign_in_required', message: 'Sign in again.' }
    await again.route('**/v1/me/passkeys/options', route => route.fulfill({ status: 403, json: { error } }))
    await open(again, '/setup/passkey')
    await again.getByRole('button', { name: 'Add a passkey' }).click()
    await again.waitForURL(`${served.url}/sign-in?again=1&return_to=%2Fsetup%2Fpasskey`)
    await again.close()
    const device = await addDevice(page)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('heading', { name: 'Keep these recovery codes' }).waitFor()
    await checkPage(page)
    await page.getByRole('link', { name: 'I have kept them' }).click()
    await isAt(page, '/welcome')
    await page.goto(`${served.url}/setup/passkey`, { waitUntil: 'commit' })
    await isAt(page, '/welcome')
    await device.remove()
    await open(page, '/account')
    await page.getByRole('button', { name: /^Remove / }).click()
    await page
      .getByRole('alertdialog')
      .or(page.getByRole('dialog'))
      .getByRole('button', { name: 'Remove', exact: true })
      .click()
    await page.getByText('You have no passkey yet.').waitFor()
    expect(await titleOf(page)).toBe('Your account')
    expect(await page.getByLabel('Your name').inputValue()).toBe(owner.name)
  })

  it('refuse a set-up link that was used', async () => {
    await page.goto(setUpLink)
    await page.getByText('npx signoff setup-link').waitFor()
    expect(await titleOf(page)).toBe('This link has expired or was used')
    await checkPage(page)
  })

  it('sign out, and in with the password; wrong ones are told beside the field', async () => {
    await signOut(page)
    expect(await titleOf(page)).toBe('You are signed out')
    await checkPage(page)
    await open(page, '/account')
    expect(currentPath()).toBe('/sign-in?return_to=%2Faccount')
    await signIn(page, 'wrong password 1')
    expect(await page.locator('#password-wrong').innerText()).toBe('Address or password is not right.')
    expect(await page.getByLabel('Email address').inputValue()).toBe(owner.email)
    expect(await page.getByLabel('Password').inputValue()).toBe('')
    await checkPage(page)
    await signIn(page, owner.password)
    expect(currentPath()).toBe('/account')
  })

  it('never lead to another site', async () => {
    const targets = [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      '/auth/x',
    ]
    for (const target of targets) {
      // Without waiting for the dashboard, which is at the end of the redirects.
      await page.goto(`${served.url}/sign-in?return_to=${encodeURIComponent(target)}`, {
        waitUntil: 'commit',
      })
      expect(currentPath(), target).toBe('/')
    }
    const stranger = await (await openContext(browser)).newPage()
    await open(stranger, '/sign-in?return_to=//evil.example')
    await signIn(stranger, owner.password)
    expect(currentPath(stranger)).toBe('/')
    await stranger.context().close()
  })

  it('ask for the code of an authenticator app', async () => {
    const setUp = await call<{ data: { secret: string } }>('/v1/me/totp')
    totpSecret = setUp.data.secret
    const codes = await call<{ data: { recovery_codes: string[] } }>('/v1/me/totp/confirm', {
      code: codeOf(),
    })
    recoveryCode = codes.data.recovery_codes[0] ?? ''
    await signOut(page)
    await open(page, '/sign-in')
    await signIn(page, owner.password)
    expect(currentPath()).toBe('/sign-in/second-factor')
    await page.goto(`${served.url}/account`)
    await page.waitForURL(/\/sign-in\/second-factor/)
    await submitForm(page, { Code: '000000' }, 'Continue')
    await page.locator('#code-wrong').waitFor()
    await checkPage(page)
    await submitForm(page, { Code: codeOf(1) }, 'Continue')
    expect(currentPath()).toBe('/account')
  })

  it('accept a recovery code', async () => {
    await signOut(page)
    await open(page, '/sign-in?return_to=%2Faccount')
    await signIn(page, owner.password)
    await page.getByText('Use a recovery code instead').click()
    await page.getByLabel('Recovery code').fill(recoveryCode)
    await page.locator('details').getByRole('button', { name: 'Continue' }).click()
    await page.getByText('9 recovery codes left').waitFor()
  })
})

describe('a passkey', () => {
  it('signs in, and completes a sign-in', async () => {
    const device = await addDevice(page)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await submitForm(page, { 'Name of this passkey': 'Laptop' }, 'Continue')
    await page.getByRole('button', { name: 'Remove Laptop' }).waitFor()
    await signOut(page)
    await open(page, '/sign-in')
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await isAt(page, '/')
    await signOut(page)
    await open(page, '/sign-in?return_to=%2Faccount')
    // Otherwise the device would answer as soon as the field for the address offers passkeys.
    await device.answers(false)
    await signIn(page, owner.password)
    await page.getByRole('button', { name: 'Use your passkey' }).waitFor()
    await checkPage(page)
    await device.answers(true)
    await page.getByRole('button', { name: 'Use your passkey' }).click()
    await page.getByRole('button', { name: 'Remove Laptop' }).waitFor()
  })
})

describe('an invitation', () => {
  it('is accepted in another browser, in its language', async () => {
    const invited = await page.evaluate<{ data: { invitation_url: string } }>(
      `fetch('/v1/members', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ member: { email: '${colleague.email}', role: 'manager' } }) }).then(answer => answer.json())`,
    )
    const guest = await (await openContext(browser, { locale: 'de-AT' })).newPage()
    await guest.goto(invited.data.invitation_url)
    await guest.getByLabel('Ihr Name').waitFor()
    expect(await guest.locator('main').innerText()).toContain('Ada')
    await submitForm(guest, { 'Ihr Name': colleague.name, Passwort: 'kurz' }, 'Einladung annehmen')
    await guest.locator('#password-wrong').waitFor()
    await checkPage(guest)
    await submitForm(guest, { Passwort: colleague.password }, 'Einladung annehmen')
    expect(currentPath(guest)).toBe('/')
    await open(guest, '/sign-in/workspace?again=1')
    await guest.getByText('Manager', { exact: true }).waitFor()
    await checkPage(guest)
    await guest.goto(invited.data.invitation_url)
    await guest.getByText('Dieser Link ist abgelaufen oder wurde schon benutzt').waitFor()
    await checkPage(guest)
    await guest.context().close()
  })
})

describe('single sign-on', () => {
  it('is offered on the page, and leads to the page that was asked for', async () => {
    const person = { sub: 'lin-1', email: 'lin@example.com', email_verified: true, name: 'Lin' }
    const issuer = await certifiedProvider(`${served.url}/auth/oidc/callback`, person)
    const connection = { ...oidcConnection(issuer), name: 'Acme ID' }
    const made = await page.evaluate<number>(
      `fetch('/v1/sso_connections', { method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(JSON.stringify(connection))} }).then(answer => answer.status)`,
    )
    expect(made).toBe(201)
    const guest = await (await openContext(browser)).newPage()
    await open(guest, '/sign-in?return_to=%2Faccount')
    await guest.getByRole('link', { name: 'Continue with Acme ID' }).click()
    await isAt(guest, '/account')
    await guest.getByText('signed in through your company').waitFor()
    await open(guest, '/auth/oidc/callback?code=x&state=y')
    expect(await titleOf(guest)).toBe('Sign-in refused')
    await checkPage(guest)
    await guest.context().close()
  })
})

describe('without JavaScript', () => {
  it('a colleague signs in and out', async () => {
    const plain = await (await openContext(browser, { javaScriptEnabled: false })).newPage()
    await open(plain, '/sign-in?return_to=%2Fsign-in%2Fworkspace%3Fagain%3D1')
    await signIn(plain, colleague.password, colleague.email)
    expect(await plain.locator('main').innerText()).toContain(`Signed in as ${colleague.name}`)
    await plain.getByRole('button', { name: 'Sign out', exact: true }).click()
    expect(await titleOf(plain)).toBe('You are signed out')
    await plain.context().close()
  })

  it('a link of the operator sets a new password: its code is pasted', async () => {
    const { out } = await signoff(['accounts', 'reset', colleague.email], {
      env: { SIGNOFF_DATA_DIR: dataDir },
    })
    const link = /\S+\/reset#[\w-]+/.exec(out)?.[0] ?? ''
    const plain = await (await openContext(browser, { javaScriptEnabled: false })).newPage()
    await open(plain, '/forgot')
    expect(await plain.locator('main').innerText()).toContain('sends no mail')
    await open(plain, '/reset')
    const paste = (code: string) => submitForm(plain, { 'Link or its code': code }, 'Continue')
    await paste('wrong')
    expect(await titleOf(plain)).toBe('This link has expired or was used')
    await open(plain, '/reset')
    await paste(link)
    expect(await plain.getByLabel('Email address').inputValue()).toBe(colleague.email)
    await submitForm(plain, { 'New password': 'short' }, 'Save the new password')
    await plain.locator('#password-wrong').waitFor()
    await submitForm(plain, { 'New password': newPassword }, 'Save the new password')
    await isAt(plain, '/account')
    await plain.context().close()
  })
})

describe('pages about problems', () => {
  it('say what to do, and lead back', async () => {
    const guest = await (await openContext(browser)).newPage()
    const codes = [
      'used_link',
      'wrong_browser',
      'too_many_attempts',
      'sso_required',
      'no_permission',
      '"><b>',
    ]
    const titles = new Set<string>()
    for (const code of codes) {
      await open(guest, `/sign-in?problem=${encodeURIComponent(code)}`)
      titles.add(await titleOf(guest))
      expect(await guest.locator('main b').count()).toBe(0)
    }
    expect(titles.size).toBe(codes.length)
    await checkPage(guest)
    await guest.getByRole('link', { name: 'Back to sign-in' }).click()
    expect(currentPath(guest)).toBe('/sign-in')
    await guest.context().close()
  })
})

describe('all pages', () => {
  it('cause no script error and no policy violation', () => {
    expect(pageFaults).toEqual([])
  })
})
