// Identities and traits of visitors: from the API, and from web pages, which anyone can imitate.
import { beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'

let app: TestApp
let site: string
beforeEach(async () => {
  app = await testApp({ env: { SIGNOFF_TRUSTED_PROXIES: '127.0.0.1' } })
  site = (await app.get('/v1/workspace')).body.data.event_tracking.id
})

const submit = async (event: object) =>
  expect((await app.post('/v1/analytics/events', { event: { name: 'x', ...event } })).status).toBe(202)

let addresses = 0
async function beacon(...events: object[]): Promise<void> {
  const headers = {
    'content-type': 'text/plain',
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0',
    'x-forwarded-for': `10.1.0.${addresses++ % 250}`,
  }
  const payload = JSON.stringify({ site, events: events.map(event => ({ name: 'x', ...event })) })
  expect((await app.call('POST', '/tracking/events', { key: null, headers, payload })).status).toBe(202)
}

interface Visitor {
  readonly distinct_id: string
  readonly event_count: number
  readonly value: number
  readonly traits: Record<string, string> | null
}
const visitors = async (query = ''): Promise<Visitor[]> =>
  (await app.get(`/v1/analytics/visitors?limit=100${query}`)).body.data
const visitorOf = async (id: string) => (await visitors()).find(visitor => visitor.distinct_id === id)

describe('a user', () => {
  it('is not merged with another one by a web page that uses its id as an anonymous id', async () => {
    await submit({ user_id: 'u-7', value: 10, traits: { plan: 'pro' } })
    await beacon({ anonymous_id: 'u-7', user_id: 'evil' })
    await submit({ user_id: 'u-7', value: 5, traits: { plan: 'gold' } })
    expect(await visitorOf('u-7')).toMatchObject({ event_count: 2, value: 15, traits: { plan: 'gold' } })
    expect(await visitorOf('evil')).toMatchObject({ event_count: 1, value: 0, traits: null })
    const { body } = await app.get('/v1/analytics/events/summary?group_by=user')
    expect(body.data).toMatchObject([
      { id: 'u-7', count: 2, value: 15 },
      { id: 'evil', count: 1 },
    ])
    const page = await visitors('&distinct_id=u-7')
    expect(page.map(visitor => visitor.distinct_id).sort()).toEqual(['evil', 'u-7'])
  })

  it('keeps its traits when an anonymous visitor has the same id', async () => {
    await submit({ user_id: '42', traits: { email: 'a@example.com' } })
    await submit({ anonymous_id: '42', user_id: '7' })
    await submit({ anonymous_id: '42' })
    expect(await visitorOf('42')).toMatchObject({ event_count: 1, traits: { email: 'a@example.com' } })
    expect(await visitorOf('7')).toMatchObject({ event_count: 2, traits: null })
  })

  it('who was anonymous before is listed once', async () => {
    await submit({ anonymous_id: 'browser', value: 1, traits: { plan: 'free' } })
    await submit({ anonymous_id: 'browser', user_id: 'ada', value: 2 })
    expect(await visitors()).toMatchObject([{ distinct_id: 'ada', event_count: 2, traits: { plan: 'free' } }])
    for (const id of ['browser', 'ada']) expect(await visitors(`&distinct_id=${id}`)).toHaveLength(1)
  })
})

const large = (n: number, size = 8_000) => ({ [`k${n}`]: 'x'.repeat(size) })
const sizeOf = (visitor: Visitor | undefined) => JSON.stringify(visitor?.traits ?? {}).length

describe('the traits of a visitor', () => {
  it('have at most 64 KB, also when they are sent at the same time', async () => {
    const send = (n: number) =>
      beacon(...[0, 1, 2, 3, 4, 5].map(m => ({ user_id: 'u', traits: large(6 * n + m) })))
    await Promise.all(Array.from({ length: 20 }, (_, n) => send(n)))
    expect(sizeOf(await visitorOf('u'))).toBeGreaterThan(30_000)
    expect(sizeOf(await visitorOf('u'))).toBeLessThan(65_536)
  })

  it('have room for those of the API, whatever web pages have sent', async () => {
    for (let n = 0; n < 8; n++) await beacon({ user_id: 'u', traits: large(n, 8_160) })
    await submit({ user_id: 'u', traits: { plan: 'gold', company: 'y'.repeat(500) } })
    expect((await visitorOf('u'))?.traits).toMatchObject({ plan: 'gold' })
    await beacon({ user_id: 'u', traits: { theme: 'dark' } })
    expect((await visitorOf('u'))?.traits).toMatchObject({ plan: 'gold', theme: 'dark' })
  })

  it('stay with the anonymous visitor when they are too large for the user', async () => {
    for (let n = 0; n < 8; n++) await submit({ user_id: 'big', traits: large(n) })
    await submit({ anonymous_id: 'anon', traits: { plan: 'y'.repeat(2_000) } })
    await submit({ anonymous_id: 'anon', user_id: 'big' })
    const [row] = (
      await app.db.pg.query(
        `select octet_length(traits::text) as n from visitor_traits where distinct_id = 'anon'`,
      )
    ).rows
    expect(row.n).toBeGreaterThan(2_000)
    expect(sizeOf(await visitorOf('big'))).toBeGreaterThan(64_000)
  })
})
