// A season of campaigns on a simulated clock, with random edits, compared with a simple model: the same states and the
// same banner for every address at every step, and mailboxes with the right banner.
// @module-tag deep
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runAllJobs, runScheduled } from './support/jobs.ts'
import { runs } from './support/runs.ts'
import { testSeed as seed } from './support/seed.ts'
import { createSignature, stack, text } from './support/signatures.ts'
import { assign, connectedApp, createField, createTeammate, publish } from './support/world.ts'

const hour = 3_600_000
const begin = Date.parse('2026-01-01T00:00:00Z')
/** SIGNOFF_TEST_RUNS=6 simulates a year. */
const days = runs(61)
const campaigns = Math.ceil((200 * days) / 365)
const regions = ['EMEA', 'APAC', 'AMER']

interface ModelCampaign {
  readonly path: string
  readonly id: string
  status: 'draft' | 'scheduled' | 'active' | 'paused' | 'ended'
  start: number | null
  end: number | null
  startedAt: number | null
  /** Null: for all people. */
  region: string | null
  /** Null: in all signatures. */
  signature: number | null
  words: string | null
}

interface Person {
  readonly email: string
  readonly emailId: string
  readonly teammateId: string
  readonly signature: number
  region: string
}

/** Applies the transitions that are due at this time. */
function applyDueTransitions(campaign: ModelCampaign, now: number): void {
  if (campaign.status !== 'scheduled' && campaign.status !== 'active') return
  if (campaign.end !== null && campaign.end <= now) campaign.status = 'ended'
  else if (campaign.status === 'scheduled' && (campaign.start === null || campaign.start <= now)) {
    campaign.status = 'active'
    campaign.startedAt = campaign.start ?? now
  }
}

function bannerFor(all: readonly ModelCampaign[], person: Person): string {
  const [winner] = all
    .filter(campaign => campaign.status === 'active')
    .filter(campaign => campaign.region === null || campaign.region === person.region)
    .filter(campaign => campaign.signature === null || campaign.signature === person.signature)
    .sort((a, b) => (b.startedAt ?? 0) - (a.startedAt ?? 0) || (a.id < b.id ? 1 : -1))
  return winner?.words ?? ''
}

describe('a season of campaigns', () => {
  it('equals a simple model', async () => {
    let clock = begin
    const { app, receiver } = await connectedApp({ now: () => new Date(clock) })
    const field = await createField(app, 'Region')
    const signatures: string[] = []
    for (const name of ['One', 'Two']) {
      const created = await createSignature(app, { draft_content: stack(text(name), { type: 'marketing' }) })
      signatures.push(created.body.data.id)
    }
    const people: Person[] = []
    for (let n = 0; n < 9; n++) {
      const region = regions[n % 3] as string
      const { id: teammateId, email, emailId } = await createTeammate(app, { values: { [field]: region } })
      people.push({ email, emailId, teammateId, region, signature: n % 2 })
      // Some people get both signatures; the first one wins.
      for (const id of n % 2 === 0 ? signatures : signatures.slice(1)) await assign(app, id, emailId)
    }
    for (const id of signatures) await publish(app, id)

    const random = fc.sample(fc.infiniteStream(fc.nat(2 ** 31 - 1)), { numRuns: 1, seed })[0]
    const next = (limit: number): number => (random?.next().value ?? 0) % limit
    const pick = <T>(list: readonly T[]): T => list[next(list.length)] as T
    const isoOf = (at: number | null) => (at === null ? null : new Date(at).toISOString())
    const all: ModelCampaign[] = []
    let texts = 0

    const conditionsOf = (region: string | null) =>
      region === null ? [] : [[{ smart_field_id: field, values: [region] }]]
    const targetsOf = (signature: number | null) => (signature === null ? [] : [signatures[signature]])
    const contentOf = (words: string | null) => (words === null ? null : stack(text(words)))

    async function create(): Promise<void> {
      const start = next(4) === 0 ? null : clock + next(60 * 24) * hour
      const end = next(4) === 0 ? null : (start ?? clock) + (1 + next(90 * 24)) * hour
      const region = next(2) === 0 ? pick(regions) : null
      const signature = next(3) === 0 ? next(2) : null
      const words = next(10) === 0 ? null : `Banner ${++texts}`
      const { body, headers } = await app.post('/v1/marketing_campaigns', {
        marketing_campaign: {
          name: `Campaign ${all.length}`,
          start_time: isoOf(start),
          end_time: isoOf(end),
          content: contentOf(words),
          smart_fields_conditions: conditionsOf(region),
          signature_template_ids: targetsOf(signature),
        },
      })
      expect(body.data?.status, JSON.stringify(body)).toBe('draft')
      const path = headers.location ?? ''
      const campaign: ModelCampaign = {
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
      all.push(campaign)
      if (next(5) > 0) await callAction(campaign, 'schedule')
    }

    async function callAction(campaign: ModelCampaign, name: 'schedule' | 'pause' | 'resume'): Promise<void> {
      const { status } = await app.post(`${campaign.path}/${name}`)
      const from = { schedule: ['draft', 'paused'], pause: ['scheduled', 'active'], resume: ['paused'] }[name]
      applyDueTransitions(campaign, clock)
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

    async function edit(campaign: ModelCampaign): Promise<void> {
      const patch: Record<string, unknown> = {}
      const changes: Partial<ModelCampaign> = {}
      if (next(3) === 0) {
        changes.words = `Banner ${++texts}`
        patch.content = contentOf(changes.words)
      }
      if (next(3) === 0) {
        changes.region = next(2) === 0 ? pick(regions) : null
        patch.smart_fields_conditions = conditionsOf(changes.region)
      }
      if (next(3) === 0) {
        changes.end = next(3) === 0 ? null : clock + (next(40 * 24) - 5 * 24) * hour
        patch.end_time = isoOf(changes.end)
      }
      if (next(4) === 0) {
        changes.start = next(3) === 0 ? null : clock + (next(20 * 24) - 5 * 24) * hour
        patch.start_time = isoOf(changes.start)
      }
      const { status, body } = await app.patch(campaign.path, { marketing_campaign: patch })
      if (Object.keys(patch).length === 0) return expect(status).toBe(200)
      applyDueTransitions(campaign, clock)
      if (campaign.status === 'ended') return expect(status).toBe(409)
      const after = { ...campaign, ...changes }
      if (after.start !== null && after.end !== null && after.end <= after.start)
        return expect(status).toBe(422)
      expect(status, JSON.stringify(body)).toBe(200)
      Object.assign(campaign, changes)
      if (campaign.status === 'active' && changes.start != null && changes.start > clock)
        campaign.status = 'scheduled'
      applyDueTransitions(campaign, clock)
    }

    async function randomStep(): Promise<void> {
      const campaign = pick(all)
      const dice = next(10)
      if (!campaign || dice < 3) return
      if (dice < 5) return edit(campaign)
      if (dice < 6) {
        const person = pick(people)
        person.region = pick(regions)
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
      await callAction(campaign, pick(['schedule', 'pause', 'resume'] as const))
    }

    let count = 0
    let checks = 0
    while (clock < begin + days * 24 * hour) {
      // Moves the clock to the next edit, past all starts and ends in between; sometimes by many days.
      clock += (1 + next(next(10) === 0 ? 20 * 24 : 40)) * hour
      for (; count < campaigns && count < (campaigns * (clock - begin)) / (days * 24 * hour); count++)
        await create()
      if (next(3) > 0) await randomStep()
      await runScheduled(app, 'campaigns.turn_all')
      for (const campaign of all) applyDueTransitions(campaign, clock)
      const actualStates = new Map<string, string>()
      for (let page = 1, more = true; more; page++) {
        const { body } = await app.get(`/v1/marketing_campaigns?limit=100&page=${page}`)
        for (const { id, status } of body.data) actualStates.set(id, status)
        more = body.pagination.has_more
      }
      const expectedStates = Object.fromEntries(all.map(campaign => [campaign.id, campaign.status]))
      expect(Object.fromEntries(actualStates), `seed ${seed}`).toEqual(expectedStates)
      await runAllJobs(app)
      checks += 1
      for (const person of people) {
        const expectedBanner = bannerFor(all, person)
        const { text: actualText } = (await app.get(`/v1/emails/${person.emailId}/signature`)).body.data
        if (person === people[checks % people.length]) {
          const at = new Date(clock).toISOString()
          const then = (await app.get(`/v1/emails/${person.emailId}/signature?at=${at}`)).body.data
          expect(then.text, `seed ${seed}`).toBe(actualText)
        }
        const signatureText = person.signature === 0 ? 'One' : 'Two'
        expect(actualText, `seed ${seed}`).toBe(
          expectedBanner === '' ? signatureText : `${signatureText}\n${expectedBanner}`,
        )
        const html = receiver.mailboxes.get(person.email) ?? ''
        expect(/Banner \d+/.exec(html)?.[0] ?? '', `seed ${seed}: ${person.email}`).toBe(expectedBanner)
      }
    }
    for (const campaign of all.slice(-30)) {
      const { body } = await app.get(`${campaign.path}/audience?limit=100`)
      const recipients = people
        .filter(person => campaign.region === null || campaign.region === person.region)
        .filter(person => campaign.signature === null || campaign.signature === person.signature)
      expect(body.data.map((email: { id: string }) => email.id).sort()).toEqual(
        recipients.map(person => person.emailId).sort(),
      )
    }
    expect(count).toBe(campaigns)
    expect(checks).toBeGreaterThan(days / 4)
  })
})
