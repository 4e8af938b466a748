// Many addresses, several workers, and kill -9 in between: everything arrives, in its newest form.
import { beforeAll, describe, expect, it } from 'vitest'
import { insertIntegration, saveSecret } from '#features/integrations/index.ts'
import { sql } from '#kernel/db.ts'
import { createVault } from '#platform/secrets.ts'
import { type TestApp, testApp } from './support/app.ts'
import { type Google, startGoogle } from './support/google.ts'
import { urlOf } from './support/postgres.ts'
import { type Run, run } from './support/process.ts'

const people = 600
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
const mailbox = (n: number) => google.users.get(addressOf(n))?.get(addressOf(n)) ?? ''

const saying = (words: string) => ({
  type: 'stack',
  children: [{ type: 'text', tokens: [{ value: `${words} ` }, { smartFieldUuid: firstName }] }],
})

describe('workers that are killed again and again', () => {
  it('leave every mailbox with the newest version, written no more often than it must be', async () => {
    const made = await app.post('/v1/signatures', { signature: { name: 'All', draft_content: saying('v1') } })
    const id = made.body.data.id
    const conditions = [[{ smart_field_id: firstName, operator: 'is_set' }]]
    await app.call('PUT', `/v1/signatures/${id}/recipient_rules`, { body: { conditions } })
    expect((await app.post(`/v1/signatures/${id}/publish`)).status).toBe(200)
    expect(google.sent.size).toBe(0) // the work is done elsewhere

    const work = (): Run => run(['work'], { env: { ...env, DATABASE_URL: urlOf(app.connection) } })
    const workers = [work(), work()]
    let crashes = 0
    const written = () => [...google.sent.values()].reduce((sum, one) => sum + one.length, 0)
    const killSome = async (count: number) => {
      // In the midst of it, at any moment.
      const some = written() + 1 + Math.floor(Math.random() * 60)
      await expect.poll(written, { interval: 5 }).toBeGreaterThanOrEqual(some)
      const killed = workers.splice(0, count)
      for (const { child } of killed) child.kill('SIGKILL')
      await Promise.all(killed.map(one => one.ended))
      crashes += count
    }
    const versions = 3
    for (let version = 2; version <= versions; version++) {
      await killSome(1)
      workers.push(work())
      await killSome(2)
      // Their claims run out after half a minute; it is over now.
      await app.db.query(sql`update mailboxes set claimed_until = now() where claimed_until is not null`)
      await app.db.query(sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`)
      workers.push(work(), work())
      await app.patch(`/v1/signatures/${id}`, { signature: { draft_content: saying(`v${version}`) } })
      await app.post(`/v1/signatures/${id}/publish`)
    }
    await expect
      .poll(
        () =>
          Array.from({ length: people }, (_, n) => mailbox(n)).filter(html =>
            html.includes(`v${versions} Person`),
          ).length,
        { interval: 200 },
      )
      .toBe(people)
    const left = async () =>
      (await app.get(`/v1/installations?limit=1&status=pending`)).body.pagination.total_count
    // The personal pages wait for people; everything else is settled.
    await expect.poll(left, { interval: 200 }).toBe(people)
    for (const worker of workers) {
      worker.child.kill('SIGTERM')
      expect(await worker.ended).toBe(0)
    }
    expect(crashes).toBe(6)
    for (let n = 0; n < people; n++) {
      expect(mailbox(n)).toContain(`v${versions} Person ${n}<`)
      expect(google.sent.get(addressOf(n))?.length).toBeLessThanOrEqual(versions + crashes)
    }
    expect(google.faults).toEqual([])
  })
})
