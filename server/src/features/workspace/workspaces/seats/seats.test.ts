// Seats: how they are counted, and that no way in gives more of them than the operator allows.
import { beforeAll, describe, expect, it } from 'vitest'
import { searchSeatsNow } from '#features/people/directories/index.ts'
import { countSeats, seatsOfPeriod } from '#features/workspace/billing/index.ts'
import { sql } from '#kernel/db/db.ts'
import { type Answer, type TestApp, testApp } from '#test/support/app.ts'
import { addUser, connectGoogle, startDirectory, syncNow } from '#test/support/directories/google-people.ts'
import { connectScim } from '#test/support/directories/scim.ts'
import { runAllJobs, runScheduled } from '#test/support/jobs.ts'
import { changeSeatLimit } from './rules.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

const seats = async (key = app.key) => (await app.get('/v1/workspace', { key })).body.data.seats
const limitTo = (limit: number | null) => changeSeatLimit(app.db, app.by, limit)
/** So many seats more than are in use. */
const allow = async (more: number) => limitTo((await seats()).now + more)
const create = (email: string): Promise<Answer> => app.post('/v1/teammates', { teammate: { email } })
const refusal = ({ status, body }: Answer) => [status, body.error?.code, body.remediation?.action]
const upgrade = [403, 'plan_upgrade_required', 'upgrade_plan']

describe('seats', () => {
  const at = (day: number, hour: number) => new Date(Date.UTC(2026, 2, day, hour, 30))
  const count = (time: Date) => app.db.query(countSeats(time))
  const march = () => seatsOfPeriod(app.db, app.id, '2026-03-01', '2026-04-01')

  it('are counted once an hour, with the most and the average of each day', async () => {
    const ids = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async name => (await create(`${name}@count.example`)).body.data.id),
    )
    await count(at(1, 5))
    await count(at(1, 5))
    expect(await march()).toEqual({ days: 1, most: 4, average_hundredths: 400 })
    await app.post('/v1/teammates/deactivate', { ids: ids.slice(1) })
    await count(at(1, 6))
    expect(await march()).toEqual({ days: 1, most: 4, average_hundredths: 250 })
    await count(at(2, 0))
    expect(await march()).toEqual({ days: 2, most: 4, average_hundredths: 175 })
  })

  it('of days on which the service stood still are those of its next start', async () => {
    await create('later@count.example')
    await count(at(5, 1))
    const days = await app.db.query(sql`
      select extract(day from day)::int as day, most from seat_days where workspace_id = ${app.id} order by day`)
    expect(days).toEqual([
      { day: 1, most: 4 },
      { day: 2, most: 1 },
      { day: 3, most: 2 },
      { day: 4, most: 2 },
      { day: 5, most: 2 },
    ])
  })

  it('are shown with the most of this month, also after people have left', async () => {
    const { id } = (await create('leaves@count.example')).body.data
    await runScheduled(app, 'billing.count_seats')
    await app.del(`/v1/teammates/${id}`)
    expect(await seats()).toEqual({ now: 2, max_this_month: 3, limit: null })
    expect(await seats(app.other.key)).toEqual({ now: 0, max_this_month: 0, limit: null })
  })
})

describe('the most of this month', () => {
  it('does not fall when people come and go between two counts', async () => {
    const { now } = await seats()
    const ids = await Promise.all(
      ['x', 'y', 'z'].map(async name => (await create(`${name}@peak.example`)).body.data.id),
    )
    await app.post('/v1/teammates/deactivate', { ids: ids.slice(1) })
    expect(await seats()).toMatchObject({ now: now + 1, max_this_month: now + 3 })
    await app.post('/v1/teammates/activate', { ids })
    await create('higher@peak.example')
    await app.del(`/v1/teammates/${ids[0]}`)
    expect(await seats()).toMatchObject({ now: now + 3, max_this_month: now + 4 })
  })

  it('is kept before the first count of a workspace', async () => {
    const { key } = app.other
    const { body } = await app.post('/v1/teammates', { teammate: { email: 'first@peak.example' } }, { key })
    await app.del(`/v1/teammates/${body.data.id}`, { key })
    expect(await seats(key)).toMatchObject({ now: 0, max_this_month: 1 })
  })
})

describe('a seat limit', () => {
  it('refuses people who are created or activated beyond it, and keeps those who are there', async () => {
    const { id } = (await create('old@limit.example')).body.data
    const { id: second } = (await create('second@limit.example')).body.data
    await app.post('/v1/teammates/deactivate', { ids: [id, second] })
    await allow(1)
    const refused = await app.post('/v1/teammates/activate', { ids: [id, second] })
    expect(refusal(refused)).toEqual(upgrade)
    expect((await app.get(`/v1/teammates/${id}`)).body.data.active).toBe(false)
    expect((await app.post('/v1/teammates/activate', { ids: [id] })).body.data.changed).toBe(1)
    const late = await create('late@limit.example')
    expect(refusal(late)).toEqual(upgrade)
    expect(late.body.remediation.dashboard_url).toBe('http://localhost:3000/settings/billing')
    expect((await app.get('/v1/teammates?search=late@limit.example')).body.data).toEqual([])
    const before = await seats()
    await limitTo(1)
    expect(await seats()).toEqual({ ...before, limit: 1 })
    expect(refusal(await create('late@limit.example'))).toEqual(upgrade)
    // The other workspace has no limit.
    const elsewhere = { teammate: { email: 'late@limit.example' } }
    expect((await app.post('/v1/teammates', elsewhere, { key: app.other.key })).status).toBe(201)
  })

  it('holds when many people are created at the same time', async () => {
    await allow(3)
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => create(`rush${index}@limit.example`)),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(9)
    const { now, limit } = await seats()
    expect(now).toBe(limit)
  })

  it('lists the rows of an import that get no seat, and imports the others', async () => {
    await allow(1)
    const emails = ['old', 'first', 'none'].map(name => ({ email: `${name}@limit.example` }))
    const { body } = await app.post('/v1/teammates/import', { teammates: emails })
    expect(body.data).toMatchObject({ created: 1, updated: 1, failed: [{ index: 2 }] })
    expect(body.data.failed[0].details[0].message).toMatch(/^email gets no seat: All \d+ seats are taken/)
  })

  it('leaves people of a file inactive who get no seat', async () => {
    const { data: people } = (await app.get('/v1/teammates?limit=100&active=true')).body
    const [first, second, ...rest]: { id: string; email: string }[] = people
    await app.post('/v1/teammates/deactivate', { ids: [first?.id, second?.id] })
    await allow(1)
    const lines = [second, first, ...rest].map(person => person?.email)
    const upload = await app.call('POST', '/v1/imports', {
      payload: ['email', ...lines, 'new@limit.example'].join('\n'),
      headers: { 'content-type': 'text/csv' },
    })
    const path = `/v1/imports/${upload.body.data.id}`
    const plan = { mapping: { email: 'email' }, mode: 'directory' }
    const expected = { reactivated_count: 1, created_count: 0, failed_count: 2, deactivated_count: 0 }
    expect((await app.post(`${path}/preview`, plan)).body.data).toMatchObject(expected)
    await app.post(`${path}/apply`, plan)
    await runAllJobs(app)
    expect((await app.get(path)).body.data).toMatchObject({ state: 'done', ...expected })
    const isActive = async (id = '') => (await app.get(`/v1/teammates/${id}`)).body.data.active
    expect([await isActive(second?.id), await isActive(first?.id)]).toEqual([true, false])
  })

  it('gives the seats of people who are not in a file to those who are new in it', async () => {
    const { data: people } = (await app.get('/v1/teammates?limit=100&active=true')).body
    const stay = people.slice(4).map(({ email }: { email: string }) => email)
    await allow(0)
    const fresh = [1, 2, 3, 4, 5].map(number => `fresh${number}@limit.example`)
    const upload = await app.call('POST', '/v1/imports', {
      payload: ['email', ...fresh, ...stay].join('\n'),
      headers: { 'content-type': 'text/csv' },
    })
    const path = `/v1/imports/${upload.body.data.id}`
    const plan = { mapping: { email: 'email' }, mode: 'directory' }
    const expected = { created_count: 4, failed_count: 1, deactivated_count: 4, unchanged_count: stay.length }
    expect((await app.post(`${path}/preview`, plan)).body.data).toMatchObject(expected)
    await app.post(`${path}/apply`, plan)
    await runAllJobs(app)
    expect((await app.get(path)).body.data).toMatchObject({ state: 'done', ...expected })
    const { now, limit } = await seats()
    expect(now).toBe(limit)
  })

  it('lists people of a directory who get no seat, and takes them in when one is free', async () => {
    const google = await startDirectory()
    const [ada, , cleo] = ['ada', 'bob', 'cleo', 'dan'].map(name => addUser(google, name))
    const id = await connectGoogle(app, google)
    await allow(2)
    expect(await syncNow(app, { dry_run: true })).toMatchObject({ people_added: 2, problem_count: 2 })
    const run = await syncNow(app)
    expect(run).toMatchObject({ status: 'succeeded', people_added: 2, problem_count: 2 })
    expect(run.problems).toMatchObject([{ kind: 'no_seat' }, { kind: 'no_seat' }])
    expect(await syncNow(app)).toMatchObject({ people_added: 0, problem_count: 2 })
    await allow(1)
    expect(await syncNow(app)).toMatchObject({ people_added: 1, problem_count: 1 })
    // A person who is suspended gives the seat to the last one, and gets none when the account is open again.
    if (ada) ada.suspended = true
    expect(await syncNow(app)).toMatchObject({ people_added: 1, people_deactivated: 1, problem_count: 0 })
    if (ada) ada.suspended = false
    expect(await syncNow(app)).toMatchObject({ people_reactivated: 0, problem_count: 1 })
    if (cleo) google.directory.users.delete(cleo.id)
    await allow(1)
    expect(await syncNow(app)).toMatchObject({ people_reactivated: 1, problem_count: 0 })
    const { now, limit } = await seats()
    expect(now).toBe(limit)
    await app.del(`/v1/integrations/${id}`)
  })

  it('refuses users of SCIM whole, and the provider can send them again', async () => {
    const scim = await connectScim(app)
    const user = (userName: string) => ({ userName, emails: [{ value: userName, primary: true }] })
    await allow(1)
    expect((await scim.post('/Users', user('one@scim.example'))).status).toBe(201)
    const refused = await scim.post('/Users', user('two@scim.example'))
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('seats are taken')])
    const matches = await scim.get('/Users?filter=userName eq "two@scim.example"')
    expect(matches.body.totalResults).toBe(0)
    await limitTo(null)
    expect((await scim.post('/Users', user('two@scim.example'))).status).toBe(201)
    await app.del(`/v1/integrations/${scim.integrationId}`)
  })

  it('leaves users of SCIM without a seat whom a run finds, until one is free', async () => {
    const scim = await connectScim(app, app, { drives_teammates: false })
    const path = `/v1/integrations/${scim.integrationId}`
    for (const name of ['x', 'y', 'z'])
      await scim.post('/Users', {
        userName: `${name}@run.example`,
        emails: [{ value: `${name}@run.example` }],
      })
    await allow(1)
    await app.patch(path, { settings: { drives_teammates: true } })
    const runDue = async () => {
      await runScheduled(app, 'directories.schedule')
      await runAllJobs(app)
      const { people_count, next_sync_at } = (await app.get(path)).body.data
      return [people_count, next_sync_at === null ? null : Date.parse(next_sync_at) > Date.now() + 3_000_000]
    }
    expect(await runDue()).toEqual([1, true])
    await allow(1)
    await searchSeatsNow(app.db, app.id)
    expect(await runDue()).toEqual([2, true])
    await limitTo(null)
    await searchSeatsNow(app.db, app.id)
    expect(await runDue()).toEqual([3, null])
  })
})
