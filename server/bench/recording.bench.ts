import { join } from 'node:path'
import { foldTail } from '#features/measurement/analytics/index.ts'
import {
  apiOf,
  type Bench,
  type Comparison,
  compare,
  createFixture,
  type Figure,
  type Fixture,
  type Load,
  publishToAda,
  type Server,
  startServer,
  startSignoff,
  type Target,
} from './support/bench.ts'
import { postgresProcesses } from './support/memory.ts'

const serversFile = join(import.meta.dirname, 'support/baseline-recording.ts')
const connections = 128
/** The load comes from one address, so the limit of views per address is raised. */
const manyViews = { SIGNOFF_VIEWS_PER_MINUTE: '1000000' }

type Kind = 'bare' | 'single service'
const startVersion = ({ embedded, workspaceId, dataDir }: Fixture, kind: Kind) =>
  startServer(
    [serversFile, JSON.stringify({ connection: embedded.connection, kind, workspaceId, dataDir })],
    {},
  )

const ratesNote = (pair: Comparison) => `${Math.round(pair.service)}/s against ${Math.round(pair.baseline)}/s`

const targetOf = ({ dataDir }: Fixture, { url, child }: Server, load: Load): Target => ({
  url,
  load,
  processes: () => [child.pid ?? 0, ...postgresProcesses(dataDir)],
})

/**
 * The bounds are on CPU time: on two cores, the load takes as much of them as the service does, and moves the ratio of the
 * rates towards 1.
 */
const againstInserts = (what: string, pair: Comparison, least: number): Figure[] => [
  {
    what: `CPU time of one insert per request, against ${what}`,
    value: pair.cpu.ratio,
    limit: { least },
    note: `${Math.round(pair.cpu.baseline)} µs against ${Math.round(pair.cpu.service)} µs of service and PostgreSQL`,
  },
  { what: `rate of ${what}, against one insert per request`, value: pair.ratio, note: ratesNote(pair) },
]

/** Folds the tail until it is empty, so no server spends time on events of another. */
async function foldAll({ db }: Fixture): Promise<void> {
  let hasMore = true
  while (hasMore) hasMore = await foldTail(db)
}

async function measureEvents(): Promise<Figure[]> {
  const b = await createFixture()
  const service = await startSignoff(b.dataDir, manyViews)
  const baseline = await startVersion(b, 'single service')
  try {
    const event = {
      name: 'Order placed',
      value: 12.5,
      currency: 'EUR',
      anonymous_id: 'visitor',
      properties: { plan: 'pro' },
    }
    const load: Load = {
      path: '/v1/analytics/events',
      method: 'POST',
      connections,
      headers: { authorization: `Bearer ${b.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ event }),
    }
    const pair = await compare(targetOf(b, service, load), targetOf(b, baseline, load), 5, () => foldAll(b))
    return againstInserts('POST /v1/analytics/events', pair, 3)
  } finally {
    await service.stop()
    await baseline.stop()
    await b.end()
  }
}

async function measureViews(): Promise<Figure[]> {
  const b = await createFixture()
  const [service, bare, singleService] = await Promise.all([
    startSignoff(b.dataDir, manyViews),
    startVersion(b, 'bare'),
    startVersion(b, 'single service'),
  ])
  try {
    const path = await createView(service.url, b.key)
    // A mail client: bots and repeated views of one reader take another code path.
    const headers = { 'user-agent': 'Mozilla/5.0 (X11) Thunderbird/128.0' }
    // Folding begins a second after the first view. With 5 s per round it runs most of the time.
    const load: Load = { path, connections, headers, duration: 5 }
    const compareWith = (other: Server, rounds: number) =>
      compare(targetOf(b, service, load), targetOf(b, other, load), rounds, () => foldAll(b))
    const bareRatio = await compareWith(bare, 5)
    const singleRatio = await compareWith(singleService, 9)
    return [
      {
        what: 'the view of a signature, against a bare server',
        value: bareRatio.ratio,
        limit: { least: 0.4 },
        note: ratesNote(bareRatio),
      },
      ...againstInserts('the view of a signature', singleRatio, 4),
    ]
  } finally {
    await Promise.all([service.stop(), bare.stop(), singleService.stop()])
    await b.end()
  }
}

/** Creates a published signature with one recipient and returns the path of its view pixel. */
async function createView(url: string, key: string): Promise<string> {
  const api = apiOf(url, key)
  const content = { type: 'stack', children: [{ type: 'text', tokens: [{ value: 'Regards' }] }] }
  const { id, emailId } = await publishToAda(api, content)
  const { html } = await api('GET', `/v1/signatures/${id}/html?email_id=${emailId}`)
  const [path] = /\/o\/[\w-]+/.exec(html) ?? []
  if (!path) throw new Error('the signature has no pixel')
  return path
}

export const benches: readonly Bench[] = [
  { name: 'recording: views', run: measureViews },
  { name: 'recording: events', run: measureEvents },
]
