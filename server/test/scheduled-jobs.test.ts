// Every job with a schedule runs here once, so that each of its statements is checked for a cluster, also those of jobs
// that no other test runs.
import { expect, it } from 'vitest'
import { insertRelayMessages, type RelayedMessage } from '#features/delivery/relay/index.ts'
import { buildJobs } from '#jobs.ts'
import { sql } from '#kernel/db/db.ts'
import { testApp } from './support/app.ts'
import { runScheduled } from './support/jobs.ts'

const app = await testApp()

it('all scheduled jobs run in a new workspace', async () => {
  const scheduled = buildJobs(app.parts, app.db).filter(job => job.schedule !== undefined)
  expect(scheduled.length).toBeGreaterThan(15)
  for (const job of scheduled) await job.run({})
})

it('messages of the relay are deleted after 7 days', async () => {
  const integration = { kind: 'csv', settings: { drives_teammates: false } }
  const { body } = await app.post('/v1/integrations', { integration })
  const message = (hoursAgo: number): RelayedMessage => ({
    workspaceId: app.id,
    integrationId: body.data.id,
    outcome: 'stamped',
    reason: null,
    status: 250,
    senderDomain: 'example.com',
    recipientDomains: ['other.test'],
    recipientsCount: 1,
    senderAddress: null,
    recipientAddresses: null,
    bytes: 1,
    milliseconds: hoursAgo,
    at: new Date(Date.now() - hoursAgo * 3600_000),
  })
  await app.db.query(insertRelayMessages(app.id, [192, 169, 167, 0].map(message)))
  await runScheduled(app, 'relay.expire')
  const rows = await app.db.query<{ hours: number }>(
    sql`select milliseconds as hours from relay_messages where workspace_id = ${app.id} order by id`,
  )
  expect(rows.map(({ hours }) => hours)).toEqual([167, 0])
})
