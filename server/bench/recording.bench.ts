import { join } from 'node:path'
import { sql } from '../src/kernel/db.ts'
import {
  type Bed,
  type Bench,
  bed,
  compare,
  type Figure,
  type Load,
  type Server,
  start,
  startSignoff,
} from './support/bench.ts'

const small = join(import.meta.dirname, 'support/recording.ts')
const connections = 128

type Kind = 'bare' | 'single' | 'grouped' | 'single api'
const startSmall = ({ embedded, workspaceId, dataDir }: Bed, kind: Kind) =>
  start([small, JSON.stringify({ connection: embedded.connection, kind, workspaceId, dataDir })], {})

const rates = (pair: { ours: number; theirs: number }) =>
  `${Math.round(pair.ours)}/s against ${Math.round(pair.theirs)}/s`

/** Every version finds an empty tail. */
const emptied = ({ db }: Bed) => db.query(sql`truncate event_tail`)

async function telling(): Promise<Figure[]> {
  const b = await bed()
  const ours = await startSignoff(b.dataDir)
  const theirs = await startSmall(b, 'single api')
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
    await emptied(b)
    const pair = await compare({ url: ours.url, load }, { url: theirs.url, load }, 5)
    return [
      {
        what: 'POST /v1/analytics/events, against one insert per request',
        value: pair.ratio,
        limit: { least: 3 },
        note: rates(pair),
      },
    ]
  } finally {
    await ours.stop()
    await theirs.stop()
    await b.end()
  }
}

/** The address of the view in a signature as it is installed; null while signatures have none. */
async function viewPath(url: string, key: string): Promise<string | null> {
  const api = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return ((await answer.json()) as { data: { id: string; html: string; emails: { id: string }[] } }).data
  }
  const { emails } = await api('POST', '/v1/teammates', { teammate: { email: 'ada@example.com' } })
  const emailId = emails[0]?.id ?? ''
  const draft_content = { type: 'stack', children: [{ type: 'text', tokens: [{ value: 'Regards' }] }] }
  const { id } = await api('POST', '/v1/signatures', { name: 'Bench', draft_content })
  await api('POST', `/v1/signatures/${id}/emails`, { email_ids: [emailId] })
  await api('POST', `/v1/signatures/${id}/publish`)
  const { html } = await api('GET', `/v1/signatures/${id}/html?email_id=${emailId}`)
  return /\/o\/[\w-]+/.exec(html)?.[0] ?? null
}

type Ratio = Awaited<ReturnType<typeof compare>>

const against = (what: string, bare: Ratio, single: Ratio): Figure[] => [
  { what: `${what}, against a bare server`, value: bare.ratio, limit: { least: 0.4 }, note: rates(bare) },
  {
    what: `${what}, against one insert per request`,
    value: single.ratio,
    limit: { least: 4 },
    note: rates(single),
  },
]

/** The route that signatures use, in the service as it is. */
async function served(b: Bed, bare: Server, single: Server): Promise<Figure[]> {
  const service = await startSignoff(b.dataDir)
  try {
    const path = await viewPath(service.url, b.key)
    if (path === null) return []
    // A mail client; what looks like a bot, or like the same reader again, would be another way through.
    const load: Load = { path, connections, headers: { 'user-agent': 'Mozilla/5.0 (X11) Thunderbird/128.0' } }
    await emptied(b)
    const limit = await compare({ url: service.url, load }, { url: bare.url, load }, 5)
    await emptied(b)
    const rows = await compare({ url: service.url, load }, { url: single.url, load }, 5)
    return against('the view of a signature', limit, rows)
  } finally {
    await service.stop()
  }
}

async function pixels(): Promise<Figure[]> {
  const b = await bed()
  const [grouped, bare, single] = await Promise.all([
    startSmall(b, 'grouped'),
    startSmall(b, 'bare'),
    startSmall(b, 'single'),
  ])
  try {
    const load: Load = { path: '/o/x', connections }
    const limit = await compare({ url: grouped.url, load }, { url: bare.url, load }, 5)
    await emptied(b)
    const rows = await compare({ url: grouped.url, load }, { url: single.url, load }, 5)
    return [...against('a GIF after its view is committed', limit, rows), ...(await served(b, bare, single))]
  } finally {
    await Promise.all([grouped.stop(), bare.stop(), single.stop()])
    await b.end()
  }
}

export const benches: readonly Bench[] = [
  { name: 'recording: views', run: pixels },
  { name: 'recording: events', run: telling },
]
