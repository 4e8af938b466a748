import { beforeAll, describe, expect, it } from 'vitest'
import type { TestApp } from '#test/support/app.ts'
import { runAllJobs } from '#test/support/jobs.ts'
import type { Receiver } from '#test/support/outside/webhook.ts'
import { stack, text } from '#test/support/signatures.ts'
import {
  connectedApp,
  createCampaign,
  createField,
  createPublished,
  createTeammate,
  setValues,
  startCampaign,
  type TestTeammate,
} from '#test/support/world.ts'

let app: TestApp
let receiver: Receiver
let region: string
let clock = new Date('2026-06-01T12:00:00Z')
const hour = 3_600_000
const advanceClock = (milliseconds: number) => {
  clock = new Date(clock.getTime() + milliseconds)
}

beforeAll(async () => {
  ;({ app, receiver } = await connectedApp({ now: () => clock }))
  region = await createField(app, 'Region')
})

const createInRegion = (value: string) => createTeammate(app, { values: { [region]: value } })

const marketingBlock = { type: 'marketing' }
const publishFor = (draft_content: object, ...people: TestTeammate[]) =>
  createPublished(app, { draft_content }, ...people.map(person => person.emailId))

const base = '/v1/marketing_campaigns'
const createBanner = (words: string, more: object = {}) =>
  createCampaign(app, { content: stack(text(words)), ...more })
const startBanner = (words: string, more: object = {}) =>
  startCampaign(app, { content: stack(text(words)), ...more })
const idOf = (path: string) => path.split('/').at(-1)
const explain = async ({ emailId }: TestTeammate, query = '') =>
  (await app.get(`/v1/emails/${emailId}/signature?${query}`)).body.data
const textOf = async (teammate: TestTeammate, query?: string) => (await explain(teammate, query)).text
/** The addresses whose mailboxes were written because of this work. */
async function mailboxesWrittenDuring(work: () => Promise<unknown>): Promise<string[]> {
  await runAllJobs(app)
  receiver.writes.clear()
  await work()
  await runAllJobs(app)
  return [...receiver.writes.keys()].sort()
}
const removeAll = async () => {
  for (const { id } of (await app.get(`${base}?limit=100`)).body.data) await app.del(`${base}/${id}`)
}

describe('a banner', () => {
  it('is shown in the marketing block while its campaign runs; before and after, no gap is left', async () => {
    const ada = await createInRegion('EMEA')
    const id = await publishFor(stack(text('Above'), marketingBlock, text('Below')), ada)
    const before = await explain(ada)
    expect(before).toMatchObject({ campaign_id: null, text: 'Above\nBelow' })
    const path = await startBanner('Fair')
    expect(await explain(ada)).toMatchObject({ campaign_id: idOf(path), text: 'Above\nFair\nBelow' })
    const { html } = (await app.get(`/v1/signatures/${id}/html?email_id=${ada.emailId}`)).body.data
    expect(html).toBe((await explain(ada)).html)
    await app.post(`${path}/pause`)
    expect(await explain(ada)).toEqual(before)
    await app.post(`${path}/resume`)
    await app.del(path)
    expect(await explain(ada)).toEqual(before)
  })

  it('comes from the campaign that started last, or from the campaign that the block names', async () => {
    await removeAll()
    const ada = await createInRegion('EMEA')
    const first = await startBanner('First')
    advanceClock(hour)
    const second = await startBanner('Second')
    await publishFor(
      stack(marketingBlock, { ...marketingBlock, campaignUuid: idOf(first)?.toUpperCase() }),
      ada,
    )
    expect(await textOf(ada)).toBe('Second\nFirst')
    // Resuming after a pause does not count as a start.
    await app.post(`${first}/pause`)
    expect(await textOf(ada)).toBe('Second')
    advanceClock(hour)
    await app.post(`${first}/resume`)
    expect(await textOf(ada)).toBe('Second\nFirst')
    await app.post(`${first}/pause`)
    await app.post(`${first}/schedule`)
    expect(await textOf(ada)).toBe('First\nFirst')
    await app.del(second)
    await app.del(first)
    expect(await textOf(ada)).toBe('')
  })

  it('is shown only in the signatures and to the people that its campaign selects', async () => {
    await removeAll()
    const [ada, bob] = [await createInRegion('EMEA'), await createInRegion('APAC')]
    const [signatureId, other] = [
      await publishFor(stack(text('Own'), marketingBlock), ada, bob),
      await publishFor(stack(marketingBlock)),
    ]
    await startBanner('Not for them', { signature_template_ids: [other] })
    expect(await textOf(ada)).toBe('Own')
    advanceClock(hour)
    const path = await startBanner('EMEA', {
      signature_template_ids: [signatureId, other],
      smart_fields_conditions: [[{ smart_field_id: region, values: ['emea '] }]],
    })
    expect([await textOf(ada), await textOf(bob)]).toEqual(['Own\nEMEA', 'Own'])
    await setValues(app, bob.id, { [region]: 'EMEA' })
    expect(await textOf(bob)).toBe('Own\nEMEA')
    await app.patch(path, { marketing_campaign: { smart_fields_conditions: [] } })
    expect([await textOf(ada), await textOf(bob)]).toEqual(['Own\nEMEA', 'Own\nEMEA'])
  })

  it('without content hides the banners of campaigns that started earlier', async () => {
    await removeAll()
    const ada = await createInRegion('EMEA')
    await publishFor(stack(text('Own'), marketingBlock), ada)
    await startBanner('Old')
    advanceClock(hour)
    await startBanner('Nothing', { content: null })
    expect(await explain(ada)).toMatchObject({ text: 'Own', campaign_id: null })
  })

  it('is left out of variants with show_marketing_campaigns off', async () => {
    await removeAll()
    const ada = await createInRegion('EMEA')
    const id = await publishFor(stack(text('New'), marketingBlock), ada)
    await startBanner('Fair')
    const variant = (more: object) =>
      app.patch(`/v1/signatures/${id}/variants/reply`, { variant: { activated: true, ...more } })
    await variant({ draft_content: stack(text('Reply'), marketingBlock) })
    await app.post(`/v1/signatures/${id}/variants/reply/publish`)
    expect(await textOf(ada, 'kind=reply')).toBe('Reply\nFair')
    await variant({ show_marketing_campaigns: false })
    expect(await explain(ada, 'kind=reply')).toMatchObject({ text: 'Reply', campaign_id: null })
    expect(await textOf(ada)).toBe('New\nFair')
  })

  it('can be requested for another time', async () => {
    await removeAll()
    const ada = await createInRegion('EMEA')
    await publishFor(stack(text('Own'), marketingBlock), ada)
    const path = await startBanner('Summer', {
      start_time: '2026-07-01T00:00',
      end_time: '2026-08-01T00:00',
    })
    expect(await textOf(ada)).toBe('Own')
    expect(await textOf(ada, 'at=2026-06-30T23:59:59Z')).toBe('Own')
    expect(await textOf(ada, 'at=2026-07-01T00:00:00Z')).toBe('Own\nSummer')
    expect(await textOf(ada, 'at=2026-08-01T00:00:00Z')).toBe('Own')
    await app.post(`${path}/pause`)
    expect(await textOf(ada, 'at=2026-07-10T00:00:00Z')).toBe('Own')
    // A postponed campaign does not keep its earlier start.
    const off = await startBanner('Off')
    await app.patch(off, { marketing_campaign: { start_time: '2026-09-01T00:00' } })
    expect(await textOf(ada, `at=${clock.toISOString()}`)).toBe('Own')
    expect(await textOf(ada, 'at=2026-09-01T00:00:00Z')).toBe('Own\nOff')
    const tooEarly = await app.get(`/v1/emails/${ada.emailId}/signature?at=0000-01-01T00:00:00Z`)
    expect(tooEarly.status).toBe(422)
  })

  it('with several variants: each address always gets the same variant', async () => {
    await removeAll()
    const people = await Promise.all(Array.from({ length: 30 }, () => createInRegion('EMEA')))
    const signatureId = await publishFor(stack(marketingBlock), ...people)
    const variants = ['A', 'B'].map(name => ({ name, content: stack(text(name)) }))
    const path = await startBanner('Compared', {
      content: null,
      variants,
      signature_template_ids: [signatureId],
    })
    const texts = await Promise.all(people.map(person => textOf(person)))
    expect(new Set(texts)).toEqual(new Set(['A', 'B']))
    expect(await Promise.all(people.map(person => textOf(person)))).toEqual(texts)
    const { data, variants: counts } = (await app.get(`${path}/audience?limit=100`)).body
    const nameById = new Map(
      counts.map((variant: { id: string; name: string }) => [variant.id, variant.name]),
    )
    const variantNames = new Map(
      data.map((recipient: { id: string; variant_id: string }) => [
        recipient.id,
        nameById.get(recipient.variant_id),
      ]),
    )
    expect(people.map(person => variantNames.get(person.emailId))).toEqual(texts)
    expect(counts.map((variant: { count: number }) => variant.count)).toEqual(
      ['A', 'B'].map(words => texts.filter(text => text === words).length),
    )
  })
})

describe('mailboxes', () => {
  it('are rewritten only where the banner changes', async () => {
    await removeAll()
    const [ada, bob, cleo, dan] = [
      await createInRegion('EMEA'),
      await createInRegion('EMEA'),
      await createInRegion('APAC'),
      await createInRegion('EMEA'),
    ]
    const signatureId = await publishFor(stack(text('With a place'), marketingBlock), ada, bob, cleo)
    const second = await publishFor(stack(text('Another that reaches them'), marketingBlock), ada, bob, cleo)
    await publishFor(stack(text('Without one')), dan)
    expect(await textOf(ada)).toBe('With a place')
    const conditions = { smart_fields_conditions: [[{ smart_field_id: region, values: ['EMEA'] }]] }
    let path = ''
    const both = [ada.email, bob.email].sort()
    expect(
      await mailboxesWrittenDuring(async () => {
        path = await startBanner('Fair', { ...conditions, signature_template_ids: [signatureId, second] })
      }),
    ).toEqual(both)
    expect(receiver.mailboxes.get(ada.email)).toContain('Fair')
    const change = (campaign: object) => () => app.patch(path, { marketing_campaign: campaign })
    expect(await mailboxesWrittenDuring(change({ name: 'Renamed' }))).toEqual([])
    expect(await mailboxesWrittenDuring(change({ content: stack(text('Fair 2')) }))).toEqual(both)
    const all = [[{ smart_field_id: region, operator: 'is_set' }]]
    expect(await mailboxesWrittenDuring(change({ smart_fields_conditions: all }))).toEqual([cleo.email])
    const apac = [[{ smart_field_id: region, operator: 'starts_with', values: ['ap'] }]]
    expect(await mailboxesWrittenDuring(change({ smart_fields_conditions: apac }))).toEqual(both)
    expect(receiver.mailboxes.get(ada.email)).not.toContain('Fair')
    expect(await mailboxesWrittenDuring(() => app.post(`${path}/pause`))).toEqual([cleo.email])
    expect(await mailboxesWrittenDuring(() => app.post(`${path}/resume`))).toEqual([cleo.email])
    expect(await mailboxesWrittenDuring(change({ end_time: '2026-05-01T00:00', start_time: null }))).toEqual([
      cleo.email,
    ])
    expect(await mailboxesWrittenDuring(() => app.del(path))).toEqual([])
  })

  it('are written once when several campaigns change together', async () => {
    await removeAll()
    const ada = await createInRegion('EMEA')
    await publishFor(stack(marketingBlock), ada)
    const paths = [await startBanner('One'), await startBanner('Two'), await startBanner('Three')]
    await runAllJobs(app)
    receiver.writes.clear()
    for (const path of paths) await app.post(`${path}/pause`)
    await runAllJobs(app)
    expect(receiver.writes.get(ada.email)).toBe(1)
    expect(receiver.mailboxes.get(ada.email)).toBe('')
  })

  it('lose the banner of a campaign whose only signature is deleted; the campaign is paused', async () => {
    await removeAll()
    const [ada, bob] = [await createInRegion('EMEA'), await createInRegion('EMEA')]
    const [signatureId, other] = [
      await publishFor(stack(text('Own'), marketingBlock), ada),
      await publishFor(stack(text('Other'), marketingBlock), ada, bob),
    ]
    const path = await startBanner('For one', { signature_template_ids: [signatureId] })
    const both = await startBanner('For both', { signature_template_ids: [signatureId, other] })
    await runAllJobs(app)
    expect((await app.del(`/v1/signatures/${signatureId}`)).status).toBe(204)
    await runAllJobs(app)
    expect((await app.get(path)).body.data).toMatchObject({ status: 'paused', signature_template_ids: [] })
    expect((await app.get(both)).body.data).toMatchObject({
      status: 'active',
      signature_template_ids: [other],
    })
    expect(await textOf(bob)).toBe('Other\nFor both')
    expect(receiver.mailboxes.get(ada.email)).toContain('For both')
  })
})

describe('the audience', () => {
  it('is listed in pages before the campaign is scheduled', async () => {
    await removeAll()
    const people = await Promise.all(Array.from({ length: 5 }, () => createInRegion('Moon')))
    const stranger = await createInRegion('Mars')
    const signatureId = await publishFor(stack(marketingBlock), ...people, stranger)
    await publishFor(stack(text('Second'), marketingBlock), ...people)
    const path = await createBanner('Soon', {
      smart_fields_conditions: [
        [{ smart_field_id: region, operator: 'contains', values: ['oo'] }],
        [{ smart_field_id: region, operator: 'is_none_of', values: ['mars', 'emea', 'apac'] }],
      ],
    })
    const all: { id: string; signature_id: string; variant_id: null }[] = []
    for (const page of [1, 2, 3]) {
      const { body } = await app.get(`${path}/audience?limit=2&page=${page}`)
      expect(body.pagination).toMatchObject({ total_count: 5, total_pages: 3, has_more: page < 3 })
      expect(body.variants).toEqual([])
      all.push(...body.data)
    }
    expect(all.map(recipient => recipient.id)).toEqual(
      people
        .map(person => person.emailId)
        .sort()
        .reverse(),
    )
    expect(all[0]).toMatchObject({ signature_id: signatureId, variant_id: null })
    expect((await app.get(`${path}/audience?page=9`)).body.data).toEqual([])
  })

  it('leaves out addresses whose signature has no marketing block or names another campaign', async () => {
    await removeAll()
    const [ada, bob, cleo] = [await createInRegion('X'), await createInRegion('X'), await createInRegion('X')]
    const other = await createBanner('Other')
    await publishFor(stack(text('No place')), ada)
    await publishFor(stack({ ...marketingBlock, campaignUuid: idOf(other) }), bob)
    await publishFor(stack(marketingBlock), cleo)
    const conditions = { smart_fields_conditions: [[{ smart_field_id: region, values: ['X'] }]] }
    const path = await createBanner('Own', conditions)
    const ids = async (campaignPath: string) =>
      (await app.get(`${campaignPath}/audience`)).body.data.map((person: { id: string }) => person.id)
    expect(await ids(path)).toEqual([cleo.emailId])
    await app.patch(other, { marketing_campaign: conditions })
    expect((await ids(other)).sort()).toEqual([bob.emailId, cleo.emailId].sort())
  })
})
