// What a directory can answer by mistake, and what it must not cause.
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import type { Google } from '#test/support/directories/google.ts'
import type { FakeUser } from '#test/support/directories/google-directory.ts'
import { addUser, connectGoogle, startDirectory, syncNow } from '#test/support/directories/google-people.ts'
import { runAllJobs } from '#test/support/jobs.ts'
import { createSignature } from '#test/support/signatures.ts'

let app: TestApp
let google: Google
let integrationId = ''
const people: FakeUser[] = []
const user = (n: number) => people[n] as FakeUser

beforeAll(async () => {
  app = await testApp()
  google = await startDirectory()
  for (let n = 0; n < 120; n++) people.push(addUser(google, `p${n}`))
  const members = new Set(people.slice(0, 6).map(({ id }) => id))
  google.directory.groups.set('g1', { id: 'g1', email: 'team@example.com', name: 'Team', members })
  integrationId = await connectGoogle(app, google)
})

const livingCount = async () =>
  (
    await app.db.query(
      sql`select from teammates where workspace_id = ${app.id} and active and deleted_at is null`,
    )
  ).length
const integration = async () => (await app.get(`/v1/integrations/${integrationId}`)).body.data
const teammateWith = async (address: string) =>
  (await app.get(`/v1/teammates?search=${encodeURIComponent(address)}`)).body.data[0]
const fieldOf = (teammate: { smart_fields: { label: string; value: string | null }[] }, label: string) =>
  teammate.smart_fields.find(field => field.label === label)?.value

/** The row versions of everything that a run can write. */
const versions = () =>
  app.db.query(sql`
    select 'p' as t, xmin::text from directory_people union all select 't', xmin::text from teammates
    union all select 'e', xmin::text from emails union all select 'v', xmin::text from smart_field_values
    union all select 'm', xmin::text from integration_entity_members
    union all select 'd', xmin::text from directory_edges union all select 'n', xmin::text from integration_entities
    order by 1, 2`)

describe('the test of a connection', () => {
  it('says that Google answers too slowly', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
    const { status, body } = await app.post(`/v1/integrations/${integrationId}/test`)
    timeout.mockRestore()
    expect(status).toBe(200)
    expect(body.data.steps).toContainEqual({
      name: 'users',
      ok: false,
      message: 'Google answers too slowly.',
      remedy: 'Try again in some minutes.',
    })
  })
})

describe('a directory', () => {
  it('brings its people with their values and groups, and a second run writes no row', async () => {
    const first = await syncNow(app)
    expect(first).toMatchObject({ status: 'succeeded', kind: 'full', people_seen: 120, people_added: 120 })
    expect(first).toMatchObject({ entities_added: 2, members_added: 126, problem_count: 0 })
    const teammate = await teammateWith('p7@example.com')
    expect(teammate).toMatchObject({ source: 'directory', integration_id: integrationId, active: true })
    expect(fieldOf(teammate, 'Job title')).toBe('Engineer')
    const before = await versions()
    const second = await syncNow(app)
    expect(second).toMatchObject({
      status: 'succeeded',
      people_seen: 120,
      people_changed: 0,
      members_added: 0,
    })
    expect(await versions()).toEqual(before)
    expect(google.directory.faults).toEqual([])
    expect(await integration()).toMatchObject({ people_count: 120, status: 'active', held_run_id: null })
    // What an admin has set stays, beside what the directory names.
    await app.patch('/v1/workspace', { workspace: { domains: ['by-hand.example'] } })
    await syncNow(app)
    expect((await app.get('/v1/workspace')).body.data).toMatchObject({
      domains: ['by-hand.example'],
      own_domains: ['by-hand.example', 'example.com'],
    })
  })

  it('that answers without people, or with half an answer, removes nobody', async () => {
    const all = new Map(google.directory.users)
    google.directory.users.clear()
    const empty = await syncNow(app)
    expect(empty).toMatchObject({ status: 'held', people_held: 120, people_missing: 0 })
    expect(empty.held_reason).toContain('without any people')
    expect(await integration()).toMatchObject({ status: 'error', held_run_id: empty.id })
    // The same list again keeps the run that waits.
    expect(await syncNow(app)).toMatchObject({ status: 'succeeded', people_missing: 0 })
    expect(await integration()).toMatchObject({ held_run_id: empty.id })
    for (const [id, person] of all) google.directory.users.set(id, person)
    expect(await syncNow(app)).toMatchObject({ status: 'succeeded', people_changed: 0 })
    expect((await app.get(`/v1/sync_runs/${empty.id}`)).body.data.status).toBe('superseded')
    expect((await app.post(`/v1/sync_runs/${empty.id}/approve`)).body.error.code).toBe('already_decided')
    google.directory.largestPage = 50
    google.directory.behavior = (path, query) => (path === 'users' && query.has('pageToken') ? 'cut' : 'well')
    const cut = await syncNow(app)
    expect(cut).toMatchObject({ status: 'failed', error_code: 'unavailable', people_missing: 0 })
    google.directory.behavior = () => 'well'
    expect([await livingCount(), (await integration()).status]).toEqual([120, 'active'])
    expect(await syncNow(app)).toMatchObject({ status: 'succeeded', people_changed: 0 })
  })

  it('that lacks 12 % of its people waits for an approval, which lets exactly those leave', async () => {
    const leaving = people.slice(50, 64)
    for (const { id } of leaving) google.directory.users.delete(id)
    user(70).suspended = true
    user(71).title = 'Director'
    addUser(google, 'joiner')
    const dry = await syncNow(app, { dry_run: true })
    expect(dry).toMatchObject({ kind: 'dry', people_added: 1, people_changed: 1, people_held: 15 })
    const previewed = Map.groupBy<string, { change: string; address: string }>(
      dry.preview,
      entry => entry.change,
    )
    expect([previewed.get('missing')?.length, previewed.get('deactivated')?.length]).toEqual([14, 1])
    expect(previewed.get('added')).toMatchObject([{ address: 'joiner@example.com', teammate_id: null }])
    expect(previewed.get('changed')).toMatchObject([{ address: user(71).primaryEmail }])
    expect(await teammateWith('joiner@example.com')).toBeUndefined()
    const held = await syncNow(app)
    expect(held).toMatchObject({ status: 'held', people_held: 15, people_added: 1, people_changed: 1 })
    const listed = held.problems.filter(({ kind }: { kind: string }) => kind === 'held')
    expect(listed.map(({ address }: { address: string }) => address).sort()).toEqual(
      [...leaving, user(70)].map(({ primaryEmail }) => primaryEmail).sort(),
    )
    expect(await livingCount()).toBe(121)
    // One of them is back before the approval.
    google.directory.users.set(user(50).id, user(50))
    await syncNow(app)
    const approved = await app.post(`/v1/sync_runs/${held.id}/approve`)
    expect(approved.body.data.status).toBe('approved')
    await runAllJobs(app)
    const after = (await app.get(`/v1/sync_runs/${held.id}`)).body.data
    expect(after).toMatchObject({ people_missing: 13, people_deactivated: 1 })
    expect(await integration()).toMatchObject({ status: 'active', held_run_id: null })
    expect((await teammateWith(user(70).primaryEmail)).active).toBe(false)
    // Missing people keep their signatures until the grace is over.
    expect(await livingCount()).toBe(120)
    expect(await syncNow(app)).toMatchObject({ people_missing: 0, people_removed: 0 })
  })

  it('removes people after the grace, and brings them back with all values', async () => {
    const { body } = await app.get('/v1/smart_fields?limit=100')
    const calendar = body.data.find(({ key }: { key: string }) => key === 'calendar_link')
    const gone = await teammateWith(user(51).primaryEmail)
    const smart_fields = [{ smart_field_id: calendar.id, value: 'https://cal.example.com/51' }]
    expect((await app.patch(`/v1/teammates/${gone.id}`, { teammate: { smart_fields } })).status).toBe(200)
    await app.db.query(sql`
      update directory_people set missing_since = now() - interval '8 days' where state = 'missing'`)
    expect(await syncNow(app)).toMatchObject({ status: 'succeeded', people_removed: 13 })
    expect(await teammateWith(user(51).primaryEmail)).toBeUndefined()
    google.directory.users.set(user(51).id, user(51))
    expect(await syncNow(app)).toMatchObject({ people_added: 1 })
    const back = await teammateWith(user(51).primaryEmail)
    expect([back.id, fieldOf(back, 'Calendar link')]).toEqual([gone.id, 'https://cal.example.com/51'])
    expect(fieldOf(back, 'Job title')).toBe('Engineer')
  })

  it('that renames everybody, moves addresses or gives one twice costs no person a signature', async () => {
    const signature = (await createSignature(app)).body.data.id
    const chosen = await teammateWith(user(1).primaryEmail)
    await app.post(`/v1/signatures/${signature}/emails`, { email_ids: [chosen.emails[0].id] })
    for (const account of google.directory.users.values()) {
      account.aliases = [account.primaryEmail]
      account.primaryEmail = account.primaryEmail.replace('@example.com', '@new.example')
    }
    const renamed = await syncNow(app)
    expect(renamed).toMatchObject({ status: 'succeeded', people_added: 0, people_missing: 0 })
    const reached = (await app.get(`/v1/signatures/${signature}/emails`)).body.data
    expect(reached.map(({ address }: { address: string }) => address)).toEqual(['p1@new.example'])
    // Two people swap their addresses, and an alias moves to another person.
    const [a, b, c] = [user(2), user(3), user(4)]
    ;[a.primaryEmail, b.primaryEmail] = [b.primaryEmail, a.primaryEmail]
    c.aliases = [...c.aliases, ...b.aliases]
    b.aliases = []
    expect(await syncNow(app)).toMatchObject({ status: 'succeeded', problem_count: 0 })
    expect(fieldOf(await teammateWith('p3@new.example'), 'First name')).toBe('p2')
    const moved = (await teammateWith('p3@example.com')).emails.map(
      ({ address }: { address: string }) => address,
    )
    expect(moved.sort()).toEqual(['p3@example.com', 'p4@example.com', 'p4@new.example'])
    const double = addUser(google, 'double', { primaryEmail: 'P5@new.example', workPhone: 'n/a' })
    const conflicting = await syncNow(app)
    expect(conflicting).toMatchObject({ status: 'succeeded', people_added: 0 })
    expect(conflicting.problems).toMatchObject([
      { kind: 'conflict', external_id: double.id, field: 'address' },
    ])
    expect(fieldOf(await teammateWith('p5@new.example'), 'First name')).toBe('p5')
    google.directory.users.delete(user(5).id)
    // The other record was deleted: its teammate is taken over, and no person is missing.
    const replaced = await syncNow(app)
    expect(replaced).toMatchObject({ people_missing: 0, problem_count: 1 })
    expect(replaced.problems).toMatchObject([{ kind: 'unusable', field: 'phones.work' }])
    expect(fieldOf(await teammateWith('p5@new.example'), 'First name')).toBe('double')
    google.directory.users.delete(double.id)
    google.directory.users.set(user(5).id, user(5))
    expect(await syncNow(app)).toMatchObject({ problem_count: 0, people_missing: 0 })
  })

  it('that empties a group in use waits for an approval', async () => {
    const signature = (await createSignature(app)).body.data.id
    const groups = (await app.get('/v1/integration_entities?limit=100')).body.data
    const team = groups.find(({ sub_kind }: { sub_kind: string }) => sub_kind === 'group')
    const members = google.directory.groups.get('g1')?.members as Set<string>
    await app.post(`/v1/signatures/${signature}/integration_entities`, { integration_entity_ids: [team.id] })
    const reached = async () =>
      (await app.get(`/v1/signatures/${signature}/emails`)).body.data.filter(
        ({ primary }: { primary: boolean }) => primary,
      ).length
    expect(await reached()).toBe(6)
    members.clear()
    members.add(user(20).id)
    const held = await syncNow(app)
    expect(held).toMatchObject({ status: 'held', members_held: 6, members_added: 1, members_removed: 0 })
    expect([await reached(), (await integration()).held_run_id]).toEqual([7, held.id])
    await app.post(`/v1/sync_runs/${held.id}/approve`)
    await runAllJobs(app)
    expect([await reached(), await syncNow(app)]).toMatchObject([
      1,
      { status: 'succeeded', members_removed: 0 },
    ])
    google.directory.groups.delete('g1')
    const deleted = await syncNow(app)
    expect([await reached(), deleted]).toMatchObject([1, { status: 'held', members_held: 1 }])
    await app.post(`/v1/sync_runs/${deleted.id}/approve`)
    await runAllJobs(app)
    expect(await reached()).toBe(0)
  })
})
