import { readFile, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '#config.ts'
import {
  type Connection,
  enqueueReconcileSignature,
  type PushChannels,
} from '#features/delivery/installations/index.ts'
import { createCampaign, performAction } from '#features/signatures/campaigns/index.ts'
import { changeRules } from '#features/signatures/recipients/index.ts'
import { createSignature, publishSignature } from '#features/signatures/signatures/index.ts'
import { insertIntegration } from '#features/workspace/integrations/index.ts'
import { smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { createWorkspace } from '#features/workspace/workspaces/index.ts'
import { operator } from '#kernel/api/scopes.ts'
import { newRow } from '#kernel/base/ids.ts'
import { type Pool, sql } from '#kernel/db/db.ts'
import { buildParts } from '#parts.ts'
import { startInstalling } from './installations.bench.ts'
import { type Bench, createFixture, type Figure, startSignoff } from './support/bench.ts'
import { seed } from './teammates.bench.ts'

const reachedCount = 1_000
const deps = buildParts(readConfig({})).campaigns
const textBlock = (value: string) => ({ type: 'text', tokens: [{ type: 'textToken', value }] })

type CountingWorker = Awaited<ReturnType<typeof startCountingWorker>>

/** One worker for all workspaces. Its channel delivers nothing and counts the deliveries. */
async function startCountingWorker(db: Pool) {
  const connections = new Map<string, Connection>()
  let delivered = 0
  const deliver = async () => {
    delivered += 1
    return { ok: true } as const
  }
  const channels: PushChannels = new Map([['webhook', { name: 'webhook', atOnce: 8, deliver }]])
  const installing = await startInstalling(
    db,
    id => [connections.get(id)].flatMap(connection => connection ?? []),
    channels,
  )
  return {
    stop: installing.stop,
    connect(connection: Connection) {
      connections.set(connection.workspaceId, connection)
    },
    /** Waits until all jobs are done. Returns the number of deliveries since the last call. */
    async untilDone(): Promise<number> {
      await installing.untilDone()
      const count = delivered
      delivered = 0
      return count
    },
  }
}

/** A workspace where all teammates have a signature with a marketing block, and a thousand work in one office. */
async function createCompany(db: Pool, worker: CountingWorker, workspaceId: string, count: number) {
  const by = operator(workspaceId)
  await seed(db, workspaceId, count)
  const fields = await smartFieldsOf(db, workspaceId)
  const idOf = (key: string) => fields.find(field => field.key === key)?.id ?? ''
  await db.query(sql`
    update smart_field_values v set value = 'Harbour', value_key = 'harbour'
    where workspace_id = ${workspaceId} and smart_field_id = ${idOf('office')} and teammate_id in (
      select id from teammates where workspace_id = ${workspaceId} order by hashtextextended(id::text, 1) limit ${reachedCount})`)
  const webhook = { kind: 'webhook', name: 'Nowhere', dashboardUrl: null, drivesTeammates: false }
  const integrationId = await insertIntegration(db, by, webhook)
  worker.connect({ settings: {}, secret: null, workspaceId, channel: 'webhook', mode: 'push', integrationId })
  const draft_content = { type: 'stack', children: [textBlock('Signature'), { type: 'marketing' }] } as never
  const { id } = await createSignature(db, by, { name: 'All', draft_content })
  const onChange = async (tx: Pick<Pool, 'query'>) => {
    await tx.query(enqueueReconcileSignature(workspaceId, id))
  }
  const allTeammates = [[{ smart_field_id: idOf('first_name'), operator: 'is_set' as const }]]
  await changeRules(db, by, id, { conditions: allTeammates }, onChange)
  await publishSignature(db, by, id, { publicUrl: 'https://signoff.example', tracking: null, onChange })
  await worker.untilDone()
  const office = idOf('office')
  return {
    async createDraft(values: readonly string[], operator?: 'contains') {
      const { id: campaignId } = await createCampaign(db, by, {
        name: 'Harbour',
        content: { type: 'stack', children: [textBlock('Come to the harbour')] } as never,
        smart_fields_conditions: [
          [{ smart_field_id: office, values: [...values], ...(operator && { operator }) }],
        ],
      })
      return campaignId
    },
    /** The time from the request until the last mailbox is written. */
    async timeAction(campaignId: string, action: 'schedule' | 'pause'): Promise<number> {
      const began = performance.now()
      await performAction(db, by, campaignId, action, deps)
      const delivered = await worker.untilDone()
      if (delivered !== reachedCount)
        throw new Error(`${delivered} of ${reachedCount} mailboxes were written`)
      return performance.now() - began
    },
  }
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

async function measureStart(): Promise<Figure[]> {
  const { db, workspaceId, end } = await createFixture()
  const owner = { ownerName: 'Bench', ownerEmail: 'bench@example.com' }
  const { id: smallId } = await createWorkspace(db, { name: 'Small', ...owner })
  const worker = await startCountingWorker(db)
  const small = await createCompany(db, worker, smallId, reachedCount)
  const large = await createCompany(db, worker, workspaceId, 100_000)
  await db.query(sql`vacuum analyze`)
  const figures: Figure[] = []
  const choices: [string, ...Parameters<typeof small.createDraft>][] = [
    ['by a value', ['Harbour']],
    ['by a part of one', ['arbou'], 'contains'],
  ]
  for (const [words, ...choice] of choices) {
    const [smallCampaign, largeCampaign] = [
      await small.createDraft(...choice),
      await large.createDraft(...choice),
    ]
    const times: { small: number; large: number }[] = []
    for (let round = 0; round < 7; round++)
      for (const action of ['schedule', 'pause'] as const)
        times.push({
          small: await small.timeAction(smallCampaign, action),
          large: await large.timeAction(largeCampaign, action),
        })
    const [smallMedian, largeMedian] = [
      median(times.map(time => time.small)),
      median(times.map(time => time.large)),
    ]
    figures.push({
      what: `a campaign that reaches ${reachedCount} of 100,000 ${words}, times what it takes in a workspace of ${reachedCount}`,
      value: largeMedian / smallMedian,
      limit: { most: 2 },
      note: `${largeMedian.toFixed(0)} ms and ${smallMedian.toFixed(0)} ms, ${reachedCount} mailboxes each`,
    })
  }
  await worker.stop()
  await end()
  return figures
}

/** Statements per second that an idle service sends to PostgreSQL, counted in the log of PostgreSQL. */
async function measureIdle(): Promise<Figure[]> {
  const { db, dataDir, embedded, end } = await createFixture()
  const owner = { ownerName: 'Bench', ownerEmail: 'bench@example.com' }
  const tomorrow = new Date(Date.now() + 24 * 3_600_000).toISOString()
  const fill = async () => {
    for (let w = 0; w < 100; w++) {
      const { id } = await createWorkspace(db, { name: `W${w} ${newRow().id}`, ...owner })
      for (let n = 0; n < 10; n++) {
        const campaign = await createCampaign(db, operator(id), { name: `C${n}`, start_time: tomorrow })
        await performAction(db, operator(id), campaign.id, 'schedule', deps)
      }
    }
  }
  await embedded.release()
  const server = await startSignoff(dataDir)
  const statementsPerSecond = async (): Promise<number> => {
    await sleep(8_000)
    await db.pg.query("alter system set log_statement = 'all'")
    await db.pg.query('select pg_reload_conf()')
    await sleep(60_000)
    await db.pg.query("alter system set log_statement = 'none'")
    await db.pg.query('select pg_reload_conf()')
    await sleep(500)
    const log = await readFile(join(dataDir, 'postgres.log'), 'utf8')
    await truncate(join(dataDir, 'postgres.log'))
    const statements = log.split('\n').filter(line => / LOG: {2}(statement|execute)/.test(line))
    return statements.filter(line => !/alter system|pg_reload_conf/.test(line)).length / 60
  }
  const withoutCampaigns = await statementsPerSecond()
  await fill()
  const withCampaigns = await statementsPerSecond()
  await server.stop()
  await end()
  return [
    {
      what: 'an idle service with 1,000 campaigns in 100 workspaces, statements/s',
      value: withCampaigns,
      limit: { most: 1 },
      note: `${withoutCampaigns.toFixed(2)} without campaigns`,
    },
  ]
}

export const benches: readonly Bench[] = [
  { name: 'campaigns: starting', run: measureStart },
  { name: 'campaigns: idling', run: measureIdle },
]
