import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '#config.ts'
import {
  type Connection,
  enqueueReconcileSignature,
  enqueueReconcileTeammates as enqueueTeammates,
  installationJobs,
  type PushChannels,
} from '#features/delivery/installations/index.ts'
import { changeRules } from '#features/signatures/recipients/index.ts'
import { checkContent } from '#features/signatures/signatures/check/rules.ts'
import { createSignature, publishSignature } from '#features/signatures/signatures/index.ts'
import { insertIntegration } from '#features/workspace/integrations/index.ts'
import { smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { operator } from '#kernel/api/scopes.ts'
import { newRow } from '#kernel/base/ids.ts'
import { createLog } from '#kernel/base/log.ts'
import { type Pool, sql } from '#kernel/db/db.ts'
import { startWorker } from '#kernel/db/jobs.ts'
import { buildParts } from '#parts.ts'
import { typical } from '../../render/bench/typical.ts'
import {
  type Bench,
  createFixture,
  type Figure,
  median,
  p99,
  startSignoff,
  timeOf,
  timeOfRequest,
} from './support/bench.ts'
import { seed } from './teammates.bench.ts'

const count = 100_000

/** The signature of the renderer's benchmark, with the fields of this workspace and without uploaded pictures. */
function contentWith(ids: Readonly<Record<string, string>>): object {
  const text = JSON.stringify(typical)
    .replace(/"smartFieldUuid":"(\w+)"/g, (_, name: string) => `"smartFieldUuid":"${ids[name]}"`)
    .replace('"assetUuid":"photo"', '"src":"https://example.com/photo.png"')
  return JSON.parse(text)
}

const anyTeammate = async (db: Pool, workspaceId: string): Promise<string> =>
  (await db.value<string>(sql`select id from teammates where workspace_id = ${workspaceId} limit 1`)) ?? ''

/** The default configuration: every link is tracked. */
const { rendering: renderDeps } = buildParts(
  readConfig({
    SIGNOFF_PUBLIC_URL: 'https://sign.example.com',
    SIGNOFF_SECRET_KEYS: Buffer.alloc(32, 7).toString('base64'),
  }),
)

/** A worker that delivers signatures only through these channels. */
async function startInstalling(
  db: Pool,
  connectionsOf: (workspaceId: string) => readonly Connection[],
  channels: PushChannels,
): Promise<{ readonly untilDone: () => Promise<void>; readonly stop: () => Promise<void> }> {
  const { jobConcurrency: concurrency } = readConfig({})
  const jobs = installationJobs({
    db,
    rendering: renderDeps,
    channels,
    connectionsOf: async workspaceId => connectionsOf(workspaceId),
    onHalt: async () => undefined,
    allConnections: async () => [],
  })
  const worker = startWorker({ pool: db.direct, jobs, concurrency, log: createLog('silent') })
  return {
    async untilDone() {
      const dueJobs = sql`select from graphile_worker.jobs where run_at <= now() limit 1`
      while (await db.hasRows(dueJobs)) await sleep(10)
    },
    stop: () => worker.stop(5_000),
  }
}

/** Checks of a signature with eight fields: of all people, and of a tenth of them. */
async function measureChecks(db: Pool, workspaceId: string, signatureId: string): Promise<Figure[]> {
  const by = operator(workspaceId)
  const fields = (await smartFieldsOf(db, workspaceId)).filter(({ computed }) => !computed).slice(0, 8)
  const children = fields.map(({ id }) => ({ type: 'text', tokens: [{ smartFieldUuid: id }] }))
  const tenth = await createSignature(db, by, { name: 'A tenth' })
  await db.query(sql`
    insert into recipients (workspace_id, signature_id, email_id, by_rule)
    select workspace_id, ${tenth.id}, email_id, true from recipients
    where workspace_id = ${workspaceId} and signature_id = ${signatureId} limit ${count / 10}`)
  const deps = { publicUrl: 'https://signoff.example', tracking: null }
  const contents = { draft_content: { type: 'stack', children } as never, content: null }
  const timeOfCheck = (id: string) => {
    const subject = { workspaceId, signatureId: id, ...contents, isHidden: false, inactiveVariants: [] }
    return timeOf(() => checkContent(db, subject, deps))
  }
  const times: { all: number; tenth: number }[] = []
  for (let round = 0; round < 9; round++)
    times.push({ all: await timeOfCheck(signatureId), tenth: await timeOfCheck(tenth.id) })
  const all = median(times.map(time => time.all))
  return [
    { what: `check of ${count} recipients and 8 fields, in ms`, value: all, limit: { most: 1_500 } },
    {
      what: `the same, against ${count / 10} recipients`,
      value: median(times.map(time => time.all / time.tenth)),
      limit: { most: 3 },
    },
  ]
}

async function measurePublishing(): Promise<Figure[]> {
  const { db, workspaceId, end } = await createFixture()
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
  const emptyConnection = { settings: {}, secret: null, workspaceId }
  const connections: Connection[] = [
    { ...emptyConnection, channel: 'personal_page', mode: 'fetch', integrationId: null },
    { ...emptyConnection, channel: 'webhook', mode: 'push', integrationId },
  ]
  let delivered = 0
  const channels: PushChannels = new Map([
    [
      'webhook',
      {
        name: 'webhook',
        atOnce: 8,
        deliver: async delivery => {
          delivered += hash('sha1', delivery.html).length > 0 ? 1 : 0
          return { ok: true }
        },
      },
    ],
  ])
  const onChange = async (tx: { query: Pool['query'] }, { signatureId }: { signatureId: string }) => {
    await tx.query(enqueueReconcileSignature(workspaceId, signatureId))
  }
  const publishDeps = { publicUrl: 'https://signoff.example', tracking: null, onChange }
  const signature = await createSignature(db, by, { name: 'All', draft_content: contentWith(ids) as never })
  const rules = { conditions: [[{ smart_field_id: ids.first, operator: 'is_set' as const }]] }
  const rulesTime = await timeOf(() => changeRules(db, by, signature.id, rules, onChange))
  const checks = await measureChecks(db, workspaceId, signature.id)
  const began = performance.now()
  await publishSignature(db, by, signature.id, publishDeps)
  const requestTime = performance.now() - began
  const before = process.memoryUsage().rss / 1024 / 1024 - 120 // about the memory of an idle service
  const { untilDone, stop } = await startInstalling(db, () => connections, channels)
  await untilDone()
  const firstTime = performance.now() - began
  if (delivered !== count) throw new Error(`${delivered} delivered`)
  const memory = process.memoryUsage().rss / 1024 / 1024 - before
  await db.query(sql`vacuum analyze installations`)
  const secondTime = await timeOf(async () => {
    await publishSignature(db, by, signature.id, publishDeps)
    await untilDone()
  })
  await stop()
  if (delivered !== count) throw new Error('something was delivered twice')
  const teammateId = await anyTeammate(db, workspaceId)
  const enqueueTime = await timeOf(() => db.query(enqueueTeammates(workspaceId, [teammateId])))
  await end()
  return [
    ...checks,
    { what: `publish to ${count} addresses: the request, in ms`, value: requestTime, limit: { most: 1_000 } },
    {
      what: 'rendering, bookkeeping and delivery to nowhere, addresses/s in one process',
      value: (count / firstTime) * 1_000,
      limit: { least: 3_000 },
      note: `${(firstTime / 1_000).toFixed(1)} s, two channels`,
    },
    { what: 'memory of an idle service and what this took, in MB', value: memory, limit: { most: 300 } },
    {
      what: 'publish again without a change, times faster',
      value: firstTime / secondTime,
      limit: { least: 5 },
      note: `${(secondTime / 1_000).toFixed(1)} s`,
    },
    { what: 'rules for all of them, in ms', value: rulesTime },
    {
      what: 'queueing the installation of a changed teammate, in ms',
      value: enqueueTime,
      limit: { most: 100 },
    },
  ]
}

/** Adds signatures, each with a rule that matches 1 % of the teammates. The matches are inserted directly. */
async function addSignatures(db: Pool, workspaceId: string, field: string, total: number): Promise<void> {
  const signatures = Array.from({ length: total }, (_, n) => ({
    ...newRow(),
    name: `s${n}`,
    priority: n,
    ending: String(n % 100).padStart(2, '0'),
  }))
  const ids = signatures.map(signature => signature.id)
  const endings = signatures.map(signature => signature.ending)
  const conditions = endings.map(ending =>
    JSON.stringify([[{ smart_field_id: field, operator: 'ends_with', values: [ending] }]]),
  )
  await db.query(sql`
    insert into signatures (workspace_id, id, name, name_key, priority, signature_installation_activated, content, created_at, updated_at)
    select ${workspaceId}::uuid, s.id, s.name, s.name, s.priority, true, '{"type":"stack"}', now(), now()
    from unnest(${ids}::uuid[], ${signatures.map(signature => signature.name)}::text[], ${signatures.map(signature => signature.priority)}::int[])
      as s (id, name, priority)`)
  await db.query(sql`
    insert into recipient_rules (workspace_id, signature_id, conditions, assign_to_all_future_emails)
    select ${workspaceId}::uuid, s.id, s.conditions, false
    from unnest(${ids}::uuid[], ${conditions}::jsonb[]) as s (id, conditions)`)
  await db.query(sql`
    insert into recipients (workspace_id, signature_id, email_id, by_rule)
    select ${workspaceId}::uuid, s.id, e.id, true
    from unnest(${ids}::uuid[], ${endings}::text[]) as s (id, ending)
    join smart_field_values v on v.workspace_id = ${workspaceId} and v.smart_field_id = ${field} and right(v.value_key, 2) = s.ending
    join emails e on e.workspace_id = v.workspace_id and e.teammate_id = v.teammate_id`)
}

/** The 99th percentile at 50 requests per second: one every 20 ms, without waiting for the previous response. */
async function p99Of(url: string, key: string, paths: readonly string[]): Promise<number> {
  const timeRequest = (n: number) => timeOfRequest(`${url}${paths[n % paths.length]}`, key)
  for (let n = 0; n < 100; n++) await timeRequest(n)
  const requests: Promise<number>[] = []
  const start = performance.now()
  for (let n = 0; n < 1_000; n++) {
    await sleep(Math.max(0, start + n * 20 - performance.now()))
    requests.push(timeRequest(n))
  }
  return p99(await Promise.all(requests))
}

async function measureReading(): Promise<Figure[]> {
  const { db, dataDir, workspaceId, key, embedded, end } = await createFixture()
  await seed(db, workspaceId, count)
  const field = (await smartFieldsOf(db, workspaceId)).find(field => field.key === 'job_title')?.id ?? ''
  await addSignatures(db, workspaceId, field, 200)
  await db.query(sql`vacuum analyze`)
  const signatureIds = await db.column<string>(
    sql`select id from signatures where workspace_id = ${workspaceId} limit 50`,
  )
  const emailIds = await db.column<string>(
    sql`select email_id from recipients where workspace_id = ${workspaceId} limit 500`,
  )
  const teammateId = await anyTeammate(db, workspaceId)
  await embedded.release()
  const server = await startSignoff(dataDir)
  const pages = signatureIds.flatMap(id => [1, 5, 20].map(page => `/v1/signatures/${id}/emails?page=${page}`))
  const explanations = emailIds.map(id => `/v1/emails/${id}/signature`)
  const figures = [
    {
      what: 'recipients of 100,000 teammates and 200 signatures, p99 in ms at 50/s',
      value: await p99Of(server.url, key, pages),
      limit: { most: 50 },
    },
    {
      what: 'which signature an address gets and why, p99 in ms at 50/s',
      value: await p99Of(server.url, key, explanations),
      limit: { most: 50 },
    },
    {
      what: 'a change of a value until its installation is queued, in ms',
      value: await measureChange(server.url, key, teammateId, field),
      limit: { most: 100 },
    },
  ]
  await server.stop()
  await end()
  return figures
}

async function measureChange(url: string, key: string, teammateId: string, field: string): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < 60; n++) {
    const smart_fields = [{ smart_field_id: field, value: `value ${n}` }]
    const body = JSON.stringify({ teammate: { smart_fields } })
    times.push(await timeOfRequest(`${url}/v1/teammates/${teammateId}`, key, { method: 'PATCH', body }))
  }
  return median(times)
}

export const benches: readonly Bench[] = [
  { name: 'installations: publishing', run: measurePublishing },
  { name: 'installations: reading', run: measureReading },
]
