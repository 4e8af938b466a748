// /readyz and /metrics answer in time even when PostgreSQL hangs, and /readyz sees a full disk.
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { beforeAll, expect, it } from 'vitest'
import { type Answer, type TestApp, testApp } from '#test/support/app.ts'
import { emptyFolder } from '#test/support/processes/process.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

/**
 * Locks a table and requests `path` until an answer fulfils `isExpected`. `waiting` is the largest number of statements
 * that waited for the lock at the same time.
 */
async function whileLocked(
  table: string,
  path: string,
  isExpected: (answer: Answer) => boolean,
): Promise<{ answer: Answer; waiting: number }> {
  const locker = new pg.Client(app.connection)
  await locker.connect()
  await locker.query(`begin; lock table ${table} in access exclusive mode`)
  const requests: Promise<unknown>[] = []
  const answers: Answer[] = []
  let waiting = 0
  let answer: Answer | undefined
  while (!answer) {
    requests.push(app.get(path).then(response => answers.push(response)))
    const { rows } = await locker.query(
      // Without autovacuum, which can wait for the lock too.
      `select count(*)::int as count from pg_locks join pg_stat_activity using (pid)
       where relation = '${table}'::regclass and datname = current_database() and not granted
         and backend_type = 'client backend'`,
    )
    waiting = Math.max(waiting, rows[0].count)
    await sleep(100)
    answer = answers.find(isExpected)
  }
  await locker.end()
  await Promise.all(requests)
  return { answer, waiting }
}

it('/readyz answers 503 within seconds while its write hangs, runs one write at a time, and answers 200 afterwards', async () => {
  expect((await app.get('/readyz')).status).toBe(200)
  const { answer, waiting } = await whileLocked(
    'readiness_checks',
    '/readyz',
    response => response.status !== 200,
  )
  expect([answer.status, answer.body.error.code, waiting]).toEqual([503, 'unavailable', 1])
  await expect.poll(async () => (await app.get('/readyz')).status).toBe(200)
}, 10_000)

/** Calls `test` with a disk of 64 MB. False where only an administrator can have one, or none at all. */
async function withSmallDisk(test: (folder: string) => Promise<void>): Promise<boolean> {
  const folder = await emptyFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return false
  }
  try {
    await test(folder)
  } finally {
    execFileSync('umount', ['--lazy', folder])
  }
  return true
}

it('/readyz answers 503 while the disk of the data folder is full', async context => {
  const isTested = await withSmallDisk(async folder => {
    const small = await testApp({ env: { SIGNOFF_DATA_DIR: folder } })
    const readiness = async () => (await small.get('/readyz')).body
    expect(await readiness()).toEqual({ status: 'ok' })
    writeFileSync(join(folder, 'large'), Buffer.alloc(40 * 1024 ** 2))
    await expect.poll(readiness).toMatchObject({
      error: { code: 'unavailable', message: 'The disk of the data folder is full.' },
    })
    rmSync(join(folder, 'large'))
    await expect.poll(readiness).toEqual({ status: 'ok' })
  })
  if (!isTested) context.skip()
})

it('/metrics leaves out the job counts while PostgreSQL does not answer', async () => {
  const jobs = /^signoff_jobs\{state="waiting"\} \d+$/m
  await expect.poll(async () => (await app.get('/metrics')).text).toMatch(jobs)
  const { answer, waiting } = await whileLocked(
    'graphile_worker._private_jobs',
    '/metrics',
    response => !jobs.test(response.text),
  )
  expect([answer.status, waiting]).toEqual([200, 1])
  expect(answer.text).toContain('signoff_database_connections{state="open"}')
  await expect.poll(async () => (await app.get('/metrics')).text).toMatch(jobs)
}, 10_000)

it('/metrics reports a low delay for an idle event loop', async () => {
  const median = async () => {
    const { text } = await app.get('/metrics')
    return Number(/signoff_event_loop_delay_seconds\{quantile="0.5"\} (\S+)/.exec(text)?.[1])
  }
  await expect.poll(median).toBeLessThan(0.005)
})
