import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { sql } from './db.ts'
import { enqueue, rescueJobs, startWorker, type Worker } from './jobs.ts'

let app: TestApp
let worker: Worker
beforeAll(async () => {
  app = await testApp()
})
afterEach(() => worker.stop(2_000))

const lines: string[] = []
const stream = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk))
    done()
  },
})

it('a worker that cannot record completed jobs starts again, and works on', async () => {
  const done: string[] = []
  const slow = Promise.withResolvers<void>()
  const job = {
    name: 'test.job',
    async run(payload: unknown) {
      const { id } = payload as { readonly id: string }
      if (id.startsWith('slow')) await slow.promise
      done.push(id)
    },
  }
  // Completions that happen together are one statement, which can fail, for example by a deadlock.
  await app.db.query(sql`
    create function refuse() returns trigger language plpgsql as $$ begin perform pg_sleep(0.5); raise exception 'deadlock detected'; end $$`)
  await app.db.query(
    sql`create trigger refuse before delete on graphile_worker._private_jobs for each row execute function refuse()`,
  )
  for (const id of ['slow 1', 'slow 2', 'slow 3', 'quick', 'waits 1', 'waits 2'])
    await app.db.query(enqueue('test.job', { id }))
  const log = pino({ level: 'debug' }, stream)
  worker = startWorker({ pool: app.db.direct, jobs: [job], concurrency: 4, log })
  await expect.poll(() => lines.join('')).toContain('Failed to complete job')
  slow.resolve()
  await app.db.query(sql`drop trigger refuse on graphile_worker._private_jobs`)
  await app.db.query(enqueue('test.job', { id: 'later' }))
  await expect.poll(() => done).toContain('later')
  // The jobs whose completion failed are worked again, and then completed.
  const left = sql`select from graphile_worker.jobs where task_identifier = 'test.job'`
  await expect.poll(async () => (await app.db.query(left)).length).toBe(0)
})

it('a job that PostgreSQL gave to a worker with an answer that was lost is run again', async () => {
  const done: string[] = []
  const ids: string[] = []
  const owner = sql`select locked_by as id from graphile_worker.jobs where task_identifier = 'test.owner'`
  const jobs = [
    {
      name: 'test.owner',
      run: async () => void ids.push((await app.db.query<{ id: string }>(owner))[0]?.id ?? ''),
    },
    { name: 'test.lost', run: async () => void done.push('lost') },
  ]
  worker = startWorker({ pool: app.db.direct, jobs, concurrency: 4, log: pino({ level: 'silent' }) })
  await app.db.query(enqueue('test.owner', {}))
  await expect.poll(() => ids.length).toBe(1)
  await app.db.query(enqueue('test.lost', {}, null, new Date(Date.now() + 3_600_000)))
  await app.db.query(sql`
    update graphile_worker._private_jobs set locked_by = ${ids[0]}, locked_at = now(), run_at = now()
    where id = (select id from graphile_worker.jobs where task_identifier = 'test.lost')`)
  const restart = sql`
    select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
  await app.db.query(restart)
  await expect.poll(() => done).toEqual(['lost'])
})

it('a rescue takes no job from a worker that is starting', async () => {
  const started: string[] = []
  const release = Promise.withResolvers<void>()
  const job = {
    name: 'test.once',
    async run() {
      started.push('once')
      await release.promise
    },
  }
  // The worker has claimed a job, and does not yet hold the lock that says that it lives.
  const connect = async () => {
    if (started.length > 0) await sleep(1_000)
    return app.db.direct.connect()
  }
  const pool = new Proxy(app.db.direct, {
    get(direct, name) {
      if (name === 'connect') return connect
      const value = Reflect.get(direct, name, direct)
      return typeof value === 'function' ? value.bind(direct) : value
    },
  })
  await app.db.query(enqueue('test.once', {}))
  worker = startWorker({ pool, jobs: [job], concurrency: 4, log: pino({ level: 'silent' }) })
  await expect.poll(() => started).toEqual(['once'])
  await rescueJobs(app.db.direct)
  const claimed = sql`select from graphile_worker.jobs where task_identifier = 'test.once' and locked_by is not null`
  expect(await app.db.query(claimed)).toHaveLength(1)
  release.resolve()
  await expect.poll(async () => (await app.db.query(claimed)).length).toBe(0)
})
