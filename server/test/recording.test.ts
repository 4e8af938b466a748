// Every acknowledged event is recorded exactly once: while the service is killed, and while PostgreSQL is down.
// SIGNOFF_TEST_EVENTS=1000000 and SIGNOFF_TEST_OUTAGE=20 make it a long test.
// @module-tag deep
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Agent, request } from 'undici'
import { expect, inject, it } from 'vitest'
import { createRecorder } from '#features/measurement/events/index.ts'
import { createMetrics } from '#kernel/api/metrics.ts'
import { newRow } from '#kernel/base/ids.ts'
import { createLog } from '#kernel/base/log.ts'
import { openPool } from '#kernel/db/db.ts'
import { migrate } from '#kernel/db/migrate.ts'
import { openEmbedded } from '#platform/embedded-postgres/index.ts'
import { command } from './support/command.ts'
import { bundledProgram } from './support/processes/bundle.ts'
import {
  durableFolder,
  emptyFolder,
  queryStopped,
  serve,
  stop,
  stopPostgres,
} from './support/processes/process.ts'

const total = Number(process.env.SIGNOFF_TEST_EVENTS ?? 900)
const outage = Number(process.env.SIGNOFF_TEST_OUTAGE ?? 0) * 1_000
/** Acknowledged events between two kills. */
const eventsPerKill = Math.min(25_000, total / 3)
const timeout = 180_000 + 2 * total + 4 * outage

it(
  'every acknowledged event is stored exactly once, even if the service is killed repeatedly',
  async () => {
    const env = { SIGNOFF_DATA_DIR: await durableFolder() }
    let served = await serve({ env })
    const { key } = served
    const dispatcher = new Agent({ connections: 50 })
    let next = 0
    let acknowledged = 0
    const client = async () => {
      while (next < total) {
        const n = next++
        const event = { name: 'Sold', event_id: `order-${n}`, properties: { n } }
        for (let done = false; !done; ) {
          const answer = await request(`${served.url}/v1/analytics/events`, {
            dispatcher,
            method: 'POST',
            headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
            body: JSON.stringify({ event }),
          }).catch(() => null)
          await answer?.body.dump().catch(() => null)
          done = answer?.statusCode === 202
          if (!done) await sleep(100) // 50 clients would take the CPU time that the next start needs
        }
        acknowledged++
      }
    }
    const clients = Promise.all(Array.from({ length: 50 }, client))
    for (let kills = 0; acknowledged + eventsPerKill < total; kills++) {
      const threshold = (kills + 1) * eventsPerKill
      await expect.poll(() => acknowledged, { interval: 5, timeout }).toBeGreaterThanOrEqual(threshold)
      served.child.kill('SIGKILL')
      await served.ended
      served = await serve({ env })
    }
    await clients
    await dispatcher.close()
    expect(await stop(served)).toBe(0)
    const counted = await command(['analytics', 'rebuild'], env)
    expect(counted.out).toMatch(/\d+ days counted, no difference/)
    const rows = await queryStopped(
      env.SIGNOFF_DATA_DIR,
      `select count(*)::int as events, count(distinct properties -> 'n')::int as different
     from (select properties from event_tail where name = 'Sold' union all select properties from events where name = 'Sold') e`,
    )
    expect(rows).toEqual([{ events: total, different: total }])
  },
  timeout,
)

async function queryDatabase(connection: pg.ClientConfig, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client(connection)
  await client.connect()
  return client.query(text).finally(() => client.end())
}

interface Recording {
  readonly child: ChildProcess
  readonly recordedIds: Set<string>
}

function startRecording(options: object): Recording {
  const program = bundledProgram(inject('program'), 'recording')
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const recordedIds = new Set<string>()
  let rest = ''
  child.stdout.on('data', chunk => {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const id of lines) recordedIds.add(id)
  })
  return { child, recordedIds }
}

async function kill({ child }: Recording): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'close')
}

it(
  'recording continues while PostgreSQL is down and processes are killed, and every event is stored exactly once',
  async () => {
    const server = await durableFolder()
    const dataDir = await emptyFolder()
    let embedded = await openEmbedded({ dataDir: server, user: 'test', exclusive: false })
    const { connection } = embedded
    const db = openPool({ connection, size: 3, onError: () => undefined })
    await migrate(db.pg, createLog('silent'))
    const workspaceId = newRow().id
    const options = { connection, dataDir, workspaceId }

    const first = startRecording(options)
    await expect.poll(() => first.recordedIds.size).toBeGreaterThan(500)
    await stopPostgres(server, 'SIGINT')
    // Recording does not wait for PostgreSQL: events that arrive while it is down go to the spool.
    const before = first.recordedIds.size
    await expect.poll(() => first.recordedIds.size).toBeGreaterThan(before + 300)
    await sleep(outage)
    await kill(first) // leaves spool segments that are not committed to PostgreSQL
    const second = startRecording(options)
    await expect.poll(() => second.recordedIds.size).toBeGreaterThan(100)
    embedded = await openEmbedded({ dataDir: server, user: 'test', exclusive: false })
    const since = second.recordedIds.size
    await expect.poll(() => second.recordedIds.size).toBeGreaterThan(since + 300)
    await kill(second)

    const metrics = createMetrics(db)
    const recorder = createRecorder({ db, log: createLog('silent'), dataDir, spoolLimitMb: 1_000, metrics })
    await expect.poll(() => readdir(join(dataDir, 'spool'))).toEqual([])
    await recorder.close()
    const { rows } = await queryDatabase(connection, `select id from event_tail where name = '$click'`)
    const storedIds = new Set(rows.map(row => row.id))
    expect([...first.recordedIds, ...second.recordedIds].filter(id => !storedIds.has(id))).toEqual([])
    expect(storedIds.size).toBe(rows.length)
    await db.end()
    await embedded.release()
  },
  timeout,
)
