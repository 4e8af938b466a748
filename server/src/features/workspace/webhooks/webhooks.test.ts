import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import type { Worker } from '#kernel/db/jobs.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { runAllJobs, runScheduled, startSending } from '#test/support/jobs.ts'
import { type MailServer, startMailServer } from '#test/support/mail/mail.ts'
import { type EventReceiver, startEventReceiver } from '#test/support/outside/event-receiver.ts'
import { createTeammate, unknownId } from '#test/support/world.ts'
import { eventTypes } from './events.ts'

let app: TestApp
let mails: MailServer
let sending: Worker
beforeAll(async () => {
  mails = await startMailServer()
  const env = { SIGNOFF_PRIVATE_TARGETS: '127.0.0.1', SIGNOFF_SMTP_URL: mails.url }
  app = await testApp({ env })
  sending = startSending(app)
})
afterAll(() => sending.stop(2_000))

interface Created {
  readonly id: string
  readonly path: string
  readonly secret: string
}

const createdPaths: { path: string; key: string }[] = []
afterEach(async () => {
  for (const { path, key } of createdPaths.splice(0)) await app.del(path, { key })
})

async function subscribe(
  receiver: Pick<EventReceiver, 'url' | 'secrets'>,
  events: readonly string[],
  key = app.key,
): Promise<Created> {
  const { status, text, body } = await app.post(
    '/v1/webhooks',
    { webhook: { url: receiver.url, events } },
    { key },
  )
  if (status !== 201) throw new Error(text)
  const { id, secret } = body.data
  receiver.secrets.push(secret)
  const path = `/v1/webhooks/${id}`
  createdPaths.push({ path, key })
  return { id, path, secret }
}

const deliveriesOf = async (id: string, more = '') =>
  (await app.get(`/v1/webhook_deliveries?limit=100&webhook_id=${id}${more}`)).body.data
const statesOf = async (id: string) => (await deliveriesOf(id)).map(({ state }: { state: string }) => state)
const readWebhook = async (path: string) => (await app.get(path)).body.data

/** Time passes: the next attempt of every delivery is due now. */
const passTime = (id: string) =>
  app.db.query(sql`
    with due as (update webhook_deliveries set due_at = now() where webhook_id = ${id} and due_at is not null)
    select pg_notify('signoff_webhooks', '')`)

describe('a webhook', () => {
  it('shows its secret once, and has the fields of the contract', async () => {
    const answer = await app.post('/v1/webhooks', {
      url: 'https://hooks.example.com/signoff',
      events: ['teammate.created'],
    })
    const { secret, ...rest } = answer.body.data
    expect(answer.status).toBe(201)
    expect(answer.headers.location).toBe(`/v1/webhooks/${rest.id}`)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(rest).toEqual({
      id: expect.any(String),
      url: 'https://hooks.example.com/signoff',
      events: ['teammate.created'],
      active: true,
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    const read = await app.get(`/v1/webhooks/${rest.id}`)
    expect(read.body.data).toEqual(rest)
    expect(read.headers.etag).toBe(answer.headers.etag)
    expect((await app.get('/v1/webhooks')).body.data).toEqual([rest])
    const [stored] = await app.db.query<{ secret: Buffer }>(
      sql`select secret from webhooks where id = ${rest.id}`,
    )
    expect(stored?.secret.toString('latin1')).not.toContain(secret.slice(6))
    expect((await app.del(`/v1/webhooks/${rest.id}`)).status).toBe(204)
    expect((await app.get(`/v1/webhooks/${rest.id}`)).status).toBe(404)
  })

  it('is created once under one Idempotency-Key, with the same secret', async () => {
    const headers = { 'idempotency-key': 'hook-1' }
    const webhook = { url: 'https://hooks.example.com/x', events: ['webhook.test'] }
    const first = await app.post('/v1/webhooks', { webhook }, { headers })
    const second = await app.post('/v1/webhooks', { webhook }, { headers })
    expect(second.body).toEqual(first.body)
    expect((await app.get('/v1/webhooks')).body.pagination.total_count).toBe(1)
    await app.del(`/v1/webhooks/${first.body.data.id}`)
  })

  it('refuses bad addresses and unknown events, naming the field', async () => {
    const create = async (webhook: object) => fieldErrors(await app.post('/v1/webhooks', { webhook }))
    const events = ['teammate.created']
    for (const url of [
      'https://10.0.0.1/',
      'https://[::1]/',
      'https://169.254.169.254/latest',
      'https://me:secret@example.com/',
      'ftp://example.com/',
      'example.com',
      'https://example.com/\nx',
    ])
      expect(await create({ url, events }), url).toEqual({ url: 'invalid' })
    const url = 'https://hooks.example.com/'
    expect(await create({ url, events: [] })).toEqual({ events: 'too_short' })
    expect(await create({ url, events: ['teammate.*'] })).toEqual({ 'events[0]': 'not_allowed' })
    expect(await create({ url, events: [...events, ...events] })).toEqual({ events: 'duplicate' })
    expect(await create({ url, events, secret: 'whsec_x' })).toEqual({ secret: 'unknown_property' })
    expect(await create({ events: 'x' })).toEqual({ url: 'missing', events: 'invalid_type' })
    await subscribe({ url, secrets: [] }, eventTypes)
  })

  it('can be created 20 times in a workspace, also by requests at once', async () => {
    const { key } = await app.workspace('Many')
    const webhook = { url: 'https://hooks.example.com/', events: ['webhook.test'] }
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => app.post('/v1/webhooks', { webhook }, { key })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(fieldErrors(answers.find(({ status }) => status === 422)!)).toEqual({ webhook: 'too_many' })
  })
})

describe('an event', () => {
  it('is posted with a signature that the library of Standard Webhooks verifies', async () => {
    const receiver = await startEventReceiver()
    const { id } = await subscribe(receiver, ['teammate.created', 'teammate.updated', 'teammate.deleted'])
    const teammate = await createTeammate(app, { email: 'hooked@example.com' })
    const path = `/v1/teammates/${teammate.id}`
    await app.patch(path, { teammate: { email: 'rehooked@example.com' } })
    await app.post('/v1/emails', { email: { teammate_id: teammate.id, address: 'alias@example.com' } })
    await app.del(path)
    await expect.poll(() => receiver.events.length).toBe(4)
    expect(receiver.forged).toEqual([])
    const common = { id: teammate.id, path }
    const byTime = receiver.events.toSorted((a, b) => a.timestamp.localeCompare(b.timestamp))
    expect(byTime.map(({ type, data }) => [type, data])).toEqual([
      ['teammate.created', { ...common, email: 'hooked@example.com', source: 'manual' }],
      ['teammate.updated', { ...common, changed: ['email'] }],
      ['teammate.updated', { ...common, changed: ['emails'] }],
      ['teammate.deleted', { ...common, email: 'rehooked@example.com', source: 'manual' }],
    ])
    await expect.poll(() => statesOf(id)).toEqual(Array(4).fill('delivered'))
    const [delivery] = await deliveriesOf(id, '&event=teammate.created&state=delivered')
    expect(delivery).toMatchObject({
      attempts: 1,
      response_status: 200,
      problem: null,
      next_attempt_at: null,
    })
    const created = byTime[0]!
    expect(delivery.message_id).toBe(created.id)
    const { payload } = (await app.get(`/v1/webhook_deliveries/${delivery.id}`)).body.data
    expect(payload).toEqual(JSON.parse(created.body))
  })

  it('goes to every subscribed webhook of its workspace, and to no other', async () => {
    const [first, second, foreign] = await Promise.all([1, 2, 3].map(startEventReceiver))
    await subscribe(first!, ['teammate.created'])
    await subscribe(second!, ['teammate.created'])
    await subscribe(second!, ['teammate.deleted'])
    await subscribe(foreign!, eventTypes, app.other.key)
    const { id } = await createTeammate(app)
    await expect.poll(() => [first!.events.length, second!.events.length]).toEqual([1, 1])
    expect(first!.events[0]!.data.id).toBe(id)
    expect(first!.events[0]!.id).toBe(second!.events[0]!.id)
    await createTeammate(app, { email: 'other@example.com', key: app.other.key })
    await expect.poll(() => foreign!.events.length).toBe(1)
    expect(foreign!.events[0]!.data.email).toBe('other@example.com')
    expect([first!.events.length, second!.events.length]).toEqual([1, 1])
  })

  it('is stored with its change: a change that fails sends nothing', async () => {
    const receiver = await startEventReceiver()
    const { id } = await subscribe(receiver, ['teammate.created'])
    await createTeammate(app, { email: 'twice@example.com' })
    expect((await app.post('/v1/teammates', { teammate: { email: 'twice@example.com' } })).status).toBe(422)
    const wrong = { email: 'never@example.com', smart_fields: [{ smart_field_id: unknownId, value: 'x' }] }
    expect((await app.post('/v1/teammates', { teammate: wrong })).status).toBe(422)
    expect(await deliveriesOf(id)).toHaveLength(1)
    const [{ n } = { n: 0 }] = await app.db.query<{ n: number }>(sql`
      select count(*)::int as n from webhook_messages m where not exists (
        select from webhook_deliveries d where d.workspace_id = m.workspace_id and d.message_id = m.id)`)
    expect(n).toBe(0)
  })

  it('stores nothing in a workspace without a webhook', async () => {
    const countMessages = () => app.db.query(sql`select count(*) from webhook_messages`)
    const before = await countMessages()
    await createTeammate(app)
    expect(await countMessages()).toEqual(before)
  })
})

describe('an attempt that fails', () => {
  it('is repeated with the same id and the same bytes, until it succeeds', async () => {
    const receiver = await startEventReceiver()
    const answers: [number, Record<string, string>][] = [
      [500, {}],
      [302, { location: 'https://example.com/' }],
      [404, {}],
      [200, {}],
    ]
    receiver.answer = () => {
      const [status, headers] = answers.shift() ?? [200, {}]
      return { status, headers, body: 'a private page' }
    }
    const { id, path } = await subscribe(receiver, ['teammate.created'])
    await createTeammate(app)
    const problems: string[] = []
    for (let attempt = 1; attempt <= 4; attempt++) {
      await expect.poll(async () => (await deliveriesOf(id))[0].attempts).toBe(attempt)
      const [{ problem, response_status, next_attempt_at }] = await deliveriesOf(id)
      problems.push(`${problem} ${response_status} ${next_attempt_at !== null}`)
      expect((await readWebhook(path)).failing_since === null).toBe(attempt === 4)
      await passTime(id)
    }
    expect(problems).toEqual([
      'server_error 500 true',
      'redirect null true',
      'refused 404 true',
      'null 200 false',
    ])
    expect(new Set(receiver.events.map(event => `${event.id} ${event.body}`)).size).toBe(1)
    const stored = JSON.stringify(await app.db.query(sql`select * from webhook_deliveries`))
    expect(stored).not.toContain('private page')
  })

  it('waits as long as Retry-After says, and with it all others of this webhook', async () => {
    const receiver = await startEventReceiver()
    receiver.answer = () => ({ status: 429, headers: { 'retry-after': '600' } })
    const { id } = await subscribe(receiver, ['teammate.created'])
    await createTeammate(app)
    await expect.poll(async () => (await deliveriesOf(id))[0].problem).toBe('rate_limited')
    const [{ next_attempt_at }] = await deliveriesOf(id)
    expect(Date.parse(next_attempt_at) - Date.now()).toBeGreaterThan(500_000)
    await createTeammate(app)
    const other = await startEventReceiver()
    await subscribe(other, ['teammate.created'])
    await createTeammate(app)
    await expect.poll(() => other.events.length).toBe(1)
    expect(receiver.events).toHaveLength(1)
  })

  it('switches the webhook off at once if the receiver answers 410', async () => {
    const receiver = await startEventReceiver()
    receiver.answer = () => 410
    const watcher = await startEventReceiver()
    await subscribe(watcher, ['integration.error'])
    const { id, path } = await subscribe(receiver, ['teammate.created', 'integration.error'])
    await createTeammate(app)
    await expect.poll(async () => (await readWebhook(path)).active).toBe(false)
    expect(await readWebhook(path)).toMatchObject({
      disabled_reason: 'gone',
      disabled_at: expect.any(String),
    })
    await createTeammate(app)
    await expect.poll(() => watcher.events.length).toBe(1)
    expect(watcher.events[0]!.data).toMatchObject({ id, path, kind: 'outgoing_webhook' })
    expect(receiver.events).toHaveLength(1)
    const { body } = await app.get(`/v1/audit_log?resource_id=${id}&action=webhook.switched_off`)
    expect(body.data).toHaveLength(1)
    await runAllJobs(app)
    expect(mails.mails.at(-1)).toMatchObject({ to: 'owner@example.com' })
    const test = await app.post(`${path}/test`)
    expect([test.status, fieldErrors(test)]).toEqual([422, { active: 'invalid' }])
    receiver.answer = () => 200
    const { body: on } = await app.patch(path, { webhook: { active: true } })
    expect(on.data).toMatchObject({
      active: true,
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
    })
    await createTeammate(app)
    await expect.poll(() => receiver.events.length).toBe(2)
  })

  it('switches the webhook off after three days without a success', async () => {
    const receiver = await startEventReceiver()
    receiver.answer = () => 500
    const { id, path } = await subscribe(receiver, ['teammate.created'])
    await createTeammate(app)
    await expect.poll(async () => (await readWebhook(path)).failing_since).not.toBeNull()
    expect((await readWebhook(path)).active).toBe(true)
    await app.db.query(
      sql`update webhooks set failing_since = now() - interval '72 hours 1 minute' where id = ${id}`,
    )
    await passTime(id)
    await expect.poll(() => readWebhook(path)).toMatchObject({ active: false, disabled_reason: 'failing' })
    await runAllJobs(app)
    expect(mails.mails.at(-1)!.text).toContain('For 3 days')
    expect(mails.mails.at(-1)!.text).toContain(`${path} with {"webhook": {"active": true}}`)
  })

  it('at an address that was replaced meanwhile is repeated at the new one at once, also after 410', async () => {
    const [before, after] = await Promise.all([1, 2].map(startEventReceiver))
    const gone = Promise.withResolvers<number>()
    before!.answer = () => gone.promise
    const { path, secret } = await subscribe(before!, ['teammate.created'])
    after!.secrets.push(secret)
    await createTeammate(app)
    await expect.poll(() => before!.events.length).toBe(1)
    await app.patch(path, { webhook: { url: after!.url } })
    gone.resolve(410)
    await expect
      .poll(() => after!.events.map(({ id }) => id), { timeout: 4_000 })
      .toEqual([before!.events[0]!.id])
    expect(await readWebhook(path)).toMatchObject({ active: true, failing_since: null })
  })

  it('is given up after ten attempts', async () => {
    const receiver = await startEventReceiver()
    receiver.answer = () => 500
    const { id } = await subscribe(receiver, ['teammate.created'])
    await createTeammate(app)
    await expect.poll(async () => (await deliveriesOf(id))[0].attempts).toBe(1)
    await app.db.query(sql`update webhook_deliveries set attempts = 9 where webhook_id = ${id}`)
    await passTime(id)
    await expect.poll(() => statesOf(id)).toEqual(['failed'])
    expect((await deliveriesOf(id))[0]).toMatchObject({ attempts: 10, next_attempt_at: null })
    expect((await deliveriesOf(id, '&state=pending')).length).toBe(0)
  })
})

describe('a target on a private network', () => {
  it('is refused at every request, not only when the webhook is created', async () => {
    const receiver = await startEventReceiver()
    const { id } = await subscribe(receiver, ['teammate.created'])
    const url = receiver.url.replace('127.0.0.1', '127.0.0.2') // only 127.0.0.1 is allowed
    await app.db.query(sql`update webhooks set url = ${url} where id = ${id}`)
    await createTeammate(app)
    await expect.poll(async () => (await deliveriesOf(id))[0].problem).toBe('not_public')
    expect(receiver.events).toEqual([])
  })
})

describe('a rotation', () => {
  it('lets both secrets sign for a day', async () => {
    const receiver = await startEventReceiver()
    const { id, path, secret: old } = await subscribe(receiver, ['teammate.created'])
    const { secret } = (await app.post(`${path}/rotate`)).body.data
    expect(secret).not.toBe(old)
    await createTeammate(app)
    await expect.poll(() => receiver.events.length).toBe(1)
    const { body, headers } = receiver.events[0]!
    for (const valid of [old, secret])
      expect(() => new Webhook(valid).verify(body, headers as Record<string, string>)).not.toThrow()
    await app.db.query(sql`update webhooks set old_secret_until = now() where id = ${id}`)
    receiver.secrets.push(secret)
    await createTeammate(app)
    await expect.poll(() => receiver.events.length).toBe(2)
    const last = receiver.events[1]!
    expect(() => new Webhook(old).verify(last.body, last.headers as Record<string, string>)).toThrow()
  })
})

describe('a test', () => {
  it('is sent to this webhook only, whatever it has subscribed to', async () => {
    const receiver = await startEventReceiver()
    const { id, path } = await subscribe(receiver, ['sync.held'])
    await subscribe(receiver, ['webhook.test'])
    const answer = await app.post(`${path}/test`)
    expect([answer.status, answer.body.data]).toMatchObject([202, { webhook_id: id, event: 'webhook.test' }])
    await expect
      .poll(() => receiver.events.map(({ type, data }) => [type, data]))
      .toEqual([['webhook.test', { id, path }]])
    const { body } = await app.get(`/v1/audit_log?resource_id=${id}&action=webhook.tested`)
    expect(body.data).toHaveLength(1)
  })
})

describe('a replay', () => {
  it('sends one delivery, or all since a moment, again with the same id', async () => {
    const receiver = await startEventReceiver()
    const { id, path } = await subscribe(receiver, ['teammate.created'])
    for (let n = 0; n < 3; n++) await createTeammate(app)
    await expect.poll(() => statesOf(id)).toEqual(Array(3).fill('delivered'))
    const [newest, , oldest] = await deliveriesOf(id)
    const replay = await app.post(`/v1/webhook_deliveries/${newest.id}/replay`)
    expect([replay.status, replay.body.data]).toMatchObject([202, { state: 'pending', attempts: 0 }])
    await expect.poll(() => receiver.events.filter(event => event.id === newest.message_id).length).toBe(2)
    await expect.poll(() => statesOf(id)).toEqual(Array(3).fill('delivered'))
    const since = await app.post(`${path}/replay`, { since: oldest.created_at })
    expect([since.status, since.body.data]).toEqual([202, { webhook_id: id, queued: 3 }])
    await runAllJobs(app)
    await expect.poll(() => receiver.events.length).toBe(7)
    expect(new Set(receiver.events.map(event => event.id)).size).toBe(3)
    const later = await app.post(`${path}/replay`, { since: '2999-01-01' })
    expect(fieldErrors(later)).toEqual({ since: 'out_of_range' })
    expect(fieldErrors(await app.post(`${path}/replay`, { since: 'x' }))).toEqual({ since: 'invalid' })
  })

  it('of a delivery whose attempt is under way is sent too, whatever that attempt gives', async () => {
    const receiver = await startEventReceiver()
    const first = Promise.withResolvers<number>()
    receiver.answer = () => (receiver.events.length === 1 ? first.promise : 200)
    const { id } = await subscribe(receiver, ['teammate.created'])
    await createTeammate(app)
    await expect.poll(() => receiver.events.length).toBe(1)
    const [{ id: deliveryId }] = await deliveriesOf(id)
    expect((await app.post(`/v1/webhook_deliveries/${deliveryId}/replay`)).status).toBe(202)
    first.resolve(200)
    await expect.poll(() => receiver.events.length).toBe(2)
    await expect.poll(() => statesOf(id)).toEqual(['delivered'])
  })

  it('that is asked for again before it began is one job', async () => {
    const { id, path } = await subscribe(await startEventReceiver(), ['teammate.created'])
    const since = new Date(Date.now() - 3600_000).toISOString()
    for (let n = 0; n < 5; n++) expect((await app.post(`${path}/replay`, { since })).status).toBe(202)
    const jobs = sql`select key from graphile_worker.jobs where key like ${`webhooks.replay ${id} %`}`
    expect(await app.db.query(jobs)).toHaveLength(1)
    await runAllJobs(app)
    expect(await app.db.query(jobs)).toHaveLength(0)
  })
})

describe('after its deletion', () => {
  it('a webhook gets nothing, not even what waited for a retry, and its deliveries are gone', async () => {
    const receiver = await startEventReceiver()
    receiver.answer = () => 500
    const { id, path } = await subscribe(receiver, ['teammate.created'])
    await createTeammate(app)
    await expect.poll(async () => (await deliveriesOf(id))[0].attempts).toBe(1)
    await app.del(path)
    await passTime(id)
    const other = await startEventReceiver()
    await subscribe(other, ['teammate.created'])
    await createTeammate(app)
    await expect.poll(() => other.events.length).toBe(1)
    expect(receiver.events).toHaveLength(1)
    expect(await deliveriesOf(id)).toEqual([])
    await runAllJobs(app)
    expect(await app.db.query(sql`select from webhook_deliveries where webhook_id = ${id}`)).toEqual([])
  })
})

describe('old messages', () => {
  it('are deleted after 30 days with their deliveries', async () => {
    const receiver = await startEventReceiver()
    const { id } = await subscribe(receiver, ['teammate.created'])
    await createTeammate(app)
    await expect.poll(() => statesOf(id)).toEqual(['delivered'])
    const old = '0190a1b2-0000-7000-8000-00000000000'
    await app.db.query(sql`
      with message as (
        insert into webhook_messages (workspace_id, id, body, created_at) values (${app.id}, ${`${old}1`}, '{}', now()))
      insert into webhook_deliveries (workspace_id, id, webhook_id, message_id, event, state, created_at)
      values (${app.id}, ${`${old}2`}, ${id}, ${`${old}1`}, 'teammate.created', 'failed', now())`)
    await runScheduled(app, 'webhooks.prune')
    expect(await statesOf(id)).toEqual(['delivered'])
    expect(await app.db.query(sql`select from webhook_messages where id = ${`${old}1`}`)).toEqual([])
    const { id: deliveryId } = (await deliveriesOf(id))[0]
    expect((await app.get(`/v1/webhook_deliveries/${deliveryId}`)).body.data.payload.type).toBe(
      'teammate.created',
    )
  })
})
