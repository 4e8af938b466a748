// One mailbox, several signatures, slow receivers, workers that lose their claim: in the end the
// mailbox holds the right signature.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertIntegration } from '#features/workspace/integrations/index.ts'
import { type Db, sql } from '#kernel/db/db.ts'
import { enqueue, type Worker } from '#kernel/db/jobs.ts'
import { queriesBy } from '#kernel/db/query-forms.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { runJob, startJobs } from '#test/support/jobs.ts'
import type { Receiver } from '#test/support/outside/webhook.ts'
import { createSignature, stack, text } from '#test/support/signatures.ts'
import { assign, connectedApp, createTeammate, publish } from '#test/support/world.ts'
import type { Delivery, PushChannel } from '../channel.ts'
import { installationJobs } from '../jobs.ts'

let app: TestApp
let receiver: Receiver
let integration: string
let worker: Worker
beforeAll(async () => {
  ;({ app, receiver, integrationId: integration } = await connectedApp())
  worker = startJobs(app)
})
afterAll(() => worker.stop(5_000))
beforeEach(() => {
  receiver.answer = () => 200
  receiver.reply = {}
  receiver.delay = 0
})

async function createDraft(words: string, priority: number, ...emailIds: string[]): Promise<string> {
  const { body } = await createSignature(app, { draft_content: stack(text(words)), priority })
  await assign(app, body.data.id, ...emailIds)
  return body.data.id
}
const rewrite = (id: string, words: string) =>
  app.patch(`/v1/signatures/${id}`, { signature: { draft_content: stack(text(words)) } })
const mailboxOf = (email: string) => receiver.mailboxes.get(email) ?? ''
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
/** The installations of a signature at an address, as `channel status`. */
const states = async (emailId: string, id: string) =>
  (await rowsOf(emailId))
    .filter(row => row.signature_template_id === id)
    .map(row => `${row.channel} ${row.status}`)
    .sort()
const allJobsDone = () =>
  eventually(async () => {
    const { rows } = await app.db.pg.query(
      "select count(*)::int as n from graphile_worker.jobs where task_identifier like 'installations.%' and run_at <= now()",
    )
    return rows[0].n
  }).toBe(0)

describe('a mailbox', () => {
  it('ends with the winning signature although another one arrives after the winner was published', async () => {
    const ada = await createTeammate(app)
    const low = await createDraft('Slow low', 900, ada.emailId)
    const high = await createDraft('Quick high', 10, ada.emailId)
    const gate = Promise.withResolvers<void>()
    const hasStarted = Promise.withResolvers<void>()
    receiver.delay = (_, html) => {
      if (!html.includes('Slow low')) return 0
      hasStarted.resolve()
      return gate.promise
    }
    await publish(app, low)
    await hasStarted.promise
    await publish(app, high)
    await eventually(async () => (await states(ada.emailId, high))[1]).toBe('webhook pending')
    gate.resolve()
    await eventually(() => mailboxOf(ada.email)).toContain('Quick high')
    await eventually(() => states(ada.emailId, high)).toEqual(['personal_page pending', 'webhook installed'])
    await eventually(() => states(ada.emailId, low)).toEqual([
      'personal_page uninstalled',
      'webhook uninstalled',
    ])
    await allJobsDone()
    expect(mailboxOf(ada.email)).toContain('Quick high')
    // The service knows that the first signature was overwritten, so it is delivered again.
    receiver.delay = 0
    await app.post(`/v1/signatures/${high}/deactivate`)
    await eventually(() => mailboxOf(ada.email)).toContain('Slow low')
    await eventually(async () => (await states(ada.emailId, low))[1]).toBe('webhook installed')
  })

  it('holds the right signature after a reconcile job has compared with outdated data', async () => {
    const ada = await createTeammate(app)
    const low = await createDraft('Old winner', 900, ada.emailId)
    const high = await createDraft('New winner', 10, ada.emailId)
    await publish(app, low)
    await eventually(() => mailboxOf(ada.email)).toContain('Old winner')
    await allJobsDone()

    let isHeld = true
    let reached = false
    const held = (db: Db): Db => ({
      ...queriesBy(async statement => {
        if (!reached && /(from|update|into) (installations|mailboxes)/.test(statement.text)) {
          reached = true
          while (isHeld) await sleep(20)
        }
        return db.query(statement)
      }),
      transaction: (within, isolation) => db.transaction(tx => within(held(tx)), isolation),
    })
    const comparing = runJob(app, 'installations.reconcile', { teammate_ids: [ada.id] }, held(app.db))
    await eventually(() => reached).toBe(true)
    await publish(app, high)
    // Another reconcile job, which reads the new signature, has begun.
    const begun = sql`
      select from graphile_worker.jobs where task_identifier = 'installations.reconcile' and locked_at is not null`
    await eventually(async () => (await app.db.query(begun)).length).toBeGreaterThan(0)
    isHeld = false
    await comparing
    await eventually(() => mailboxOf(ada.email)).toContain('New winner')
    await allJobsDone()
    await eventually(() => states(ada.emailId, high)).toEqual(['personal_page pending', 'webhook installed'])
    expect(await states(ada.emailId, low)).toEqual(['personal_page uninstalled', 'webhook uninstalled'])
  })

  it('is written again when its address or the primary address changes', async () => {
    const ada = await createTeammate(app)
    const { body } = await app.post('/v1/emails', {
      email: { teammate_id: ada.id, address: `alias-of-${ada.email}` },
    })
    const id = await createDraft('Moved', 20, ada.emailId, body.data.id)
    await publish(app, id)
    await eventually(() => mailboxOf(ada.email)).toContain('Moved')
    await eventually(() => mailboxOf(body.data.address)).toContain('Moved')
    await allJobsDone()
    const writes = receiver.writes.get(body.data.address)
    await app.patch(`/v1/emails/${ada.emailId}`, { email: { address: `moved-${ada.email}` } })
    await eventually(() => mailboxOf(`moved-${ada.email}`)).toContain('Moved')
    // The alias is written again, because the primary address is part of the delivery.
    await eventually(() => receiver.writes.get(body.data.address)).toBe((writes ?? 0) + 1)
  })

  it('is written again when it is not known whether the last delivery arrived', async () => {
    const ada = await createTeammate(app)
    const id = await createDraft('Sure', 20, ada.emailId)
    await publish(app, id)
    await eventually(() => mailboxOf(ada.email)).toContain('Sure')
    await allJobsDone()
    const writes = receiver.writes.get(ada.email) ?? 0
    receiver.answer = () => 503
    await rewrite(id, 'Unsure')
    await publish(app, id)
    await eventually(async () =>
      (await rowsOf(ada.emailId)).some(row => row.error_code === 'unreachable'),
    ).toBe(true)
    receiver.answer = () => 200
    await rewrite(id, 'Sure')
    await publish(app, id)
    await eventually(() => receiver.writes.get(ada.email)).toBe(writes + 1)
    expect(mailboxOf(ada.email)).toContain('Sure')
  })

  it('gets every message with a unique id', async () => {
    const ada = await createTeammate(app)
    const id = await createDraft('alpha', 20, ada.emailId)
    const saysNow = async (words: string) => {
      await eventually(() => mailboxOf(ada.email)).toContain(words)
      await allJobsDone()
    }
    await publish(app, id)
    await saysNow('alpha')
    await app.post(`/v1/emails/${ada.emailId}/install`, {})
    await eventually(() => receiver.writes.get(ada.email)).toBe(2)
    for (const words of ['beta', 'alpha']) {
      await rewrite(id, words)
      await publish(app, id)
      await saysNow(words)
    }
    const ids = receiver.ids.get(ada.email) ?? []
    expect(ids).toHaveLength(4)
    expect(new Set(ids).size).toBe(4)
  })
})

describe('a worker that loses its claim', () => {
  /** Delivers into `mailboxes`, after `delay`. */
  const channelTo = (
    mailboxes: Map<string, string>,
    delay: (delivery: Delivery) => Promise<void>,
    log: string[],
  ): PushChannel => ({
    name: 'webhook',
    atOnce: 2,
    async deliver(delivery) {
      log.push(delivery.text)
      await delay(delivery)
      mailboxes.set(delivery.address, delivery.text)
      return { ok: true }
    },
  })

  it('begins no further delivery, and its last deliveries are written again', async () => {
    const slowApp = await testApp()
    const integrationId = await insertIntegration(slowApp.db, slowApp.by, {
      kind: 'webhook',
      name: 'Slow',
      dashboardUrl: null,
      drivesTeammates: false,
    })
    const connection = {
      workspaceId: slowApp.id,
      channel: 'webhook',
      mode: 'push' as const,
      integrationId,
      settings: {},
      secret: 'x',
    } as const
    const emailIds: string[] = []
    for (const name of ['p', 'q', 'r', 's'])
      emailIds.push((await createTeammate(slowApp, { email: `${name}@example.com` })).emailId)
    const created = await createSignature(slowApp, { draft_content: stack(text('v1')) })
    const { id } = created.body.data
    await assign(slowApp, id, ...emailIds)
    const publishes = async (words: string) => {
      await slowApp.patch(`/v1/signatures/${id}`, { signature: { draft_content: stack(text(words)) } })
      await publish(slowApp, id)
    }
    const mailboxes = new Map<string, string>()
    const log: string[] = []
    const jobsOf = (
      delay: (delivery: Delivery) => Promise<void>,
      claimMilliseconds: number,
      words: string[],
    ) => {
      const jobs = installationJobs({
        db: slowApp.db,
        rendering: { ...slowApp.parts.rendering, tracking: null },
        channels: new Map([['webhook', channelTo(mailboxes, delay, words)]]),
        connectionsOf: async () => [connection],
        onHalt: async () => undefined,
        allConnections: async () => [],
        pace: { claimMilliseconds, beginMilliseconds: 400 },
      })
      const run = (name: string, payload: object) => jobs.find(job => job.name === name)?.run(payload)
      return {
        compare: () => run('installations.reconcile', { workspace_id: slowApp.id }),
        deliver: () =>
          run('installations.deliver', {
            workspace_id: slowApp.id,
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
    const losing = slow.deliver()
    await Promise.race([losing, bothBegun.promise])
    await publishes('v2')
    await quick.compare()
    const texts = () => emailIds.map((_, n) => mailboxes.get(`${'pqrs'[n]}@example.com`))
    await eventually(async () => {
      await quick.deliver()
      return texts().every(text => text?.includes('v2'))
    }).toBe(true)
    held.resolve()
    await losing
    // At most the two deliveries that had begun (fewer when rendering was too slow to begin), never the other two.
    expect(log.filter(text => text.includes('v1')).length).toBeLessThanOrEqual(2)
    await quick.deliver()
    expect(texts().every(text => text?.includes('v2'))).toBe(true)
    const { body } = await slowApp.get('/v1/installations?limit=100')
    expect(body.data.map((row: Row) => row.status)).toEqual(emailIds.map(() => 'installed'))
  })
})

describe('a copy from the personal page', () => {
  it('does not change the pushed installation', async () => {
    const ada = await createTeammate(app)
    const id = await createDraft('Both ways', 20, ada.emailId)
    await publish(app, id)
    await eventually(() => states(ada.emailId, id)).toEqual(['personal_page pending', 'webhook installed'])
    const { url } = (await app.get(`/v1/emails/${ada.emailId}/personal_page`)).body.data
    const copied = await app.post(`${new URL(url).pathname}/copied`, undefined, { key: null })
    expect(copied.body.data).toEqual({ state: 'current' })
    expect(await states(ada.emailId, id)).toEqual(['personal_page installed', 'webhook installed'])
  })
})

describe('refusals', () => {
  it('of one address do not stop the deliveries to the others', async () => {
    const [bad, ...good] = await Promise.all([createTeammate(app), createTeammate(app), createTeammate(app)])
    receiver.answer = address => (address === bad?.email ? 403 : 200)
    const id = await createDraft(
      'One refused',
      20,
      ...[bad, ...good].map(recipient => recipient?.emailId ?? ''),
    )
    await publish(app, id)
    for (const recipient of good) await eventually(() => mailboxOf(recipient.email)).toContain('One refused')
    await eventually(() => states(bad?.emailId ?? '', id)).toEqual([
      'personal_page pending',
      'webhook failed',
    ])
    const [row] = (await rowsOf(bad?.emailId ?? '')).filter(recipient => recipient.channel === 'webhook')
    expect(row).toMatchObject({ error_code: 'forbidden', error_message: 'The address answered 403.' })
    expect((await app.get(`/v1/integrations/${integration}`)).body.data.status).toBe('active')
  })

  it('of all addresses set the integration to error until a delivery arrives', async () => {
    const people = await Promise.all([createTeammate(app), createTeammate(app), createTeammate(app)])
    receiver.answer = () => 401
    const id = await createDraft('All refused', 20, ...people.map(recipient => recipient.emailId))
    await publish(app, id)
    const state = async () => (await app.get(`/v1/integrations/${integration}`)).body.data
    await eventually(async () => (await state()).status).toBe('error')
    await allJobsDone()
    const since = (await state()).error_since
    expect(since).not.toBeNull()
    // A deliver job that finds no due mailbox does not change the status.
    await app.db.query(sql`update mailboxes set due_at = now() + interval '1 hour' where due_at is not null`)
    const payload = { workspace_id: app.id, channel: 'webhook', integration_id: integration, slot: 3 }
    await app.db.query(enqueue('installations.deliver', payload))
    await allJobsDone()
    expect((await state()).error_since).toBe(since)
    receiver.answer = () => 200
    await app.post(`/v1/signatures/${id}/install`)
    await eventually(async () => (await state()).status).toBe('active')
    for (const recipient of people)
      await eventually(() => mailboxOf(recipient.email)).toContain('All refused')
  })

  it('of a whole batch halt the channel, and no mailbox fails', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => createTeammate(app)))
    await allJobsDone()
    receiver.answer = () => 403
    const id = await createDraft('All forbidden', 20, ...people.map(recipient => recipient.emailId))
    await publish(app, id)
    const state = async () => (await app.get(`/v1/integrations/${integration}`)).body.data
    await eventually(async () => (await state()).error_message).toBe('The address answered 403.')
    await allJobsDone()
    for (const recipient of people) expect((await states(recipient.emailId, id))[1]).toBe('webhook pending')
    // The first delivery that arrives shows that the refusals concern single mailboxes.
    receiver.answer = address => (address === people[0]?.email ? 403 : 200)
    await app.post(`/v1/signatures/${id}/install`)
    await eventually(async () => (await state()).status).toBe('active')
    await eventually(async () => (await states(people[0]?.emailId ?? '', id))[1]).toBe('webhook failed')
    for (const recipient of people.slice(1)) expect(mailboxOf(recipient.email)).toContain('All forbidden')
  })

  it('do not include an answer with a long body', async () => {
    const ada = await createTeammate(app)
    receiver.reply = { body: 'x'.repeat(200_000) }
    const id = await createDraft('Talkative', 20, ada.emailId)
    await publish(app, id)
    await eventually(async () => (await states(ada.emailId, id))[1]).toBe('webhook installed')
  })

  it('delay the retry as the Retry-After header says', async () => {
    const ada = await createTeammate(app)
    receiver.answer = () => 503
    receiver.reply = { headers: { 'retry-after': '2' } }
    const id = await createDraft('Patience', 20, ada.emailId)
    await publish(app, id)
    await eventually(async () => (await rowsOf(ada.emailId)).some(row => row.attempts === 1)).toBe(true)
    const [row] = (await rowsOf(ada.emailId)).filter(recipient => recipient.channel === 'webhook')
    expect(row).toMatchObject({ status: 'pending', error_code: 'unreachable' })
    const [mailbox] = await app.db.query<{ seconds: number }>(sql`
      select extract(epoch from due_at - now())::float as seconds from mailboxes
      where workspace_id = ${app.id} and email_id = ${ada.emailId}`)
    expect(mailbox?.seconds).toBeLessThan(2.1) // without the header, the back-off is 2.5 to 7.5 s
    receiver.answer = () => 200
    await eventually(() => mailboxOf(ada.email)).toContain('Patience')
  })
})
