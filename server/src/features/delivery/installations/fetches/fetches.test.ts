import { hash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { renderOne } from '#features/signatures/live-signatures/index.ts'
import { connectIntegration, disconnectIntegration } from '#features/workspace/integrations/index.ts'
import { createLog } from '#kernel/base/log.ts'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { runAllJobs } from '#test/support/jobs.ts'
import { stack, text } from '#test/support/signatures.ts'
import { createPublished, createTeammate, publish } from '#test/support/world.ts'
import { FetchLog, type NotedFetch } from '../index.ts'

let app: TestApp
let log: FetchLog
let integrationId: string
let emailId: string
let signatureId: string

const newLog = () => new FetchLog({ db: app.db, rendering: app.parts.rendering, log: createLog('silent') })

beforeAll(async () => {
  app = await testApp()
  log = newLog()
  const outlook = {
    kind: 'microsoft_365',
    name: 'Outlook',
    dashboardUrl: null,
    drivesTeammates: false,
    secret: '-',
  }
  integrationId = await connectIntegration(app.db, app.by, outlook, app.parts.integrations)
  emailId = (await createTeammate(app, { email: 'ada@example.com' })).emailId
  await app.post('/v1/webhooks', {
    webhook: { url: 'https://hooks.example.com/x', events: ['installation.succeeded'] },
  })
  signatureId = await createPublished(app, { draft_content: stack(text('One')) }, emailId)
  await runAllJobs(app)
})

/** The signature that the mailbox would get now. */
async function fetched(): Promise<NotedFetch> {
  const context = { ...app.parts.rendering, workspaceId: app.id }
  const live = await renderOne(app.db, context, { emailId, signatureId, variant: null })
  const sha256 = hash('sha256', live?.html ?? '')
  return { workspaceId: app.id, channel: 'microsoft_365', integrationId, emailId, signatureId, sha256 }
}
const row = async () => (await app.get(`/v1/installations?integration_id=${integrationId}`)).body.data[0]
const announced = async () =>
  (await app.db.query(sql`select from webhook_messages where body like '%installation.succeeded%'`)).length
const publishText = async (words: string) => {
  await app.patch(`/v1/signatures/${signatureId}`, { signature: { draft_content: stack(text(words)) } })
  await publish(app, signatureId)
}

describe('a channel that signatures are fetched through', () => {
  it('has a pending installation until the first fetch, and an installed one from then on', async () => {
    expect(await row()).toMatchObject({ status: 'pending', channel: 'microsoft_365', first_fetched_at: null })
    const fetch = await fetched()
    log.note(fetch)
    expect((await row()).status, 'nothing is written during the request').toBe('pending')
    await log.flush()
    const stored = await row()
    expect(stored).toMatchObject({ status: 'installed', html_sha256: fetch.sha256 })
    expect([stored.first_fetched_at, stored.last_fetched_at]).toEqual([
      stored.installed_at,
      stored.installed_at,
    ])
    expect(await announced()).toBe(1)
    const { body } = await app.get(`/v1/signatures/${signatureId}/installation`)
    expect(body.data).toMatchObject({ installed: 1, pending: 0, fetched: { installed: 1 } })
  })

  it('is not written again by further fetches, except for the hour of the last one', async () => {
    const before = await row()
    for (const fresh of [log, newLog()]) {
      fresh.note(await fetched())
      await fresh.flush()
    }
    expect(await row()).toEqual(before)
    await app.db.query(sql`update installations set last_fetched_at = now() - interval '61 minutes'`)
    const later = newLog()
    later.note(await fetched())
    await later.flush()
    const after = await row()
    expect(Date.parse(after.last_fetched_at)).toBeGreaterThanOrEqual(Date.parse(before.last_fetched_at))
    expect({ ...after, last_fetched_at: null }).toEqual({ ...before, last_fetched_at: null })
    expect(await announced()).toBe(1)
  })

  it('is pending after a publication until the new version is fetched; a late record of the old one changes nothing', async () => {
    const old = await fetched()
    await publishText('Two')
    const late = newLog()
    late.note(old)
    await runAllJobs(app)
    await late.flush()
    expect((await row()).status).toBe('pending')
    const { first_fetched_at } = await row()
    late.note(await fetched())
    await late.flush()
    expect(await row()).toMatchObject({
      status: 'installed',
      first_fetched_at,
      html_sha256: (await fetched()).sha256,
    })
    expect(await announced()).toBe(2)
  })

  it('stays installed when the same content is published again, or when the reconcile job comes late', async () => {
    await publish(app, signatureId)
    await runAllJobs(app)
    expect((await row()).status).toBe('installed')
    await publishText('Three')
    log.note(await fetched())
    await log.flush()
    await runAllJobs(app)
    expect(await row()).toMatchObject({ status: 'installed', html_sha256: (await fetched()).sha256 })
  })

  it('keeps what it could not write, and writes it as soon as PostgreSQL answers', async () => {
    let isAway = true
    const away = new Proxy(app.db, {
      get: (db, name) =>
        name === 'query' && isAway ? () => Promise.reject(new Error('away')) : Reflect.get(db, name).bind(db),
    })
    const waiting = new FetchLog({ db: away, rendering: app.parts.rendering, log: createLog('silent') })
    await publishText('Four')
    await runAllJobs(app)
    waiting.note(await fetched())
    await expect(waiting.flush()).rejects.toThrow('away')
    isAway = false
    await waiting.close()
    expect((await row()).status).toBe('installed')
  })

  it('is uninstalled when the integration is disconnected, and no fetch brings it back', async () => {
    const fetch = await fetched()
    await disconnectIntegration(app.db, app.by, integrationId, app.parts.integrations)
    await runAllJobs(app)
    const last = newLog()
    last.note(fetch)
    await last.close()
    expect((await row()).status).toBe('uninstalled')
  })
})
