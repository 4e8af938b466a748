// Two people in one signature, a lost connection, and a service that refuses: nothing that was typed is lost.
// @module-tag deep
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DashboardApp, dashboardApp, follow, visit } from '../support/browser/dashboard.ts'
import { tabTo } from '../support/browser/keyboard.ts'
import { checkPage, overlays, pageFaults } from '../support/browser/sign-in-browser.ts'

let dashboard: DashboardApp
let ada: Page
let ben: Page
let id: string
const texts = ['Name', 'Title', 'Phone', 'Town']
beforeAll(async () => {
  dashboard = await dashboardApp()
  const { app } = dashboard
  await app.post('/v1/teammates', { teammate: { email: 'grace@example.com' } })
  id = await newSignature()
  ada = await dashboard.signIn()
  ben = await dashboard.signIn({ role: 'admin' })
  for (const page of [ada, ben]) await page.setViewportSize({ width: 1280, height: 860 })
  // The browser asks before it leaves changes that are not saved.
  ada.on('dialog', question => void question.accept())
})

afterAll(() => {
  expect(pageFaults).toEqual([])
})

async function newSignature(): Promise<string> {
  const children = texts.map(name => ({
    type: 'text',
    displayName: name,
    tokens: [{ value: `${name} at first` }],
  }))
  const { body } = await dashboard.app.post('/v1/signatures', {
    signature: { name: 'Shared', draft_content: { type: 'stack', children } },
  })
  return body.data.id
}

const open = async (page: Page, signature = id) => {
  await visit(page, `${dashboard.url}/signatures/${signature}/edit`)
  await page.getByRole('treeitem', { name: 'Name' }).waitFor()
}
/** Without loading the dashboard again. The page must be in it. */
const goTo = async (page: Page, signature: string) => {
  await follow(page, `/signatures/${signature}/edit`)
  await page.getByRole('treeitem', { name: 'Name' }).waitFor()
}
/** Types behind the words of a block, all but the last `keys` letters at once: the page is drawn after each. */
const type = async (page: Page, block: string, words: string, keys = 1) => {
  await page.getByRole('treeitem', { name: block }).click()
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Edit text' }).waitFor()
  await page.keyboard.press('End')
  if (words.length > keys) await page.keyboard.insertText(words.slice(0, -keys))
  await page.keyboard.type(words.slice(-keys))
  await page.keyboard.press('Escape')
}
/** With Tab and Enter alone. */
const pressByKeys = async (page: Page, control: Locator, key?: 'Tab' | 'Shift+Tab') => {
  await tabTo(page, control, key)
  await page.keyboard.press('Enter')
}
const isSaved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor()
const undo = (page: Page) => page.getByRole('button', { name: 'Undo' }).first().click()
const words = async (signature = id): Promise<string[]> => {
  const { body } = await dashboard.app.get(`/v1/signatures/${signature}`)
  return body.data.draft_content.children.map((block: { tokens: { value: string }[] }) =>
    block.tokens.map(({ value }) => value).join(''),
  )
}

describe('two people in one signature', () => {
  it('keep their changes to different blocks without a question', async () => {
    await Promise.all([open(ada), open(ben)])
    await type(ben, 'Title', ' of Ben')
    await isSaved(ben)
    // A publish, here by an API key, is not the save that Ada hears of.
    await dashboard.app.post(`/v1/signatures/${id}/publish`)
    await type(ada, 'Town', ' of Ada', 7)
    await ada.getByText(/^admin \(.+\) changed 1 block\. It is kept/).waitFor()
    await expect
      .poll(() => words())
      .toEqual(['Name at first', 'Title at first of Ben', 'Phone at first', 'Town at first of Ada'])
    await isSaved(ada)
    await undo(ada)
    await expect
      .poll(async () => (await words()).slice(1))
      .toEqual(['Title at first of Ben', 'Phone at first', expect.stringMatching(/^Town at first( of)? ?$/)])
    await ada.getByRole('button', { name: 'Redo' }).click()
    await isSaved(ada)
  })

  it('are asked about a block that both have changed, and the other changes are kept', async () => {
    await type(ada, 'Phone', ' of Ada')
    await type(ada, 'Name', ' of Ada')
    await isSaved(ada)
    // The version of Ben is older than both saves of Ada.
    await type(ben, 'Name', ' of Ben')
    const panel = ben.getByRole('region', { name: 'Two versions' })
    await panel.getByRole('heading', { name: /changed a block that you have changed too/ }).waitFor()
    await panel.frameLocator('iframe[title="Mine: Name"]').getByText('Name at first of Ben').waitFor()
    await panel.frameLocator('iframe[title="Theirs: Name"]').getByText('Name at first of Ada').waitFor()
    await checkPage(ben)
    expect((await words())[0]).toBe('Name at first of Ada')
    // By keyboard alone.
    await panel.getByRole('button', { name: 'Take theirs: Name' }).focus()
    await ben.keyboard.press('Enter')
    await panel.waitFor({ state: 'detached' })
    await ben.getByText('Undo brings back your version').waitFor()
    await isSaved(ben)
    expect((await words())[0]).toBe('Name at first of Ada')
    await undo(ben)
    await expect
      .poll(() => words())
      .toEqual([
        'Name at first of Ben',
        'Title at first of Ben',
        'Phone at first of Ada',
        'Town at first of Ada',
      ])
    await ben.getByRole('button', { name: 'Redo' }).click()
    await expect.poll(async () => (await words())[0]).toBe('Name at first of Ada')
    await isSaved(ben)
  })

  it('can take the own side, also of a block that the other has deleted', async () => {
    await ben.getByRole('treeitem', { name: 'Phone' }).click()
    await ben.keyboard.press('Delete')
    await isSaved(ben)
    await type(ada, 'Phone', ', and more')
    const panel = ada.getByRole('region', { name: 'Two versions' })
    await panel.getByText('Deleted', { exact: true }).waitFor()
    await panel.getByRole('button', { name: 'Take mine: Phone' }).click()
    await expect.poll(async () => (await words())[2]).toBe('Phone at first of Ada, and more')
    await isSaved(ada)
  })
})

describe('the work of a colleague', () => {
  it('is not replaced by a variant that begins at the same time, and not published unseen', async () => {
    const own = await newSignature()
    const { app } = dashboard
    const draft = (value: string) => ({
      draft_content: {
        type: 'stack',
        children: [{ type: 'text', displayName: 'Name', tokens: [{ value }] }],
      },
    })
    await follow(ada, `/signatures/${own}/edit?mail=reply`)
    await ada.getByRole('button', { name: 'Start empty' }).waitFor()
    const path = `/v1/signatures/${own}/variants/reply`
    expect((await app.patch(path, { variant: draft('By a colleague') })).status).toBe(200)
    await ada.getByRole('button', { name: 'Start empty' }).click()
    await ada.getByText('A colleague has made this one meanwhile').waitFor()
    await ada.getByRole('treeitem', { name: 'Name' }).waitFor()
    const stored = async () => (await app.get(path)).body.data
    expect((await stored()).draft_content.children[0].tokens[0].value).toBe('By a colleague')
    const publish = () => ada.getByRole('button', { name: 'Publish', exact: true }).click()
    await app.patch(path, { variant: draft('Before the dialog') })
    await publish()
    await ada.getByText('A colleague has changed this signature meanwhile').waitFor()
    await ada.locator('[data-canvas]').getByText('Before the dialog').waitFor()
    await publish()
    const now = ada.getByRole('dialog').getByRole('button', { name: /^Publish (now|anyway)$/ })
    await now.waitFor()
    await app.patch(path, { variant: draft('Behind the dialog') })
    await now.click()
    await ada.getByRole('dialog').getByText('Another person has changed the draft meanwhile').waitFor()
    expect((await stored()).content).toBeNull()
  })
})

describe('what is typed', () => {
  it('outlives a minute without a connection and a reload, beside the work of a colleague', async () => {
    await ada.clock.install()
    await open(ada)
    await ada.route('**/v1/signatures/*', route =>
      route.request().method() === 'PATCH' ? route.abort('connectionrefused') : route.continue(),
    )
    await type(ada, 'Title', ' before')
    await ada.clock.runFor(2_000)
    await ada.getByText('No connection. Your changes are kept').waitFor()
    await ada.clock.runFor(60_000)
    await type(ada, 'Name', ' without a connection')
    await ada.clock.runFor(1_000)
    await ada.clock.resume()
    await type(ben, 'Town', ' and Ben')
    await isSaved(ben)
    await open(ada)
    await ada.getByText('No connection. Your changes are kept').waitFor()
    await ada.unroute('**/v1/signatures/*')
    await ada.evaluate("window.dispatchEvent(new Event('online'))")
    await expect
      .poll(() => words())
      .toEqual([
        'Name at first of Ada without a connection',
        'Title at first of Ben before',
        'Phone at first of Ada, and more',
        'Town at first of Ada and Ben',
      ])
    await isSaved(ada)
  })

  it('is saved after a new sign-in when the session has ended', async () => {
    const cookies = await ada.context().cookies()
    await ada.context().clearCookies()
    await type(ada, 'Title', ', signed out')
    await ada.getByText('Your session has ended. Your changes are kept').waitFor()
    await ada.getByRole('button', { name: 'Sign in again' }).click()
    await ada.waitForURL('**/sign-in?return_to=*')
    await ada.context().addCookies(cookies)
    await open(ada)
    await expect.poll(async () => (await words())[1]).toContain(', signed out')
    await isSaved(ada)
  })

  it('is safe when the editor is left or reloaded at once, and in two tabs without a connection', async () => {
    const own = await newSignature()
    const name = async () => (await words(own))[0]
    await goTo(ben, own)
    await type(ben, 'Name', ', left')
    await ben.getByRole('link', { name: 'Back to the signature' }).click()
    await expect.poll(name).toBe('Name at first, left')
    await ben.getByRole('link', { name: 'Edit' }).first().waitFor()
    const { body } = await dashboard.app.get(`/v1/signatures/${own}`)
    body.data.draft_content.children[0].tokens = [{ value: 'Name of a colleague' }]
    await dashboard.app.patch(`/v1/signatures/${own}`, {
      signature: { draft_content: body.data.draft_content },
    })
    // What a colleague has taken out stays out.
    await goTo(ben, own)
    await ben.locator('[data-canvas]').getByText('Name of a colleague').waitFor()
    await type(ben, 'Name', ', reloaded')
    await ben.reload()
    await expect.poll(name).toBe('Name of a colleague, reloaded')
    const second = await ben.context().newPage()
    await second.setViewportSize({ width: 1280, height: 860 })
    await open(second, own)
    for (const [page, block] of [
      [ben, 'Title'],
      [second, 'Town'],
    ] as const) {
      await page.route('**/v1/signatures/*', route => route.abort('connectionrefused'))
      await type(page, block, ', offline')
      await page.getByText('No connection. Your changes are kept').waitFor()
    }
    await second.close()
    // Another kind of mail: the first editor goes on trying. What the closed tab has typed waits in the browser.
    await ben.getByRole('radio', { name: 'Reply' }).click()
    await ben.getByText('“Shared” is not saved yet').waitFor()
    await ben.unroute('**/v1/signatures/*')
    await ben.evaluate("window.dispatchEvent(new Event('online'))")
    await expect.poll(async () => (await words(own))[1]).toBe('Title at first, offline')
    await goTo(ben, own)
    await expect
      .poll(() => words(own))
      .toEqual([
        'Name of a colleague, reloaded',
        'Title at first, offline',
        'Phone at first',
        'Town at first, offline',
      ])
  })

  it('stays with a clear word when the role was lost, the content is refused, or the signature was deleted', async () => {
    const refuse = async (status: number, body: object) => {
      await ada.unroute('**/v1/signatures/*')
      await ada.route('**/v1/signatures/*', route =>
        route.request().method() === 'PATCH'
          ? route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) })
          : route.continue(),
      )
    }
    const error = (code: string) => ({ error: { type: 'x', code, message: code } })
    await refuse(403, error('insufficient_role'))
    await type(ada, 'Town', '!')
    await ada.getByText('Your role does not allow changes any more').waitFor()
    const field = 'signature.draft_content.children[2].tokens'
    const details = [{ field, code: 'unknown_reference', message: 'does not exist' }]
    await refuse(422, { ...error('invalid'), details })
    await ada.getByRole('button', { name: 'Try again' }).click()
    await ada.getByText('The service does not accept this version').waitFor()
    await ada.getByRole('button', { name: 'Show the block' }).click()
    await ada.getByRole('treeitem', { name: 'Phone', selected: true }).waitFor()
    await ada.unroute('**/v1/signatures/*')
    await dashboard.app.del(`/v1/signatures/${id}`)
    await type(ada, 'Name', ' to the end')
    await ada.getByText('Another person has deleted this signature').waitFor()
    await open(ada)
    await ada.getByRole('button', { name: 'Keep it as a new signature' }).click()
    await ada.waitForURL(url => !url.pathname.includes(id) && url.pathname.endsWith('/edit'))
    const copy = new URL(ada.url()).pathname.split('/')[2]
    expect(await words(copy)).toEqual(expect.arrayContaining([expect.stringContaining(' to the end')]))
  })
})

describe('a version', () => {
  it('stands beside the draft, becomes the draft in one step, and is the way back after a publish', async () => {
    const own = await newSignature()
    const { body } = await dashboard.app.get('/v1/teammates')
    const email_ids = [body.data[0].emails[0].id]
    await dashboard.app.post(`/v1/signatures/${own}/emails`, { email_ids })
    await goTo(ben, own)
    const publish = async () => {
      await ben.getByRole('button', { name: 'Publish', exact: true }).click()
      const dialog = ben.getByRole('dialog')
      await dialog.getByText('grace@example.com').first().waitFor()
      await dialog.getByRole('button', { name: /^Publish (now|anyway)$/ }).click()
      await dialog.getByRole('button', { name: 'Done' }).click()
    }
    await publish()
    await type(ben, 'Title', ', second')
    // It waits for the save by itself.
    await publish()
    const live = async () => (await dashboard.app.get(`/v1/signatures/${own}`)).body.data
    expect(JSON.stringify((await live()).content)).toContain('Title at first, second')
    await ben.getByRole('button', { name: 'Undo …' }).click()
    await ben.getByText('What was live before is in the draft again').waitFor()
    await publish()
    expect(JSON.stringify((await live()).content)).not.toContain(', second')
    // The focus is at “Publish” again.
    await pressByKeys(ben, ben.getByRole('button', { name: 'Versions' }), 'Shift+Tab')
    const dialog = ben.getByRole('dialog')
    await dialog.getByText('This version is the same as the draft').waitFor()
    await pressByKeys(ben, dialog.getByRole('button', { name: /Version 2/ }))
    await dialog.getByText('1 block differs').waitFor()
    await dialog.getByRole('listitem').filter({ hasText: 'Changed' }).getByText('Title').waitFor()
    await checkPage(ben, overlays)
    await pressByKeys(ben, dialog.getByRole('button', { name: 'Use version 2 as the draft' }))
    await expect.poll(async () => (await words(own))[1]).toBe('Title at first, second')
    await undo(ben)
    await expect.poll(async () => (await words(own))[1]).toBe('Title at first')
    await isSaved(ben)
  })
})
