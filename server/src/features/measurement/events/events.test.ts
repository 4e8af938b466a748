import { uuidv7 } from 'uuidv7'
import { beforeAll, describe, expect, it } from 'vitest'
import { newRow } from '#kernel/base/ids.ts'
import { sql } from '#kernel/db/db.ts'
import { fieldErrors, type RequestOptions, type TestApp, testApp } from '#test/support/app.ts'
import { clickEvent, insertEvents, type NewEvent } from './index.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

const submit = (event: unknown, sent?: RequestOptions) => app.post('/v1/analytics/events', { event }, sent)

interface Row {
  readonly id: string
  readonly name: string
  readonly outcome: string
  readonly click_id: string | null
  readonly signature_id: string | null
  readonly teammate_id: string | null
  readonly country: string | null
  readonly value: string | null
  readonly currency: string | null
  readonly distinct_id: string | null
  readonly anonymous_id: string | null
  readonly properties: object | null
}
const recorded = (name: string, workspaceId = app.id) =>
  app.db.query<Row>(
    sql`select * from event_tail where workspace_id = ${workspaceId} and name = ${name} order by recorded_at, id`,
  )

async function click(at = new Date(), workspaceId = app.id): Promise<NewEvent> {
  const moment = at.getTime().toString(16).padStart(12, '0')
  const id = `${moment.slice(0, 8)}-${moment.slice(8)}${uuidv7().slice(13)}`
  const event = {
    workspaceId,
    id,
    recordedAt: at,
    name: clickEvent,
    outcome: 'counted',
    clickId: id,
    signatureId: newRow().id,
    campaignId: newRow().id,
    campaignVariant: 'b',
    teammateId: newRow().id,
    emailId: newRow().id,
    anchorId: 'site',
    country: 'PT',
  } as const
  await insertEvents(app.db, workspaceId, [event])
  return event
}

describe('an event', () => {
  it('is accepted, and recorded before the answer', async () => {
    const event = {
      name: 'Order placed',
      value: 12.5,
      currency: 'EUR',
      properties: { plan: 'pro', tags: ['a', 'b\t\\n'] },
      anonymous_id: 'visitor',
    }
    const answer = await submit(event)
    expect(answer.status).toBe(202)
    expect(answer.body).toEqual({
      data: {
        name: 'Order placed',
        value: 12.5,
        currency: 'EUR',
        click_id: null,
        source: 'api',
        status: 'accepted',
      },
    })
    expect(await recorded('Order placed')).toMatchObject([
      {
        outcome: 'counted',
        value: '12.5',
        currency: 'EUR',
        distinct_id: 'visitor',
        anonymous_id: 'visitor',
        properties: { plan: 'pro', tags: ['a', 'b\t\\n'] },
      },
    ])
  })

  it('needs its wrapper, and every problem is listed', async () => {
    const flat = await app.post('/v1/analytics/events', { name: 'x' })
    expect([flat.status, fieldErrors(flat)]).toEqual([422, { event: 'missing' }])
    const cases: [object, Record<string, string>][] = [
      [{}, { name: 'missing' }],
      [{ name: ' ' }, { name: 'blank' }],
      [{ name: 'x'.repeat(201) }, { name: 'too_long' }],
      [{ name: '$view' }, { name: 'invalid' }],
      [{ name: 'x', value: 'much' }, { value: 'invalid_type' }],
      [{ name: 'x', value: 1.1e15 }, { value: 'out_of_range' }],
      [{ name: 'x', value: -1.1e15 }, { value: 'out_of_range' }],
      [{ name: 'x', click_id: 'x'.repeat(5_001) }, { click_id: 'too_long' }],
      [
        { name: '$click', currency: 'q', properties: { a: 'x'.repeat(8 * 1024) } },
        { name: 'invalid', currency: 'invalid', properties: 'too_long' },
      ],
      [
        { name: 7, traits: 7 },
        { name: 'invalid_type', traits: 'invalid_type' },
      ],
      [{ name: 'x', currency: 'EURO' }, { currency: 'invalid' }],
      [{ name: 'x', currency: 'ZZZ' }, { currency: 'invalid' }],
      [{ name: 'x', properties: [] }, { properties: 'invalid_type' }],
      [{ name: 'x', properties: { a: 'x'.repeat(8 * 1024) } }, { properties: 'too_long' }],
      [{ name: 'x', traits: { a: 'x'.repeat(8 * 1024) } }, { traits: 'too_long' }],
      [
        { name: 'x', properties: JSON.parse('{"a":'.repeat(30) + 1 + '}'.repeat(30)) },
        { properties: 'too_deep' },
      ],
      [
        { name: 'x', user_id: '', event_id: 'x'.repeat(256) },
        { user_id: 'blank', event_id: 'too_long' },
      ],
      [{ name: 'x', click_id: 7 }, { click_id: 'invalid_type' }],
      [{ name: 'x', when: 'now' }, { when: 'unknown_property' }],
    ]
    for (const [event, expected] of cases) {
      const answer = await submit(event)
      expect([answer.status, fieldErrors(answer)], JSON.stringify(event)).toEqual([422, expected])
    }
    const endless = await app.call('POST', '/v1/analytics/events', {
      payload: '{"event":{"name":"x","properties":{"a":1e999}}}',
    })
    expect([endless.status, fieldErrors(endless)]).toEqual([422, { properties: 'invalid' }])
    expect(await recorded('x')).toEqual([])
    const infinite = await app.call('POST', '/v1/analytics/events', {
      payload: '{"event":{"name":"x","value":-1e999}}',
    })
    expect([infinite.status, fieldErrors(infinite)]).toEqual([422, { value: 'out_of_range' }])
    expect(infinite.body.details[0].message).toBe('value must be >= -1000000000000000')
    for (const value of [1e15, 1e15, -1e15, 5e-324])
      expect(
        (await submit({ name: 'Edge', value, click_id: 'x'.repeat(5_000), currency: 'XAU' })).status,
      ).toBe(202)
    const sums = await app.get('/v1/analytics/events/summary?name=Edge')
    expect(sums.body.totals.value).toBe(1e15)
    const listed = await app.get('/v1/analytics/events?name=Edge')
    expect(listed.body.data.map((row: { value: number }) => row.value)).toEqual([5e-324, -1e15, 1e15, 1e15])
    expect((await submit({ name: '$pageview' })).status).toBe(202)
  })

  it('of more than 64 KB is refused', async () => {
    const answer = await submit({ name: 'large', properties: { a: 'x'.repeat(64 * 1024) } })
    expect([answer.status, answer.body.error.code]).toEqual([413, 'payload_too_large'])
  })

  it('needs the scope analytics:write', async () => {
    const route = app.routes.find(({ path, method }) => path === '/v1/analytics/events' && method === 'POST')
    expect(route?.access).toBe('analytics:write')
  })

  it('is recorded once per event_id and workspace, however often it is sent', async () => {
    const again = { name: 'Once', event_id: 'order-1', value: 1 }
    const answers = await Promise.all(Array.from({ length: 20 }, () => submit(again)))
    answers.push(await submit({ ...again, value: 2 }))
    expect(answers.map(answer => answer.status)).toEqual(answers.map(() => 202))
    expect((await recorded('Once')).length).toBe(1)
    expect((await recorded('Once'))[0]?.value).toBe('1')
    expect(answers.at(-1)?.body.data.value).toBe(2)
    await submit(again, { key: app.other.key })
    expect((await recorded('Once', app.other.id)).length).toBe(1)
  })

  it('is recorded once per Idempotency-Key', async () => {
    const sent = { headers: { 'idempotency-key': 'k1' } }
    const first = await submit({ name: 'Key' }, sent)
    const second = await submit({ name: 'Key' }, sent)
    expect([first.status, second.status, second.headers['idempotent-replayed']]).toEqual([202, 202, 'true'])
    expect((await recorded('Key')).length).toBe(1)
    expect((await submit({ name: 'Other' }, sent)).status).toBe(409)
  })

  it('accepts a currency in lower case, and makes no entry in the audit log', async () => {
    const total = async () => (await app.get('/v1/audit_log?limit=1')).body.pagination.total_count
    const before = await total()
    expect((await submit({ name: 'Lower', value: 1, currency: 'usd' })).body.data.currency).toBe('USD')
    expect((await recorded('Lower'))[0]?.currency).toBe('USD')
    expect(await total()).toBe(before)
  })
})

describe('a click', () => {
  it('gives its signature, campaign, teammate, link and country to the events that name it', async () => {
    const from = await click()
    const answer = await submit({ name: 'Lead', click_id: from.id.toUpperCase() })
    expect(answer.body.data.click_id).toBe(from.id.toUpperCase())
    expect(await recorded('Lead')).toMatchObject([
      {
        click_id: from.id,
        signature_id: from.signatureId,
        campaign_id: from.campaignId,
        campaign_variant: 'b',
        teammate_id: from.teammateId,
        email_id: from.emailId,
        anchor_id: 'site',
        country: 'PT',
      },
    ])
  })

  it('that has left the tail is found in the partition of its month', async () => {
    const from = await click()
    const start = new Date(Date.UTC(from.recordedAt.getUTCFullYear(), from.recordedAt.getUTCMonth(), 1))
    const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1))
    await app.db.pg.query(
      `create table if not exists events_now partition of events for values from ('${start.toISOString()}') to ('${end.toISOString()}')`,
    )
    await app.db.query(sql`
      with gone as (delete from event_tail where workspace_id = ${app.id} and id = ${from.id} returning *)
      insert into events select * from gone`)
    await submit({ name: 'Month', click_id: from.id })
    expect(await recorded('Month')).toMatchObject([{ signature_id: from.signatureId, country: 'PT' }])
  })

  it('gives nothing after 30 days, when it is unknown, or to another workspace', async () => {
    const day = 24 * 3600_000
    const old = await click(new Date(Date.now() - 30 * day - 60_000))
    const recent = await click(new Date(Date.now() - 30 * day + 60_000))
    const foreign = await click(new Date(), app.other.id)
    const ids = [old.id, foreign.id, uuidv7(), crypto.randomUUID()]
    for (const click_id of [...ids, 'no id at all', '', ' ']) {
      expect((await submit({ name: 'Nothing', click_id })).status, click_id).toBe(202)
    }
    const rows = await recorded('Nothing')
    expect(rows.map(row => row.click_id)).toEqual([...ids, null, null, null])
    expect(rows.filter(row => row.signature_id !== null || row.country !== null)).toEqual([])
    await submit({ name: 'Just so', click_id: recent.id })
    expect(await recorded('Just so')).toMatchObject([{ teammate_id: recent.teammateId }])
  })
})

describe('listed events', () => {
  it('carry their id', async () => {
    await submit({ name: 'With id' })
    const [row] = await recorded('With id')
    expect((await app.get('/v1/analytics/events?name=With%20id')).body.data).toMatchObject([{ id: row?.id }])
  })
})

describe('$identify', () => {
  it('tells who a visitor is, and is not an event', async () => {
    const identify = { name: '$identify', anonymous_id: 'v-77', user_id: 'u-77', traits: { plan: 'pro' } }
    const answer = await submit({ ...identify, event_id: 'identify-1' })
    expect([answer.status, answer.body.data]).toMatchObject([202, { name: '$identify', status: 'accepted' }])
    await submit(identify)
    await submit({ name: 'After', anonymous_id: 'v-77' })
    expect(await recorded('$identify')).toEqual([])
    expect(await recorded('After')).toMatchObject([{ distinct_id: 'u-77' }])
    const visitors = await app.get('/v1/analytics/visitors?distinct_id=u-77')
    expect(visitors.body.data).toMatchObject([
      { distinct_id: 'u-77', event_count: 1, traits: { plan: 'pro' } },
    ])
    expect((await app.get('/v1/analytics/events?name=$identify')).body.pagination.total_count).toBe(0)
  })
})
