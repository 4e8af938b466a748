// Campaigns that start while workers are killed: each starts once, and each person gets at most one mail.
// @module-tag deep
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, testApp } from './support/app.ts'
import { type MailServer, startMailServer } from './support/mail/mail.ts'
import { urlOf } from './support/postgres/postgres.ts'
import { type Run, run, stop, work } from './support/processes/process.ts'
import { createSignature, stack, text } from './support/signatures.ts'

const people = 60
let app: TestApp
let server: MailServer

beforeAll(async () => {
  server = await startMailServer()
  app = await testApp({ env: { SIGNOFF_SMTP_URL: server.url } })
  const teammates = Array.from({ length: people }, (_, n) => ({ email: `p${n}@example.com` }))
  const { body } = await app.post('/v1/teammates/import', { teammates })
  expect(body.data.created).toBe(people)
  const fields = (await app.get('/v1/smart_fields?limit=100')).body.data
  const smart_field_id = fields.find((field: { key: string }) => field.key === 'email').id
  const created = await createSignature(app, { draft_content: stack(text('Own'), { type: 'marketing' }) })
  const id = created.body.data.id
  const conditions = [[{ smart_field_id, operator: 'is_set' }]]
  await app.call('PUT', `/v1/signatures/${id}/recipient_rules`, { body: { conditions } })
  await app.post(`/v1/signatures/${id}/publish`)
})

async function schedule(start: Date): Promise<string> {
  const { body } = await app.post('/v1/marketing_campaigns', {
    marketing_campaign: {
      name: 'Fair',
      send_email: true,
      content: stack(text('Come')),
      start_time: start.toISOString(),
    },
  })
  const path = `/v1/marketing_campaigns/${body.data.id}`
  expect((await app.post(`${path}/schedule`)).body.data.status).toBe('scheduled')
  return path
}

/** Creates a campaign that starts soon: the delay is a multiple of the time this machine needs to schedule one. */
async function createDueCampaign(): Promise<{ readonly path: string; readonly start: Date }> {
  const began = Date.now()
  await app.del(await schedule(new Date(began + 3_600_000)))
  const start = new Date(Date.now() + 200 + 10 * (Date.now() - began))
  return { path: await schedule(start), start }
}
const countDueJobs = async (): Promise<number | undefined> => {
  const [row] = await app.db.query<{ n: number }>(sql`
    select count(*)::int as n from graphile_worker.jobs
    where task_identifier like 'campaign%' and key not like 'campaigns.turn_all%' and run_at < now() + interval '30 minutes'`)
  return row?.n
}
const statusOf = async (path: string): Promise<string> => (await app.get(path)).body.data.status
const startsOf = async (path: string): Promise<number> => {
  const { body } = await app.get(`/v1/audit_log?limit=100&resource_id=${path.split('/').at(-1)}`)
  return body.data.filter((entry: { action: string }) => entry.action === 'marketing_campaign.started').length
}
const environment = () => ({
  DATABASE_URL: urlOf(app.connection),
  SIGNOFF_SMTP_URL: server.url,
  SIGNOFF_DATA_DIR: app.config.dataDir,
  SIGNOFF_JOB_CONCURRENCY: '4',
})
const startWorker = (): Run => run(['work'], { env: environment() })
/** Starts a worker and waits until it takes jobs. `took` shows how fast this machine is. */
async function startReadyWorker(): Promise<{ readonly worker: Run; readonly took: number }> {
  const began = Date.now()
  return { worker: await work({ env: environment() }), took: Date.now() - began }
}
/** A worker finds a due start within four seconds. Starting the campaign takes less time than starting a process. */
const maxDelay = (took: number): number => 4_000 + took

describe('a campaign that is due', () => {
  /** Workers that a test leaves running for the next one. */
  let running: readonly Awaited<ReturnType<typeof startReadyWorker>>[]

  it('starts within five seconds, once, with two processes', async () => {
    const workers = await Promise.all([startReadyWorker(), startReadyWorker()])
    running = workers
    const { path, start } = await createDueCampaign()
    await expect.poll(() => statusOf(path), { interval: 50 }).toBe('active')
    expect(Date.now() - start.getTime()).toBeLessThan(maxDelay(workers[0].took))
    await expect.poll(() => server.mails.length).toBe(people)
    await expect.poll(countDueJobs).toBe(0)
    expect(await startsOf(path)).toBe(1)
    expect(new Set(server.mails.map(mail => mail.to)).size).toBe(people)
    expect(server.mails).toHaveLength(people)
  })

  it('starts once and mails each person at most once, even if workers are killed', async () => {
    server.mails.length = 0
    server.answer = () => sleep(20)
    const { path } = await createDueCampaign()
    // A mail that was begun when its worker was killed has arrived or not; no worker begins it again.
    let kills = 0
    for (const startWorkers of [() => running.map(({ worker }) => worker), () => [startWorker()]]) {
      const workers = startWorkers()
      // At a random moment while mails are sent.
      const threshold = server.mails.length + 1 + Math.floor(Math.random() * 10)
      const isInProgress = async () => server.mails.length >= threshold || (await countDueJobs()) === 0
      await expect.poll(isInProgress, { interval: 20 }).toBe(true)
      for (const { child } of workers) child.kill('SIGKILL')
      await Promise.all(workers.map(worker => worker.ended))
      kills += workers.length
    }
    const lastWorker = startWorker()
    await expect.poll(countDueJobs).toBe(0)
    await stop(lastWorker)
    expect(await startsOf(path)).toBe(1)
    const mailed = server.mails.map(mail => mail.to)
    expect(new Set(mailed).size).toBe(mailed.length)
    // At most the mails in progress at each kill are missing: four of each worker.
    expect(mailed.length).toBeGreaterThanOrEqual(people - kills * 4)
    const [{ n } = { n: 0 }] = await app.db.query<{ n: number }>(sql`
      select count(*)::int as n from campaign_mails where campaign_id = ${path.split('/').at(-1)} and begun_at is not null`)
    expect(n).toBe(people)
  })

  it('starts once even if its workers are killed in the middle of the start', async () => {
    server.mails.length = 0
    server.answer = async () => undefined
    const { path } = await createDueCampaign()
    const blocker = await app.db.pg.connect()
    await blocker.query('begin; lock table audit_log in access exclusive mode')
    const pair = [startWorker(), startWorker()]
    const isStarting = async () => {
      const [row] = await app.db.query<{ n: number }>(sql`
        select count(*)::int as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%update marketing_campaigns%'`)
      return row?.n ?? 0
    }
    await expect.poll(isStarting, { interval: 50 }).toBeGreaterThan(0)
    for (const { child } of pair) child.kill('SIGKILL')
    await Promise.all(pair.map(worker => worker.ended))
    await blocker.query('rollback')
    blocker.release()
    running = [await startReadyWorker()]
    await expect.poll(() => statusOf(path), { interval: 50 }).toBe('active')
    await expect.poll(() => server.mails.length).toBe(people)
    await expect.poll(countDueJobs).toBe(0)
    expect(await startsOf(path)).toBe(1)
    expect(new Set(server.mails.map(mail => mail.to)).size).toBe(people)
  })

  it('does not wait for other jobs', async () => {
    server.mails.length = 0
    let waitingMails = 0
    server.answer = () => new Promise(() => void waitingMails++) // a mail server that never answers
    const [{ worker: slow, took }] = running as [Awaited<ReturnType<typeof startReadyWorker>>]
    const { path } = await createDueCampaign()
    await expect.poll(() => waitingMails).toBeGreaterThanOrEqual(4) // all job slots of the worker are busy
    const { path: next, start } = await createDueCampaign()
    await expect.poll(() => statusOf(next), { interval: 50 }).toBe('active')
    expect(Date.now() - start.getTime()).toBeLessThan(maxDelay(took))
    slow.child.kill('SIGKILL')
    await slow.ended
    for (const campaignPath of [path, next]) await app.del(campaignPath)
  })

  it('ends without starting if no worker ran between its start and its end', async () => {
    server.mails.length = 0
    server.answer = async () => undefined
    const { path, start } = await createDueCampaign()
    const end = start.getTime() + 300
    await app.patch(path, { marketing_campaign: { end_time: new Date(end).toISOString() } })
    await expect.poll(() => Date.now() > end).toBe(true)
    expect(await statusOf(path)).toBe('scheduled')
    const lateWorker = startWorker()
    await expect.poll(() => statusOf(path), { interval: 50 }).toBe('ended')
    await stop(lateWorker)
    expect(await startsOf(path)).toBe(0)
    expect(server.mails).toEqual([])
  })
})
