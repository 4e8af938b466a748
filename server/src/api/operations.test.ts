// What an operator looks at answers in time, whatever PostgreSQL does.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { beforeAll, expect, it } from 'vitest'
import { type Answer, type TestApp, testApp } from '#test/support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

/** Asks again and again while a table is locked, until an answer tells so. `waiting` statements waited for it at most. */
async function whileLocked(
  table: string,
  path: string,
  tells: (answer: Answer) => boolean,
): Promise<{ answer: Answer; waiting: number }> {
  const locker = new pg.Client(app.connection)
  await locker.connect()
  await locker.query(`begin; lock table ${table} in access exclusive mode`)
  const asked: Promise<unknown>[] = []
  const answers: Answer[] = []
  let waiting = 0
  let answer: Answer | undefined
  while (!answer) {
    asked.push(app.get(path).then(got => answers.push(got)))
    const { rows } = await locker.query(
      `select count(*)::int as count from pg_locks where relation = '${table}'::regclass and not granted`,
    )
    waiting = Math.max(waiting, rows[0].count)
    await sleep(100)
    answer = answers.find(tells)
  }
  await locker.end()
  await Promise.all(asked)
  return { answer, waiting }
}

it('/readyz is 503 soon while a write hangs, makes one write at a time, and is 200 afterwards', async () => {
  expect((await app.get('/readyz')).status).toBe(200)
  const { answer, waiting } = await whileLocked('readiness_checks', '/readyz', got => got.status !== 200)
  expect([answer.status, answer.body.error.code, waiting]).toEqual([503, 'unavailable', 1])
  await expect.poll(async () => (await app.get('/readyz')).status).toBe(200)
}, 10_000)

it('/metrics leaves out soon what PostgreSQL does not tell', async () => {
  const jobs = /^signoff_jobs\{state="waiting"\} \d+$/m
  await expect.poll(async () => (await app.get('/metrics')).text).toMatch(jobs)
  const { answer, waiting } = await whileLocked(
    'graphile_worker._private_jobs',
    '/metrics',
    got => !jobs.test(got.text),
  )
  expect([answer.status, waiting]).toEqual([200, 1])
  expect(answer.text).toContain('signoff_database_connections{state="open"}')
  await expect.poll(async () => (await app.get('/metrics')).text).toMatch(jobs)
}, 10_000)

it('/metrics tells of an event loop that is idle that it is hardly late', async () => {
  const median = async () => {
    const { text } = await app.get('/metrics')
    return Number(/signoff_event_loop_delay_seconds\{quantile="0.5"\} (\S+)/.exec(text)?.[1])
  }
  await expect.poll(median).toBeLessThan(0.005)
})
