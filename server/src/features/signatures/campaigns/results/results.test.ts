import { beforeAll, describe, expect, it } from 'vitest'
import { insertEvents } from '#features/measurement/events/index.ts'
import { newRow } from '#kernel/base/ids.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { stack, text } from '#test/support/signatures.ts'
import { startCampaign, unknownId } from '#test/support/world.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

async function record(campaignId: string, variant: string, name: string, count: number): Promise<void> {
  const events = Array.from({ length: count }, () => {
    const { id, now } = newRow()
    return {
      workspaceId: app.id,
      id,
      recordedAt: now,
      name,
      outcome: 'counted' as const,
      campaignId,
      campaignVariant: variant,
    }
  })
  await insertEvents(app.db, app.id, events)
}

interface Variant {
  readonly id: string
  readonly name: string
  readonly weight: number
}

async function compare(
  ...contents: (object | null)[]
): Promise<{ path: string; id: string; variants: Variant[] }> {
  const variants = contents.map((content, index) => ({ name: `v${index}`, weight: 1, content }))
  const path = await startCampaign(app, { variants })
  const { id, variants: made } = (await app.get(path)).body.data
  return { path, id, variants: made }
}

describe('the results of a campaign', () => {
  it('say which banner is best and how certain that is', async () => {
    const { path, id, variants } = await compare(stack(text('a')), stack(text('b')), null)
    const [a, b, control] = variants.map(variant => variant.id)
    const early = (await app.get(`${path}/results`)).body.data
    expect(early).toMatchObject({ verdict: 'too_early', leader_id: a, totals: { views: 0, clicks: 0 } })
    expect(early.variants[2]).toMatchObject({ id: control, probability_best: null, views_needed: null })
    await record(id, a!, '$view', 300)
    await record(id, a!, '$click', 5)
    await record(id, b!, '$view', 300)
    await record(id, b!, '$click', 40)
    const { data } = (await app.get(`${path}/results`)).body
    expect(data).toMatchObject({
      verdict: 'certain',
      leader_id: b,
      totals: { views: 600, clicks: 45, clickthrough_rate: 0.075 },
      statement: expect.stringMatching(
        /^“v1” is best with a probability of more than 99 %: \d+ % more clicks/,
      ),
    })
    const [first, second] = data.variants
    expect(first).toMatchObject({
      id: a,
      views: 300,
      clicks: 5,
      clickthrough_rate: 0.016667,
      views_needed: 0,
    })
    expect(first.probability_best + second.probability_best).toBeCloseTo(1, 5)
    expect(second.rate_interval.low).toBeGreaterThan(first.rate_interval.high)
    expect(data.uplift.compared_with_id).toBe(a)
    expect(data.uplift.low).toBeGreaterThan(1)
    const later = (await app.get(`${path}/results?start_date=2030-01-01&end_date=2030-01-02`)).body.data
    expect(later.totals.views).toBe(0)
  })

  it('have no verdict without banners to compare, and are not found in another workspace', async () => {
    const path = await startCampaign(app, { content: stack(text('only')) })
    expect((await app.get(`${path}/results`)).body.data).toMatchObject({
      verdict: null,
      leader_id: null,
      uplift: null,
      statement: null,
      variants: [],
    })
    const { key } = await app.workspace('Other')
    expect((await app.get(`${path}/results`, { key })).status).toBe(404)
  })
})

describe('a comparison', () => {
  it('ends when a variant is promoted: all addresses see it, and contents stay', async () => {
    const { path, variants } = await compare(stack(text('a')), stack(text('b')))
    const promoted = await app.post(`${path}/promote`, { variant_id: variants[1]?.id })
    expect(promoted.status).toBe(200)
    expect(promoted.body.data.variants.map(({ weight }: Variant) => weight)).toEqual([0, 1])
    expect(promoted.body.data.variants[0].content).not.toBeNull()
    expect((await app.get(`${path}/audience`)).body.variants[0]).toMatchObject({ count: 0 })
    const refused = await app.post(`${path}/promote`, { variant_id: unknownId })
    expect([refused.status, fieldErrors(refused)]).toEqual([422, { variant_id: 'unknown_reference' }])
  })

  it('ends with its campaign, which can be ended at once from any state that has begun', async () => {
    const { path, variants } = await compare(stack(text('a')), stack(text('b')))
    await app.post(`${path}/pause`)
    const ended = await app.post(`${path}/end`)
    expect(ended.body.data.status).toBe('ended')
    expect(Date.parse(ended.body.data.end_time)).toBeLessThanOrEqual(Date.now())
    for (const [action, body] of [
      ['end', undefined],
      ['promote', { variant_id: variants[0]?.id }],
    ] as const)
      expect((await app.post(`${path}/${action}`, body)).body.error.code, action).toBe('campaign_state')
  })
})
