// Many addresses, several workers, and kill -9 in between: every mailbox gets the newest version.
// @module-tag deep
import { beforeAll, describe, expect, it } from 'vitest'
import { insertIntegration, saveSecret } from '#features/workspace/integrations/index.ts'
import { sql } from '#kernel/db/db.ts'
import { createVault } from '#platform/secrets.ts'
import { type TestApp, testApp } from './support/app.ts'
import { type Google, startGoogle } from './support/directories/google.ts'
import { urlOf } from './support/postgres/postgres.ts'
import { type Run, run } from './support/processes/process.ts'
import { runs } from './support/runs.ts'

const people = 200
const env = {
  SIGNOFF_SECRET_KEYS: Buffer.alloc(32, 7).toString('base64'),
  SIGNOFF_JOB_CONCURRENCY: '4',
}

let app: TestApp
let google: Google
let firstName: string
beforeAll(async () => {
  app = await testApp({ env })
  google = await startGoogle()
  const { body } = await app.get('/v1/smart_fields?limit=100')
  firstName = body.data.find((field: { key: string }) => field.key === 'first_name').id
  const id = await insertIntegration(app.db, app.by, {
    kind: 'google_workspace',
    name: 'Gmail',
    dashboardUrl: null,
    drivesTeammates: false,
    settings: { api: google.api, token_uri: google.tokenUri },
  })
  await saveSecret(app.db, app.id, id, await createVault(app.config).seal(google.keyFile, id))
  const teammates = Array.from({ length: people }, (_, n) => ({
    email: addressOf(n),
    smart_fields: [{ smart_field_id: firstName, value: `Person ${n}` }],
  }))
  const imported = await app.post('/v1/teammates/import', { teammates })
  expect(imported.body.data.created).toBe(people)
  for (const { email } of teammates) google.users.set(email, new Map([[email, '']]))
})

const addressOf = (n: number) => `p${n}@example.com`
const mailboxOf = (n: number) => google.users.get(addressOf(n))?.get(addressOf(n)) ?? ''

const contentWith = (words: string) => ({
  type: 'stack',
  children: [{ type: 'text', tokens: [{ value: `${words} ` }, { smartFieldUuid: firstName }] }],
})

describe('workers that are killed repeatedly', () => {
  it('deliver the newest version to every mailbox, without needless writes', async () => {
    const created = await app.post('/v1/signatures', {
      signature: { name: 'All', draft_content: contentWith('v1') },
    })
    const id = created.body.data.id
    const conditions = [[{ smart_field_id: firstName, operator: 'is_set' }]]
    await app.call('PUT', `/v1/signatures/${id}/recipient_rules`, { body: { conditions } })
    expect((await app.post(`/v1/signatures/${id}/publish`)).status).toBe(200)
    expect(google.sent.size).toBe(0) // only workers deliver, not the API process

    const startWorker = (): Run => run(['work'], { env: { ...env, DATABASE_URL: urlOf(app.connection) } })
    const workers = [startWorker(), startWorker()]
    let crashes = 0
    const written = () => [...google.sent.values()].reduce((sum, htmls) => sum + htmls.length, 0)
    const killSome = async (count: number) => {
      // At a random moment during delivery.
      const threshold = written() + 1 + Math.floor(Math.random() * 40)
      await expect.poll(written, { interval: 5 }).toBeGreaterThanOrEqual(threshold)
      const killed = workers.splice(0, count)
      for (const { child } of killed) child.kill('SIGKILL')
      await Promise.all(killed.map(worker => worker.ended))
      // The next worker unlocks the jobs of dead workers when it starts: PostgreSQL must have noticed by then.
      const pids = killed.map(({ child }) => `%(process ${child.pid})`)
      const sessions = sql`select from pg_stat_activity where application_name like any(${pids})`
      await expect.poll(async () => (await app.db.query(sessions)).length, { interval: 20 }).toBe(0)
      crashes += count
      // The claims of killed workers expire after 30 s; expire them now.
      await app.db.query(sql`update mailboxes set claimed_until = now() where claimed_until is not null`)
      await app.db.query(sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`)
    }
    const versions = 1 + runs(1)
    for (let version = 2; version <= versions; version++) {
      await killSome(1)
      workers.push(startWorker())
      await killSome(2)
      workers.push(startWorker(), startWorker())
      await app.patch(`/v1/signatures/${id}`, { signature: { draft_content: contentWith(`v${version}`) } })
      await app.post(`/v1/signatures/${id}/publish`)
    }
    await expect
      .poll(
        () =>
          Array.from({ length: people }, (_, n) => mailboxOf(n)).filter(html =>
            html.includes(`v${versions} Person`),
          ).length,
        { interval: 200 },
      )
      .toBe(people)
    const countPending = async () =>
      (await app.get(`/v1/installations?limit=1&status=pending`)).body.pagination.total_count
    // One personal page per person stays pending until the person copies it; all deliveries are done.
    await expect.poll(countPending, { interval: 200 }).toBe(people)
    for (const worker of workers) {
      worker.child.kill('SIGTERM')
      expect(await worker.ended).toBe(0)
    }
    expect(crashes).toBe(3 * (versions - 1))
    for (let n = 0; n < people; n++) {
      expect(mailboxOf(n)).toContain(`v${versions} Person ${n}<`)
      expect(google.sent.get(addressOf(n))?.length).toBeLessThanOrEqual(versions + crashes)
    }
    expect(google.faults).toEqual([])
  })
})
