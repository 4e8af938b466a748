// The editor as a preview: for any person, campaign and kind of mail; and its problems, mended at their blocks.
// @module-tag deep
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DashboardApp, dashboardApp, visit } from '../support/browser/dashboard.ts'
import { checkAccess, checkPage, pageFaults } from '../support/browser/sign-in-browser.ts'

interface Field {
  readonly id: string
  readonly key: string
}
interface StoredContent {
  readonly children: readonly { readonly type: string; readonly displayName?: string }[]
}

let dashboard: DashboardApp
let page: Page
let id: string
let fieldId: (key: string) => string

const get = async (path: string) => (await dashboard.app.get(path)).body
const codes = async (): Promise<string[]> =>
  (await get(`/v1/signatures/${id}/check`)).data.problems.map(({ code }: { code: string }) => code)
const draft = async (): Promise<StoredContent> => (await get(`/v1/signatures/${id}`)).data.draft_content
const reply = async (): Promise<StoredContent> =>
  (await get(`/v1/signatures/${id}/variants/reply`)).data.draft_content

const contentWithProblems = (assetId: string) => ({
  type: 'stack',
  children: [
    { type: 'text', displayName: 'Job', tokens: [{ smartFieldUuid: fieldId('job_title') }] },
    { type: 'text', displayName: 'Pale', tokens: [{ value: 'Pale', textStyle: { color: '#cccccc' } }] },
    { type: 'text', displayName: 'Tiny', tokens: [{ value: 'Tiny', textStyle: { fontSize: 7 } }] },
    { type: 'text', displayName: 'Braces', tokens: [{ value: 'Dear {{Company}}' }] },
    { type: 'text', displayName: 'Mobile', tokens: [{ smartFieldUuid: fieldId('mobile_phone') }] },
    { type: 'image', displayName: 'Picture', assetUuid: assetId, width: 900 },
    { type: 'image', displayName: 'Remote', src: 'https://pictures.example/a.webp', width: 60, alt: 'a' },
    { type: 'button', displayName: 'Nowhere', tokens: [{ value: 'Book' }], href: {} },
    {
      type: 'stack',
      displayName: 'Wide',
      direction: 'row',
      children: [1, 2].map(() => ({ type: 'image', assetUuid: assetId, width: 300, alt: 'a' })),
    },
    { type: 'marketing' },
  ],
})

beforeAll(async () => {
  dashboard = await dashboardApp({ hasDemo: true })
  page = await dashboard.signIn()
  await page.setViewportSize({ width: 1600, height: 1000 })
  await page.route('https://pictures.example/**', route =>
    route.fulfill({ contentType: 'image/png', body: '' }),
  )
  const fields: readonly Field[] = (await get('/v1/smart_fields?limit=100')).data
  fieldId = key => fields.find(field => field.key === key)?.id ?? ''
  const [asset] = (await get('/v1/assets')).data
  const made = await dashboard.app.post('/v1/signatures', {
    name: 'Problems',
    draft_content: contentWithProblems(asset.id),
  })
  id = made.body.data.id
  await dashboard.app.call('PUT', `/v1/signatures/${id}/recipient_rules`, { body: { everybody: true } })
})

afterAll(() => {
  expect(pageFaults).toEqual([])
})

const open = async () => {
  await visit(page, `${dashboard.url}/signatures/${id}/edit`)
  await page.getByRole('tree', { name: 'Blocks' }).waitFor()
}
const chooser = () => page.getByRole('button', { name: /^Show for a person/ })
const problems = () => page.getByRole('region', { name: 'Check' })
const chips = () => page.getByRole('list', { name: /^Missing for .+:$/ })
const isSaved = () => page.getByText('Saved', { exact: true }).waitFor()
/** The pictures on the canvas have their descriptions in the plain text too. */
const plainText = async (): Promise<string> => {
  await page.getByRole('radio', { name: 'Plain text' }).click()
  const words = await page.locator('pre').innerText()
  await page.getByRole('radio', { name: 'Edit', exact: true }).click()
  return words
}

describe('the preview of the editor', () => {
  it('goes to the next person with a missing value, and names the value', async () => {
    await open()
    const { data } = await get(
      `/v1/teammates?missing_smart_field_id=${fieldId('mobile_phone')}&sort=name&limit=2`,
    )
    const names = data.map(
      ({ smart_fields: values }: { smart_fields: { smart_field_id: string; value: string }[] }) =>
        ['first_name', 'last_name']
          .map(key => values.find(({ smart_field_id }) => smart_field_id === fieldId(key))?.value)
          .join(' '),
    )
    await chooser().click()
    await page.getByRole('menuitem', { name: 'Sample values' }).click()
    for (const name of names) {
      await page.getByRole('button', { name: 'Next person with a missing value' }).click()
      await page.getByRole('button', { name: `Show for a person: ${name}` }).waitFor()
      await chips().getByRole('button', { name: 'Mobile phone' }).waitFor()
    }
    await chips().getByRole('button', { name: 'Mobile phone' }).click()
    await page.getByRole('treeitem', { name: 'Mobile', selected: true }).waitFor()
  })

  it('shows the longest values, chosen by keyboard alone', async () => {
    const { data } = await get('/v1/content/person?sample=longest')
    const longest = data.values.find(
      ({ smart_field_id }: { smart_field_id: string }) => smart_field_id === fieldId('job_title'),
    ).value
    await chooser().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Longest values' }).waitFor()
    while (!(await page.locator('[role=menuitem][data-focused]', { hasText: 'Longest values' }).count()))
      await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Show for a person: Longest values' }).waitFor()
    await page.locator('[data-canvas]').getByText(longest).first().waitFor()
  })

  it('shows the banner of any campaign, or none, and the size against the limit', async () => {
    const campaigns: readonly { readonly name: string }[] = (await get('/v1/marketing_campaigns')).data
    const pick = async (name: string | RegExp) => {
      await page.getByRole('button', { name: /Campaign$/ }).click()
      await page.getByRole('option', { name }).click()
    }
    const size = async () => Number(await page.getByRole('meter').getAttribute('aria-valuenow'))
    await pick('Without campaign')
    const without = await plainText()
    const small = await size()
    const texts = new Set<string>()
    for (const { name } of campaigns.slice(0, 2)) {
      await pick(name)
      texts.add(await plainText())
    }
    expect(texts.size).toBe(2)
    expect(texts).not.toContain(without)
    expect(await size()).toBeGreaterThan(small)
    await pick(/^Now:/)
  })
})

describe('the problems beside the blocks', () => {
  it('are marked on the canvas and in the outline, and opened by keyboard', async () => {
    const mark = page.locator('[data-canvas]').getByRole('button', { name: '2 issues: Picture' })
    await page.getByRole('treeitem', { name: 'Picture' }).getByRole('button', { name: '2 issues' }).waitFor()
    await mark.focus()
    await page.keyboard.press('Enter')
    const panel = page.getByRole('dialog', { name: 'Issues: Picture' })
    await panel.getByText('A picture has no description').waitFor()
    await checkAccess(page, '[role=dialog]')
    await panel.getByRole('button', { name: 'Shrink to 600 px' }).click()
    await panel.getByLabel('Description of the picture').fill('A field of flowers')
    await panel.getByRole('button', { name: 'Apply' }).click()
    await mark.waitFor({ state: 'detached' })
    await panel.waitFor({ state: 'detached' })
  })

  it('are mended by a click or a few words, each in one step that can be undone', async () => {
    for (const name of ['Use a readable color', 'Make it larger', 'Use the field', 'Make it fit phones'])
      await problems().getByRole('button', { name, exact: true }).click()
    const target = problems().getByLabel('Where it leads')
    await target.fill('example')
    await target.press('Enter')
    await problems().getByText('Enter a web, mail or phone address.').waitFor()
    await target.fill('www.example.com/book')
    await target.press('Enter')
    const fallback = problems().getByLabel('Text for people without a value')
    await fallback.first().fill('on request')
    await fallback.first().press('Enter')
    await problems().getByRole('button', { name: 'Choose another picture' }).click()
    await page.getByRole('dialog', { name: 'Choose a picture' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('treeitem', { name: 'Remote' }).click()
    await page.keyboard.press('Delete')
    await expect.poll(codes).toEqual(['unreachable_address'])
    await expect.poll(() => problems().getByRole('listitem').count()).toBe(1)
    const undo = page.getByRole('button', { name: 'Undo' })
    // Two in the panel of the picture, four clicks, two texts, one block deleted.
    for (let step = 0; step < 9; step += 1) await undo.click()
    expect(await undo.isDisabled()).toBe(true)
    await expect.poll(async () => (await codes()).length).toBe(9)
    for (let step = 0; step < 9; step += 1) await page.getByRole('button', { name: 'Redo' }).click()
    await expect.poll(codes).toEqual(['unreachable_address'])
    await isSaved()
  })
})

describe('the kinds of mail', () => {
  it('say what is sent without a variant, and begin one empty', async () => {
    await page.getByRole('radio', { name: 'Reply' }).click()
    await page.getByRole('heading', { name: 'Replies get the signature for new mail' }).waitFor()
    await page.getByTitle('Preview').waitFor()
    await checkPage(page)
    await page.getByRole('button', { name: 'Start empty' }).click()
    await page.getByText('There are no blocks yet').waitFor()
    expect((await reply()).children).toEqual([])
  })

  it('are shown beside each other, and copied in one step', async () => {
    await page.getByRole('button', { name: 'All kinds of mail side by side' }).click()
    const main = page.getByRole('region', { name: 'New mail' })
    await main.frameLocator('iframe').getByText('Pale').waitFor()
    await page
      .getByRole('region', { name: 'Internal' })
      .getByText('Internal mail gets the signature')
      .waitFor()
    await page.getByRole('button', { name: 'Copy from new mail' }).first().click()
    await expect.poll(async () => (await reply()).children.length).toBe(9)
    await page.getByRole('button', { name: 'Undo' }).first().click()
    await expect.poll(async () => (await reply()).children.length).toBe(0)
    await page.getByRole('button', { name: 'Redo' }).click()
    await checkPage(page)
    // What is typed in one kind of mail is at once in its picture beside the other one.
    await main.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('radio', { name: 'New mail', checked: true }).waitFor()
    await page.getByRole('treeitem', { name: 'Tiny' }).click()
    await page.keyboard.press('Delete')
    await page.getByRole('region', { name: 'Reply' }).locator('[data-edit-area]').click()
    await page.getByRole('treeitem', { name: 'Tiny' }).waitFor()
    await main.frameLocator('iframe').getByText('Pale').waitFor()
    expect(await main.frameLocator('iframe').getByText('Tiny').count()).toBe(0)
    await expect
      .poll(async () => (await draft()).children.some(({ displayName }) => displayName === 'Tiny'))
      .toBe(false)
  })
})
