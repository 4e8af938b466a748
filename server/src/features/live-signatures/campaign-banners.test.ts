import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { workAll } from '#test/support/jobs.ts'
import { createField, createSignature, stack, text } from '#test/support/signatures.ts'
import { connectReceiver, type Receiver, startReceiver, webhookSecret } from '#test/support/webhook.ts'

let app: TestApp
let receiver: Receiver
let region: string
let clock = new Date('2026-06-01T12:00:00Z')
const hour = 3_600_000
const later = (milliseconds: number) => {
  clock = new Date(clock.getTime() + milliseconds)
}

beforeAll(async () => {
  app = await testApp({ env: { SIGNOFF_PRIVATE_TARGETS: '127.0.0.1' }, now: () => clock })
  receiver = await startReceiver(() => webhookSecret)
  await connectReceiver(app, receiver)
  region = await createField(app, 'Region')
})

let n = 0
async function teammate(value: string) {
  const email = `person${++n}@example.com`
  const { body } = await app.post('/v1/teammates', {
    teammate: { email, smart_fields: [{ smart_field_id: region, value }] },
  })
  return { id: body.data.id as string, email, emailId: body.data.emails[0].id as string }
}
type Someone = Awaited<ReturnType<typeof teammate>>

const place = { type: 'marketing' }
/** Published, and given to these. */
async function signature(content: object, ...people: Someone[]): Promise<string> {
  const { body } = await createSignature(app, { draft_content: content })
  const id = body.data.id as string
  await app.post(`/v1/signatures/${id}/emails`, { email_ids: people.map(one => one.emailId) })
  await app.post(`/v1/signatures/${id}/publish`)
  return id
}

const base = '/v1/marketing_campaigns'
async function campaign(words: string, more: object = {}): Promise<string> {
  const { headers } = await app.post(base, {
    marketing_campaign: { name: words, content: stack(text(words)), ...more },
  })
  return headers.location!
}
async function running(words: string, more: object = {}): Promise<string> {
  const path = await campaign(words, more)
  await app.post(`${path}/schedule`)
  return path
}
const idIn = (path: string) => path.split('/').at(-1)
const explained = async ({ emailId }: Someone, query = '') =>
  (await app.get(`/v1/emails/${emailId}/signature?${query}`)).body.data
const textOf = async (someone: Someone, query?: string) => (await explained(someone, query)).text
/** Who was written to while this was done. */
async function writtenDuring(work: () => Promise<unknown>): Promise<string[]> {
  await workAll(app)
  receiver.writes.clear()
  await work()
  await workAll(app)
  return [...receiver.writes.keys()].sort()
}
const removeAll = async () => {
  for (const { id } of (await app.get(`${base}?limit=100`)).body.data) await app.del(`${base}/${id}`)
}

describe('a banner', () => {
  it('is shown in the marketing block while its campaign runs, and leaves no hole', async () => {
    const ada = await teammate('EMEA')
    const id = await signature(stack(text('Above'), place, text('Below')), ada)
    const plain = await explained(ada)
    expect(plain).toMatchObject({ campaign_id: null, text: 'Above\nBelow' })
    const path = await running('Fair')
    expect(await explained(ada)).toMatchObject({ campaign_id: idIn(path), text: 'Above\nFair\nBelow' })
    const { html } = (await app.get(`/v1/signatures/${id}/html?email_id=${ada.emailId}`)).body.data
    expect(html).toBe((await explained(ada)).html)
    await app.post(`${path}/pause`)
    expect(await explained(ada)).toEqual(plain)
    await app.post(`${path}/resume`)
    await app.del(path)
    expect(await explained(ada)).toEqual(plain)
  })

  it('is that of the campaign that started last, or of the one that the block names', async () => {
    await removeAll()
    const ada = await teammate('EMEA')
    const first = await running('First')
    later(hour)
    const second = await running('Second')
    await signature(stack(place, { ...place, campaignUuid: idIn(first)?.toUpperCase() }), ada)
    expect(await textOf(ada)).toBe('Second\nFirst')
    // Going on after a pause is not starting.
    await app.post(`${first}/pause`)
    expect(await textOf(ada)).toBe('Second')
    later(hour)
    await app.post(`${first}/resume`)
    expect(await textOf(ada)).toBe('Second\nFirst')
    await app.post(`${first}/pause`)
    await app.post(`${first}/schedule`)
    expect(await textOf(ada)).toBe('First\nFirst')
    await app.del(second)
    await app.del(first)
    expect(await textOf(ada)).toBe('')
  })

  it('is for the signatures and the people that its campaign chooses', async () => {
    await removeAll()
    const [ada, bob] = [await teammate('EMEA'), await teammate('APAC')]
    const [own, other] = [await signature(stack(text('Own'), place), ada, bob), await signature(stack(place))]
    await running('Not for them', { signature_template_ids: [other] })
    expect(await textOf(ada)).toBe('Own')
    later(hour)
    const path = await running('EMEA', {
      signature_template_ids: [own, other],
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

  it('without content hides whatever started before it', async () => {
    await removeAll()
    const ada = await teammate('EMEA')
    await signature(stack(text('Own'), place), ada)
    await running('Old')
    later(hour)
    await running('Nothing', { content: null })
    expect(await explained(ada)).toMatchObject({ text: 'Own', campaign_id: null })
  })

  it('is left out of variants that want none', async () => {
    await removeAll()
    const ada = await teammate('EMEA')
    const id = await signature(stack(text('New'), place), ada)
    await running('Fair')
    const variant = (more: object) =>
      app.patch(`/v1/signatures/${id}/variants/reply`, { variant: { activated: true, ...more } })
    await variant({ draft_content: stack(text('Reply'), place) })
    await app.post(`/v1/signatures/${id}/variants/reply/publish`)
    expect(await textOf(ada, 'kind=reply')).toBe('Reply\nFair')
    await variant({ show_marketing_campaigns: false })
    expect(await explained(ada, 'kind=reply')).toMatchObject({ text: 'Reply', campaign_id: null })
    expect(await textOf(ada)).toBe('New\nFair')
  })

  it('can be asked for at another time', async () => {
    await removeAll()
    const ada = await teammate('EMEA')
    await signature(stack(text('Own'), place), ada)
    const path = await running('Summer', { start_time: '2026-07-01T00:00', end_time: '2026-08-01T00:00' })
    expect(await textOf(ada)).toBe('Own')
    expect(await textOf(ada, 'at=2026-06-30T23:59:59Z')).toBe('Own')
    expect(await textOf(ada, 'at=2026-07-01T00:00:00Z')).toBe('Own\nSummer')
    expect(await textOf(ada, 'at=2026-08-01T00:00:00Z')).toBe('Own')
    await app.post(`${path}/pause`)
    expect(await textOf(ada, 'at=2026-07-10T00:00:00Z')).toBe('Own')
    // Put off, it is not what it was before.
    const off = await running('Off')
    await app.patch(off, { marketing_campaign: { start_time: '2026-09-01T00:00' } })
    expect(await textOf(ada, `at=${clock.toISOString()}`)).toBe('Own')
    expect(await textOf(ada, 'at=2026-09-01T00:00:00Z')).toBe('Own\nOff')
    const early = await app.get(`/v1/emails/${ada.emailId}/signature?at=0000-01-01T00:00:00Z`)
    expect(early.status).toBe(422)
  })

  it('is one of several for each address, always the same', async () => {
    await removeAll()
    const people = await Promise.all(Array.from({ length: 30 }, () => teammate('EMEA')))
    const own = await signature(stack(place), ...people)
    const variants = ['A', 'B'].map(name => ({ name, content: stack(text(name)) }))
    const path = await running('Compared', { content: null, variants, signature_template_ids: [own] })
    const seen = await Promise.all(people.map(one => textOf(one)))
    expect(new Set(seen)).toEqual(new Set(['A', 'B']))
    expect(await Promise.all(people.map(one => textOf(one)))).toEqual(seen)
    const { data, variants: counts } = (await app.get(`${path}/audience?limit=100`)).body
    const name = new Map(counts.map((one: { id: string; name: string }) => [one.id, one.name]))
    const said = new Map(
      data.map((one: { id: string; variant_id: string }) => [one.id, name.get(one.variant_id)]),
    )
    expect(people.map(one => said.get(one.emailId))).toEqual(seen)
    expect(counts.map((one: { count: number }) => one.count)).toEqual(
      ['A', 'B'].map(words => seen.filter(one => one === words).length),
    )
  })
})

describe('mailboxes', () => {
  it('are written again where the banner changes, and nowhere else', async () => {
    await removeAll()
    const [ada, bob, cleo, dan] = [
      await teammate('EMEA'),
      await teammate('EMEA'),
      await teammate('APAC'),
      await teammate('EMEA'),
    ]
    const own = await signature(stack(text('With a place'), place), ada, bob, cleo)
    const second = await signature(stack(text('Another that reaches them'), place), ada, bob, cleo)
    await signature(stack(text('Without one')), dan)
    expect(await textOf(ada)).toBe('With a place')
    const conditions = { smart_fields_conditions: [[{ smart_field_id: region, values: ['EMEA'] }]] }
    let path = ''
    const both = [ada.email, bob.email].sort()
    expect(
      await writtenDuring(async () => {
        path = await running('Fair', { ...conditions, signature_template_ids: [own, second] })
      }),
    ).toEqual(both)
    expect(receiver.mailboxes.get(ada.email)).toContain('Fair')
    const change = (campaign: object) => () => app.patch(path, { marketing_campaign: campaign })
    expect(await writtenDuring(change({ name: 'Renamed' }))).toEqual([])
    expect(await writtenDuring(change({ content: stack(text('Fair 2')) }))).toEqual(both)
    const all = [[{ smart_field_id: region, operator: 'is_set' }]]
    expect(await writtenDuring(change({ smart_fields_conditions: all }))).toEqual([cleo.email])
    const apac = [[{ smart_field_id: region, operator: 'starts_with', values: ['ap'] }]]
    expect(await writtenDuring(change({ smart_fields_conditions: apac }))).toEqual(both)
    expect(receiver.mailboxes.get(ada.email)).not.toContain('Fair')
    expect(await writtenDuring(() => app.post(`${path}/pause`))).toEqual([cleo.email])
    expect(await writtenDuring(() => app.post(`${path}/resume`))).toEqual([cleo.email])
    expect(await writtenDuring(change({ end_time: '2026-05-01T00:00', start_time: null }))).toEqual([
      cleo.email,
    ])
    expect(await writtenDuring(() => app.del(path))).toEqual([])
  })

  it('are written once where several campaigns change at once', async () => {
    await removeAll()
    const ada = await teammate('EMEA')
    await signature(stack(place), ada)
    const paths = [await running('One'), await running('Two'), await running('Three')]
    await workAll(app)
    receiver.writes.clear()
    for (const path of paths) await app.post(`${path}/pause`)
    await workAll(app)
    expect(receiver.writes.get(ada.email)).toBe(1)
    expect(receiver.mailboxes.get(ada.email)).toBe('')
  })

  it('lose the banner of a campaign whose only signature is deleted, which is paused then', async () => {
    await removeAll()
    const [ada, bob] = [await teammate('EMEA'), await teammate('EMEA')]
    const [own, other] = [
      await signature(stack(text('Own'), place), ada),
      await signature(stack(text('Other'), place), ada, bob),
    ]
    const path = await running('For one', { signature_template_ids: [own] })
    const both = await running('For both', { signature_template_ids: [own, other] })
    await workAll(app)
    expect((await app.del(`/v1/signatures/${own}`)).status).toBe(204)
    await workAll(app)
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
  it('is told before anything is scheduled, in pages', async () => {
    await removeAll()
    const people = await Promise.all(Array.from({ length: 5 }, () => teammate('Moon')))
    const stranger = await teammate('Mars')
    const own = await signature(stack(place), ...people, stranger)
    await signature(stack(text('Second'), place), ...people)
    const path = await campaign('Soon', {
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
    expect(all.map(one => one.id)).toEqual(
      people
        .map(one => one.emailId)
        .sort()
        .reverse(),
    )
    expect(all[0]).toMatchObject({ signature_id: own, variant_id: null })
    expect((await app.get(`${path}/audience?page=9`)).body.data).toEqual([])
  })

  it('leaves out whose signature has no place for it, or names another campaign', async () => {
    await removeAll()
    const [ada, bob, cleo] = [await teammate('X'), await teammate('X'), await teammate('X')]
    const other = await campaign('Other')
    await signature(stack(text('No place')), ada)
    await signature(stack({ ...place, campaignUuid: idIn(other) }), bob)
    await signature(stack(place), cleo)
    const conditions = { smart_fields_conditions: [[{ smart_field_id: region, values: ['X'] }]] }
    const path = await campaign('Own', conditions)
    const ids = async (at: string) =>
      (await app.get(`${at}/audience`)).body.data.map((one: { id: string }) => one.id)
    expect(await ids(path)).toEqual([cleo.emailId])
    await app.patch(other, { marketing_campaign: conditions })
    expect((await ids(other)).sort()).toEqual([bob.emailId, cleo.emailId].sort())
  })
})
