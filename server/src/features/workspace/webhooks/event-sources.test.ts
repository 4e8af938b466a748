// Every change that has an event: what is sent for it. And many changes at once.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordCopy } from '#features/delivery/installations/index.ts'
import { recordError } from '#features/workspace/integrations/index.ts'
import { sql } from '#kernel/db/db.ts'
import type { Worker } from '#kernel/db/jobs.ts'
import type { TestApp } from '#test/support/app.ts'
import { runAllJobs, startSending } from '#test/support/jobs.ts'
import { type EventReceiver, startEventReceiver } from '#test/support/outside/event-receiver.ts'
import type { Receiver } from '#test/support/outside/webhook.ts'
import { stack, text } from '#test/support/signatures.ts'
import {
  connectedApp,
  createPublished,
  createTeammate,
  publish,
  startCampaign,
  type TestTeammate,
} from '#test/support/world.ts'
import { eventTypes } from './events.ts'

let app: TestApp
let mailboxes: Receiver
let integrationId: string
let receiver: EventReceiver
let sending: Worker
let teammate: TestTeammate
let now = new Date()
beforeAll(async () => {
  ;({ app, receiver: mailboxes, integrationId } = await connectedApp({ now: () => now }))
  receiver = await startEventReceiver()
  teammate = await createTeammate(app)
  await subscribe(receiver, eventTypes)
  sending = startSending(app)
})
afterAll(() => sending.stop(2_000))

async function subscribe(to: EventReceiver, events: readonly string[]): Promise<string> {
  const { body } = await app.post('/v1/webhooks', { webhook: { url: to.url, events } })
  to.secrets.push(body.data.secret)
  return `/v1/webhooks/${body.data.id}`
}

/** The events of the changes that `work` makes, in the order of their types. */
async function eventsOf(work: () => Promise<unknown>, ...types: string[]) {
  receiver.events.length = 0
  await work()
  await expect.poll(() => receiver.events.map(({ type }) => type).sort()).toEqual(types.sort())
  return receiver.events.toSorted((a, b) => a.type.localeCompare(b.type)).map(({ data }) => data)
}

describe('signatures', () => {
  it('tell of publication, installation and deactivation', async () => {
    const draft_content = stack(text('Ada'))
    let id = ''
    const [published] = await eventsOf(async () => {
      id = await createPublished(app, { draft_content }, teammate.emailId)
    }, 'signature.published')
    expect(published).toMatchObject({ id, path: `/v1/signatures/${id}`, variant: null })
    const [installed] = await eventsOf(() => runAllJobs(app), 'installation.succeeded')
    expect(installed).toMatchObject({
      signature_template_id: id,
      email_id: teammate.emailId,
      channel: 'webhook',
      integration_id: integrationId,
    })
    expect((await app.get(installed.path)).body.data).toMatchObject({ id: installed.id, status: 'installed' })

    const context = { ...app.parts.rendering, workspaceId: app.id }
    const [copied] = await eventsOf(
      () => recordCopy(app.db, context, teammate.emailId),
      'installation.succeeded',
    )
    expect(copied).toMatchObject({
      signature_template_id: id,
      channel: 'personal_page',
      integration_id: null,
    })

    mailboxes.answer = () => 422
    await app.patch(`/v1/signatures/${id}`, { signature: { draft_content: stack(text('Grace')) } })
    const [failed] = await eventsOf(
      async () => {
        await publish(app, id)
        await runAllJobs(app)
      },
      'installation.failed',
      'signature.published',
    )
    expect(failed).toMatchObject({ signature_template_id: id, error_code: 'refused' })
    mailboxes.answer = () => 200

    const variant = `/v1/signatures/${id}/variants/reply`
    await app.patch(variant, { variant: { draft_content } })
    const [reply] = await eventsOf(() => app.post(`${variant}/publish`), 'signature.published')
    expect(reply).toMatchObject({ id, variant: 'reply' })

    await eventsOf(() => app.post(`/v1/signatures/${id}/deactivate`), 'signature.deactivated')
    // It is out of use already, so nothing changes.
    await app.post(`/v1/signatures/${id}/deactivate`)
    const { body: deliveries } = await app.get('/v1/webhook_deliveries?event=signature.deactivated')
    expect(deliveries.pagination.total_count).toBe(1)
    await eventsOf(() => publish(app, id), 'signature.published')
    const [deleted] = await eventsOf(() => app.del(`/v1/signatures/${id}`), 'signature.deactivated')
    expect(deleted).toMatchObject({ id, deleted: true })
    await runAllJobs(app)
  })
})

describe('campaigns', () => {
  it('tell of every start, pause and end, also of those that time causes', async () => {
    let path = ''
    const end_time = new Date(now.getTime() + 3_600_000).toISOString()
    await eventsOf(async () => {
      path = await startCampaign(app, { content: stack(text('Fair')), end_time })
    }, 'marketing_campaign.started')
    await eventsOf(() => app.post(`${path}/pause`), 'marketing_campaign.paused')
    const [resumed] = await eventsOf(() => app.post(`${path}/resume`), 'marketing_campaign.started')
    expect(resumed).toMatchObject({ path, status: 'active', previous_status: 'paused' })
    const [ended] = await eventsOf(async () => {
      now = new Date(now.getTime() + 7_200_000)
      await app.db.query(
        sql`select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), now())`,
      )
      await runAllJobs(app)
    }, 'marketing_campaign.ended')
    expect(ended).toMatchObject({ path, status: 'ended', previous_status: 'active' })
  })
})

describe('integrations', () => {
  it('tell of a new error once, and of its end not at all', async () => {
    const [error] = await eventsOf(async () => {
      await recordError(app.db, app.id, integrationId, 'The address answered 401.')
      await recordError(app.db, app.id, integrationId, 'The address answered 401.')
      await recordError(app.db, app.id, integrationId, null)
    }, 'integration.error')
    expect(error).toEqual({
      id: integrationId,
      path: `/v1/integrations/${integrationId}`,
      kind: 'webhook',
      name: 'Mailboxes',
      message: 'The address answered 401.',
    })
  })
})

describe('an import of 1,000 people', () => {
  it('sends at most 8 requests at once to a webhook, and a slow webhook does not delay another', async () => {
    const slow = await startEventReceiver()
    const gate = Promise.withResolvers<void>()
    slow.answer = async () => {
      await gate.promise
      return 200
    }
    const slowPath = await subscribe(slow, ['teammate.created'])
    receiver.events.length = 0
    receiver.mostAtOnce = 0
    // The first seven are answered at once: by then eight are sent at once, and wait for each other.
    const full = Promise.withResolvers<void>()
    receiver.answer = async () => {
      if (receiver.underWay === 8) full.resolve()
      if (receiver.events.length > 7) await full.promise
      return 200
    }
    const teammates = Array.from({ length: 1_000 }, (_, n) => ({ email: `many${n}@example.com` }))
    const began = Date.now()
    const { body } = await app.post('/v1/teammates/import', { teammates })
    expect(body.data.created).toBe(1_000)
    await expect.poll(() => new Set(receiver.events.map(event => event.data.id)).size).toBe(1_000)
    expect(receiver.events).toHaveLength(1_000)
    expect(receiver.mostAtOnce).toBe(8)
    // A webhook that does not answer gets one request at a time, and the next after the timeout of 15 s.
    expect(slow.events.length).toBeLessThanOrEqual(1 + Math.floor((Date.now() - began) / 15_000))
    expect((await app.del(slowPath)).status).toBe(204)
    const sent = slow.events.length
    gate.resolve()
    await expect.poll(() => slow.underWay).toBe(0)
    await createTeammate(app)
    await expect.poll(() => receiver.events.length).toBe(1_001)
    expect(slow.events).toHaveLength(sent)
  })
})
