// A season of campaigns on a clock of its own, with edits at random, against a plain model: the same states and the same
// banner for every address, at every step, and mailboxes that hold what they should.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type TestApp, testApp } from './support/app.ts'
import { runScheduled, workAll } from './support/jobs.ts'
import { runs } from './support/runs.ts'
import { createField, createSignature, stack, text } from './support/signatures.ts'
import { connectReceiver, startReceiver, webhookSecret } from './support/webhook.ts'

const hour = 3_600_000
const begin = Date.parse('2026-01-01T00:00:00Z')
/** SIGNOFF_TEST_RUNS=4 makes it a year. */
const days = runs(92)
const campaigns = Math.ceil((200 * days) / 365)
const regions = ['EMEA', 'APAC', 'AMER']

interface Model {
  readonly path: string
  readonly id: string
  status: 'draft' | 'scheduled' | 'active' | 'paused' | 'ended'
  start: number | null
  end: number | null
  startedAt: number | null
  /** Null: for everybody. */
  region: string | null
  /** Null: in all signatures. */
  signature: number | null
  words: string | null
}

interface Someone {
  readonly email: string
  readonly emailId: string
  readonly teammateId: string
  readonly signature: number
  region: string
}

/** What time alone does. */
function turn(one: Model, now: number): void {
  if (one.status !== 'scheduled' && one.status !== 'active') return
  if (one.end !== null && one.end <= now) one.status = 'ended'
  else if (one.status === 'scheduled' && (one.start === null || one.start <= now)) {
    one.status = 'active'
    one.startedAt = one.start ?? now
  }
}

function bannerFor(all: readonly Model[], person: Someone): string {
  const [shown] = all
    .filter(one => one.status === 'active')
    .filter(one => one.region === null || one.region === person.region)
    .filter(one => one.signature === null || one.signature === person.signature)
    .sort((a, b) => (b.startedAt ?? 0) - (a.startedAt ?? 0) || (a.id < b.id ? 1 : -1))
  return shown?.words ?? ''
}

describe('a season of campaigns', () => {
  it('goes as a plain model says', async () => {
    let clock = begin
    const app: TestApp = await testApp({
      env: { SIGNOFF_PRIVATE_TARGETS: '127.0.0.1' },
      now: () => new Date(clock),
    })
    const receiver = await startReceiver(() => webhookSecret)
    await connectReceiver(app, receiver)
    const field = await createField(app, 'Region')
    const signatures: string[] = []
    for (const name of ['One', 'Two']) {
      const made = await createSignature(app, { draft_content: stack(text(name), { type: 'marketing' }) })
      signatures.push(made.body.data.id)
    }
    const people: Someone[] = []
    for (let n = 0; n < 9; n++) {
      const region = regions[n % 3] as string
      const email = `p${n}@example.com`
      const { body } = await app.post('/v1/teammates', {
        teammate: { email, smart_fields: [{ smart_field_id: field, value: region }] },
      })
      const emailId = body.data.emails[0].id
      people.push({ email, emailId, teammateId: body.data.id, region, signature: n % 2 })
      // Some are reached by both; the first one wins.
      for (const id of n % 2 === 0 ? signatures : signatures.slice(1))
        await app.post(`/v1/signatures/${id}/emails`, { email_ids: [emailId] })
    }
    for (const id of signatures) await app.post(`/v1/signatures/${id}/publish`)

    const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
    const random = fc.sample(fc.infiniteStream(fc.nat(2 ** 31 - 1)), { numRuns: 1, seed })[0]
    const next = (limit: number): number => (random?.next().value ?? 0) % limit
    const one = <T>(list: readonly T[]): T => list[next(list.length)] as T
    const moment = (at: number | null) => (at === null ? null : new Date(at).toISOString())
    const all: Model[] = []
    let texts = 0

    const conditionsOf = (region: string | null) =>
      region === null ? [] : [[{ smart_field_id: field, values: [region] }]]
    const targetsOf = (signature: number | null) => (signature === null ? [] : [signatures[signature]])
    const contentOf = (words: string | null) => (words === null ? null : stack(text(words)))

    async function create(): Promise<void> {
      const start = next(4) === 0 ? null : clock + next(60 * 24) * hour
      const end = next(4) === 0 ? null : (start ?? clock) + (1 + next(90 * 24)) * hour
      const region = next(2) === 0 ? one(regions) : null
      const signature = next(3) === 0 ? next(2) : null
      const words = next(10) === 0 ? null : `Banner ${++texts}`
      const { body, headers } = await app.post('/v1/marketing_campaigns', {
        marketing_campaign: {
          name: `Campaign ${all.length}`,
          start_time: moment(start),
          end_time: moment(end),
          content: contentOf(words),
          smart_fields_conditions: conditionsOf(region),
          signature_template_ids: targetsOf(signature),
        },
      })
      expect(body.data?.status, JSON.stringify(body)).toBe('draft')
      const path = headers.location ?? ''
      const made: Model = {
        path,
        id: body.data.id,
        status: 'draft',
        start,
        end,
        startedAt: null,
        region,
        signature,
        words,
      }
      all.push(made)
      if (next(5) > 0) await move(made, 'schedule')
    }

    async function move(campaign: Model, name: 'schedule' | 'pause' | 'resume'): Promise<void> {
      const { status } = await app.post(`${campaign.path}/${name}`)
      const from = { schedule: ['draft', 'paused'], pause: ['scheduled', 'active'], resume: ['paused'] }[name]
      turn(campaign, clock)
      const isLate = name !== 'pause' && campaign.end !== null && campaign.end <= clock
      if (!from.includes(campaign.status) || isLate) {
        expect(status, `${name} of one that is ${campaign.status}`).toBe(409)
        return
      }
      expect(status).toBe(200)
      if (name === 'pause') campaign.status = 'paused'
      else if (name === 'resume') {
        campaign.status = 'active'
        campaign.startedAt ??= clock
      } else if (campaign.start === null || campaign.start <= clock) {
        campaign.status = 'active'
        campaign.startedAt = clock
      } else campaign.status = 'scheduled'
    }

    async function edit(campaign: Model): Promise<void> {
      const patch: Record<string, unknown> = {}
      const changed: Partial<Model> = {}
      if (next(3) === 0) {
        changed.words = `Banner ${++texts}`
        patch.content = contentOf(changed.words)
      }
      if (next(3) === 0) {
        changed.region = next(2) === 0 ? one(regions) : null
        patch.smart_fields_conditions = conditionsOf(changed.region)
      }
      if (next(3) === 0) {
        changed.end = next(3) === 0 ? null : clock + (next(40 * 24) - 5 * 24) * hour
        patch.end_time = moment(changed.end)
      }
      if (next(4) === 0) {
        changed.start = next(3) === 0 ? null : clock + (next(20 * 24) - 5 * 24) * hour
        patch.start_time = moment(changed.start)
      }
      const { status, body } = await app.patch(campaign.path, { marketing_campaign: patch })
      if (Object.keys(patch).length === 0) return expect(status).toBe(200)
      turn(campaign, clock)
      if (campaign.status === 'ended') return expect(status).toBe(409)
      const after = { ...campaign, ...changed }
      if (after.start !== null && after.end !== null && after.end <= after.start)
        return expect(status).toBe(422)
      expect(status, JSON.stringify(body)).toBe(200)
      Object.assign(campaign, changed)
      if (campaign.status === 'active' && changed.start != null && changed.start > clock)
        campaign.status = 'scheduled'
      turn(campaign, clock)
    }

    async function act(): Promise<void> {
      const campaign = one(all)
      const dice = next(10)
      if (!campaign || dice < 3) return
      if (dice < 5) return edit(campaign)
      if (dice < 6) {
        const person = one(people)
        person.region = one(regions)
        await app.patch(`/v1/teammates/${person.teammateId}`, {
          teammate: { smart_fields: [{ smart_field_id: field, value: person.region }] },
        })
        return
      }
      if (dice < 7) {
        if (next(4) > 0) return
        expect((await app.del(campaign.path)).status).toBe(204)
        all.splice(all.indexOf(campaign), 1)
        return
      }
      await move(campaign, one(['schedule', 'pause', 'resume'] as const))
    }

    let made = 0
    let checks = 0
    while (clock < begin + days * 24 * hour) {
      // From edit to edit, and over every start and end in between; sometimes nobody is there for days.
      clock += (1 + next(next(10) === 0 ? 20 * 24 : 40)) * hour
      for (; made < campaigns && made < (campaigns * (clock - begin)) / (days * 24 * hour); made++)
        await create()
      if (next(3) > 0) await act()
      await runScheduled(app, 'campaigns.turn_all')
      for (const campaign of all) turn(campaign, clock)
      const told = new Map<string, string>()
      for (let page = 1, more = true; more; page++) {
        const { body } = await app.get(`/v1/marketing_campaigns?limit=100&page=${page}`)
        for (const { id, status } of body.data) told.set(id, status)
        more = body.pagination.has_more
      }
      const seen = Object.fromEntries(all.map(campaign => [campaign.id, campaign.status]))
      expect(Object.fromEntries(told), `seed ${seed}`).toEqual(seen)
      await workAll(app)
      checks += 1
      for (const person of people) {
        const wanted = bannerFor(all, person)
        const { text: shown } = (await app.get(`/v1/emails/${person.emailId}/signature`)).body.data
        if (person === people[checks % people.length]) {
          const at = new Date(clock).toISOString()
          const then = (await app.get(`/v1/emails/${person.emailId}/signature?at=${at}`)).body.data
          expect(then.text, `seed ${seed}`).toBe(shown)
        }
        const own = person.signature === 0 ? 'One' : 'Two'
        expect(shown, `seed ${seed}`).toBe(wanted === '' ? own : `${own}\n${wanted}`)
        const html = receiver.mailboxes.get(person.email) ?? ''
        expect(/Banner \d+/.exec(html)?.[0] ?? '', `seed ${seed}: ${person.email}`).toBe(wanted)
      }
    }
    for (const campaign of all.slice(-30)) {
      const { body } = await app.get(`${campaign.path}/audience?limit=100`)
      const reached = people
        .filter(person => campaign.region === null || campaign.region === person.region)
        .filter(person => campaign.signature === null || campaign.signature === person.signature)
      expect(body.data.map((one: { id: string }) => one.id).sort()).toEqual(
        reached.map(person => person.emailId).sort(),
      )
    }
    expect(made).toBe(campaigns)
    expect(checks).toBeGreaterThan(days / 4)
  })
})
