// A Citus cluster against one PostgreSQL, both on the same machine, with the same 64 workspaces. It needs a cluster:
// SIGNOFF_TEST_DATABASE_URL, as for `npm run test:citus`.
import { rm } from 'node:fs/promises'
import { foldTail } from '#features/measurement/analytics/index.ts'
import { createWorkspace } from '#features/workspace/workspaces/index.ts'
import { openPool, type Pool } from '#kernel/db/db.ts'
import { defaultShards } from '#platform/distribution/distribute.ts'
import {
  type ClusterNode,
  dropEverywhere,
  findTestCluster,
  makeDistributed,
  NoTestCluster,
  runOnNodes,
} from '#test/support/test-cluster.ts'
import {
  type Bench,
  compare,
  createDataDir,
  createFixture,
  type Figure,
  type Load,
  type Server,
  staggered,
  startSignoff,
} from './support/bench.ts'
import { createView } from './support/view.ts'

const workspaceCount = 64
const foldersPerWorkspace = 50
const database = 'signoff_scale'

interface ScaledWorkspace {
  readonly key: string
  readonly viewPath: string
  readonly folderPath: string
}

/** A service with its workspaces. */
export interface ScaledService {
  readonly server: Server
  readonly db: Pool
  readonly workspaces: readonly ScaledWorkspace[]
}

const jsonHeaders = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })

const folderBody = (n: number): string => JSON.stringify({ folder: { name: `Folder ${n}` } })

async function fillWorkspace(db: Pool, { url }: Server, n: number): Promise<ScaledWorkspace> {
  const owner = { ownerName: 'Bench', ownerEmail: `scale${n}@example.com` }
  const { key } = await createWorkspace(db, { name: `Workspace ${n}`, ...owner })
  let folderPath = ''
  for (let folder = 0; folder < foldersPerWorkspace; folder++) {
    const request = { method: 'POST', headers: jsonHeaders(key), body: folderBody(folder) }
    const answer = await fetch(`${url}/v1/folders`, request)
    if (!answer.ok) throw new Error(await answer.text())
    const { data } = (await answer.json()) as { data: { id: string } }
    folderPath = `/v1/folders/${data.id}`
  }
  return { key, viewPath: await createView(url, key), folderPath }
}

/** `env`: with the data folder, and the address of the database unless it is the embedded one. */
export async function startScaled(
  db: Pool,
  env: Record<string, string>,
  count: number,
): Promise<ScaledService> {
  const server = await startSignoff(env.SIGNOFF_DATA_DIR ?? '', {
    SIGNOFF_VIEWS_PER_MINUTE: '1000000',
    ...env,
  })
  const workspaces: ScaledWorkspace[] = []
  for (let n = 0; n < count; n++) workspaces.push(await fillWorkspace(db, server, n))
  return { server, db, workspaces }
}

/** One request after the other, each of another workspace. */
const loadOf = (
  { workspaces }: ScaledService,
  requestOf: (workspace: ScaledWorkspace) => NonNullable<Load['requests']>[number],
): Load => ({ path: '', connections: 32, ...staggered(workspaces.map(requestOf)) })

const measures: readonly {
  readonly what: string
  readonly least?: number
  readonly requestOf: (workspace: ScaledWorkspace) => NonNullable<Load['requests']>[number]
}[] = [
  {
    what: 'views',
    least: 0.6,
    // A mail client: bots take another code path.
    requestOf: ({ viewPath }) => ({
      path: viewPath,
      headers: { 'user-agent': 'Mozilla/5.0 (X11) Thunderbird/128.0' },
    }),
  },
  {
    what: 'events (POST /v1/analytics/events)',
    least: 0.4,
    requestOf: ({ key }) => ({
      method: 'POST',
      path: '/v1/analytics/events',
      headers: jsonHeaders(key),
      body: JSON.stringify({ event: { name: 'Order placed', value: 12.5, anonymous_id: 'visitor' } }),
    }),
  },
  {
    what: 'single writes (POST /v1/folders)',
    least: 0.35,
    requestOf: ({ key }) => ({
      method: 'POST',
      path: '/v1/folders',
      headers: jsonHeaders(key),
      body: folderBody(0),
    }),
  },
  {
    what: 'changes (PATCH /v1/folders/…)',
    requestOf: ({ key, folderPath }) => ({
      method: 'PATCH',
      path: folderPath,
      headers: jsonHeaders(key),
      body: folderBody(1),
    }),
  },
  {
    what: 'one resource (GET /v1/folders/…)',
    least: 0.4,
    requestOf: ({ key, folderPath }) => ({ path: folderPath, headers: jsonHeaders(key) }),
  },
  {
    what: 'lists (GET /v1/folders?limit=50)',
    least: 0.55,
    requestOf: ({ key }) => ({ path: '/v1/folders?limit=50', headers: jsonHeaders(key) }),
  },
  {
    what: 'overview (GET /v1/analytics/overview)',
    least: 0.5,
    requestOf: ({ key }) => ({ path: '/v1/analytics/overview', headers: jsonHeaders(key) }),
  },
]

/** So that neither service spends time on events of an earlier round. */
async function foldBoth(services: readonly ScaledService[]): Promise<void> {
  for (const { db } of services) while (await foldTail(db));
}

export async function compareScaled(
  cluster: ScaledService,
  plain: ScaledService,
  rounds: number,
): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { what, least, requestOf } of measures) {
    const target = (service: ScaledService) => ({ url: service.server.url, load: loadOf(service, requestOf) })
    const pair = await compare(target(cluster), target(plain), rounds, () => foldBoth([cluster, plain]))
    figures.push({
      what: `${what} of ${plain.workspaces.length} workspaces, against one PostgreSQL`,
      value: pair.ratio,
      ...(least !== undefined && { limit: { least } }),
      note: `${Math.round(pair.service)}/s against ${Math.round(pair.baseline)}/s`,
    })
  }
  return figures
}

async function measureCluster(nodes: readonly ClusterNode[]): Promise<Figure[]> {
  const connection = await makeDistributed(nodes, database, defaultShards)
  const dataDir = await createDataDir()
  const db = openPool({ connection, size: 4, onError: () => undefined })
  const b = await createFixture()
  const services: ScaledService[] = []
  try {
    const url = new URL(process.env.SIGNOFF_TEST_DATABASE_URL ?? '')
    url.pathname = `/${database}`
    const env = { SIGNOFF_DATA_DIR: dataDir, DATABASE_URL: url.href }
    const cluster = await startScaled(db, env, workspaceCount)
    services.push(cluster)
    const plain = await startScaled(b.db, { SIGNOFF_DATA_DIR: b.dataDir }, workspaceCount)
    services.push(plain)
    return await compareScaled(cluster, plain, 5)
  } finally {
    for (const { server } of services) await server.stop()
    await db.end()
    await b.end()
    await runOnNodes(dropEverywhere(nodes, database))
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function run(): Promise<readonly Figure[]> {
  try {
    return await measureCluster(await findTestCluster(process.env.SIGNOFF_TEST_DATABASE_URL))
  } catch (error) {
    if (!(error instanceof NoTestCluster)) throw error
    console.log(`  skipped: ${error.message}`)
    return []
  }
}

export const benches: readonly Bench[] = [{ name: 'scale: a cluster', run }]
