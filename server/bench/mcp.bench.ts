// Tools against the routes that they call: both are sent at the pace of busy agents, one after the other in each round,
// so that other programs on the machine slow both down.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '#kernel/db/db.ts'
import { type Bench, createFixture, type Figure, median, p95, startSignoff } from './support/bench.ts'

interface Pair {
  readonly tool: { readonly name: string; readonly arguments: object }
  readonly path: string
}

const perSecond = 20
const seconds = 15

async function post(url: string, key: string, path: string, body: object): Promise<unknown> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** People and signatures for the calls. Returns what is measured. */
async function seed(url: string, key: string): Promise<readonly Pair[]> {
  const teammates = Array.from({ length: 500 }, (_, n) => ({
    email: `person${n}@example.com`,
    smart_fields: [
      { smart_field: 'first_name', value: `Person ${n}` },
      { smart_field: 'department', value: `Department ${n % 10}` },
    ],
  }))
  await post(url, key, '/v1/teammates/import', { teammates })
  const created = (await post(url, key, '/v1/signatures', {
    name: 'Bench',
    template_id: 'corporate-classic',
  })) as { data: { id: string } }
  const { id } = created.data
  return [
    { tool: { name: 'list_signatures', arguments: {} }, path: '/v1/signatures?limit=25' },
    { tool: { name: 'get_signature', arguments: { signature_id: id } }, path: `/v1/signatures/${id}` },
    {
      tool: { name: 'list_teammates', arguments: { search: 'depart' } },
      path: '/v1/teammates?limit=25&search=depart',
    },
    {
      tool: { name: 'preview_signature', arguments: { signature_id: id, picture: false } },
      path: `/v1/signatures/${id}/preview`,
    },
  ]
}

async function measure(url: string, key: string, pairs: readonly Pair[]) {
  const viaTools: number[] = []
  const viaRoutes: number[] = []
  const headers = { authorization: `Bearer ${key}` }
  const once = async ({ tool, path }: Pair) => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool }
    viaTools.push(await millisecondsOf(() => post(url, key, '/mcp', message)))
    viaRoutes.push(
      await millisecondsOf(async () => {
        const response = await fetch(`${url}${path}`, { headers })
        if (!response.ok) throw new Error(`${path}: ${response.status}`)
        await response.json()
      }),
    )
  }
  for (const pair of [...pairs, ...pairs, ...pairs]) await once(pair)
  viaTools.length = 0
  viaRoutes.length = 0
  const running: Promise<void>[] = []
  for (let n = 0; n < perSecond * seconds; n++) {
    const pair = pairs[n % pairs.length]
    if (pair) running.push(once(pair))
    await sleep(1_000 / perSecond)
  }
  await Promise.all(running)
  return { viaTools, viaRoutes }
}

async function run(): Promise<Figure[]> {
  const b = await createFixture()
  const service = await startSignoff(b.dataDir)
  try {
    const pairs = await seed(service.url, b.key)
    await b.db.query(sql`analyze`)
    const first = await millisecondsOf(() =>
      post(service.url, b.key, '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    )
    const { viaTools, viaRoutes } = await measure(service.url, b.key, pairs)
    const [tool, route] = [median(viaTools), median(viaRoutes)]
    return [
      {
        what: `p95 of a tool call at ${perSecond} calls/s, in ms`,
        value: p95(viaTools),
        limit: { most: 100 },
        note: `the same calls by REST: ${p95(viaRoutes).toFixed(1)} ms`,
      },
      {
        what: 'a tool call against the same call by REST, medians',
        value: tool / route,
        limit: { most: 3 },
        note: `${tool.toFixed(1)} ms against ${route.toFixed(1)} ms`,
      },
      { what: 'the first message, which loads the library, in ms', value: first },
    ]
  } finally {
    await service.stop()
    await b.end()
  }
}

export const benches: readonly Bench[] = [{ name: 'mcp', run }]
