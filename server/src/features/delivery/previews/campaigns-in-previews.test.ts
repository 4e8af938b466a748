import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { stack, text } from '#test/support/signatures.ts'
import {
  createCampaign,
  createPublished,
  createTeammate,
  fieldIds,
  startCampaign,
  type TestTeammate,
  unknownId,
} from '#test/support/world.ts'

let app: TestApp
let department: string
let ada: TestTeammate
let bob: TestTeammate
let signatureId: string

const link = (value: string, url: string) => ({
  type: 'text',
  tokens: [{ type: 'textToken', value, href: { text: url } }],
})
const banner = (words: string) => stack(link(words, `https://example.com/${words.toLowerCase()}`))
const idOf = (path: string) => path.split('/').at(-1)!

beforeAll(async () => {
  app = await testApp({ env: { SIGNOFF_PUBLIC_URL: 'https://sign.example.com' } })
  ;({ department } = await fieldIds(app))
  ada = await createTeammate(app, { values: { [department]: 'Sales' } })
  bob = await createTeammate(app, { values: { [department]: 'Legal' } })
  const draft_content = stack(link('Site', 'https://example.com'), { type: 'marketing' }, text('Below'))
  signatureId = await createPublished(app, { draft_content }, ada.emailId, bob.emailId)
  await startCampaign(app, { content: banner('Everyone') })
  await startCampaign(app, {
    content: banner('Sales'),
    smart_fields_conditions: [[{ smart_field_id: department, values: ['Sales'] }]],
  })
})

const preview = async (query = '') =>
  (await app.get(`/v1/signatures/${signatureId}/preview?${query}`)).body.data
const bannerIn = async (query = '') =>
  /Site.*\n([\s\S]*?)\n?Below/.exec((await preview(query)).text)?.[1] ?? ''

describe('a preview', () => {
  it('shows the campaign that runs for the address, as it is installed', async () => {
    for (const [teammate, words] of [
      [ada, 'Sales'],
      [bob, 'Everyone'],
    ] as const) {
      const query = `email_id=${teammate.emailId}`
      const answer = await preview(query)
      const installed = (await app.get(`/v1/signatures/${signatureId}/html?${query}`)).body.data
      expect(answer.text).toContain(words)
      expect(answer.text.split('\n').length).toBe(installed.text.split('\n').length)
      expect(answer.bytes).toBe(Buffer.byteLength(answer.html))
      expect(answer.installed_bytes).toBe(installed.bytes)
      expect(answer.html).toContain(`https://example.com/${words.toLowerCase()}`)
      expect(answer.html).not.toContain('sign.example.com/c/')
      expect(installed.html).toContain('sign.example.com/c/')
    }
  })

  it('without an address shows the campaign that every recipient sees', async () => {
    expect(await bannerIn()).toContain('Everyone')
  })

  it('shows the chosen campaign in any state and for any audience, or none', async () => {
    const draft = idOf(
      await createCampaign(app, {
        content: banner('Draft'),
        smart_fields_conditions: [[{ smart_field_id: department, values: ['Finance'] }]],
      }),
    )
    const ended = idOf(await createCampaign(app, { content: banner('Other'), signature_template_ids: [] }))
    for (const email of ['', `&email_id=${ada.emailId}`]) {
      expect(await bannerIn(`campaign=${draft}${email}`)).toContain('Draft')
      expect(await bannerIn(`campaign=${ended.toUpperCase()}${email}`)).toContain('Other')
      expect(await bannerIn(`campaign=none${email}`)).toBe('')
    }
  })

  it('shows the banner of the address when a campaign compares several, else the first', async () => {
    const compared = { variants: ['One', 'Two'].map(name => ({ name, content: banner(name), weight: 1 })) }
    const path = await createCampaign(app, compared)
    expect(await bannerIn(`campaign=${idOf(path)}`)).toContain('One')
    for (const { emailId } of [ada, bob]) {
      const alone = (await app.get(`${path}/preview?email_id=${emailId}`)).body.data.text
      expect(await bannerIn(`campaign=${idOf(path)}&email_id=${emailId}`)).toBe(alone)
    }
  })

  it('refuses an unknown campaign, and one of another workspace', async () => {
    const foreign = await app.post(
      '/v1/marketing_campaigns',
      { marketing_campaign: { name: 'Foreign' } },
      { key: app.other.key },
    )
    for (const [campaign, code] of [
      [unknownId, 'unknown_reference'],
      [foreign.body.data.id, 'unknown_reference'],
      ['all', 'invalid'],
    ]) {
      const answer = await app.get(`/v1/signatures/${signatureId}/preview?campaign=${campaign}`)
      expect([answer.status, fieldErrors(answer)]).toEqual([422, { campaign: code }])
    }
  })

  it('stores no link of what it measures', async () => {
    const links = () => app.db.query(sql`select count(*)::int as n from tracked_sources`)
    const before = await links()
    const draft = idOf(await createCampaign(app, { content: banner('Measured') }))
    await app.patch(`/v1/signatures/${signatureId}`, {
      draft_content: stack(link('New', 'https://example.com/new'), { type: 'marketing' }),
    })
    const { bytes, installed_bytes } = await preview(`campaign=${draft}`)
    expect(installed_bytes).toBeGreaterThan(bytes)
    expect(await links()).toEqual(before)
    await app.patch(`/v1/signatures/${signatureId}`, { draft_content: null })
  })
})

describe('a preview of content', () => {
  const previewContent = async (query = '', more: object = {}) =>
    app.post(`/v1/content/preview?${query}`, {
      content: stack(text('Above'), { type: 'marketing' }),
      ...more,
    })

  it('shows campaigns for all signatures, and says how large it is when installed', async () => {
    const { text: words, bytes, installed_bytes } = (await previewContent()).body.data
    expect(words).toContain('Everyone')
    expect(installed_bytes).toBeGreaterThan(bytes)
    expect((await previewContent('', { email_id: ada.emailId })).body.data.text).toContain('Sales')
    expect((await previewContent('campaign=none')).body.data.text).toBe('Above')
    const only = idOf(
      await startCampaign(app, { content: banner('Only'), signature_template_ids: [signatureId] }),
    )
    expect((await previewContent()).body.data.text).toContain('Everyone')
    expect((await previewContent(`campaign=${only}`)).body.data.text).toContain('Only')
    expect(fieldErrors(await previewContent(`campaign=${unknownId}`))).toEqual({
      campaign: 'unknown_reference',
    })
  })
})
