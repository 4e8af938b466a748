import { hash } from 'node:crypto'
import { runOnce } from 'graphile-worker'
import { typical } from '../../render/bench/typical.ts'
import {
  type Connection,
  installationJobs,
  type PushChannels,
  peopleChanged as queuePeople,
  signatureChanged,
} from '../src/features/installations/index.ts'
import { insertIntegration } from '../src/features/integrations/index.ts'
import { changeRules } from '../src/features/recipients/index.ts'
import { createSignature, publishSignature } from '../src/features/signatures/index.ts'
import { smartFieldsOf } from '../src/features/smart-fields/index.ts'
import { type Pool, sql } from '../src/kernel/db.ts'
import { queueLogger } from '../src/kernel/jobs.ts'
import { createLog } from '../src/kernel/log.ts'
import { operator } from '../src/kernel/scopes.ts'
import { type Bench, bed, type Figure } from './support/bench.ts'
import { seed } from './teammates.bench.ts'

const count = 100_000

/** The signature of the renderer's bench, with the fields of this workspace and no pictures of its own. */
function contentWith(ids: Readonly<Record<string, string>>): object {
  const text = JSON.stringify(typical)
    .replace(/"smartFieldUuid":"(\w+)"/g, (_, name: string) => `"smartFieldUuid":"${ids[name]}"`)
    .replace('"assetUuid":"photo"', '"src":"https://example.com/photo.png"')
  return JSON.parse(text)
}

async function drain(db: Pool, connections: readonly Connection[], channels: PushChannels): Promise<number> {
  const jobs = installationJobs({
    db,
    publicUrl: 'https://sign.example.com',
    channels,
    connectionsOf: async () => connections,
    halted: async () => undefined,
    everywhere: async () => [],
  })
  const began = performance.now()
  await runOnce({
    pgPool: db.pg,
    logger: queueLogger(createLog('silent')),
    concurrency: 4,
    taskList: Object.fromEntries(jobs.map(job => [job.name, (payload: unknown) => job.run(payload)])),
  })
  return performance.now() - began
}

async function publishing(): Promise<Figure[]> {
  const { db, workspaceId, end } = await bed()
  await seed(db, workspaceId, count)
  await db.query(sql`vacuum analyze`)
  const by = operator(workspaceId)
  const fields = await smartFieldsOf(db, workspaceId)
  const id = (key: string) => fields.find(field => field.key === key)?.id ?? ''
  const ids = {
    first: id('first_name'),
    last: id('last_name'),
    title: id('job_title'),
    company: id('company'),
    phone: id('work_phone'),
    email: id('email'),
  }
  const webhook = { kind: 'webhook', name: 'Nowhere', dashboardUrl: null, drivesTeammates: false }
  const integrationId = await insertIntegration(db, by, webhook)
  const nothing = { settings: {}, secret: null, workspaceId }
  const connections: Connection[] = [
    { ...nothing, channel: 'personal_page', integrationId: null },
    { ...nothing, channel: 'webhook', integrationId },
  ]
  let delivered = 0
  const channels: PushChannels = new Map([
    [
      'webhook',
      {
        name: 'webhook',
        atOnce: 8,
        deliver: async parcel => {
          delivered += hash('sha1', parcel.html).length > 0 ? 1 : 0
          return { ok: true }
        },
      },
    ],
  ])
  const changed = async (tx: { query: Pool['query'] }, { signatureId }: { signatureId: string }) => {
    await tx.query(signatureChanged(workspaceId, signatureId))
  }
  const signature = await createSignature(db, by, { name: 'All', draft_content: contentWith(ids) as never })
  const ruled = performance.now()
  await changeRules(
    db,
    by,
    signature.id,
    { conditions: [[{ smart_field_id: ids.first, operator: 'is_set' }]] },
    changed,
  )
  const rules = performance.now() - ruled
  const began = performance.now()
  await publishSignature(db, by, signature.id, changed)
  const answered = performance.now() - began
  const before = process.memoryUsage().rss / 1024 / 1024 - 120 // an idle service
  const first = await drain(db, connections, channels)
  if (delivered !== count) throw new Error(`${delivered} delivered`)
  const memory = process.memoryUsage().rss / 1024 / 1024 - before
  await db.query(sql`vacuum analyze installations`)
  await publishSignature(db, by, signature.id, changed)
  const again = await drain(db, connections, channels)
  if (delivered !== count) throw new Error('something was delivered twice')
  const [someone] = await db.query<{ id: string }>(
    sql`select id from teammates where workspace_id = ${workspaceId} limit 1`,
  )
  const asked = performance.now()
  await db.query(queuePeople(workspaceId, [someone?.id ?? '']))
  const queued = performance.now() - asked
  await end()
  return [
    { what: `publish to ${count} addresses: the request, in ms`, value: answered, limit: { most: 1_000 } },
    {
      what: 'rendering, bookkeeping and delivery to nowhere, addresses/s in one process',
      value: (count / first) * 1_000,
      limit: { least: 3_000 },
      note: `${(first / 1_000).toFixed(1)} s, two channels`,
    },
    { what: 'memory of an idle service and what this took, in MB', value: memory, limit: { most: 300 } },
    {
      what: 'publish again without a change, times faster',
      value: first / again,
      limit: { least: 5 },
      note: `${(again / 1_000).toFixed(1)} s`,
    },
    { what: 'rules for all of them, in ms', value: rules },
    { what: 'queueing the installation of a changed teammate, in ms', value: queued, limit: { most: 100 } },
  ]
}

export const benches: readonly Bench[] = [{ name: 'installations', run: publishing }]
