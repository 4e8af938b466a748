// PostgreSQL slow, and PostgreSQL away: whoever clicks arrives.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createRecorder, insertEvents } from '#features/events/index.ts'
import { renderedFor } from '#features/installations/reconcile/assignments.ts'
import { currentContent } from '#features/live-signatures/index.ts'
import { type Db, openPool, type Pool, sql } from '#kernel/db.ts'
import { apiError } from '#kernel/errors.ts'
import { createLog } from '#kernel/log.ts'
import { createMetrics } from '#kernel/metrics.ts'
import { createVault } from '#platform/secrets.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { freshFolder } from '#test/support/process.ts'
import { createTracking } from './index.ts'
import { createRequestCounter, type RequestCounter } from './rules.ts'

const visitor = {
  method: 'GET',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
  ip: '81.2.69.142',
  isPrefetch: false,
  isSameOrigin: false,
}

let app: TestApp
let store: Pool
let counter: RequestCounter
let links: readonly string[]
let pixel: string
const counted: string[] = []
beforeAll(async () => {
  app = await testApp({ env: { SIGNOFF_PUBLIC_URL: 'https://sign.example.com' } })
  const { body: person } = await app.post('/v1/teammates', { teammate: { email: 'ada@example.com' } })
  const emailId: string = person.data.emails[0].id
  const href = (n: number) => ({ text: `https://example.com/${n}` })
  const tokens = [1, 2].map(n => ({ id: `link-${n}`, value: 'x ', href: href(n) }))
  const draft_content = { type: 'stack', children: [{ type: 'text', tokens }] }
  const { body } = await app.post('/v1/signatures', { name: 'S', draft_content })
  await app.post(`/v1/signatures/${body.data.id}/emails`, { email_ids: [emailId] })
  await app.post(`/v1/signatures/${body.data.id}/publish`)
  const { publicUrl } = app.config
  const tracking = createTracking({ publicUrl, keys: createVault(app.config) })
  const drawn = await renderedFor(app.db, { workspaceId: app.id, publicUrl, tracking }, [emailId])
  const html = drawn.get(emailId)?.html ?? ''
  links = [...html.matchAll(/\/c\/([\w-]+)/g)].map(([, token = '']) => token)
  pixel = /\/o\/([\w-]+)/.exec(html)?.[1] ?? ''
})
beforeEach(() => {
  store = openPool({ connection: app.connection, size: 2, onError: () => undefined })
  const record = async (event: Parameters<typeof insertEvents>[2][number]) =>
    void (await insertEvents(app.db, event.workspaceId, [event]))
  counter = createRequestCounter({
    keys: createVault(app.config),
    recorder: { record, recordWithin: (_patience, event) => record(event).then(() => true) },
    currentContent,
    sameViewSeconds: 0,
    viewsPerMinute: 0,
    count: what => void counted.push(what),
  })
})
afterAll(() => store.end())

const click = (token: string | undefined) => counter.click(store, token ?? '', visitor)

describe('a known link', () => {
  it('leads on while the store answers nobody, without waiting for it', async () => {
    expect(await click(links[0])).toMatch(/^https:\/\/example\.com\/1\?signoff_click_id=/)
    await sleep(1_100)
    const blocking = await app.db.pg.connect()
    try {
      await blocking.query('begin; lock table workspaces, smart_fields, signatures in access exclusive mode')
      const began = performance.now()
      expect(await click(links[0])).toMatch(/^https:\/\/example\.com\/1\?/)
      expect(performance.now() - began).toBeLessThan(20_000) // 25 ms, when the machine is free; without it 30 s
    } finally {
      await blocking.query('rollback')
      blocking.release()
    }
    expect(counted).toEqual(['click counted', 'click counted'])
  })

  it('leads on when the store is gone; an unknown one has to wait for it', async () => {
    await click(links[0])
    await store.end()
    await sleep(1_100)
    expect(await click(links[0])).toMatch(/^https:\/\/example\.com\/1\?/)
    await expect(click(links[1])).rejects.toMatchObject({
      status: 503,
      code: 'unavailable',
      headers: { 'Retry-After': '1' },
    })
    expect(await app.db.query(sql`select from event_tail where outcome = 'counted'`)).toHaveLength(4)
  })

  it('leads on when the click cannot be kept at all', async () => {
    const connection = { host: await freshFolder(), user: 'x' }
    const nowhere = openPool({ connection, size: 1, onError: () => undefined })
    const recorder = createRecorder({
      db: nowhere,
      log: createLog('silent'),
      dataDir: await freshFolder(),
      spoolLimitMb: 0,
      metrics: createMetrics(nowhere),
    })
    counter = createRequestCounter({
      keys: createVault(app.config),
      recorder,
      currentContent,
      sameViewSeconds: 0,
      viewsPerMinute: 0,
      count: what => void counted.push(what),
    })
    counted.length = 0
    expect(await click(links[1])).toMatch(/^https:\/\/example\.com\/2/)
    expect(counted).toEqual(['click lost'])
    await recorder.close()
    await nowhere.end()
  })
})

describe('a view', () => {
  it('that is refused is none, and whoever asks again is counted', async () => {
    let isThere = false
    const kept: unknown[] = []
    counted.length = 0
    const record = async (event: unknown) => {
      if (!isThere) throw apiError('unavailable')
      kept.push(event)
    }
    const patient = createRequestCounter({
      keys: createVault(app.config),
      recorder: { record, recordWithin: async () => true },
      currentContent,
      sameViewSeconds: 60,
      viewsPerMinute: 0,
      count: what => void counted.push(what),
    })
    await expect(patient.view(store, pixel, visitor)).rejects.toMatchObject({ status: 503 })
    isThere = true
    for (let n = 0; n < 2; n++) await patient.view(store, pixel, visitor)
    expect(counted).toEqual(['view lost', 'view counted', 'view duplicate'])
    expect(kept).toHaveLength(1)
  })

  it('of many at once asks for what it shows once', async () => {
    let asked = 0
    const counting: Db = {
      ...store,
      query: statement => {
        asked++
        return store.query(statement)
      },
    }
    await Promise.all(Array.from({ length: 100 }, () => counter.view(counting, pixel, visitor)))
    expect(asked).toBeLessThan(10)
  })
})
