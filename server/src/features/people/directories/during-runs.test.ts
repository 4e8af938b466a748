// What requests change while a run reads the directory.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import type { Google } from '#test/support/directories/google.ts'
import type { FakeUser } from '#test/support/directories/google-directory.ts'
import { addUser, connectGoogle, startDirectory, syncNow } from '#test/support/directories/google-people.ts'
import { runAllJobs, runJob } from '#test/support/jobs.ts'
import { lockWaits } from '#test/support/postgres/lock-waits.ts'
import { createSignature } from '#test/support/signatures.ts'
import { fieldIds } from '#test/support/world.ts'

let app: TestApp
let google: Google
let id = ''
const people: FakeUser[] = []
const user = (n: number) => people[n] as FakeUser

beforeAll(async () => {
  app = await testApp()
  google = await startDirectory()
  google.directory.largestPage = 2
  id = await connectGoogle(app, google, { grace_days: 0 })
  for (const name of ['a0', 'a1', 'b0', 'b1']) people.push(addUser(google, name))
  await syncNow(app)
})
beforeEach(() => {
  google.holdAnswer = async () => undefined
})

const integration = async () => (await app.get(`/v1/integrations/${id}`)).body.data
const teammateWith = async (address: string) =>
  (await app.get(`/v1/teammates?search=${encodeURIComponent(address)}`)).body.data[0]
const titleOf = async (name: string) =>
  (await teammateWith(`${name}@example.com`))?.smart_fields.find(
    ({ label }: { label: string }) => label === 'Job title',
  )?.value
const mapTitle = async (integration_attribute: string) => {
  const { job_title } = await fieldIds(app)
  const answer = await app.patch(`/v1/smart_fields/${job_title}`, { integration_attribute })
  expect(answer.status).toBe(200)
}

/** Calls `change` once, after the first page of people was written and before the second one is answered. */
function betweenPages(change: () => Promise<unknown>): void {
  let isDone = false
  google.holdAnswer = async url => {
    if (isDone || !url.includes('/users?') || !url.includes('pageToken')) return
    isDone = true
    await change()
  }
}

/** Runs only the job of the directory. Returns the run. */
async function readDirectory() {
  const started = await app.post('/v1/teammates/sync', {})
  await runJob(app, 'directories.sync', { integration_id: id })
  return (await app.get(`/v1/sync_runs/${started.body.data.id}`)).body.data
}

describe('another mapping', () => {
  it('is followed by the rest of the run', async () => {
    for (const item of people) item.department = 'Sales'
    betweenPages(async () => {
      await mapTitle('organizations.department')
      await runJob(app, 'directories.remap', { integration_id: id })
    })
    expect(await readDirectory()).toMatchObject({ status: 'succeeded', people_seen: 4 })
    const titles = await Promise.all(['a0', 'a1', 'b0', 'b1'].map(titleOf))
    expect(titles).toEqual(['Sales', 'Sales', 'Sales', 'Sales'])
    await runAllJobs(app)
  })

  it('is filled after a batch that began before it', async () => {
    for (const item of people) item.title = 'Director'
    const blocked = await teammateWith('b0@example.com')
    const gate = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const blocker = app.db.transaction(async tx => {
      await tx.query(
        sql`select from teammates where workspace_id = ${app.id} and id = ${blocked.id} for update`,
      )
      locked.resolve()
      await gate.promise
    })
    await locked.promise
    addUser(google, 'b2')
    google.directory.largestPage = 3
    const started = await app.post('/v1/teammates/sync', {})
    const sync = runJob(app, 'directories.sync', { integration_id: id })
    const waitUntilBlocked = (sessions: number) =>
      expect.poll(() => lockWaits(app.db), { interval: 20 }).toBe(sessions)
    await waitUntilBlocked(1)
    await mapTitle('organizations.title')
    const remap = runJob(app, 'directories.remap', { integration_id: id })
    await waitUntilBlocked(2)
    gate.resolve()
    await Promise.all([blocker, sync, remap])
    google.directory.largestPage = 2
    expect((await app.get(`/v1/sync_runs/${started.body.data.id}`)).body.data.status).toBe('succeeded')
    expect([await titleOf('b0'), await titleOf('b2')]).toEqual(['Director', 'Engineer'])
    await runAllJobs(app)
  })
})

describe('drives_teammates: false', () => {
  it('is obeyed by the rest of the run, and the next run reads everything', async () => {
    const drive = (drives_teammates: boolean) =>
      app.patch(`/v1/integrations/${id}`, { settings: { drives_teammates } })
    google.directory.users.delete(user(1).id)
    addUser(google, 'c0')
    betweenPages(async () => expect((await drive(false)).status).toBe(200))
    const run = await syncNow(app)
    expect(run).toMatchObject({ status: 'succeeded', people_added: 0, people_missing: 0, people_removed: 0 })
    expect(await teammateWith('c0@example.com')).toBeUndefined()
    expect((await teammateWith('a1@example.com')).active).toBe(true)
    const [stored] = await app.db.query(sql`
      select cursor, next_sync_at <= now() as is_due from integrations where id = ${id}`)
    expect(stored).toEqual({ cursor: null, is_due: true })
    expect(await syncNow(app)).toMatchObject({ people_added: 0, people_removed: 0 })
    await drive(true)
    google.directory.users.set(user(1).id, user(1))
    expect(await syncNow(app)).toMatchObject({ people_added: 1, people_removed: 0 })
  })

  it('removes no person whose grace is over', async () => {
    await app.patch(`/v1/integrations/${id}`, { settings: { grace_days: 1 } })
    google.directory.users.delete(user(1).id)
    expect(await syncNow(app)).toMatchObject({ people_missing: 1 })
    await app.patch(`/v1/integrations/${id}`, { settings: { grace_days: 0, drives_teammates: false } })
    expect(await syncNow(app)).toMatchObject({ people_removed: 0 })
    expect(await teammateWith('a1@example.com')).toBeDefined()
    google.directory.users.set(user(1).id, user(1))
    await app.patch(`/v1/integrations/${id}`, { settings: { drives_teammates: true } })
    expect(await syncNow(app)).toMatchObject({ people_removed: 0, people_added: 0 })
  })
})

describe('the approval of a held run', () => {
  it('counts in a run that is running, and the leavers leave', async () => {
    const leaving = Array.from({ length: 12 }, (_, n) => addUser(google, `z${n}`))
    await syncNow(app)
    const before = (await integration()).people_count
    for (const item of leaving) google.directory.users.delete(item.id)
    const held = await syncNow(app)
    expect(held).toMatchObject({ status: 'held', people_held: 12 })
    betweenPages(async () =>
      expect((await app.post(`/v1/sync_runs/${held.id}/approve`)).body.data.status).toBe('approved'),
    )
    expect(await readDirectory()).toMatchObject({ status: 'succeeded', people_held: 0, people_missing: 0 })
    expect(await integration()).toMatchObject({ status: 'active', error_message: null, held_run_id: null })
    await runAllJobs(app)
    const after = (await app.get(`/v1/sync_runs/${held.id}`)).body.data
    expect(after).toMatchObject({ status: 'approved', people_missing: 12, people_removed: 12 })
    expect((await integration()).people_count).toBe(before - 12)
    expect(await syncNow(app)).toMatchObject({ status: 'succeeded', people_missing: 0, people_removed: 0 })
  })

  it('counts for a group in use that was emptied, too', async () => {
    const members = new Set(people.map(item => item.id))
    google.directory.groups.set('g1', { id: 'g1', email: 'team@example.com', name: 'Team', members })
    await app.db.query(sql`update integrations set cursor = null`)
    await syncNow(app)
    const team = async () =>
      (await app.get('/v1/integration_entities?limit=100')).body.data.find(
        ({ sub_kind }: { sub_kind: string }) => sub_kind === 'group',
      )
    const signature = (await createSignature(app)).body.data.id
    const entities = { integration_entity_ids: [(await team()).id] }
    await app.post(`/v1/signatures/${signature}/integration_entities`, entities)
    members.clear()
    const held = await syncNow(app)
    expect(held).toMatchObject({ status: 'held', members_held: 4 })
    betweenPages(() => app.post(`/v1/sync_runs/${held.id}/approve`))
    expect(await readDirectory()).toMatchObject({ status: 'succeeded', members_held: 0 })
    expect(await integration()).toMatchObject({ status: 'active', held_run_id: null })
    await runAllJobs(app)
    expect((await team()).teammates_count).toBe(0)
  })
})

describe('a run that reads everything', () => {
  it('says so while it is running', async () => {
    let kind = ''
    betweenPages(async () => {
      kind = (await app.get('/v1/sync_runs?limit=1')).body.data[0].kind
    })
    const started = await app.post('/v1/teammates/sync', {})
    await runJob(app, 'directories.sync', { integration_id: id })
    expect([started.body.data.kind, kind]).toEqual(['full', 'full'])
  })
})
