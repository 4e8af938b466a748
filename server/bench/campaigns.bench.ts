import { readFile, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { campaignSettings } from '#app.ts'
import { createCampaign, performAction } from '#features/campaigns/index.ts'
import {
  type Connection,
  enqueueReconcileSignature,
  type PushChannels,
} from '#features/installations/index.ts'
import { insertIntegration } from '#features/integrations/index.ts'
import { changeRules } from '#features/recipients/index.ts'
import { createSignature, publishSignature } from '#features/signatures/index.ts'
import { smartFieldsOf } from '#features/smart-fields/index.ts'
import { createWorkspace } from '#features/workspaces/index.ts'
import { type Pool, sql } from '#kernel/db.ts'
import { newRow } from '#kernel/ids.ts'
import { operator } from '#kernel/scopes.ts'
import { startInstalling } from './installations.bench.ts'
import { type Bench, bed, type Figure, startSignoff } from './support/bench.ts'
import { seed } from './teammates.bench.ts'

const reached = 1_000
const settings = campaignSettings({ smtpUrl: null })
const say = (value: string) => ({ type: 'text', tokens: [{ type: 'textToken', value }] })

type Post = Awaited<ReturnType<typeof startPost>>

/** One worker for all workspaces, which counts what it delivers, to nowhere. */
async function startPost(db: Pool) {
  const connections = new Map<string, Connection>()
  let delivered = 0
  const deliver = async () => {
    delivered += 1
    return { ok: true } as const
  }
  const channels: PushChannels = new Map([['webhook', { name: 'webhook', atOnce: 8, deliver }]])
  const installing = await startInstalling(
    db,
    id => [connections.get(id)].flatMap(one => one ?? []),
    channels,
  )
  return {
    stop: installing.stop,
    connect(connection: Connection) {
      connections.set(connection.workspaceId, connection)
    },
    /** How many were delivered meanwhile. */
    async untilDone(): Promise<number> {
      await installing.untilDone()
      const count = delivered
      delivered = 0
      return count
    },
  }
}

/** A workspace in which everybody has a signature with a place for banners, and a thousand sit in one office. */
async function company(db: Pool, post: Post, workspaceId: string, count: number) {
  const by = operator(workspaceId)
  await seed(db, workspaceId, count)
  const fields = await smartFieldsOf(db, workspaceId)
  const idOf = (key: string) => fields.find(field => field.key === key)?.id ?? ''
  await db.query(sql`
    update smart_field_values v set value = 'Harbour', value_key = 'harbour'
    where workspace_id = ${workspaceId} and smart_field_id = ${idOf('office')} and teammate_id in (
      select id from teammates where workspace_id = ${workspaceId} order by hashtextextended(id::text, 1) limit ${reached})`)
  const webhook = { kind: 'webhook', name: 'Nowhere', dashboardUrl: null, drivesTeammates: false }
  const integrationId = await insertIntegration(db, by, webhook)
  post.connect({ settings: {}, secret: null, workspaceId, channel: 'webhook', integrationId })
  const draft_content = { type: 'stack', children: [say('Signature'), { type: 'marketing' }] } as never
  const { id } = await createSignature(db, by, { name: 'All', draft_content })
  const changed = async (tx: Pick<Pool, 'query'>) => {
    await tx.query(enqueueReconcileSignature(workspaceId, id))
  }
  const everybody = [[{ smart_field_id: idOf('first_name'), operator: 'is_set' as const }]]
  await changeRules(db, by, id, { conditions: everybody }, changed)
  await publishSignature(db, by, id, changed)
  await post.untilDone()
  const office = idOf('office')
  return {
    async campaign(values: readonly string[], operator?: 'contains') {
      const { id: campaignId } = await createCampaign(db, by, {
        name: 'Harbour',
        content: { type: 'stack', children: [say('Come to the harbour')] } as never,
        smart_fields_conditions: [
          [{ smart_field_id: office, values: [...values], ...(operator && { operator }) }],
        ],
      })
      return campaignId
    },
    /** From the request until the last mailbox is written. */
    async take(campaignId: string, move: 'schedule' | 'pause'): Promise<number> {
      const began = performance.now()
      await performAction(db, by, campaignId, move, settings)
      const delivered = await post.untilDone()
      if (delivered !== reached) throw new Error(`${delivered} of ${reached} mailboxes were written`)
      return performance.now() - began
    },
  }
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

async function starting(): Promise<Figure[]> {
  const { db, workspaceId, end } = await bed()
  const owner = { ownerName: 'Bench', ownerEmail: 'bench@example.com' }
  const { id: smallId } = await createWorkspace(db, { name: 'Small', ...owner })
  const post = await startPost(db)
  const small = await company(db, post, smallId, reached)
  const large = await company(db, post, workspaceId, 100_000)
  await db.query(sql`vacuum analyze`)
  const figures: Figure[] = []
  const choices: [string, ...Parameters<typeof small.campaign>][] = [
    ['by a value', ['Harbour']],
    ['by a part of one', ['arbou'], 'contains'],
  ]
  for (const [words, ...choice] of choices) {
    const [inSmall, inLarge] = [await small.campaign(...choice), await large.campaign(...choice)]
    const times: { small: number; large: number }[] = []
    for (let round = 0; round < 7; round++)
      for (const move of ['schedule', 'pause'] as const)
        times.push({ small: await small.take(inSmall, move), large: await large.take(inLarge, move) })
    const [theirs, ours] = [median(times.map(one => one.small)), median(times.map(one => one.large))]
    figures.push({
      what: `a campaign that reaches ${reached} of 100,000 ${words}, times what it takes in a workspace of ${reached}`,
      value: ours / theirs,
      limit: { most: 2 },
      note: `${ours.toFixed(0)} ms and ${theirs.toFixed(0)} ms, ${reached} mailboxes each`,
    })
  }
  await post.stop()
  await end()
  return figures
}

/** What an idle service asks PostgreSQL, in statements a second, by PostgreSQL's own log. */
async function idling(): Promise<Figure[]> {
  const { db, dataDir, embedded, end } = await bed()
  const owner = { ownerName: 'Bench', ownerEmail: 'bench@example.com' }
  const later = new Date(Date.now() + 24 * 3_600_000).toISOString()
  const fill = async () => {
    for (let w = 0; w < 100; w++) {
      const { id } = await createWorkspace(db, { name: `W${w} ${newRow().id}`, ...owner })
      for (let n = 0; n < 10; n++) {
        const campaign = await createCampaign(db, operator(id), { name: `C${n}`, start_time: later })
        await performAction(db, operator(id), campaign.id, 'schedule', settings)
      }
    }
  }
  await embedded.release()
  const server = await startSignoff(dataDir)
  const asked = async (): Promise<number> => {
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
  const none = await asked()
  await fill()
  const many = await asked()
  await server.stop()
  await end()
  return [
    {
      what: 'an idle service with 1,000 campaigns in 100 workspaces, statements/s',
      value: many,
      limit: { most: 1 },
      note: `${none.toFixed(2)} without campaigns`,
    },
  ]
}

export const benches: readonly Bench[] = [
  { name: 'campaigns: starting', run: starting },
  { name: 'campaigns: idling', run: idling },
]
