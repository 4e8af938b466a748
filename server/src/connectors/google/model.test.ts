// Random changes of a directory, in rounds with failures and crashes in the middle. After each run that ended, people,
// values, groups, members and recipients are those of the directory.
// @module-tag random
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import type { Google } from '#test/support/directories/google.ts'
import type { FakeUser } from '#test/support/directories/google-directory.ts'
import { addUser, connectGoogle, startDirectory } from '#test/support/directories/google-people.ts'
import { runAllJobs, runJob } from '#test/support/jobs.ts'
import { urlOf } from '#test/support/postgres/postgres.ts'
import { run } from '#test/support/processes/process.ts'
import { runs } from '#test/support/runs.ts'
import { createSignature } from '#test/support/signatures.ts'

const env = { SIGNOFF_SECRET_KEYS: Buffer.alloc(32, 7).toString('base64') }
/** SIGNOFF_TEST_SEED=random tries other changes. */
const modelSeed = process.env.SIGNOFF_TEST_SEED === 'random' ? Date.now() : 19
let app: TestApp
let google: Google
let integrationId = ''
let department = ''
const bySignature = { rule: '', group: '' }

beforeAll(async () => {
  app = await testApp({ env })
  google = await startDirectory()
  integrationId = await connectGoogle(app, google, { grace_days: 0 })
  for (let n = 0; n < 60; n++) addUser(google, `first${n}`)
  const { body } = await app.get('/v1/smart_fields?limit=100')
  department = body.data.find(({ key }: { key: string }) => key === 'department').id
})

/** Chooses by numbers that fast-check makes. */
class Chooser {
  readonly #numbers: readonly number[]
  #next = 0
  constructor(numbers: readonly number[]) {
    this.#numbers = numbers
  }
  below(limit: number): number {
    return (this.#numbers[this.#next++ % this.#numbers.length] ?? 0) % Math.max(limit, 1)
  }
  of<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)]
  }
}

const synced = new Set<string>()
const deleted = new Map<string, FakeUser>()
let made = 0
const freshName = () => `n${++made}`
const isTaken = (address: string) =>
  [...google.directory.users.values()].some(
    ({ primaryEmail, aliases }) => primaryEmail === address || aliases.includes(address),
  )

const users = () => [...google.directory.users.values()]
const groups = () => [...google.directory.groups.values()]
const units = () => [...google.directory.units.values()]

/** A path under another one, after an org unit was renamed. */
function moveUnit(from: string, to: string): void {
  const moved = (path: string) =>
    path === from || path.startsWith(`${from}/`) ? `${to}${path.slice(from.length)}` : path
  for (const unit of units()) unit.path = moved(unit.path)
  for (const user of users()) user.orgUnitPath = moved(user.orgUnitPath)
}

type Edit = (choose: Chooser, user: FakeUser) => void
const edits: readonly Edit[] = [
  () => addUser(google, freshName()),
  () => addUser(google, freshName()),
  (choose, user) => {
    user.title = `Title ${choose.below(5)}`
  },
  (choose, user) => {
    user.department = choose.of(['Sales', 'Law', 'Engineering']) ?? ''
  },
  (choose, user) => {
    user.workPhone = choose.of(['+49 30 1', '+49 30 222', 'n/a', null]) ?? null
  },
  // Google keeps the old address as an alias.
  (_, user) => {
    user.aliases.push(user.primaryEmail)
    user.primaryEmail = `${freshName()}@example.com`
  },
  (_, user) => user.aliases.push(`${freshName()}@example.com`),
  (choose, user) => user.aliases.splice(choose.below(user.aliases.length), 1),
  // An alias moves to another person, or becomes the primary address.
  (choose, user) => {
    const [alias] = user.aliases.splice(0, 1)
    if (alias) choose.of(users())?.aliases.push(alias)
  },
  (_, user) => {
    const [alias] = user.aliases.splice(0, 1)
    if (!alias) return
    user.aliases.push(user.primaryEmail)
    user.primaryEmail = alias
  },
  (choose, user) => {
    const other = choose.of(users()) as FakeUser
    ;[user.primaryEmail, other.primaryEmail] = [other.primaryEmail, user.primaryEmail]
  },
  // A person whom a run has never seen is not suspended: it would depend on the pages that a failed run has read.
  (_, user) => {
    if (synced.has(user.id)) user.suspended = !user.suspended
  },
  (_, user) => {
    google.directory.users.delete(user.id)
    deleted.set(user.id, user)
    for (const group of groups()) group.members.delete(user.id)
  },
  (choose, _) => {
    const back = choose.of([...deleted.values()])
    if (!back || [back.primaryEmail, ...back.aliases].some(isTaken)) return
    deleted.delete(back.id)
    back.suspended = false
    google.directory.users.set(back.id, back)
  },
  // Deleted, and created again with the same address.
  (_, user) => {
    if (user.suspended) return
    google.directory.users.delete(user.id)
    for (const group of groups()) group.members.delete(user.id)
    addUser(google, freshName(), { primaryEmail: user.primaryEmail, aliases: [...user.aliases] })
  },
  (choose, user) => {
    user.orgUnitPath = choose.of(units())?.path ?? '/'
  },
  choose => {
    const parent = choose.of(units())
    if (!parent || units().length > 12) return
    const id = `id:${freshName()}`
    const path = `${parent.path === '/' ? '' : parent.path}/${freshName()}`
    google.directory.units.set(id, { id, path, parentId: parent.id })
  },
  choose => {
    const unit = choose.of(units().filter(({ parentId }) => parentId !== null))
    if (unit) moveUnit(unit.path, `${unit.path.slice(0, unit.path.lastIndexOf('/'))}/${freshName()}`)
  },
  () => {
    const id = `group ${freshName()}`
    if (groups().length < 10)
      google.directory.groups.set(id, {
        id,
        email: `${id.slice(6)}@example.com`,
        name: id,
        members: new Set(),
      })
  },
  choose => {
    const group = choose.of(groups().filter(({ id }) => id !== 'used'))
    if (!group) return
    google.directory.groups.delete(group.id)
    for (const other of groups()) other.members.delete(group.id)
  },
  (choose, user) => choose.of(groups())?.members.add(user.id),
  (choose, user) =>
    google.directory.groups.get('used')?.members[choose.below(3) === 0 ? 'delete' : 'add'](user.id),
  (choose, user) => choose.of(groups())?.members.delete(user.id),
  choose => choose.of(groups())?.members.add(choose.of(groups())?.id ?? ''),
  choose => choose.of(groups())?.members.delete(choose.of(groups())?.id ?? ''),
]

/** The users of a group, through groups inside it, and also through circles. */
function usersOf(groupId: string, visited = new Set<string>()): Set<string> {
  if (visited.has(groupId)) return new Set()
  visited.add(groupId)
  const members = new Set<string>()
  for (const member of google.directory.groups.get(groupId)?.members ?? [])
    if (google.directory.users.has(member)) members.add(member)
    else for (const id of usersOf(member, visited)) members.add(id)
  return members
}

const isInUnit = (path: string, unit: string) => unit === '/' || path === unit || path.startsWith(`${unit}/`)
const sorted = <T>(list: Iterable<T>): T[] => [...list].sort()

/** Everything that the service should have, by primary addresses. */
function expected() {
  const people = users().map(user => [
    user.primaryEmail,
    {
      aliases: sorted(user.aliases),
      active: !user.suspended,
      title: user.title,
      department: user.department,
      phone: user.workPhone === 'n/a' ? null : user.workPhone,
    },
  ])
  const addressOf = new Map(users().map(user => [user.id, user.primaryEmail]))
  const entities = [
    ...units().map(({ path }) => [
      path,
      sorted(users().flatMap(user => (isInUnit(user.orgUnitPath, path) ? [user.primaryEmail] : []))),
    ]),
    ...groups().map(({ id, email }) => [email, sorted([...usersOf(id)].map(id => addressOf.get(id)))]),
  ]
  const addressesOf = (chosen: readonly FakeUser[]) =>
    sorted(chosen.flatMap(user => [user.primaryEmail, ...user.aliases]))
  return {
    people: Object.fromEntries(people),
    entities: Object.fromEntries(entities),
    byRule: addressesOf(users().filter(user => user.department === 'Sales')),
    byGroup: addressesOf(users().filter(({ id }) => usersOf('used').has(id))),
  }
}

async function actual(): Promise<ReturnType<typeof expected>> {
  const people = await app.db.query<{ address: string; row: object }>(sql`
    select e.address, json_build_object(
      'aliases', array(select a.address from emails a where a.workspace_id = t.workspace_id and a.teammate_id = t.id
        and not a.is_primary and a.deleted_at is null order by a.address collate "C"),
      'active', t.active,
      'title', (select v.value from smart_field_values v join smart_fields f on f.workspace_id = v.workspace_id and f.id = v.smart_field_id
        where v.workspace_id = t.workspace_id and v.teammate_id = t.id and f.key = 'job_title'),
      'department', (select v.value from smart_field_values v join smart_fields f on f.workspace_id = v.workspace_id and f.id = v.smart_field_id
        where v.workspace_id = t.workspace_id and v.teammate_id = t.id and f.key = 'department'),
      'phone', (select v.value from smart_field_values v join smart_fields f on f.workspace_id = v.workspace_id and f.id = v.smart_field_id
        where v.workspace_id = t.workspace_id and v.teammate_id = t.id and f.key = 'work_phone')) as row
    from teammates t
    join emails e on e.workspace_id = t.workspace_id and e.teammate_id = t.id and e.is_primary and e.deleted_at is null
    where t.workspace_id = ${app.id} and t.deleted_at is null`)
  const entities = await app.db.query<{ name: string; count: number; members: string[] }>(sql`
    select n.name, n.teammates_count as count, array(
      select e.address from integration_entity_members m
      join emails e on e.workspace_id = m.workspace_id and e.teammate_id = m.teammate_id and e.is_primary
        and e.deleted_at is null
      where m.workspace_id = n.workspace_id and m.entity_id = n.id order by e.address collate "C") as members
    from integration_entities n where n.workspace_id = ${app.id} and not n.is_gone`)
  for (const { count, members } of entities) expect(count).toBe(members.length)
  const recipients = async (signatureId: string) =>
    (
      await app.db.query<{ address: string }>(sql`
        select e.address from recipients r join emails e on e.workspace_id = r.workspace_id and e.id = r.email_id
        where r.workspace_id = ${app.id} and r.signature_id = ${signatureId} order by e.address collate "C"`)
    ).map(({ address }) => address)
  return {
    people: Object.fromEntries(people.map(({ address, row }) => [address, row])) as never,
    entities: Object.fromEntries(entities.map(({ name, members }) => [name, members])) as never,
    byRule: await recipients(bySignature.rule),
    byGroup: await recipients(bySignature.group),
  }
}

/** Groups that no signature uses are read once an hour. */
const membersAreDue = sql`update integrations set cursor = null`
const heldRun = async () => (await app.get(`/v1/integrations/${integrationId}`)).body.data.held_run_id

/** Reads until the end, and lets people leave where that needs an approval. */
async function syncAndApprove(): Promise<void> {
  const { status, error_message } = await readDirectory()
  expect([status, error_message]).toEqual([expect.stringMatching(/succeeded|held/), null])
  const held = await heldRun()
  if (held === null) return
  expect((await app.post(`/v1/sync_runs/${held}/approve`)).status).toBe(200)
  await runJob(app, 'directories.approve', { integration_id: integrationId, run_id: held })
  // Addresses of people who have left are free now.
  await readDirectory()
}

/** Runs only the job of the directory: what it enqueues is not needed here. Returns the run. */
async function readDirectory() {
  await app.db.query(membersAreDue)
  const started = await app.post('/v1/teammates/sync', {})
  await runJob(app, 'directories.sync', { integration_id: integrationId })
  return (await app.get(`/v1/sync_runs/${started.body.data.id}`)).body.data
}

/** A run that fails on some page, or whose process is lost there: then the job runs again. */
async function syncWithFailure(failure: 'refused' | 'crash', page: number): Promise<void> {
  let requests = 0
  google.directory.behavior = () => (failure === 'refused' && ++requests === page ? 'not allowed' : 'well')
  const started = await app.post('/v1/teammates/sync', {})
  if (failure === 'crash') {
    const source = app.parts.directories.get('google_workspace')
    const directories = new Map([
      [
        'google_workspace',
        {
          ...source,
          async *read(...args: Parameters<NonNullable<typeof source>['read']>) {
            for await (const answer of source?.read(...args) ?? []) {
              if (++requests > page) throw new Error('the process is lost')
              yield answer
            }
          },
        },
      ],
    ])
    const lost = { ...app, parts: { ...app.parts, directories: directories as never } }
    const crashed = runJob(lost, 'directories.sync', { integration_id: integrationId })
    await crashed.catch(error => expect(error.message).toBe('the process is lost'))
  }
  await runJob(app, 'directories.sync', { integration_id: integrationId })
  google.directory.behavior = () => 'well'
  const { status } = (await app.get(`/v1/sync_runs/${started.body.data.id}`)).body.data
  if (failure === 'crash') expect(status).toMatch(/succeeded|held/)
  else if (requests >= page) expect(status).toBe('failed')
}

describe('the directory', () => {
  it('is followed through a thousand changes, failures and crashes', async () => {
    google.directory.largestPage = 10
    google.directory.groups.set('used', {
      id: 'used',
      email: 'used@example.com',
      name: 'used',
      members: new Set(),
    })
    await syncAndApprove()
    const { body } = await app.get('/v1/integration_entities?limit=100')
    const used = body.data.find(({ name }: { name: string }) => name === 'used@example.com').id
    bySignature.rule = (await createSignature(app)).body.data.id
    bySignature.group = (await createSignature(app)).body.data.id
    const conditions = [[{ smart_field_id: department, values: ['Sales'] }]]
    await app.call('PUT', `/v1/signatures/${bySignature.rule}/recipient_rules`, { body: { conditions } })
    const entityIds = { integration_entity_ids: [used] }
    await app.post(`/v1/signatures/${bySignature.group}/integration_entities`, entityIds)
    const round = fc.record({
      numbers: fc.array(fc.nat({ max: 1_000_000 }), { minLength: 600, maxLength: 600 }),
      failure: fc.constantFrom('none' as const, 'none' as const, 'refused' as const, 'crash' as const),
      page: fc.integer({ min: 1, max: 14 }),
    })
    for (const { numbers, failure, page } of fc.sample(round, { numRuns: runs(8), seed: modelSeed })) {
      const choose = new Chooser(numbers)
      for (let n = 0; n < 125; n++) {
        const user = choose.of(users())
        if (user) edits[choose.below(edits.length)]?.(choose, user)
      }
      if (failure !== 'none') await syncWithFailure(failure, page)
      await syncAndApprove()
      for (const { id } of users()) synced.add(id)
      expect(await actual()).toEqual(expected())
    }
    expect(google.directory.faults).toEqual([])
  })

  it('is read by another worker after the first one was killed', async () => {
    for (let n = 0; n < 40; n++) addUser(google, `late${n}`)
    const gate = Promise.withResolvers<void>()
    let pages = 0
    google.holdAnswer = async url => {
      if (url.includes('/users?') && ++pages === 4) await gate.promise
    }
    await app.db.query(membersAreDue)
    const started = await app.post('/v1/teammates/sync', {})
    const worker = run(['work'], { env: { ...env, DATABASE_URL: urlOf(app.connection) } })
    await expect.poll(() => pages, { interval: 20 }).toBeGreaterThanOrEqual(4)
    worker.child.kill('SIGKILL')
    await worker.ended
    gate.resolve()
    google.holdAnswer = async () => undefined
    expect((await app.post('/v1/teammates/sync', {})).body.error.code).toBe('sync_already_running')
    const sessions = sql`select from pg_stat_activity where application_name like ${`%(process ${worker.child.pid})`}`
    await expect.poll(async () => (await app.db.query(sessions)).length, { interval: 20 }).toBe(0)
    await app.db.query(sql`
      update graphile_worker._private_jobs set run_at = now(), locked_at = null, locked_by = null`)
    await runAllJobs(app)
    const after = (await app.get(`/v1/sync_runs/${started.body.data.id}`)).body.data
    expect(after).toMatchObject({ status: 'succeeded', people_added: 40 })
    expect(await actual()).toEqual(expected())
  })
})
