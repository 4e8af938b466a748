// What changes while something is on its way: whoever arrives last, the mailbox ends with what belongs there.
import { beforeEach, describe, expect, it } from 'vitest'
import { disconnect } from '#features/integrations/index.ts'
import { type Db, sql } from '#kernel/db.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { workAll } from '#test/support/jobs.ts'
import { createField, createSignature, field, stack, text } from '#test/support/signatures.ts'
import { connectReceiver, type Receiver, startReceiver, webhookSecret } from '#test/support/webhook.ts'
import { buildJobs } from '#worker.ts'
import { type DeliveryOutcome, failedDelivery, type PushChannel } from '../channel.ts'
import { type DeliveryPace, deliverDue } from './deliver.ts'

let app: TestApp
let receiver: Receiver
let system: string
let team: string
beforeEach(async () => {
  app = await testApp({ env: { SIGNOFF_PRIVATE_TARGETS: '127.0.0.1' } })
  receiver = await startReceiver(() => webhookSecret)
  system = await connectReceiver(app, receiver)
  team = await createField(app, 'Team')
})

const run = async (name: string, payload: object) =>
  buildJobs(app.parts, app.db)
    .find(job => job.name === `installations.${name}`)
    ?.run({ workspace_id: app.id, ...payload })
const carry = () => run('deliver', { channel: 'webhook', integration_id: system, slot: 0 })

async function person(value: string, email = 'ada@example.com'): Promise<{ id: string; emailId: string }> {
  const smart_fields = [{ smart_field_id: team, value }]
  const { body } = await app.post('/v1/teammates', { teammate: { email, smart_fields } })
  return { id: body.data.id, emailId: body.data.emails[0].id }
}

const isSet = () => [[{ smart_field_id: team, operator: 'is_set' }]]
const rules = (id: string, conditions: object[]) =>
  app.call('PUT', `/v1/signatures/${id}/recipient_rules`, { body: { conditions } })

async function published(content: object, priority: number, conditions: object[] = []): Promise<string> {
  const { id } = (await createSignature(app, { draft_content: content, priority })).body.data
  await rules(id, conditions)
  await app.post(`/v1/signatures/${id}/publish`)
  return id
}
const give = (id: string, ...email_ids: string[]) => app.post(`/v1/signatures/${id}/emails`, { email_ids })
/** What says these words takes a second; resolves when it is on its way. */
function slow(words: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  receiver.delay = (_address, html) => {
    if (!html.includes(words)) return 0
    resolve()
    return 1_000
  }
  return promise
}

const has = (email = 'ada@example.com') => receiver.mailboxes.get(email) ?? ''

describe('a mailbox', () => {
  it('gets what it is given twice in one request', async () => {
    const id = await published(stack(text('Hello')), 1)
    const [ada, bob] = [await person('a'), await person('b', 'bob@example.com')]
    await workAll(app)
    await give(id, ada.emailId, ada.emailId, ada.emailId.toUpperCase(), bob.emailId)
    await workAll(app)
    expect([has(), has('bob@example.com')]).toEqual([
      expect.stringContaining('Hello'),
      expect.stringContaining('Hello'),
    ])
  })

  it('does not keep what nobody had asked for when its recipients change on the way', async () => {
    const ada = await person('Sales')
    receiver.answer = () => 503
    await give(await published(stack(text('Usual')), 500), ada.emailId)
    await workAll(app)
    receiver.answer = () => 200
    const special = await published(stack(text('Special')), 1, isSet())
    await app.db.query(sql`update mailboxes set due_at = now()`) // the pause is over
    const isOnItsWay = slow('Special')
    const carrying = carry()
    await isOnItsWay
    await rules(special, [])
    await workAll(app)
    await carrying
    await workAll(app)
    expect(has()).toContain('Usual')
  })

  it('that is somebody else’s by now does not keep what was sent to the one before', async () => {
    await published(stack(field(team)), 1, isSet())
    const before = await person('Before')
    await run('reconcile', { email_ids: [before.emailId] })
    const isOnItsWay = slow('Before')
    const carrying = carry()
    await isOnItsWay
    await app.del(`/v1/teammates/${before.id}`)
    await person('After')
    await workAll(app)
    expect(has()).toContain('After')
    await carrying
    await workAll(app)
    expect(has()).toContain('After')
    expect(receiver.writes.get('ada@example.com')).toBe(3)
  })

  it('that refused for good is left alone until something else is to be there', async () => {
    let asked = 0
    receiver.answer = () => {
      asked++
      return 422
    }
    const ada = await person('a')
    const id = await published(stack(field(team)), 1)
    await give(id, ada.emailId)
    await workAll(app)
    const other = await createField(app, 'Other')
    await app.patch(`/v1/smart_fields/${other}`, { smart_field: { fallback: 'x' } })
    await workAll(app)
    expect(asked).toBe(1)
    const smart_fields = [{ smart_field_id: team, value: 'b' }]
    await app.patch(`/v1/teammates/${ada.id}`, { teammate: { smart_fields } })
    await workAll(app)
    expect(asked).toBe(2)
    await app.post(`/v1/signatures/${id}/install`)
    await workAll(app)
    expect(asked).toBe(3)
  })
})

describe('where nobody answers for hours', () => {
  it('the next comparison tries again', async () => {
    receiver.answer = () => 503
    const ada = await person('a')
    const id = await published(stack(field(team)), 1)
    await give(id, ada.emailId)
    await workAll(app)
    await app.db.query(sql`update mailboxes set attempts = 11, due_at = now()`)
    await carry()
    const { body } = await app.get('/v1/installations?status=failed')
    expect(body.data).toMatchObject([{ error_code: 'unreachable', attempts: 12 }])
    receiver.answer = () => 200
    await app.post(`/v1/signatures/${id}/publish`)
    await workAll(app)
    expect(has()).toContain('a')
  })
})

describe('carrying', () => {
  const connection = () => ({
    workspaceId: app.id,
    channel: 'webhook' as const,
    mode: 'push' as const,
    integrationId: system,
    settings: {},
    secret: null,
  })
  const place = () => ({ workspaceId: app.id, publicUrl: 'https://sign.example.com', tracking: null })
  /** Until nothing is due; `deliver` stands for the system, of which one thing at a time is asked. */
  const workThrough = (deliver: PushChannel['deliver'], db: Db = app.db, ...pace: DeliveryPace[]) =>
    deliverDue(db, place(), { name: 'webhook', atOnce: 1, deliver }, connection(), ...pace)
  const many = async (count: number) => {
    const id = await published(stack(field(team)), 1, isSet())
    const teammates = Array.from({ length: count }, (_, n) => ({
      email: `p${n}@example.com`,
      smart_fields: [{ smart_field_id: team, value: `P${n}` }],
    }))
    await app.post('/v1/teammates/import', { teammates })
    await run('reconcile', { signature_id: id })
  }

  it('ends where it is disconnected', async () => {
    await many(600)
    let delivered = 0
    await workThrough(async () => {
      if (++delivered === 10) await disconnect(app.db, app.by, system)
      return { ok: true }
    })
    expect(delivered).toBe(500) // those that were claimed by then
  })

  it('reaches somebody each time, however long drawing takes', async () => {
    await many(3)
    let delivered = 0
    const deliver = async () => ({ ok: ++delivered > 0 }) as DeliveryOutcome
    // There is no time at all to begin with the next ones.
    await workThrough(deliver, app.db, { claimMilliseconds: 60_000, beginMilliseconds: 0 })
    expect(delivered).toBe(3)
  })

  it('notes what was delivered, though the next ones cannot be drawn', async () => {
    await many(60)
    let drawn = 0
    const failing: Db = {
      ...app.db,
      query: async statement => {
        // Of everybody that is drawn, the address they have.
        if (statement.text.includes('primary_address') && ++drawn === 2) throw new Error('gone')
        return app.db.query(statement) as never
      },
    }
    let delivered = 0
    const deliver = async () => ({ ok: ++delivered > 0 }) as DeliveryOutcome
    await expect(workThrough(deliver, failing)).rejects.toThrow('gone')
    expect(delivered).toBe(25)
    await workThrough(deliver)
    expect(delivered).toBe(60)
  })

  it('keeps what a provider says, whatever characters that has', async () => {
    await many(1)
    await workThrough(async () => failedDelivery('refused', 'bad \0 thing \ud800', 'reject'))
    const { body } = await app.get('/v1/installations?status=failed')
    expect(body.data).toMatchObject([{ error_message: 'bad   thing \ufffd' }])
  })

  it('waits a moment for what somebody is comparing', async () => {
    await many(2)
    const queued = () =>
      app.db.query(sql`
        select from graphile_worker.jobs where task_identifier = 'installations.deliver' and run_at > now() + interval '0.5 s'`)
    await app.db.query(sql`delete from graphile_worker._private_jobs`) // carrying, which is what we do ourselves
    await app.db.transaction(async tx => {
      await tx.query(sql`select from mailboxes for update`)
      await carry()
    })
    expect(await queued()).toHaveLength(1)
    expect(receiver.mailboxes.size).toBe(0)
    await carry()
    expect(receiver.mailboxes.size).toBe(2)
  })
})

it('an id is the same in any case', async () => {
  const ada = await person('a')
  const id = await published(stack(text('Hello')), 1)
  await give(id, ada.emailId)
  const [EMAIL, ID] = [ada.emailId.toUpperCase(), id.toUpperCase()]
  const explained = await app.get(`/v1/emails/${EMAIL}/signature`)
  expect(explained.body.data).toMatchObject({ signature_id: id, html: expect.stringContaining('Hello') })
  const html = await app.get(`/v1/signatures/${ID}/html?email_id=${EMAIL}`)
  expect([html.status, html.body.data?.html]).toEqual([200, expect.stringContaining('Hello')])
  expect((await app.post(`/v1/signatures/${ID}/install`)).body.data.signature_id).toBe(id)
})
