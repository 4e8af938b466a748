// The Outlook add-in in a real browser, as in Outlook on the web: the pages and policies of the service, beside a
// strict stand-in for Office.js.
import { type AddIn, type AddInExplanation, readAddIn } from '@signoff/outlook'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sharedFolder } from '#kernel/base/browser-builds.ts'
import { buildAddIn } from '#platform/outlook-add-in.ts'
import {
  type AddInPageSetup,
  type OpenedPage,
  openAddInPage,
  openBesideOffice,
  raiseIn,
} from '../../outlook/test/support/add-in-page.ts'
import type { MailSetup } from '../../outlook/test/support/mail.ts'
import { annasAnswer, noAnswer } from '../../outlook/test/support/signatures.ts'
import { type TestApp, testApp } from './support/app.ts'
import { openBrowser } from './support/browser/browser.ts'
import { freePort } from './support/browser/dashboard.ts'
import { checkPage } from './support/browser/sign-in-browser.ts'
import { runAllJobs } from './support/jobs.ts'
import { stack, text } from './support/signatures.ts'
import { createPublished, createTeammate } from './support/world.ts'

let browser: Browser
let addIn: AddIn
let context: BrowserContext

beforeAll(async () => {
  browser = await openBrowser()
  addIn = await readAddIn(await buildAddIn([sharedFolder]))
})
afterEach(() => context.close())

const explanation: AddInExplanation = {
  from: 'anna@acme.example',
  known: true,
  signature: {
    name: 'Acme 2026 <b>bold</b>',
    published_at: '2026-11-02T10:00:00Z',
    reply: 'variant',
    internal: 'same',
    campaign: 'Summer fair',
  },
  candidates: [
    { name: 'Greetings', priority: 1, chosen: false, reason_code: 'switched_off' },
    { name: 'Acme 2026 <b>bold</b>', priority: 2, chosen: true, reason_code: 'first' },
    { name: 'Standard', priority: 5, chosen: false, reason_code: 'later' },
  ],
}

const signsIn = {
  auth: 'naa',
  clientId: '11111111-1111-4111-8111-111111111111',
  tenantId: '22222222-2222-4222-8222-222222222222',
  scope: 'api://sign.example/signature.read',
} as const

async function open(name: 'launch.html' | 'taskpane.html', setup: Partial<AddInPageSetup> = {}) {
  context = await browser.newContext({ viewport: { width: 450, height: 600 } })
  return openAddInPage(context, addIn, name, {
    answer: annasAnswer,
    explanation,
    platform: 'OfficeOnline',
    ...setup,
  })
}

describe('the handlers', () => {
  it('set, replace and store the signature in a page with its policy', async () => {
    const { page, problems, requests } = await open('launch.html')
    const composed = await raiseIn(page, 'onNewMessageCompose')
    expect(composed.signatures.join()).toContain('anna-new')
    await page.evaluate("standIn.mail.to = ['carla@acme.example']")
    const changed = await raiseIn(page, 'onMessageRecipientsChanged')
    expect(changed.signatures.join()).toContain('anna-internal')
    expect(await page.evaluate("localStorage.getItem('signoff:anna@acme.example')")).toContain('anna-reply')
    expect([changed.signatures.length, changed.breaches, problems]).toEqual([1, [], []])
    expect(requests).toEqual(['signature?from=anna%40acme.example'])
  })

  it('work where the browser denies storage to frames', async () => {
    context = await browser.newContext()
    await context.addInitScript(() => {
      Object.defineProperty(globalThis, 'localStorage', {
        get() {
          throw new DOMException('Access is denied for this document.', 'SecurityError')
        },
      })
    })
    const { page, problems } = await openAddInPage(context, addIn, 'launch.html', { answer: annasAnswer })
    const { signatures, breaches } = await raiseIn(page, 'onNewMessageCompose')
    expect([signatures.length, breaches, problems]).toEqual([1, [], []])
  })

  it('report a service that refuses', async () => {
    const { page, requests } = await open('launch.html', { answer: 401 })
    expect((await raiseIn(page, 'onNewMessageCompose')).signatures).toEqual([])
    expect(requests).toEqual(['signature?from=anna%40acme.example', 'trouble'])
  })

  it('send the token of nested app authentication', async () => {
    const setup = { settings: signsIn, token: 'token-of-anna' }
    const { page, requests, problems } = await open('launch.html', setup)
    const { signatures, breaches } = await raiseIn(page, 'onNewMessageCompose')
    expect(requests).toEqual(['signature?from=anna%40acme.example Bearer token-of-anna'])
    expect([signatures.length, breaches, problems]).toEqual([1, [], []])
  })
})

const textOf = (page: Page): Promise<string> => page.locator('main').innerText()

describe('the task pane', () => {
  it('shows the signature of this mail, and why', async () => {
    const { page, problems } = await open('taskpane.html', { composeType: 'reply' })
    const frame = page.frameLocator('iframe')
    await frame.getByText('Acme GmbH, anna-reply').waitFor()
    const text = await textOf(page)
    for (const part of [
      'anna@acme.example',
      'Acme 2026 <b>bold</b>',
      'This is a reply or a forwarded mail.',
      'It is switched off.',
      '“Acme 2026 <b>bold</b>” comes first.',
      'Summer fair',
      'a version of their own',
    ])
      expect(text).toContain(part)
    // Opening the pane is no view of a mail, and its links lead nowhere.
    expect(await frame.locator('img[src*="/o/"], a[href]').count()).toBe(0)
    await checkPage(page)
    expect(problems).toEqual([])
  })

  it('inserts again, also what the user has changed, and never twice', async () => {
    const { page } = await open('taskpane.html', { displayLanguage: 'de-AT' })
    const insert = page.getByRole('button', { name: 'Erneut einfügen' })
    for (let time = 0; time < 2; time++) {
      await insert.click()
      await page.getByText('Die Signatur ist in Ihrer E-Mail.').waitFor()
    }
    expect(await page.evaluate('standIn.mail.signatures.length')).toBe(1)
    expect(await page.evaluate('document.documentElement.lang')).toBe('de')
  })

  it('adds no second signature where Outlook does not replace', async () => {
    const { page } = await open('taskpane.html', { stacks: true })
    const insert = page.getByRole('button', { name: 'Insert again' })
    await insert.click()
    await page.getByText('The signature is in your mail.').waitFor()
    await insert.click()
    await page.getByText('Outlook keeps the signature').waitFor()
    expect(await page.evaluate('standIn.mail.signatures.length')).toBe(1)
  })

  it('follows a changed sender', async () => {
    const { page } = await open('taskpane.html')
    await page.getByText('Acme 2026').first().waitFor()
    await page.evaluate("standIn.mail.from = 'bert@acme.example'; dispatchEvent(new Event('focus'))")
    await page.getByText('bert@acme.example').waitFor()
  })

  it.each([
    [
      { explanation: { ...explanation, signature: null, candidates: [] }, answer: noAnswer },
      'No signature for this address',
    ],
    [
      { explanation: { ...explanation, known: false, signature: null, candidates: [] }, answer: noAnswer },
      'This address is not known',
    ],
    [{ explanation: 'away', answer: 'away' }, 'The service cannot be reached'],
    [{ explanation: 401, answer: 401 }, 'The service refused the add-in'],
    [{ explanation: 401, answer: 401, settings: signsIn }, 'Outlook could not sign you in'],
  ] as const)('says what is missing: %#', async (setup, title) => {
    const { page, problems } = await open('taskpane.html', setup)
    await page.getByRole('heading', { name: title }).waitFor()
    await checkPage(page)
    expect(problems).toEqual([])
  })

  it('tries again when the service is back', async () => {
    const { page } = await open('taskpane.html', { explanation: 'away', answer: 'away' })
    const again = page.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await context.route('**/explain?**', route => route.fulfill({ json: { data: explanation } }))
    await context.route('**/signature?**', route => route.fulfill({ json: { data: annasAnswer } }))
    await again.click()
    await page.frameLocator('iframe').getByText('Acme GmbH, anna-new').waitFor()
  })
})

describe('the add-in of a running service', () => {
  let app: TestApp
  let url: string
  let id: string
  let tokens: string
  let token: string
  beforeAll(async () => {
    const port = await freePort()
    url = `http://localhost:${port}`
    app = await testApp({ env: { PORT: port, SIGNOFF_PUBLIC_URL: url } })
    await app.http.listen({ port: Number(port), host: 'localhost' })
    await app.patch('/v1/workspace', { domains: ['example.com'] })
    const connected = await app.post('/v1/integrations', {
      integration: { kind: 'microsoft_365', name: 'O' },
    })
    ;({ id, deployment_token: token } = connected.body.data)
    tokens = `/v1/integrations/${id}/deployment_tokens`
    const { emailId } = await createTeammate(app, { email: 'ada@example.com' })
    const signature = await createPublished(app, { draft_content: stack(text('Ada of Acme, new')) }, emailId)
    const variants = `/v1/signatures/${signature}/variants`
    for (const kind of ['reply', 'internal']) {
      const draft_content = stack(text(`Ada of Acme, ${kind}`))
      await app.patch(`${variants}/${kind}`, { variant: { draft_content, activated: true } })
      await app.post(`${variants}/${kind}/publish`)
    }
    await runAllJobs(app)
  })
  beforeEach(async () => {
    context = await browser.newContext()
  })

  const opened: OpenedPage[] = []
  const openWith = async (ofToken: string, mail: MailSetup = {}) => {
    const setup = { from: 'Ada@example.com', ...mail }
    const page = await openBesideOffice(context, `${url}/outlook/${ofToken}`, 'launch.html', setup)
    opened.push(page)
    return page.page
  }
  /** The kinds of the signatures that are in a mail after the event. */
  const kindsAfter = async (page: Page, event = 'onNewMessageCompose') => {
    const { signatures, breaches } = await raiseIn(page, event)
    expect([...breaches, ...opened.flatMap(({ problems }) => problems)]).toEqual([])
    return signatures.map(html => /Ada of Acme, (\w+)/.exec(html)?.[1])
  }

  it('signs new mail, replies and internal mail, and says when it was there', async () => {
    const page = await openWith(token)
    expect(await kindsAfter(page)).toEqual(['new'])
    await page.evaluate("standIn.mail.to = ['bob@example.com']")
    expect(await kindsAfter(page, 'onMessageRecipientsChanged')).toEqual(['internal'])
    const to = ['customer@example.org']
    expect(await kindsAfter(await openWith(token, { composeType: 'reply', to }))).toEqual(['reply'])
    // What was fetched is recorded after the answer.
    await expect
      .poll(async () => (await app.get(`/v1/installations?integration_id=${id}`)).body.data)
      .toMatchObject([{ email_address: 'ada@example.com', status: 'installed', trouble: null }])
  })

  it('goes on with a new token, and leaves mails alone with one that was revoked', async () => {
    const old = await openWith(token)
    const { deployment_token: newToken } = (await app.post(tokens)).body.data
    expect(await kindsAfter(old)).toEqual(['new'])
    expect(await kindsAfter(await openWith(newToken))).toEqual(['new'])
    const withOld = await openWith(token)
    const [, oldest] = (await app.get(tokens)).body.data
    await app.del(`${tokens}/${oldest.id}`)
    expect(await kindsAfter(withOld)).toEqual([])
    expect(await kindsAfter(await openWith(newToken))).toEqual(['new'])
    token = newToken
  })

  it('is silent while the service is down, and uses the last answer', async () => {
    const written = '<p>Dear Bob</p>'
    const [stranger, first, second] = [
      await openWith(token, { from: 'carla@example.com', written }),
      await openWith(token),
      await openWith(token, { composeType: 'reply', written }),
    ]
    expect(await kindsAfter(first)).toEqual(['new'])
    await app.http.close()
    expect(await kindsAfter(second)).toEqual(['reply'])
    expect(await kindsAfter(stranger)).toEqual([])
    expect(await stranger.evaluate('standIn.mail.body.trim()')).toBe(written)
  })
})
