// The service behind a real PgBouncer.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openPool, type Pool, sql } from '#kernel/db/db.ts'
import { createWorkspaceShares } from '#kernel/http/workspace-shares.ts'
import { freshDatabase } from '#test/support/app.ts'
import { startEventReceiver } from '#test/support/outside/event-receiver.ts'
import {
  isNewPgbouncer,
  type Pgbouncer,
  pgbouncerVersion,
  startPgbouncer,
} from '#test/support/postgres/pgbouncer.ts'
import { urlOf } from '#test/support/postgres/postgres.ts'
import { emptyFolder, serve, signoff, stop } from '#test/support/processes/process.ts'
import { checkServer } from './index.ts'

let connection: pg.ClientConfig
let direct: string
const poolers: Pgbouncer[] = []
beforeAll(async () => {
  connection = await freshDatabase()
  direct = urlOf(connection)
})
afterAll(async () => {
  for (const pooler of poolers) await pooler.stop()
})

async function startPooler(settings?: Record<string, string | number>): Promise<Pgbouncer> {
  const pooler = await startPgbouncer(connection, settings)
  poolers.push(pooler)
  return pooler
}

const problemOf = (url: string, directUrl: string | null): Promise<string | null> =>
  checkServer({ url, directUrl }).then(
    () => null,
    error => error.message,
  )

it('PostgreSQL itself needs no second address', async () => {
  expect(await problemOf(direct, null)).toBe(null)
  expect(await problemOf(direct, direct)).toBe(null)
  const limited = `${direct}${direct.includes('?') ? '&' : '?'}statement_timeout=60000`
  expect(await problemOf(limited, null)).toBe(null)
})

describe.runIf(pgbouncerVersion !== undefined && !isNewPgbouncer)('an old PgBouncer', () => {
  it('is refused with its version, if the user can see it', async () => {
    const { url } = await startPooler({ stats_users: new pg.Client(connection).user ?? '' })
    const hidden = await startPooler()
    for (const directUrl of [null, direct]) {
      expect(await problemOf(url, directUrl)).toContain(
        `PgBouncer ${pgbouncerVersion} does not track prepared statements: install 1.21 or newer`,
      )
      expect(await problemOf(hidden.url, directUrl)).toContain('install 1.21 or newer')
    }
  })
})

describe.runIf(pgbouncerVersion !== undefined && isNewPgbouncer)('PgBouncer', () => {
  let pooler: Pgbouncer
  let db: Pool
  beforeAll(async () => {
    pooler = await startPooler()
    db = openPool({ connection: pooler.connection, direct: connection, size: 10, onError: () => undefined })
  })
  afterAll(() => db?.end())

  it('is accepted with the address of PostgreSQL itself, and of the same database', async () => {
    const other = urlOf(inject('postgres'))
    expect(await problemOf(pooler.url, direct)).toBe(null)
    expect(await problemOf(pooler.url, null)).toContain('set SIGNOFF_DIRECT_DATABASE_URL to the address')
    expect(await problemOf(pooler.url, pooler.url)).toContain('SIGNOFF_DIRECT_DATABASE_URL leads to a conn')
    expect(await problemOf(pooler.url, other)).toContain('must lead to the same database of the same server')
  })

  it('is noticed though it takes all settings of a start-up', async () => {
    const silent = await startPooler({ ignore_startup_parameters: 'statement_timeout' })
    expect(await problemOf(silent.url, null)).toContain('set SIGNOFF_DIRECT_DATABASE_URL')
    expect(await problemOf(silent.url, direct)).toBe(null)
  })

  it('must track prepared statements', async () => {
    const user = new pg.Client(connection).user ?? ''
    const visible = await startPooler({ max_prepared_statements: 0, stats_users: user })
    const hidden = await startPooler({ max_prepared_statements: 0 })
    const remedy = 'set `pool_mode = transaction` and `max_prepared_statements = 500`'
    expect(await problemOf(visible.url, direct)).toContain(`PgBouncer ${pgbouncerVersion} does not track`)
    expect(await problemOf(visible.url, direct)).toContain(remedy)
    expect(await problemOf(hidden.url, null)).toContain(remedy)
  })

  it('stops the service with one line when it cannot be used', async () => {
    const { code, err } = await signoff(['serve'], { env: { DATABASE_URL: pooler.url } })
    expect([code, err.trim().split('\n')]).toEqual([1, [expect.stringContaining('DIRECT_DATABASE_URL')]])
  })

  it('runs transactions with prepared statements and a time limit, more at once than it has connections', async () => {
    const numbers = Array.from({ length: 40 }, (_, n) => n)
    const answers = await Promise.all(
      numbers.map(n =>
        db.transaction(async tx => {
          const [row] = await tx.query<{ n: number; limit: string }>(
            sql`select ${n}::int as n, current_setting('statement_timeout') as limit`,
          )
          return row
        }),
      ),
    )
    expect(answers).toEqual(numbers.map(n => ({ n, limit: '30s' })))
    // The limit of a transaction ends with it.
    expect(await db.query(sql`select current_setting('statement_timeout') as limit`)).toEqual([
      { limit: '0' },
    ])
  })

  it('passes on the request to cancel a statement', async () => {
    const share = createWorkspaceShares({ pool: db, queryMilliseconds: 100 })(randomUUID())
    await expect(share.query(sql`select pg_sleep(300) as slept`)).rejects.toThrow('takes PostgreSQL too long')
    const running = `select from pg_stat_activity where query like '%slept%' and state = 'active' and pid <> pg_backend_pid()`
    await expect.poll(async () => (await db.direct.query(running)).rowCount).toBe(0)
  })

  it('keeps prepared statements over a migration, and they are renewed', async () => {
    const folders = sql`select * from folders where workspace_id = ${randomUUID()}`
    const reads = () => Promise.all(Array.from({ length: 10 }, () => db.query(folders)))
    await reads()
    await db.direct.query('alter table folders add column shape text')
    for (const rows of await reads()) expect(rows).toEqual([])
    await db.direct.query('alter table folders drop column shape')
    expect(await db.transaction(tx => tx.query(folders))).toEqual([])
  })

  it('serves requests, events, jobs and webhooks', async () => {
    const env = {
      DATABASE_URL: pooler.url,
      SIGNOFF_DIRECT_DATABASE_URL: direct,
      SIGNOFF_DATA_DIR: await emptyFolder(),
      SIGNOFF_PRIVATE_TARGETS: '127.0.0.1',
      SIGNOFF_DASHBOARD: 'off',
    }
    const served = await serve({ env })
    const headers = { authorization: `Bearer ${served.key}`, 'content-type': 'application/json' }
    const post = async (path: string, body: object) => {
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      const answer = await fetch(`${served.url}${path}`, init)
      return { status: answer.status, body: (await answer.json()) as { data: { secret: string } } }
    }
    const receiver = await startEventReceiver()
    const webhook = { url: receiver.url, events: ['teammate.created'] }
    receiver.secrets.push((await post('/v1/webhooks', { webhook })).body.data.secret)
    const people = Array.from({ length: 40 }, (_, n) => `p${n}@example.com`)
    const created = await Promise.all(
      people.map(email => post('/v1/teammates', { teammate: { email } }).then(({ status }) => status)),
    )
    expect(new Set(created)).toEqual(new Set([201]))
    const recorded = await Promise.all(
      people.map((_, n) => post('/v1/analytics/events', { event: { name: 'Sold', event_id: `${n}` } })),
    )
    expect(new Set(recorded.map(({ status }) => status))).toEqual(new Set([202]))
    await expect.poll(() => new Set(receiver.events.map(({ data }) => data.email)).size).toBe(people.length)
    // A job folds the events into their month.
    const folded = `select from events where name = 'Sold'`
    await expect.poll(async () => (await db.direct.query(folded)).rowCount).toBe(people.length)
    expect(await stop(served)).toBe(0)
    expect(served.err()).toBe('')
  })
})
