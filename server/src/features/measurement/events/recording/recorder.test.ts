import { mkdir, readdir, readFile, rename, unlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createMetrics, type Metrics } from '#kernel/api/metrics.ts'
import { newRow } from '#kernel/base/ids.ts'
import { createLog } from '#kernel/base/log.ts'
import { openPool, type Pool, sql } from '#kernel/db/db.ts'
import { locks } from '#kernel/db/locks.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { emptyFolder } from '#test/support/processes/process.ts'
import { createRecorder, type EventRecorder, type NewEvent, viewEvent } from '../index.ts'
import { machineId } from './process-identity.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  await app.db.pg.query(
    `create table events_all partition of events for values from ('2000-01-01') to ('2100-01-01')`,
  )
})

const open: EventRecorder[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(recorder => recorder.close()))
  await app.db.query(sql`truncate event_tail`)
  await app.db.query(sql`truncate events`)
})

interface Started {
  readonly recorder: EventRecorder
  readonly metrics: Metrics
  readonly dataDir: string
}
async function start(
  options: { db?: Pool; dataDir?: string; spoolLimitMb?: number; recorded?: () => void } = {},
): Promise<Started> {
  const { db = app.db, dataDir = await emptyFolder(), spoolLimitMb = 10, recorded } = options
  const metrics = createMetrics(db)
  const log = createLog('silent')
  const recorder = createRecorder({
    db,
    log,
    dataDir,
    spoolLimitMb,
    metrics,
    ...(recorded && { onRecord: recorded }),
  })
  open.push(recorder)
  return { recorder, metrics, dataDir }
}

function view(workspaceId = app.id, more: Partial<NewEvent> = {}): NewEvent {
  const { id, now } = newRow()
  return { workspaceId, id, recordedAt: now, name: viewEvent, outcome: 'counted', ...more }
}

const idsIn = async (table: 'event_tail' | 'events') =>
  (await app.db.pg.query<{ id: string }>(`select id from ${table} order by id`)).rows.map(row => row.id)
const spooled = (dataDir: string) => readdir(join(dataDir, 'spool')).catch(() => [])

async function counted({ metrics }: Started, state: string): Promise<number> {
  const match = new RegExp(`signoff_events_total\\{state="${state}"\\} (\\d+)`).exec(await metrics.text())
  return Number(match?.[1] ?? 0)
}

/** Holds an exclusive lock on the tail while `work` runs. */
async function whileLocked(work: () => Promise<void>): Promise<void> {
  const client = new pg.Client(app.connection)
  await client.connect()
  await client.query('begin; lock table event_tail in access exclusive mode')
  await work().finally(() => client.query('commit'))
  await client.end()
}

/** A pool whose PostgreSQL cannot be reached. */
async function unreachablePool(): Promise<Pool> {
  return openPool({ connection: { host: await emptyFolder(), user: 'x' }, size: 2, onError: () => undefined })
}

describe('recording', () => {
  it('stores every field of events of many workspaces, and answers each after its commit', async () => {
    const { recorder } = await start()
    const events = Array.from({ length: 500 }, (_, n) =>
      view(n % 3 === 0 ? app.other.id : app.id, {
        clickId: newRow().id,
        anchorId: `tab\t new\nline \\N back\\ ${n}`,
        value: n / 3,
        properties: { text: 'quote " \\ \n', n },
      }),
    )
    await Promise.all(
      events.map(async event => {
        await recorder.record(event)
        const [row] = await app.db.query(sql`
          select click_id, anchor_id, value::float8, properties, recorded_at from event_tail
          where workspace_id = ${event.workspaceId} and id = ${event.id}`)
        const { clickId: click_id, anchorId: anchor_id, value, properties, recordedAt: recorded_at } = event
        expect(row).toEqual({ click_id, anchor_id, value, properties, recorded_at })
      }),
    )
  })

  it('fails for an event that PostgreSQL cannot store, and for no other', async () => {
    const { recorder } = await start()
    const events = [view(), view(app.id, { name: 'a\0b' }), view()]
    const results = await Promise.allSettled(events.map(event => recorder.record(event)))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await idsIn('event_tail')).toEqual([events[0]?.id, events[2]?.id])
  })

  it('refuses with 503 when too many events wait, and commits those it has accepted', async () => {
    const started = await start()
    let ends: PromiseSettledResult<void>[] = []
    let all: Promise<typeof ends> | undefined
    await whileLocked(async () => {
      const taken = Array.from({ length: 25_000 }, () => started.recorder.record(view()))
      all = Promise.allSettled(taken)
      const last = taken.at(-1)
      await expect(last).rejects.toMatchObject({
        status: 503,
        code: 'unavailable',
        headers: { 'Retry-After': '1' },
      })
    })
    ends = (await all) ?? []
    const committed = ends.filter(({ status }) => status === 'fulfilled').length
    expect(committed).toBeGreaterThan(10_000)
    expect((await idsIn('event_tail')).length).toBe(committed)
    expect(await counted(started, 'refused')).toBe(ends.length - committed)
  })

  it('accepts 32 MB of submissions, by their real size', async () => {
    const { recorder } = await start()
    const input = { name: 'Large', properties: { text: 'é'.repeat(4_000) } }
    const submission = { workspaceId: app.id, input, source: 'api', outcome: 'counted' } as const
    let all: Promise<PromiseSettledResult<void>[]> | undefined
    await whileLocked(async () => {
      all = Promise.allSettled(Array.from({ length: 500 }, () => recorder.submit(Array(10).fill(submission))))
    })
    const committed = (await all)?.filter(end => end.status === 'fulfilled').length ?? 0
    expect((committed * 10 * 8_000) / 1024 / 1024).toBeGreaterThan(30)
    expect((committed * 10 * 8_000) / 1024 / 1024).toBeLessThan(32)
  })

  it('calls `recorded` after commits, at most once a second', async () => {
    let calls = 0
    const { recorder } = await start({
      recorded: () => {
        calls++
      },
    })
    const began = performance.now()
    for (let n = 0; n < 20; n++) await recorder.record(view())
    await expect.poll(() => calls).toBeGreaterThan(0)
    expect(calls).toBeLessThanOrEqual((performance.now() - began) / 1_000)
  })

  it('commits queued events before it closes', async () => {
    const { recorder } = await start()
    const all = Array.from({ length: 3_000 }, () => recorder.record(view()))
    await recorder.close()
    await Promise.all(all)
    expect((await idsIn('event_tail')).length).toBe(3_000)
    await expect(recorder.record(view())).rejects.toMatchObject({ status: 503 })
  })
})

describe('recording with a time limit', () => {
  it('answers in time while PostgreSQL hangs, and records everything once afterwards', async () => {
    const started = await start()
    const events = Array.from({ length: 300 }, () => view())
    await whileLocked(async () => {
      // When the time is over, some events were sent to PostgreSQL, and others are still queued.
      await Promise.all(events.map(event => started.recorder.recordWithin(50, event)))
      expect((await spooled(started.dataDir)).length).toBeGreaterThan(0)
    })
    await expect.poll(() => spooled(started.dataDir)).toEqual([])
    expect(await idsIn('event_tail')).toEqual(events.map(event => event.id))
    await expect.poll(() => counted(started, 'replayed')).toBe(300)
  })

  it('commits while PostgreSQL is there', async () => {
    const started = await start()
    await started.recorder.recordWithin(60_000, view())
    expect((await idsIn('event_tail')).length).toBe(1)
    expect(await spooled(started.dataDir)).toEqual([])
  })

  it('works without PostgreSQL, also for refused events, and the next start commits them', async () => {
    const db = await unreachablePool()
    const first = await start({ db })
    const events = Array.from({ length: 100 }, () => view())
    for (const event of events.slice(0, 3)) await first.recorder.recordWithin(50, event)
    await Promise.all(events.slice(3).map(event => first.recorder.recordWithin(50, event)))
    await expect(first.recorder.record(view())).rejects.toMatchObject({ status: 503 })
    await first.recorder.close()
    await db.end()
    expect(await counted(first, 'spooled')).toBe(100)
    const { dataDir } = await start({ dataDir: first.dataDir })
    await expect.poll(() => spooled(dataDir)).toEqual([])
    expect(await idsIn('event_tail')).toEqual(events.map(event => event.id))
  })

  it('drops events when the spool is full, and counts them', async () => {
    const db = await unreachablePool()
    const started = await start({ db, spoolLimitMb: 1 })
    const properties = { text: 'x'.repeat(10_000) }
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, () => started.recorder.recordWithin(50, view(app.id, { properties }))),
    )
    expect(await counted(started, 'dropped')).toBeGreaterThan(50)
    expect(await counted(started, 'dropped')).toBe(outcomes.filter(isKept => !isKept).length)
    expect((await counted(started, 'dropped')) + (await counted(started, 'spooled'))).toBe(200)
    await db.end()
  })
})

/** A data folder as a killed process leaves it. */
async function leftBehind(
  events: readonly { event: NewEvent; session?: string }[],
  { torn = '', machine = machineId } = {},
): Promise<string> {
  const dataDir = await emptyFolder()
  await mkdir(join(dataDir, 'spool'))
  const lines = events.map(({ event, session = null }) => `${JSON.stringify({ event, session })}\n`)
  const name = `${machine}.${process.pid}.${newRow().id}.000001.open`
  await writeFile(join(dataDir, 'spool', name), lines.join('') + torn)
  return dataDir
}

describe('a segment of a process that was killed', () => {
  it('is replayed, without the line that was not finished', async () => {
    const events = [view(), view(app.other.id)]
    const torn = JSON.stringify({ event: view(), session: null }).slice(0, -20)
    const { dataDir } = await start({
      dataDir: await leftBehind(
        events.map(event => ({ event })),
        { torn },
      ),
    })
    await expect.poll(() => spooled(dataDir)).toEqual([])
    expect(await idsIn('event_tail')).toEqual(events.map(event => event.id))
  })

  it('adds no event that was committed before, neither in the tail nor in its month', async () => {
    const events = [view(), view(), view()]
    const { recorder } = await start()
    for (const event of events.slice(0, 2)) await recorder.record(event)
    await app.db.query(sql`
      with gone as (delete from event_tail where id = ${events[0]?.id} returning *) insert into events select * from gone`)
    const dataDir = await leftBehind(events.map(event => ({ event })))
    await start({ dataDir })
    await expect.poll(() => spooled(dataDir)).toEqual([])
    expect(await idsIn('events')).toEqual([events[0]?.id])
    expect(await idsIn('event_tail')).toEqual([events[1]?.id, events[2]?.id])
  })

  it('with an event that cannot be recorded moves it to a .bad file, and records the others', async () => {
    const events = [view(), view(app.id, { name: 'a\0b' }), view()]
    const started = await start({ dataDir: await leftBehind(events.map(event => ({ event }))) })
    const { recorder, dataDir } = started
    await expect.poll(() => spooled(dataDir)).toEqual([expect.stringMatching(/\.bad$/)])
    expect(await idsIn('event_tail')).toEqual([events[0]?.id, events[2]?.id])
    expect([await counted(started, 'replayed'), await counted(started, 'dropped')]).toEqual([2, 1])
    const [name = ''] = await spooled(dataDir)
    const text = await readFile(join(dataDir, 'spool', name), 'utf8')
    expect(JSON.parse(text).event.id).toBe(events[1]?.id)
    await recorder.close()
  })

  it('that has to wait does not hold up other segments', async () => {
    const [first, second] = [view(), view()]
    const session = newRow().id
    const client = new pg.Client(app.connection)
    await client.connect()
    await client.query(`select pg_advisory_lock_shared(hashtextextended($1, ${locks.session}))`, [session])
    const dataDir = await leftBehind([{ event: first, session }])
    const other = await leftBehind([{ event: second }])
    const [name = ''] = await spooled(other)
    await rename(join(other, 'spool', name), join(dataDir, 'spool', name))
    await start({ dataDir })
    await expect.poll(() => idsIn('event_tail')).toEqual([second.id])
    await client.end()
    await expect.poll(() => idsIn('event_tail')).toEqual([first.id, second.id])
    await expect.poll(() => spooled(dataDir)).toEqual([])
  })

  it.each(['commit', 'rollback'])('waits for the session that may still commit it (%s)', async end => {
    const event = view()
    const session = newRow().id
    const client = new pg.Client(app.connection)
    await client.connect()
    await client.query(`select pg_advisory_lock_shared(hashtextextended($1, ${locks.session}))`, [session])
    const dataDir = await leftBehind([{ event, session }])
    await start({ dataDir })
    await sleep(1_500)
    expect((await spooled(dataDir)).length).toBe(1)
    await client.query('begin')
    await client.query(
      `insert into event_tail (workspace_id, recorded_at, id, name, outcome) values ($1, $2, $3, '$view', 'counted')`,
      [event.workspaceId, event.recordedAt.toISOString(), event.id],
    )
    await client.query(end)
    await client.end()
    await expect.poll(() => spooled(dataDir)).toEqual([])
    expect(await idsIn('event_tail')).toEqual([event.id])
  })
})

describe('a segment of another machine', () => {
  const elsewhere = { machine: 'elsewhere' }

  it('is replayed when it was not written to for a minute', async () => {
    const event = view()
    const dataDir = await leftBehind([{ event }], elsewhere)
    const first = await start({ dataDir })
    await sleep(1_000)
    const [name = ''] = await spooled(dataDir)
    expect(name).toMatch(/\.open$/)
    await first.recorder.close()
    const then = new Date(Date.now() - 61_000)
    await utimes(join(dataDir, 'spool', name), then, then)
    await start({ dataDir })
    await expect.poll(() => spooled(dataDir)).toEqual([])
    expect(await idsIn('event_tail')).toEqual([event.id])
  })

  it('can be adopted while it is written: later events go to another segment', async () => {
    const db = await unreachablePool()
    const { recorder, dataDir } = await start({ db })
    const inSpool = (name: string) => join(dataDir, 'spool', name)
    let taken = ''
    await expect // a segment is open for a second
      .poll(async () => {
        await recorder.recordWithin(1, view())
        taken = (await spooled(dataDir)).find(name => name.endsWith('.open')) ?? ''
        return unlink(inSpool(taken)).then(
          () => true,
          () => false,
        )
      })
      .toBe(true)
    const event = view()
    expect(await recorder.recordWithin(1, event)).toBe(true)
    const others = (await spooled(dataDir)).filter(name => name !== taken)
    const texts = await Promise.all(others.map(name => readFile(inSpool(name), 'utf8')))
    expect(texts.join('')).toContain(event.id)
    await db.end()
  })
})
