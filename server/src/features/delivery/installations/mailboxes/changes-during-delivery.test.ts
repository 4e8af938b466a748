// Changes while a delivery is under way: in the end the mailbox holds the signature that belongs there.
import { beforeEach, describe, expect, it } from 'vitest'
import { markDisconnected } from '#features/workspace/integrations/index.ts'
import { type Db, sql } from '#kernel/db/db.ts'
import { queriesBy } from '#kernel/db/query-forms.ts'
import type { TestApp } from '#test/support/app.ts'
import { runAllJobs, runJob } from '#test/support/jobs.ts'
import type { Receiver } from '#test/support/outside/webhook.ts'
import { createSignature, field, stack, text } from '#test/support/signatures.ts'
import { assign, connectedApp, createField, createTeammate, publish, setValues } from '#test/support/world.ts'
import { type DeliveryOutcome, failedDelivery, type PushChannel } from '../channel.ts'
import { type DeliveryPace, deliverDue, usualPace } from './deliver.ts'

let app: TestApp
let receiver: Receiver
let system: string
let team: string
beforeEach(async () => {
  ;({ app, receiver, integrationId: system } = await connectedApp())
  team = await createField(app, 'Team')
})

const runDeliver = () =>
  runJob(app, 'installations.deliver', { channel: 'webhook', integration_id: system, slot: 0 })
const runReconcile = (payload: object) => runJob(app, 'installations.reconcile', payload)

const createInTeam = (value: string, email = 'ada@example.com') =>
  createTeammate(app, { email, values: { [team]: value } })

const isSet = () => [[{ smart_field_id: team, operator: 'is_set' }]]
const changeRules = (id: string, conditions: object[]) =>
  app.call('PUT', `/v1/signatures/${id}/recipient_rules`, { body: { conditions } })

async function publishWithRules(
  content: object,
  priority: number,
  conditions: object[] = [],
): Promise<string> {
  const { id } = (await createSignature(app, { draft_content: content, priority })).body.data
  await changeRules(id, conditions)
  await publish(app, id)
  return id
}
/** Holds deliveries that contain `words` at the receiver until they are released. */
function holdDeliveries(words: string): { readonly hasStarted: Promise<void>; readonly release: () => void } {
  const started = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  receiver.delay = (_address, html) => {
    if (!html.includes(words)) return 0
    started.resolve()
    return gate.promise
  }
  return { hasStarted: started.promise, release: gate.resolve }
}

const mailboxOf = (email = 'ada@example.com') => receiver.mailboxes.get(email) ?? ''

describe('a mailbox', () => {
  it('gets its signature when one request names its address twice', async () => {
    const id = await publishWithRules(stack(text('Hello')), 1)
    const [ada, bob] = [await createInTeam('a'), await createInTeam('b', 'bob@example.com')]
    await runAllJobs(app)
    await assign(app, id, ada.emailId, ada.emailId, ada.emailId.toUpperCase(), bob.emailId)
    await runAllJobs(app)
    expect([mailboxOf(), mailboxOf('bob@example.com')]).toEqual([
      expect.stringContaining('Hello'),
      expect.stringContaining('Hello'),
    ])
  })

  it('does not keep a signature whose recipients change during the delivery', async () => {
    const ada = await createInTeam('Sales')
    receiver.answer = () => 503
    await assign(app, await publishWithRules(stack(text('Usual')), 500), ada.emailId)
    await runAllJobs(app)
    receiver.answer = () => 200
    const special = await publishWithRules(stack(text('Special')), 1, isSet())
    await app.db.query(sql`update mailboxes set due_at = now()`) // the back-off is over
    const { hasStarted, release } = holdDeliveries('Special')
    const delivering = runDeliver()
    await hasStarted
    await changeRules(special, [])
    await runAllJobs(app)
    release()
    await delivering
    await runAllJobs(app)
    expect(mailboxOf()).toContain('Usual')
  })

  it('whose address belongs to another teammate now does not keep the signature of the previous one', async () => {
    await publishWithRules(stack(field(team)), 1, isSet())
    const before = await createInTeam('Before')
    await runReconcile({ email_ids: [before.emailId] })
    const { hasStarted, release } = holdDeliveries('Before')
    const delivering = runDeliver()
    await hasStarted
    await app.del(`/v1/teammates/${before.id}`)
    await createInTeam('After')
    await runAllJobs(app)
    expect(mailboxOf()).toContain('After')
    release()
    await delivering
    await runAllJobs(app)
    expect(mailboxOf()).toContain('After')
    expect(receiver.writes.get('ada@example.com')).toBe(3)
  })

  it('that rejected a signature is not written until the signature changes or an installation is requested', async () => {
    let requests = 0
    receiver.answer = () => {
      requests++
      return 422
    }
    const ada = await createInTeam('a')
    const id = await publishWithRules(stack(field(team)), 1)
    await assign(app, id, ada.emailId)
    await runAllJobs(app)
    const other = await createField(app, 'Other')
    await app.patch(`/v1/smart_fields/${other}`, { smart_field: { fallback: 'x' } })
    await runAllJobs(app)
    expect(requests).toBe(1)
    await setValues(app, ada.id, { [team]: 'b' })
    await runAllJobs(app)
    expect(requests).toBe(2)
    await app.post(`/v1/signatures/${id}/install`)
    await runAllJobs(app)
    expect(requests).toBe(3)
  })
})

describe('after the last attempt has failed', () => {
  it('the next reconcile job tries again', async () => {
    receiver.answer = () => 503
    const ada = await createInTeam('a')
    const id = await publishWithRules(stack(field(team)), 1)
    await assign(app, id, ada.emailId)
    await runAllJobs(app)
    await app.db.query(sql`update mailboxes set attempts = 11, due_at = now()`)
    await runDeliver()
    const { body } = await app.get('/v1/installations?status=failed')
    expect(body.data).toMatchObject([{ error_code: 'unreachable', attempts: 12 }])
    receiver.answer = () => 200
    await publish(app, id)
    await runAllJobs(app)
    expect(mailboxOf()).toContain('a')
  })
})

describe('the deliver job', () => {
  const connection = () => ({
    workspaceId: app.id,
    channel: 'webhook' as const,
    mode: 'push' as const,
    integrationId: system,
    settings: {},
    secret: null,
  })
  const context = () => ({
    ...app.parts.rendering,
    workspaceId: app.id,
    publicUrl: 'https://sign.example.com',
    tracking: null,
  })
  /** Runs until no mailbox is due. `deliver` replaces the receiver; one delivery runs at a time. */
  const workThrough = (deliver: PushChannel['deliver'], db: Db = app.db, pace: DeliveryPace = usualPace) =>
    deliverDue({
      db,
      context: context(),
      channel: { name: 'webhook', atOnce: 1, deliver },
      connection: connection(),
      pace,
      onFullBatch: async () => undefined,
    })
  const createMany = async (count: number) => {
    const id = await publishWithRules(stack(field(team)), 1, isSet())
    const teammates = Array.from({ length: count }, (_, n) => ({
      email: `p${n}@example.com`,
      smart_fields: [{ smart_field_id: team, value: `P${n}` }],
    }))
    await app.post('/v1/teammates/import', { teammates })
    await runReconcile({ signature_id: id })
  }

  it('claims no further mailboxes after the integration is disconnected', async () => {
    await createMany(600)
    let delivered = 0
    await workThrough(async () => {
      if (++delivered === 10) await markDisconnected(app.db, app.by, system)
      return { ok: true }
    })
    expect(delivered).toBe(500) // the mailboxes that were claimed before
  })

  it('delivers to some mailbox with each claim, however slow rendering is', async () => {
    await createMany(3)
    let delivered = 0
    const deliver = async () => ({ ok: ++delivered > 0 }) as DeliveryOutcome
    // With 0 milliseconds, only the first delivery of a claim can begin.
    await workThrough(deliver, app.db, { claimMilliseconds: 60_000, beginMilliseconds: 0 })
    expect(delivered).toBe(3)
  })

  it('records the finished deliveries when rendering the next signatures fails', async () => {
    await createMany(60)
    let renderings = 0
    const failing: Db = {
      ...app.db,
      ...queriesBy(async statement => {
        // The query for the addresses, once per rendered batch.
        if (statement.text.includes('primary_address') && ++renderings === 2) throw new Error('gone')
        return app.db.query(statement)
      }),
    }
    let delivered = 0
    const deliver = async () => ({ ok: ++delivered > 0 }) as DeliveryOutcome
    await expect(workThrough(deliver, failing)).rejects.toThrow('gone')
    expect(delivered).toBe(25)
    await workThrough(deliver)
    expect(delivered).toBe(60)
  })

  it('stores the error message of a provider, whatever characters it contains', async () => {
    await createMany(1)
    await workThrough(async () => failedDelivery('refused', 'bad \0 thing \ud800', 'reject'))
    const { body } = await app.get('/v1/installations?status=failed')
    expect(body.data).toMatchObject([{ error_message: 'bad   thing \ufffd' }])
  })

  it('is enqueued again for mailboxes that a reconcile job has locked', async () => {
    await createMany(2)
    const queued = () =>
      app.db.query(sql`
        select from graphile_worker.jobs where task_identifier = 'installations.deliver' and run_at > now() + interval '0.5 s'`)
    await app.db.query(sql`delete from graphile_worker._private_jobs`) // the deliver jobs: this test runs them itself
    await app.db.transaction(async tx => {
      await tx.query(sql`select from mailboxes where workspace_id = ${app.id} for update`)
      await runDeliver()
    })
    expect(await queued()).toHaveLength(1)
    expect(receiver.mailboxes.size).toBe(0)
    await runDeliver()
    expect(receiver.mailboxes.size).toBe(2)
  })
})

it('ids are accepted in upper and lower case', async () => {
  const ada = await createInTeam('a')
  const id = await publishWithRules(stack(text('Hello')), 1)
  await assign(app, id, ada.emailId)
  const [EMAIL, ID] = [ada.emailId.toUpperCase(), id.toUpperCase()]
  const explained = await app.get(`/v1/emails/${EMAIL}/signature`)
  expect(explained.body.data).toMatchObject({ signature_id: id, html: expect.stringContaining('Hello') })
  const html = await app.get(`/v1/signatures/${ID}/html?email_id=${EMAIL}`)
  expect([html.status, html.body.data?.html]).toEqual([200, expect.stringContaining('Hello')])
  expect((await app.post(`/v1/signatures/${ID}/install`)).body.data.signature_id).toBe(id)
})
