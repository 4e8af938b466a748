// One mailbox, several signatures, slow receivers, workers that lose their claim: what should be there is there in the end.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertIntegration } from '#features/integrations/index.ts'
import { type Db, type Sql, sql } from '#kernel/db.ts'
import { enqueue, startWorker, type Worker } from '#kernel/jobs.ts'
import { createLog } from '#kernel/log.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { connectReceiver, type Receiver, startReceiver, webhookSecret } from '#test/support/webhook.ts'
import { buildJobs } from '#worker.ts'
import type { Delivery, PushChannel } from '../channel.ts'
import { installationJobs } from '../jobs.ts'

let app: TestApp
let receiver: Receiver
let integration: string
const workers: Worker[] = []
const work = async (db: Db = app.db, concurrency = 4) => {
  const jobs = buildJobs(app.parts, db)
  const worker = startWorker({ pool: app.db.pg, jobs, concurrency, log: createLog('silent') })
  workers.push(worker)
  return worker
}
beforeAll(async () => {
  app = await testApp({ env: { SIGNOFF_PRIVATE_TARGETS: '127.0.0.1' } })
  receiver = await startReceiver(() => webhookSecret)
  integration = await connectReceiver(app, receiver)
  await work()
})
afterAll(() => Promise.all(workers.map(worker => worker.stop(5_000))))
beforeEach(() => {
  receiver.answer = () => 200
  receiver.reply = {}
  receiver.delay = 0
})

const saying = (value: string) => ({ type: 'stack', children: [{ type: 'text', tokens: [{ value }] }] })
let made = 0
async function person() {
  made += 1
  const email = `mailbox${made}@example.com`
  const { body } = await app.post('/v1/teammates', { teammate: { email } })
  return { id: body.data.id as string, emailId: body.data.emails[0].id as string, email }
}
async function signature(words: string, priority: number, ...emailIds: string[]) {
  const { body } = await app.post('/v1/signatures', {
    signature: { name: words, draft_content: saying(words), priority },
  })
  const id: string = body.data.id
  if (emailIds.length > 0) await app.post(`/v1/signatures/${id}/emails`, { email_ids: emailIds })
  return id
}
const publish = (id: string) => app.post(`/v1/signatures/${id}/publish`)
const has = (email: string) => receiver.mailboxes.get(email) ?? ''
const eventually = (check: () => unknown) => expect.poll(check, { interval: 30 })
type Row = {
  channel: string
  status: string
  error_code: string | null
  signature_template_id: string
  attempts: number
}
const rowsOf = async (emailId: string): Promise<Row[]> =>
  (await app.get(`/v1/installations?limit=100&email_id=${emailId}`)).body.data
/** `channel status` of a signature at an address. */
const states = async (emailId: string, id: string) =>
  (await rowsOf(emailId))
    .filter(row => row.signature_template_id === id)
    .map(row => `${row.channel} ${row.status}`)
    .sort()
const quiet = () =>
  eventually(async () => {
    const { rows } = await app.db.pg.query(
      "select count(*)::int as n from graphile_worker.jobs where task_identifier like 'installations.%' and run_at <= now()",
    )
    return rows[0].n
  }).toBe(0)

describe('a mailbox', () => {
  it('ends with the signature that wins, though the one before it arrives last', async () => {
    const ada = await person()
    const low = await signature('Slow low', 900, ada.emailId)
    const high = await signature('Quick high', 10, ada.emailId)
    const gate = Promise.withResolvers<void>()
    const onItsWay = Promise.withResolvers<void>()
    receiver.delay = (_, html) => {
      if (!html.includes('Slow low')) return 0
      onItsWay.resolve()
      return gate.promise
    }
    await publish(low)
    await onItsWay.promise
    await publish(high)
    await eventually(async () => (await states(ada.emailId, high))[1]).toBe('webhook pending')
    gate.resolve()
    await eventually(() => has(ada.email)).toContain('Quick high')
    await eventually(() => states(ada.emailId, high)).toEqual(['personal_page pending', 'webhook installed'])
    await eventually(() => states(ada.emailId, low)).toEqual([
      'personal_page uninstalled',
      'webhook uninstalled',
    ])
    await quiet()
    expect(has(ada.email)).toContain('Quick high')
    // What was written in between is remembered as gone.
    receiver.delay = 0
    await app.post(`/v1/signatures/${high}/deactivate`)
    await eventually(() => has(ada.email)).toContain('Slow low')
    await eventually(async () => (await states(ada.emailId, low))[1]).toBe('webhook installed')
  })

  it('is right in the end when somebody compares with what they read long ago', async () => {
    const ada = await person()
    const low = await signature('Old winner', 900, ada.emailId)
    const high = await signature('New winner', 10, ada.emailId)
    await publish(low)
    await eventually(() => has(ada.email)).toContain('Old winner')
    await quiet()

    let isHeld = true
    let reached = false
    const held = (db: Db): Db => ({
      async query(statement: Sql) {
        if (!reached && /(from|update|into) (installations|mailboxes)/.test(statement.text)) {
          reached = true
          while (isHeld) await sleep(20)
        }
        return db.query(statement) as never
      },
      transaction: (within, isolation) => db.transaction(tx => within(held(tx)), isolation),
    })
    const stale = buildJobs(app.parts, held(app.db)).find(job => job.name === 'installations.reconcile')
    const comparing = stale?.run({ workspace_id: app.id, teammate_ids: [ada.id] })
    await eventually(() => reached).toBe(true)
    await publish(high)
    // Another comparison, with what is published now, has begun.
    const begun = sql`
      select from graphile_worker.jobs where task_identifier = 'installations.reconcile' and locked_at is not null`
    await eventually(async () => (await app.db.query(begun)).length).toBeGreaterThan(0)
    isHeld = false
    await comparing
    await eventually(() => has(ada.email)).toContain('New winner')
    await quiet()
    await eventually(() => states(ada.emailId, high)).toEqual(['personal_page pending', 'webhook installed'])
    expect(await states(ada.emailId, low)).toEqual(['personal_page uninstalled', 'webhook uninstalled'])
  })

  it('follows its address, and that of the person', async () => {
    const ada = await person()
    const { body } = await app.post('/v1/emails', {
      email: { teammate_id: ada.id, address: `alias-of-${ada.email}` },
    })
    const id = await signature('Moved', 20, ada.emailId, body.data.id)
    await publish(id)
    await eventually(() => has(ada.email)).toContain('Moved')
    await eventually(() => has(body.data.address)).toContain('Moved')
    await quiet()
    const writes = receiver.writes.get(body.data.address)
    await app.patch(`/v1/emails/${ada.emailId}`, { email: { address: `moved-${ada.email}` } })
    await eventually(() => has(`moved-${ada.email}`)).toContain('Moved')
    // Written once more in the name of another account.
    await eventually(() => receiver.writes.get(body.data.address)).toBe((writes ?? 0) + 1)
  })

  it('is written again when nobody knows whether the last one arrived', async () => {
    const ada = await person()
    const id = await signature('Sure', 20, ada.emailId)
    await publish(id)
    await eventually(() => has(ada.email)).toContain('Sure')
    await quiet()
    const writes = receiver.writes.get(ada.email) ?? 0
    receiver.answer = () => 503
    await app.patch(`/v1/signatures/${id}`, { signature: { draft_content: saying('Unsure') } })
    await publish(id)
    await eventually(async () =>
      (await rowsOf(ada.emailId)).some(row => row.error_code === 'unreachable'),
    ).toBe(true)
    receiver.answer = () => 200
    await app.patch(`/v1/signatures/${id}`, { signature: { draft_content: saying('Sure') } })
    await publish(id)
    await eventually(() => receiver.writes.get(ada.email)).toBe(writes + 1)
    expect(has(ada.email)).toContain('Sure')
  })

  it('gives every message an id of its own', async () => {
    const ada = await person()
    const id = await signature('alpha', 20, ada.emailId)
    const saysNow = async (words: string) => {
      await eventually(() => has(ada.email)).toContain(words)
      await quiet()
    }
    await publish(id)
    await saysNow('alpha')
    await app.post(`/v1/emails/${ada.emailId}/install`, {})
    await eventually(() => receiver.writes.get(ada.email)).toBe(2)
    for (const words of ['beta', 'alpha']) {
      await app.patch(`/v1/signatures/${id}`, { signature: { draft_content: saying(words) } })
      await publish(id)
      await saysNow(words)
    }
    const ids = receiver.ids.get(ada.email) ?? []
    expect(ids).toHaveLength(4)
    expect(new Set(ids).size).toBe(4)
  })
})

describe('a worker that loses its claim', () => {
  /** Delivers into `mailboxes`, as slowly as it is told. */
  const channelTo = (
    mailboxes: Map<string, string>,
    slowness: (parcel: Delivery) => Promise<void>,
    log: string[],
  ): PushChannel => ({
    name: 'webhook',
    atOnce: 2,
    async deliver(parcel) {
      log.push(parcel.text)
      await slowness(parcel)
      mailboxes.set(parcel.address, parcel.text)
      return { ok: true }
    },
  })

  it('begins nothing more, and what it wrote last is written again', async () => {
    const own = await testApp()
    const integrationId = await insertIntegration(own.db, own.by, {
      kind: 'webhook',
      name: 'Slow',
      dashboardUrl: null,
      drivesTeammates: false,
    })
    const to = {
      workspaceId: own.id,
      channel: 'webhook',
      mode: 'push' as const,
      integrationId,
      settings: {},
      secret: 'x',
    } as const
    const emailIds: string[] = []
    for (const name of ['p', 'q', 'r', 's']) {
      const { body } = await own.post('/v1/teammates', { teammate: { email: `${name}@example.com` } })
      emailIds.push(body.data.emails[0].id)
    }
    const made = await own.post('/v1/signatures', {
      signature: { name: 'All', draft_content: saying('v1') },
    })
    const path = `/v1/signatures/${made.body.data.id}`
    await own.post(`${path}/emails`, { email_ids: emailIds })
    const publishes = async (words: string) => {
      await own.patch(path, { signature: { draft_content: saying(words) } })
      await own.post(`${path}/publish`)
    }
    const mailboxes = new Map<string, string>()
    const log: string[] = []
    const jobsOf = (
      slowness: (parcel: Delivery) => Promise<void>,
      claimMilliseconds: number,
      words: string[],
    ) => {
      const jobs = installationJobs({
        db: own.db,
        rendering: { publicUrl: own.config.publicUrl, tracking: null },
        channels: new Map([['webhook', channelTo(mailboxes, slowness, words)]]),
        connectionsOf: async () => [to],
        onHalt: async () => undefined,
        allConnections: async () => [],
        pace: { claimMilliseconds, beginMilliseconds: 400 },
      })
      const run = (name: string, payload: object) => jobs.find(job => job.name === name)?.run(payload)
      return {
        compare: () => run('installations.reconcile', { workspace_id: own.id }),
        carry: () =>
          run('installations.deliver', {
            workspace_id: own.id,
            channel: 'webhook',
            mode: 'push' as const,
            integration_id: integrationId,
            slot: 0,
          }),
      }
    }
    const held = Promise.withResolvers<void>()
    const bothBegun = Promise.withResolvers<void>()
    const hold = async ({ text }: Delivery) => {
      if (log.length === 2) bothBegun.resolve()
      if (text.includes('v1')) await held.promise
    }
    const slow = jobsOf(hold, 600, log)
    const quick = jobsOf(async () => undefined, 60_000, [])
    await publishes('v1')
    await slow.compare()
    const losing = slow.carry()
    await Promise.race([losing, bothBegun.promise])
    await publishes('v2')
    await quick.compare()
    const texts = () => emailIds.map((_, n) => mailboxes.get(`${'pqrs'[n]}@example.com`))
    await eventually(async () => {
      await quick.carry()
      return texts().every(text => text?.includes('v2'))
    }).toBe(true)
    held.resolve()
    await losing
    // The two that were on their way: fewer where drawing took the time to begin. Never the other two.
    expect(log.filter(text => text.includes('v1')).length).toBeLessThanOrEqual(2)
    await quick.carry()
    expect(texts().every(text => text?.includes('v2'))).toBe(true)
    const { body } = await own.get('/v1/installations?limit=100')
    expect(body.data.map((row: Row) => row.status)).toEqual(emailIds.map(() => 'installed'))
  })
})

describe('a copy from the personal page', () => {
  it('leaves what was pushed as it is', async () => {
    const ada = await person()
    const id = await signature('Both ways', 20, ada.emailId)
    await publish(id)
    await eventually(() => states(ada.emailId, id)).toEqual(['personal_page pending', 'webhook installed'])
    const { url } = (await app.get(`/v1/emails/${ada.emailId}/personal_page`)).body.data
    const copied = await app.post(`${new URL(url).pathname}/copied`, undefined, { key: null })
    expect(copied.body.data).toEqual({ state: 'current' })
    expect(await states(ada.emailId, id)).toEqual(['personal_page installed', 'webhook installed'])
  })
})

describe('refusals', () => {
  it('of one address are its own; everybody else gets theirs', async () => {
    const [bad, ...good] = await Promise.all([person(), person(), person()])
    receiver.answer = address => (address === bad?.email ? 403 : 200)
    const id = await signature('One refused', 20, ...[bad, ...good].map(one => one?.emailId ?? ''))
    await publish(id)
    for (const one of good) await eventually(() => has(one.email)).toContain('One refused')
    await eventually(() => states(bad?.emailId ?? '', id)).toEqual([
      'personal_page pending',
      'webhook failed',
    ])
    const [row] = (await rowsOf(bad?.emailId ?? '')).filter(one => one.channel === 'webhook')
    expect(row).toMatchObject({ error_code: 'forbidden', error_message: 'The address answered 403.' })
    expect((await app.get(`/v1/integrations/${integration}`)).body.data.status).toBe('active')
  })

  it('of everybody are told until somebody gets through', async () => {
    const people = await Promise.all([person(), person(), person()])
    receiver.answer = () => 401
    const id = await signature('All refused', 20, ...people.map(one => one.emailId))
    await publish(id)
    const state = async () => (await app.get(`/v1/integrations/${integration}`)).body.data
    await eventually(async () => (await state()).status).toBe('error')
    await quiet()
    const since = (await state()).error_since
    expect(since).not.toBeNull()
    // Lanes that find nothing to do know nothing.
    await app.db.query(sql`update mailboxes set due_at = now() + interval '1 hour' where due_at is not null`)
    const lane = { workspace_id: app.id, channel: 'webhook', integration_id: integration, slot: 3 }
    await app.db.query(enqueue('installations.deliver', lane))
    await quiet()
    expect((await state()).error_since).toBe(since)
    receiver.answer = () => 200
    await app.post(`/v1/signatures/${id}/install`)
    await eventually(async () => (await state()).status).toBe('active')
    for (const one of people) await eventually(() => has(one.email)).toContain('All refused')
  })

  it('of everybody are nobody’s own', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, person))
    await quiet()
    receiver.answer = () => 403
    const id = await signature('Nobody', 20, ...people.map(one => one.emailId))
    await publish(id)
    const state = async () => (await app.get(`/v1/integrations/${integration}`)).body.data
    await eventually(async () => (await state()).error_message).toBe('The address answered 403.')
    await quiet()
    for (const one of people) expect((await states(one.emailId, id))[1]).toBe('webhook pending')
    // The first who gets through shows that it was not everybody.
    receiver.answer = address => (address === people[0]?.email ? 403 : 200)
    await app.post(`/v1/signatures/${id}/install`)
    await eventually(async () => (await state()).status).toBe('active')
    await eventually(async () => (await states(people[0]?.emailId ?? '', id))[1]).toBe('webhook failed')
    for (const one of people.slice(1)) expect(has(one.email)).toContain('Nobody')
  })

  it('do not include long answers', async () => {
    const ada = await person()
    receiver.reply = { body: 'x'.repeat(200_000) }
    const id = await signature('Talkative', 20, ada.emailId)
    await publish(id)
    await eventually(async () => (await states(ada.emailId, id))[1]).toBe('webhook installed')
  })

  it('say when to come back', async () => {
    const ada = await person()
    receiver.answer = () => 503
    receiver.reply = { headers: { 'retry-after': '2' } }
    const id = await signature('Patience', 20, ada.emailId)
    await publish(id)
    await eventually(async () => (await rowsOf(ada.emailId)).some(row => row.attempts === 1)).toBe(true)
    const [row] = (await rowsOf(ada.emailId)).filter(one => one.channel === 'webhook')
    expect(row).toMatchObject({ status: 'pending', error_code: 'unreachable' })
    const [mailbox] = await app.db.query<{ seconds: number }>(sql`
      select extract(epoch from due_at - now())::float as seconds from mailboxes
      where workspace_id = ${app.id} and email_id = ${ada.emailId}`)
    expect(mailbox?.seconds).toBeLessThan(2.1) // of its own it would wait for 2.5 to 7.5 s
    receiver.answer = () => 200
    await eventually(() => has(ada.email)).toContain('Patience')
  })
})
