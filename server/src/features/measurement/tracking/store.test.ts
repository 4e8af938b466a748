// While PostgreSQL is slow or not reachable, clicks are still redirected.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { renderFor } from '#features/delivery/installations/assignments.ts'
import { createRecorder, insertEvents } from '#features/measurement/events/index.ts'
import { currentContent } from '#features/signatures/live-signatures/index.ts'
import { createMetrics } from '#kernel/api/metrics.ts'
import { apiError } from '#kernel/base/errors.ts'
import { createLog } from '#kernel/base/log.ts'
import { type Db, openPool, type Pool, sql } from '#kernel/db/db.ts'
import { queriesBy } from '#kernel/db/query-forms.ts'
import { createVault } from '#platform/secrets.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { emptyFolder } from '#test/support/processes/process.ts'
import { stack } from '#test/support/signatures.ts'
import { createPublished, createTeammate } from '#test/support/world.ts'
import { createTracking } from './index.ts'
import { createRequestCounter, type RequestCounter } from './rules.ts'

const source = {
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
  const { emailId } = await createTeammate(app)
  const href = (n: number) => ({ text: `https://example.com/${n}` })
  const tokens = [1, 2].map(n => ({ id: `link-${n}`, value: 'x ', href: href(n) }))
  await createPublished(app, { draft_content: stack({ type: 'text', tokens }) }, emailId)
  const { publicUrl } = app.config
  const tracking = createTracking({ publicUrl, keys: createVault(app.config) })
  const drawn = await renderFor(app.db, { ...app.parts.rendering, workspaceId: app.id, tracking }, [emailId])
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
    recorder: { record, recordWithin: (_milliseconds, event) => record(event).then(() => true) },
    publicUrl: app.config.publicUrl,
    currentContent,
    sameViewSeconds: 0,
    viewsPerMinute: 0,
    count: outcome => void counted.push(outcome),
  })
})
afterAll(() => store.end())

const click = (token: string | undefined) => counter.click(store, token ?? '', source)

describe('a cached link', () => {
  it('redirects while PostgreSQL does not answer, without waiting for it', async () => {
    expect(await click(links[0])).toMatch(/^https:\/\/example\.com\/1\?signoff_click_id=/)
    await sleep(1_100)
    const blocker = await app.db.pg.connect()
    try {
      await blocker.query('begin; lock table workspaces, smart_fields, signatures in access exclusive mode')
      const startedAt = performance.now()
      expect(await click(links[0])).toMatch(/^https:\/\/example\.com\/1\?/)
      expect(performance.now() - startedAt).toBeLessThan(20_000) // 25 ms on an idle machine; 30 s without the timeout
    } finally {
      await blocker.query('rollback')
      blocker.release()
    }
    expect(counted).toEqual(['click counted', 'click counted'])
  })

  it('redirects when PostgreSQL is gone; a link that is not cached gets 503', async () => {
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

  it('redirects when the click cannot be recorded at all', async () => {
    const connection = { host: await emptyFolder(), user: 'x' }
    const unreachable = openPool({ connection, size: 1, onError: () => undefined })
    const recorder = createRecorder({
      db: unreachable,
      log: createLog('silent'),
      dataDir: await emptyFolder(),
      spoolLimitMb: 0,
      metrics: createMetrics(unreachable),
    })
    counter = createRequestCounter({
      keys: createVault(app.config),
      recorder,
      publicUrl: app.config.publicUrl,
      currentContent,
      sameViewSeconds: 0,
      viewsPerMinute: 0,
      count: outcome => void counted.push(outcome),
    })
    counted.length = 0
    expect(await click(links[1])).toMatch(/^https:\/\/example\.com\/2/)
    expect(counted).toEqual(['click lost'])
    await recorder.close()
    await unreachable.end()
  })
})

describe('a view', () => {
  it('that cannot be recorded is not remembered as a duplicate, so the next request counts', async () => {
    let isAvailable = false
    const stored: unknown[] = []
    counted.length = 0
    const record = async (event: unknown) => {
      if (!isAvailable) throw apiError('unavailable')
      stored.push(event)
    }
    const deduplicating = createRequestCounter({
      keys: createVault(app.config),
      recorder: { record, recordWithin: async () => true },
      publicUrl: app.config.publicUrl,
      currentContent,
      sameViewSeconds: 60,
      viewsPerMinute: 0,
      count: outcome => void counted.push(outcome),
    })
    await expect(deduplicating.view(store, pixel, source)).rejects.toMatchObject({ status: 503 })
    isAvailable = true
    for (let n = 0; n < 2; n++) await deduplicating.view(store, pixel, source)
    expect(counted).toEqual(['view lost', 'view counted', 'view duplicate'])
    expect(stored).toHaveLength(1)
  })

  it('shares one lookup with simultaneous views of the same pixel', async () => {
    let queries = 0
    const countingDb: Db = {
      ...store,
      ...queriesBy(statement => {
        queries++
        return store.query(statement)
      }),
    }
    await Promise.all(Array.from({ length: 100 }, () => counter.view(countingDb, pixel, source)))
    expect(queries).toBeLessThan(10)
  })
})
