// A campaign that people would not see: the dashboard says so in words before it starts, and leads to what is missing.
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type DashboardApp, dashboardApp, visit } from '../support/browser/dashboard.ts'
import { checkPage, overlays, pageFaults } from '../support/browser/sign-in-browser.ts'
import { createSignature, stack, text } from '../support/signatures.ts'
import { assign, createCampaign, createTeammate } from '../support/world.ts'

let dashboard: DashboardApp
let page: Page
beforeAll(async () => {
  dashboard = await dashboardApp()
  page = await dashboard.signIn({}, { reducedMotion: 'reduce' })
})
afterAll(() => {
  expect(pageFaults).toEqual([])
})

/** A published signature without a place for banners, which one new person gets. */
async function signatureWithoutPlace(name: string): Promise<string> {
  const { app } = dashboard
  const { id } = (await createSignature(app, { name, draft_content: stack(text('Kind regards')) })).body.data
  await assign(app, id, (await createTeammate(app)).emailId)
  await app.post(`/v1/signatures/${id}/publish`)
  return id
}

const campaignFor = async (signatureIds: readonly string[], more: object = {}) =>
  createCampaign(dashboard.app, {
    name: 'Spring fair',
    content: stack(text('Meet us')),
    signature_template_ids: signatureIds,
    ...more,
  })

const pageOf = (campaign: string) => `${dashboard.url}${campaign.replace('/v1/marketing_', '/')}`
const stateOf = async (campaign: string) => (await dashboard.app.get(campaign)).body.data.status
const signatureOf = async (id: string) => (await dashboard.app.get(`/v1/signatures/${id}`)).body.data
const dialog = (): Locator => page.getByRole('dialog')
const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true })

describe('a campaign for a signature without a place for banners', () => {
  let signatureId: string
  let campaign: string
  beforeEach(async () => {
    signatureId = await signatureWithoutPlace('Sales')
    campaign = await campaignFor([signatureId])
  })

  it('asks before it starts, adds the place, publishes it, and then reaches people', async () => {
    await visit(page, pageOf(campaign))
    await page.getByText('“Sales” has no place for banners').waitFor()
    await page.getByRole('button', { name: 'Start now', exact: true }).click()
    await dialog().getByText('Nobody would see the banner now.').waitFor()
    await inDialog('Start anyway').waitFor()
    await checkPage(page, overlays)
    await inDialog('Add the place').click()
    await dialog().getByText('The place is in the draft of “Sales” now').waitFor()
    const { draft_content, content, has_unpublished_changes } = await signatureOf(signatureId)
    expect(draft_content.children).toMatchObject([...content.children, { type: 'marketing' }])
    expect([has_unpublished_changes, await stateOf(campaign)]).toEqual([true, 'draft'])
    await inDialog('Publish the signature').click()
    await dialog().getByText('1 address shows the banner from now on.').waitFor()
    expect(await signatureOf(signatureId)).toMatchObject({ has_unpublished_changes: false })
    await inDialog('Start now').click()
    await page.getByText('Running', { exact: true }).first().waitFor()
    expect((await dashboard.app.get(`${campaign}/audience`)).body).toMatchObject({
      warnings: [],
      pagination: { total_count: 1 },
    })
  })

  it('starts all the same when the person wants that, and still says so on its page', async () => {
    await visit(page, pageOf(campaign))
    await page.getByRole('button', { name: 'Start now', exact: true }).click()
    await inDialog('Start anyway').click()
    await page.getByText('Running', { exact: true }).first().waitFor()
    expect(await stateOf(campaign)).toBe('active')
    await page.getByText('“Sales” has no place for banners').waitFor()
    await page.getByRole('button', { name: 'Add the place', exact: true }).waitFor()
    await checkPage(page)
  })

  it('asks before it goes on, too', async () => {
    await dashboard.app.post(`${campaign}/schedule`)
    await dashboard.app.post(`${campaign}/pause`)
    await visit(page, pageOf(campaign))
    await page.getByRole('button', { name: 'Resume', exact: true }).click()
    await dialog().getByText('“Sales” has no place for banners').waitFor()
    expect(await stateOf(campaign)).toBe('paused')
    await inDialog('Resume anyway').click()
    await page.getByText('Running', { exact: true }).first().waitFor()
  })

  it('publishes no draft with other changes, and links to it', async () => {
    const changed = stack(text('Warm regards'))
    await dashboard.app.patch(`/v1/signatures/${signatureId}`, { draft_content: changed })
    const clean = await signatureWithoutPlace('Board')
    await dashboard.app.patch(campaign, {
      marketing_campaign: { signature_template_ids: [signatureId, clean] },
    })
    await visit(page, pageOf(campaign))
    await page.getByRole('button', { name: 'Start now', exact: true }).click()
    await inDialog('Add the place to 2 signatures').click()
    await dialog().getByText('The draft of “Sales” has the place, and other changes too.').waitFor()
    await inDialog('Publish the signature').click()
    await dialog().getByText('1 address shows the banner from now on.').waitFor()
    expect(JSON.stringify((await signatureOf(signatureId)).content)).toContain('Kind regards')
    expect(JSON.stringify((await signatureOf(clean)).content)).toContain('marketing')
    await dialog().getByRole('link', { name: 'Look at them' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sales' }).waitFor()
  })
})

describe('roles', () => {
  it('that cannot change signatures are told who can', async () => {
    const campaign = await campaignFor([await signatureWithoutPlace('Sales')])
    await dashboard.app.post(`${campaign}/schedule`)
    await dashboard.app.patch('/v1/workspace', { member_access: 'read' })
    const member = await dashboard.signIn({ role: 'member' })
    await visit(member, pageOf(campaign))
    await member.getByText('“Sales” has no place for banners').waitFor()
    await member.getByText('An owner, an admin or a manager can add it.').waitFor()
    expect(await member.getByRole('button', { name: 'Add the place' }).count()).toBe(0)
    await member.context().close()
  })

  it('that need an approval ask for it, and the dialog says what waits', async () => {
    const signatureId = await signatureWithoutPlace('Sales')
    const campaign = await campaignFor([signatureId])
    await dashboard.app.patch('/v1/workspace', { publish_approval: 'required' })
    const manager = await dashboard.signIn({ role: 'manager' })
    await visit(manager, pageOf(campaign))
    await manager.getByRole('button', { name: 'Start now', exact: true }).click()
    const button = (name: string) => manager.getByRole('dialog').getByRole('button', { name, exact: true })
    await button('Add the place').click()
    await button('Ask for approval').click()
    await manager.getByRole('dialog').getByText('“Sales” waits for approval.').waitFor()
    const { body } = await dashboard.app.get('/v1/publication_requests?status=pending')
    expect(body.data).toMatchObject([{ signature_id: signatureId, kind: 'primary' }])
    expect(JSON.stringify((await signatureOf(signatureId)).content)).not.toContain('marketing')
    await manager.context().close()
    await dashboard.app.patch('/v1/workspace', { publish_approval: 'none' })
  })
})

describe('a campaign beside another one, or without a banner', () => {
  it('says which banner people see, and that there is nothing to show', async () => {
    const { app } = dashboard
    const signatureId = await signatureWithoutPlace('Sales')
    const draft_content = stack(text('Hello'), { type: 'marketing' })
    await app.patch(`/v1/signatures/${signatureId}`, { draft_content })
    await app.post(`/v1/signatures/${signatureId}/publish`)
    const rival = await campaignFor([signatureId], { name: 'Summer sale' })
    await app.post(`${rival}/schedule`)
    await visit(page, pageOf(await campaignFor([signatureId], { content: null })))
    await page.getByRole('button', { name: 'Start now', exact: true }).click()
    await dialog().getByText('they show this banner instead').waitFor()
    await dialog().getByText('This campaign has no banner yet').waitFor()
    await dialog().getByText('Nobody would see the banner now.').waitFor()
    await inDialog('Start anyway').waitFor()
    await dialog().getByRole('link', { name: '“Summer sale”' }).click()
    await page.getByRole('heading', { level: 1, name: 'Summer sale' }).waitFor()
  })
})
