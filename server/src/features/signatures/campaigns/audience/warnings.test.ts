// What the service says before and after a campaign starts that people would not see.
// @module-tag random
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { runs } from '#test/support/runs.ts'
import { createSignature, stack, text } from '#test/support/signatures.ts'
import {
  assign,
  createCampaign,
  createField,
  createPublished,
  createTeammate,
  startCampaign,
} from '#test/support/world.ts'

let app: TestApp
let office: string
let clock = new Date('2026-06-01T12:00:00Z')
const slot = { type: 'marketing' }
const banner = stack(text('Fair'))

interface Named {
  readonly id: string
  readonly name: string
}
interface Warning {
  readonly code: string
  readonly message: string
  readonly id: null
  readonly signatures: readonly Named[]
  readonly campaigns: readonly (Named & { readonly wins: boolean })[]
}

beforeAll(async () => {
  app = await testApp({ now: () => clock })
  office = await createField(app, 'Office')
})

/** A person with a signature of their own. */
async function personWith(...blocks: object[]): Promise<{ emailId: string; signatureId: string }> {
  const { emailId } = await createTeammate(app)
  return { emailId, signatureId: await createPublished(app, { draft_content: stack(...blocks) }, emailId) }
}

const nameOf = async (signatureId: string): Promise<string> =>
  (await app.get(`/v1/signatures/${signatureId}`)).body.data.name

/** The campaign is for these signatures alone, so that tests do not see each other. */
const campaignFor = (signatureIds: readonly string[], more: object = {}) =>
  createCampaign(app, { content: banner, signature_template_ids: signatureIds, ...more })

const warningsOf = async (path: string): Promise<readonly Warning[]> =>
  (await app.get(`${path}/audience`)).body.warnings
const codesOf = async (path: string) => (await warningsOf(path)).map(({ code }) => code)
const signaturesWithoutSlot = async (path: string) =>
  (await warningsOf(path)).flatMap(({ signatures }) => signatures.map(({ id }) => id))
const end = (path: string) => app.post(`${path}/end`)

describe('a campaign whose signatures have no place for banners', () => {
  it('is scheduled and resumed with warnings that name the signatures, and told so before', async () => {
    const { signatureId: id } = await personWith(text('Own'))
    const path = await campaignFor([id])
    const name = await nameOf(id)
    const expected = [
      { code: 'no_audience', id: null, signatures: [], campaigns: [] },
      { code: 'no_banner_slot', id: null, signatures: [{ id, name }], campaigns: [] },
    ]
    expect(await warningsOf(path)).toMatchObject(expected)
    const scheduled = await app.post(`${path}/schedule`)
    expect([scheduled.status, scheduled.body.data.status]).toEqual([200, 'active'])
    expect(scheduled.body.warnings).toMatchObject(expected)
    expect(scheduled.body.warnings[1].message).toContain(`“${name}”`)
    expect((await app.post(`${path}/pause`)).body).not.toHaveProperty('warnings')
    const resumed = await app.post(`${path}/resume`)
    expect([resumed.status, resumed.body.warnings]).toMatchObject([200, expected])
    expect((await app.post(`${path}/resume`)).body.error.code).toBe('campaign_state')
    expect((await end(path)).body).not.toHaveProperty('warnings')
    expect(await warningsOf(path)).toEqual([])
  })

  it('has no warning when they have one', async () => {
    const { signatureId } = await personWith(text('Own'), slot)
    const path = await campaignFor([signatureId])
    expect(await warningsOf(path)).toEqual([])
    const { body } = await app.post(`${path}/schedule`)
    expect([body.data.status, body.warnings]).toEqual(['active', []])
    await app.post(`${path}/pause`)
    expect((await app.post(`${path}/resume`)).body.warnings).toEqual([])
  })

  it('is the same when the place is hidden, or is for another campaign', async () => {
    const other = (await createCampaign(app)).split('/').at(-1)
    const blocks = [
      { ...slot, visible: false },
      { ...stack(slot), visible: false },
      { ...slot, campaignUuid: other },
    ]
    for (const block of blocks) {
      const { signatureId } = await personWith(text('Own'), block)
      const path = await campaignFor([signatureId])
      expect([await codesOf(path), await signaturesWithoutSlot(path)]).toEqual([
        ['no_audience', 'no_banner_slot'],
        [signatureId],
      ])
      expect((await app.get(`${path}/audience`)).body.data).toEqual([])
    }
    const { signatureId } = await personWith(text('Own'))
    const path = await campaignFor([signatureId])
    const campaignUuid = path.split('/').at(-1)?.toUpperCase()
    await app.patch(`/v1/signatures/${signatureId}`, {
      draft_content: stack(text('Own'), stack({ ...slot, campaignUuid })),
    })
    await app.post(`/v1/signatures/${signatureId}/publish`)
    expect(await warningsOf(path)).toEqual([])
  })

  it('names only signatures that people get', async () => {
    const { emailId, signatureId: first } = await personWith(text('Own'), slot)
    const behind = await createPublished(app, { draft_content: stack(text('Behind')) }, emailId)
    const unused = await createPublished(app, { draft_content: stack(text('Nobody')) })
    const draft = (await createSignature(app, { draft_content: stack(text('Draft')) })).body.data.id
    await assign(app, draft, emailId)
    const { signatureId: off } = await personWith(text('Off'))
    await app.post(`/v1/signatures/${off}/deactivate`)
    expect(await warningsOf(await campaignFor([first, behind, unused, draft, off]))).toEqual([])
    const { signatureId: without } = await personWith(text('Own'))
    expect(await signaturesWithoutSlot(await campaignFor([first, behind, without]))).toEqual([without])
    const conditions = [[{ smart_field_id: office, values: ['Atlantis'] }]]
    expect(
      await codesOf(await campaignFor([first, without], { smart_fields_conditions: conditions })),
    ).toEqual(['no_audience'])
  })

  it('is seen in replies where only the variant has a place', async () => {
    const { signatureId } = await personWith(text('Own'))
    const path = await campaignFor([signatureId])
    const variant = `/v1/signatures/${signatureId}/variants/reply`
    await app.patch(variant, { variant: { draft_content: stack(text('Reply'), slot) } })
    expect(await codesOf(path)).toEqual(['no_audience', 'no_banner_slot'])
    await app.post(`${variant}/publish`)
    expect(await warningsOf(path)).toEqual([])
    for (const flags of [{ show_marketing_campaigns: false }, { hidden: true }, { activated: false }]) {
      await app.patch(variant, { variant: flags })
      expect(await codesOf(path)).toEqual(['no_audience', 'no_banner_slot'])
      await app.patch(variant, {
        variant: { show_marketing_campaigns: true, hidden: false, activated: true },
      })
    }
    expect(await warningsOf(path)).toEqual([])
  })
})

describe('a campaign without a banner', () => {
  it('is told so: without content, with content that shows nothing, with variants that all show nothing', async () => {
    const { signatureId } = await personWith(text('Own'), slot)
    const empty = { name: 'Control', content: null }
    for (const more of [
      { content: null },
      { content: stack() },
      { content: stack({ ...text('Hidden'), visible: false }) },
      { variants: [empty, { name: 'Off', content: banner, weight: 0 }] },
    ]) {
      const path = await campaignFor([signatureId], more)
      expect(await codesOf(path)).toEqual(['no_banner'])
    }
    const path = await campaignFor([signatureId], { variants: [empty, { name: 'B', content: banner }] })
    expect(await warningsOf(path)).toEqual([])
    const mailed = await campaignFor([signatureId], { send_email: true })
    expect(await codesOf(mailed)).toEqual(['mail_unavailable'])
  })
})

describe('a campaign beside another one', () => {
  const hour = 3_600_000

  it('names those that reach the same people at the same time, and which one is shown', async () => {
    clock = new Date('2026-06-01T12:00:00Z')
    const { signatureId } = await personWith(text('Own'), slot)
    const early = await campaignFor([signatureId], { name: 'Early', end_time: '2026-06-10T00:00Z' })
    await app.post(`${early}/schedule`)
    const late = await campaignFor([signatureId], { name: 'Late', start_time: '2026-06-20T00:00Z' })
    await app.post(`${late}/schedule`)
    clock = new Date(clock.getTime() + hour)
    const path = await campaignFor([signatureId])
    const idOf = (campaign: string) => campaign.split('/').at(-1)
    const expected = {
      code: 'overlaps_campaign',
      campaigns: [
        { id: idOf(late), name: 'Late', status: 'scheduled', wins: true },
        { id: idOf(early), name: 'Early', status: 'active', wins: false },
      ],
    }
    expect(await warningsOf(path)).toMatchObject([expected])
    const { body } = await app.post(`${path}/schedule`)
    expect(body.warnings).toMatchObject([expected])
    expect(body.warnings[0].message).toMatch(/“Late”.*“Early”/)
    // A campaign that ends before the later one begins meets only the first.
    await app.patch(path, { marketing_campaign: { end_time: '2026-06-20T00:00:00Z' } })
    expect((await warningsOf(path))[0]?.campaigns).toMatchObject([{ name: 'Early' }])
    // Resumed after an hour, it keeps its start; scheduled again, it starts anew.
    await app.post(`${early}/pause`)
    clock = new Date(clock.getTime() + hour)
    expect((await app.post(`${early}/resume`)).body.warnings[0].campaigns).toMatchObject([{ wins: true }])
    await app.post(`${early}/pause`)
    expect((await app.post(`${early}/schedule`)).body.warnings[0].campaigns).toMatchObject([{ wins: false }])
    for (const campaign of [early, late, path]) await end(campaign)
  })

  it('has no warning where the two meet in no signature, or each has a place of its own', async () => {
    const { signatureId, emailId } = await personWith(text('Own'), slot)
    const { signatureId: elsewhere } = await personWith(text('Own'), slot)
    const rival = await startCampaign(app, { content: banner, signature_template_ids: [elsewhere] })
    const path = await campaignFor([signatureId])
    expect(await warningsOf(path)).toEqual([])
    await app.patch(rival, { marketing_campaign: { signature_template_ids: [] } })
    expect(await codesOf(path)).toEqual(['overlaps_campaign'])
    const conditions = [[{ smart_field_id: office, values: ['Atlantis'] }]]
    await app.patch(rival, { marketing_campaign: { smart_fields_conditions: conditions } })
    expect(await warningsOf(path)).toEqual([])
    await app.patch(rival, { marketing_campaign: { smart_fields_conditions: [] } })
    const own = { ...slot, campaignUuid: path.split('/').at(-1) }
    const both = await createPublished(app, { draft_content: stack(own, slot), priority: 0 }, emailId)
    await app.patch(path, { marketing_campaign: { signature_template_ids: [both] } })
    expect(await warningsOf(path)).toEqual([])
    await end(rival)
  })
})

describe('the warnings of any campaign', () => {
  it('are those of a plain model', async () => {
    const offices = ['Oslo', 'Rome', 'Lima'] as const
    const people = await Promise.all(
      offices.map(async name => createTeammate(app, { values: { [office]: name } })),
    )
    // By priority; each reaches the people of some offices.
    const world = [
      { content: stack(text('A')), reaches: [0] },
      { content: stack(text('B'), slot), reaches: [0, 1] },
      { content: stack(text('C'), { ...slot, visible: false }), reaches: [1, 2] },
      { content: stack(text('D'), slot), reaches: [2] },
    ]
    const signatures: (Named & { hasSlot: boolean; reaches: readonly number[] })[] = []
    for (const { content, reaches } of world) {
      const id = await createPublished(
        app,
        { draft_content: content },
        ...reaches.map(n => people[n]?.emailId ?? ''),
      )
      const hasSlot = JSON.stringify(content).includes('"marketing"}')
      signatures.push({ id, name: await nameOf(id), hasSlot, reaches })
    }
    const all = signatures.map((_, n) => n)
    const targeting = fc.record({
      signatures: fc.subarray(all, { minLength: 1 }),
      offices: fc.option(fc.subarray([0, 1, 2], { minLength: 1 }), { nil: null }),
    })
    type Targeting = typeof targeting extends fc.Arbitrary<infer T> ? T : never
    const bodyOf = ({ signatures: chosen, offices: some }: Targeting) => ({
      content: banner,
      signature_template_ids: chosen.map(n => signatures[n]?.id),
      smart_fields_conditions: some
        ? [[{ smart_field_id: office, values: some.map(n => offices[n] ?? '') }]]
        : [],
    })
    const signatureOf = (person: number) => all.find(n => signatures[n]?.reaches.includes(person)) ?? -1
    const isTargeted = (target: Targeting, person: number) =>
      target.signatures.includes(signatureOf(person)) &&
      (target.offices === null || target.offices.includes(person))
    await fc.assert(
      fc.asyncProperty(targeting, targeting, async (target, other) => {
        const rival = await startCampaign(app, bodyOf(other))
        const path = await createCampaign(app, bodyOf(target))
        const targeted = [0, 1, 2].filter(person => isTargeted(target, person))
        const reached = targeted.filter(person => signatures[signatureOf(person)]?.hasSlot)
        const without = [...new Set(targeted.map(signatureOf))].filter(n => !signatures[n]?.hasSlot)
        const codes = [
          ...(reached.length === 0 ? ['no_audience'] : []),
          ...(without.length > 0 ? ['no_banner_slot'] : []),
          ...(reached.some(person => isTargeted(other, person)) ? ['overlaps_campaign'] : []),
        ]
        const { body } = await app.get(`${path}/audience`)
        const scheduled = (await app.post(`${path}/schedule`)).body.warnings as readonly Warning[]
        await Promise.all([end(path), end(rival)])
        expect(scheduled).toEqual(body.warnings)
        expect(scheduled.map(({ code }) => code)).toEqual(codes)
        expect(body.pagination.total_count).toBe(reached.length)
        const named = scheduled.flatMap(warning => warning.signatures).map(({ id }) => id)
        expect(named.toSorted()).toEqual(without.map(n => signatures[n]?.id).toSorted())
      }),
      { numRuns: runs(25) },
    )
  })
})
