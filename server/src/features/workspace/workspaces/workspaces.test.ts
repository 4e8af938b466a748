import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { changeClickParameter, changeEventRetention, changeSwitch, changeWorkspace } from './index.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

it('the workspace has a plan, a seat count and a tracking id', async () => {
  const { status, body } = await app.get('/v1/workspace')
  expect(status).toBe(200)
  expect(body.data).toEqual({
    id: app.id,
    member_access: 'own',
    name: 'Own',
    domains: [],
    own_domains: [],
    time_zone: 'UTC',
    locale: 'en',
    plan: {
      tier: 'self_hosted',
      kind: 'self_hosted',
      status: 'active',
      billing_interval: null,
      cancel_at_period_end: false,
      started_at: body.data.created_at,
      ends_at: null,
    },
    seat_count: 0,
    seats: { now: 0, max_this_month: 0, limit: null },
    event_tracking: {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      enabled: true,
      click_parameter: 'signoff_click_id',
    },
    click_parameter: 'signoff_click_id',
    personal_page_enabled: true,
    personal_page_link_days: null,
    event_retention_days: null,
    mail_sender_name: null,
    publish_approval: 'none',
    relay_addresses_enabled: false,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updated_at: body.data.created_at,
  })
})

it('a switch changes together with the hook, or not at all', async () => {
  const isEnabled = async () => (await app.get('/v1/workspace')).body.data.event_tracking.enabled
  const failing = { onSwitchChange: () => Promise.reject(new Error('no')) }
  await expect(changeSwitch(app.db, app.by, 'tracking', false, failing)).rejects.toThrow('no')
  expect(await isEnabled()).toBe(true)
  await changeSwitch(app.db, app.by, 'tracking', false, app.parts.workspaces)
  expect(await isEnabled()).toBe(false)
})

it.each([0, -1, 1.5, 100_000])('events cannot be kept for %d days', async days => {
  const code = Number.isInteger(days) ? 'out_of_range' : 'invalid_type'
  await expect(changeEventRetention(app.db, app.by, days)).rejects.toMatchObject({ code })
})

it.each(['', 'a b', '1st', 'a=b', 'a&b', 'ü', 'x'.repeat(65)])(
  '%j cannot be a click parameter',
  async name => {
    const code = name.length > 64 ? 'too_long' : 'invalid'
    await expect(changeClickParameter(app.db, app.by, name)).rejects.toMatchObject({ code })
  },
)

describe('PATCH /v1/workspace', () => {
  const readData = async () => (await app.get('/v1/workspace')).body.data
  const entries = async () => (await app.get('/v1/audit_log?limit=1')).body
  const reconcileJobs = async () =>
    (
      await app.db.query(sql`
      select key from graphile_worker.jobs where task_identifier like 'installations%'`)
    ).length
  const forgetJobs = () => app.db.query(sql`delete from graphile_worker._private_jobs`)

  it('changes every setting, and GET shows them as they were answered', async () => {
    const settings = {
      name: 'Northbean',
      domains: ['Northbean.EXAMPLE', 'bücher.example.', 'xn--strae-oqa.example'],
      time_zone: 'europe/berlin',
      locale: 'de-at',
      event_tracking: { enabled: true, click_parameter: 'from' },
      personal_page_enabled: true,
      event_retention_days: 400,
      mail_sender_name: 'Northbean “IT” 👋',
    }
    const { status, body } = await app.patch('/v1/workspace', { workspace: settings })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      ...settings,
      domains: ['northbean.example', 'xn--bcher-kva.example', 'xn--strae-oqa.example'],
      time_zone: 'Europe/Berlin',
      locale: 'de-AT',
      click_parameter: 'from',
    })
    expect(await readData()).toEqual(body.data)
    expect((await entries()).data[0]).toMatchObject({ action: 'workspace.updated', resource_id: app.id })
    const cleared = { domains: [], event_retention_days: null, mail_sender_name: null, click_parameter: 'a' }
    const after = await app.patch('/v1/workspace', cleared)
    expect(after.body.data).toMatchObject({
      ...cleared,
      name: 'Northbean',
      event_tracking: { click_parameter: 'a' },
    })
  })

  it('writes nothing when nothing differs', async () => {
    const before = await readData()
    const { total_count } = (await entries()).pagination
    for (const body of [{}, { name: before.name }, { event_tracking: {} }, { time_zone: before.time_zone }])
      expect((await app.patch('/v1/workspace', body)).body.data).toEqual(before)
    expect((await entries()).pagination.total_count).toBe(total_count)
  })

  it('reconciles after a change of a switch alone', async () => {
    await app.patch('/v1/workspace', { event_tracking: { enabled: true }, personal_page_enabled: true })
    await forgetJobs()
    await app.patch('/v1/workspace', { name: 'Other name', locale: 'en' })
    expect(await reconcileJobs()).toBe(0)
    await app.patch('/v1/workspace', { event_tracking: { enabled: false } })
    expect(await reconcileJobs()).toBe(1)
    await forgetJobs()
    await app.patch('/v1/workspace', { personal_page_enabled: false })
    expect(await reconcileJobs()).toBe(1)
    expect(await readData()).toMatchObject({
      event_tracking: { enabled: false },
      personal_page_enabled: false,
    })
  })

  it('is refused with If-Match of an outdated version', async () => {
    const { etag = '' } = (await app.get('/v1/workspace')).headers
    const headers = { 'if-match': etag }
    expect((await app.patch('/v1/workspace', { name: 'First' }, { headers })).status).toBe(200)
    const stale = await app.patch('/v1/workspace', { name: 'Second' }, { headers })
    expect([stale.status, stale.body.error.code]).toEqual([412, 'stale_resource'])
    expect((await readData()).name).toBe('First')
  })

  it('keeps the other workspace as it is', async () => {
    const other = () => app.get('/v1/workspace', { key: app.other.key })
    const before = (await other()).body
    await app.patch('/v1/workspace', { name: 'Mine', domains: ['mine.example'] })
    expect((await other()).body).toEqual(before)
  })

  it('keeps both of two changes at the same time', async () => {
    await Promise.all([
      app.patch('/v1/workspace', { name: 'Concurrent' }),
      app.patch('/v1/workspace', { time_zone: 'Asia/Kolkata' }),
      app.patch('/v1/workspace', { domains: ['a.example'] }),
    ])
    expect(await readData()).toMatchObject({
      name: 'Concurrent',
      time_zone: 'Asia/Kolkata',
      domains: ['a.example'],
    })
  })

  const wrong: readonly (readonly [string, object, Record<string, string>])[] = [
    ['a blank name', { name: ' ' }, { name: 'blank' }],
    ['a name with a line break', { name: 'a\r\nBcc: b@example.com' }, { name: 'invalid' }],
    ['a sender with a line break', { mail_sender_name: 'a\nb' }, { mail_sender_name: 'invalid' }],
    ['a sender with a direction mark', { mail_sender_name: 'a\u202eb' }, { mail_sender_name: 'invalid' }],
    ['a long sender', { mail_sender_name: 'a'.repeat(101) }, { mail_sender_name: 'too_long' }],
    ['no host', { domains: ['example'] }, { 'domains[0]': 'invalid' }],
    ['an address', { domains: ['a.example', 'me@a.example'] }, { 'domains[1]': 'invalid' }],
    ['a URL', { domains: ['https://a.example/'] }, { 'domains[0]': 'invalid' }],
    ['an IP address', { domains: ['192.0.2.1'] }, { 'domains[0]': 'invalid' }],
    ['a domain twice', { domains: ['a.example', 'A.example'] }, { 'domains[1]': 'duplicate' }],
    [
      'too many domains',
      { domains: Array.from({ length: 101 }, (_, n) => `d${n}.example`) },
      { domains: 'too_many' },
    ],
    ['an unknown zone', { time_zone: 'Europe/Nowhere' }, { time_zone: 'invalid' }],
    ['an offset', { time_zone: '+01:00' }, { time_zone: 'invalid' }],
    ['an unknown language', { locale: 'xx' }, { locale: 'invalid' }],
    ['no tag', { locale: 'de_DE' }, { locale: 'invalid' }],
    ['days out of range', { event_retention_days: 0 }, { event_retention_days: 'out_of_range' }],
    ['a bad parameter', { click_parameter: 'a b' }, { click_parameter: 'invalid' }],
    [
      'a bad parameter of tracking',
      { event_tracking: { click_parameter: '' } },
      { 'event_tracking.click_parameter': 'invalid' },
    ],
    [
      'two different parameters',
      { click_parameter: 'a', event_tracking: { click_parameter: 'b' } },
      { click_parameter: 'invalid' },
    ],
    ['what cannot be changed', { seat_count: 3 }, { seat_count: 'unknown_property' }],
  ]
  it.each(wrong)('refuses %s', async (_, body, problems) => {
    const before = await readData()
    const answer = await app.patch('/v1/workspace', body)
    expect([answer.status, fieldErrors(answer)]).toEqual([422, problems])
    expect(await readData()).toEqual(before)
  })

  it('checks values of the command line too', async () => {
    const change = changeWorkspace(app.db, app.by, { name: '', time_zone: 'x' }, app.parts.workspaces)
    await expect(change).rejects.toMatchObject({ details: [{ field: 'name' }, { field: 'time_zone' }] })
  })
})
