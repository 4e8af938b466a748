import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { runAllJobs } from '#test/support/jobs.ts'
import { createField, createSignature, stack, text } from '#test/support/signatures.ts'
import { connectReceiver, type Receiver, startReceiver, webhookSecret } from '#test/support/webhook.ts'

let app: TestApp
let receiver: Receiver
let region: string
let clock = new Date('2026-06-01T12:00:00Z')
const hour = 3_600_000
const advanceClock = (milliseconds: number) => {
  clock = new Date(clock.getTime() + milliseconds)
}

beforeAll(async () => {
  app = await testApp({ env: { SIGNOFF_PRIVATE_TARGETS: '127.0.0.1' }, now: () => clock })
  receiver = await startReceiver(() => webhookSecret)
  await connectReceiver(app, receiver)
  region = await createField(app, 'Region')
})

let teammateCount = 0
async function createTeammate(value: string) {
  const email = `person${++teammateCount}@example.com`
  const { body } = await app.post('/v1/teammates', {
    teammate: { email, smart_fields: [{ smart_field_id: region, value }] },
  })
  return { id: body.data.id as string, email, emailId: body.data.emails[0].id as string }
}
type Teammate = Awaited<ReturnType<typeof createTeammate>>

const marketingBlock = { type: 'marketing' }
/** Publishes a signature and assigns it to these teammates. */
async function publishSignature(content: object, ...people: Teammate[]): Promise<string> {
  const { body } = await createSignature(app, { draft_content: content })
  const id = body.data.id as string
  await app.post(`/v1/signatures/${id}/emails`, { email_ids: people.map(person => person.emailId) })
  await app.post(`/v1/signatures/${id}/publish`)
  return id
}

const base = '/v1/marketing_campaigns'
async function createCampaign(words: string, more: object = {}): Promise<string> {
  const { headers } = await app.post(base, {
    marketing_campaign: { name: words, content: stack(text(words)), ...more },
  })
  return headers.location!
}
async function startCampaign(words: string, more: object = {}): Promise<string> {
  const path = await createCampaign(words, more)
  await app.post(`${path}/schedule`)
  return path
}
const idOf = (path: string) => path.split('/').at(-1)
const explain = async ({ emailId }: Teammate, query = '') =>
  (await app.get(`/v1/emails/${emailId}/signature?${query}`)).body.data
const textOf = async (teammate: Teammate, query?: string) => (await explain(teammate, query)).text
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
    const ada = await createTeammate('EMEA')
    const id = await publishSignature(stack(text('Above'), marketingBlock, text('Below')), ada)
    const before = await explain(ada)
    expect(before).toMatchObject({ campaign_id: null, text: 'Above\nBelow' })
    const path = await startCampaign('Fair')
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
    const ada = await createTeammate('EMEA')
    const first = await startCampaign('First')
    advanceClock(hour)
    const second = await startCampaign('Second')
    await publishSignature(
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
    const [ada, bob] = [await createTeammate('EMEA'), await createTeammate('APAC')]
    const [signatureId, other] = [
      await publishSignature(stack(text('Own'), marketingBlock), ada, bob),
      await publishSignature(stack(marketingBlock)),
    ]
    await startCampaign('Not for them', { signature_template_ids: [other] })
    expect(await textOf(ada)).toBe('Own')
    advanceClock(hour)
    const path = await startCampaign('EMEA', {
      signature_template_ids: [signatureId, other],
      smart_fields_conditions: [[{ smart_field_id: region, values: ['emea '] }]],
    })
    expect([await textOf(ada), await textOf(bob)]).toEqual(['Own\nEMEA', 'Own'])
    await app.patch(`/v1/teammates/${bob.id}`, {
      teammate: { smart_fields: [{ smart_field_id: region, value: 'EMEA' }] },
    })
    expect(await textOf(bob)).toBe('Own\nEMEA')
    await app.patch(path, { marketing_campaign: { smart_fields_conditions: [] } })
    expect([await textOf(ada), await textOf(bob)]).toEqual(['Own\nEMEA', 'Own\nEMEA'])
  })

  it('without content hides the banners of campaigns that started earlier', async () => {
    await removeAll()
    const ada = await createTeammate('EMEA')
    await publishSignature(stack(text('Own'), marketingBlock), ada)
    await startCampaign('Old')
    advanceClock(hour)
    await startCampaign('Nothing', { content: null })
    expect(await explain(ada)).toMatchObject({ text: 'Own', campaign_id: null })
  })

  it('is left out of variants with show_marketing_campaigns off', async () => {
    await removeAll()
    const ada = await createTeammate('EMEA')
    const id = await publishSignature(stack(text('New'), marketingBlock), ada)
    await startCampaign('Fair')
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
    const ada = await createTeammate('EMEA')
    await publishSignature(stack(text('Own'), marketingBlock), ada)
    const path = await startCampaign('Summer', {
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
    const off = await startCampaign('Off')
    await app.patch(off, { marketing_campaign: { start_time: '2026-09-01T00:00' } })
    expect(await textOf(ada, `at=${clock.toISOString()}`)).toBe('Own')
    expect(await textOf(ada, 'at=2026-09-01T00:00:00Z')).toBe('Own\nOff')
    const tooEarly = await app.get(`/v1/emails/${ada.emailId}/signature?at=0000-01-01T00:00:00Z`)
    expect(tooEarly.status).toBe(422)
  })

  it('with several variants: each address always gets the same variant', async () => {
    await removeAll()
    const people = await Promise.all(Array.from({ length: 30 }, () => createTeammate('EMEA')))
    const signatureId = await publishSignature(stack(marketingBlock), ...people)
    const variants = ['A', 'B'].map(name => ({ name, content: stack(text(name)) }))
    const path = await startCampaign('Compared', {
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
      await createTeammate('EMEA'),
      await createTeammate('EMEA'),
      await createTeammate('APAC'),
      await createTeammate('EMEA'),
    ]
    const signatureId = await publishSignature(stack(text('With a place'), marketingBlock), ada, bob, cleo)
    const second = await publishSignature(
      stack(text('Another that reaches them'), marketingBlock),
      ada,
      bob,
      cleo,
    )
    await publishSignature(stack(text('Without one')), dan)
    expect(await textOf(ada)).toBe('With a place')
    const conditions = { smart_fields_conditions: [[{ smart_field_id: region, values: ['EMEA'] }]] }
    let path = ''
    const both = [ada.email, bob.email].sort()
    expect(
      await mailboxesWrittenDuring(async () => {
        path = await startCampaign('Fair', { ...conditions, signature_template_ids: [signatureId, second] })
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
    const ada = await createTeammate('EMEA')
    await publishSignature(stack(marketingBlock), ada)
    const paths = [await startCampaign('One'), await startCampaign('Two'), await startCampaign('Three')]
    await runAllJobs(app)
    receiver.writes.clear()
    for (const path of paths) await app.post(`${path}/pause`)
    await runAllJobs(app)
    expect(receiver.writes.get(ada.email)).toBe(1)
    expect(receiver.mailboxes.get(ada.email)).toBe('')
  })

  it('lose the banner of a campaign whose only signature is deleted; the campaign is paused', async () => {
    await removeAll()
    const [ada, bob] = [await createTeammate('EMEA'), await createTeammate('EMEA')]
    const [signatureId, other] = [
      await publishSignature(stack(text('Own'), marketingBlock), ada),
      await publishSignature(stack(text('Other'), marketingBlock), ada, bob),
    ]
    const path = await startCampaign('For one', { signature_template_ids: [signatureId] })
    const both = await startCampaign('For both', { signature_template_ids: [signatureId, other] })
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
    const people = await Promise.all(Array.from({ length: 5 }, () => createTeammate('Moon')))
    const stranger = await createTeammate('Mars')
    const signatureId = await publishSignature(stack(marketingBlock), ...people, stranger)
    await publishSignature(stack(text('Second'), marketingBlock), ...people)
    const path = await createCampaign('Soon', {
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
    const [ada, bob, cleo] = [await createTeammate('X'), await createTeammate('X'), await createTeammate('X')]
    const other = await createCampaign('Other')
    await publishSignature(stack(text('No place')), ada)
    await publishSignature(stack({ ...marketingBlock, campaignUuid: idOf(other) }), bob)
    await publishSignature(stack(marketingBlock), cleo)
    const conditions = { smart_fields_conditions: [[{ smart_field_id: region, values: ['X'] }]] }
    const path = await createCampaign('Own', conditions)
    const ids = async (campaignPath: string) =>
      (await app.get(`${campaignPath}/audience`)).body.data.map((person: { id: string }) => person.id)
    expect(await ids(path)).toEqual([cleo.emailId])
    await app.patch(other, { marketing_campaign: conditions })
    expect((await ids(other)).sort()).toEqual([bob.emailId, cleo.emailId].sort())
  })
})
