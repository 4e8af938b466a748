import { join } from 'node:path'
import { foldTail } from '#features/analytics/index.ts'
import { sql } from '#kernel/db.ts'
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

const versions = join(import.meta.dirname, 'support/recording.ts')
const connections = 128
/** The load comes from one address: its requests are counted, and stay below the limit. */
const manyViews = { SIGNOFF_VIEWS_PER_MINUTE: '1000000' }

type Kind = 'bare' | 'single' | 'grouped' | 'single service'
const startVersion = ({ embedded, workspaceId, dataDir }: Bed, kind: Kind) =>
  start([versions, JSON.stringify({ connection: embedded.connection, kind, workspaceId, dataDir })], {})

const rates = (pair: { ours: number; theirs: number }) =>
  `${Math.round(pair.ours)}/s against ${Math.round(pair.theirs)}/s`

/** Small servers fold nothing. */
const emptied = async ({ db }: Bed): Promise<void> => void (await db.query(sql`truncate event_tail`))

/** Every version finds an empty tail, and nobody at work on what another has left. */
async function folded({ db }: Bed): Promise<void> {
  let isMore = true
  while (isMore) isMore = await foldTail(db)
}

async function telling(): Promise<Figure[]> {
  const b = await bed()
  const ours = await startSignoff(b.dataDir, manyViews)
  const theirs = await startVersion(b, 'single service')
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
    const pair = await compare({ url: ours.url, load }, { url: theirs.url, load }, 5, () => folded(b))
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

/** The address of the view in a signature as it is installed. */
async function viewPath(url: string, key: string): Promise<string> {
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
  const [path] = /\/o\/[\w-]+/.exec(html) ?? []
  if (!path) throw new Error('the signature has no pixel')
  return path
}

type Ratio = Awaited<ReturnType<typeof compare>>

const against = (what: string, bare: Ratio, single: Ratio): Figure[] => [
  { what: `${what}, against a bare server`, value: bare.ratio, limit: { least: 0.4 }, note: rates(bare) },
  {
    what: `${what}, against the same with one insert per request`,
    value: single.ratio,
    limit: { least: 4 },
    note: rates(single),
  },
]

/** The route that signatures use, in the service as it is. */
async function served(b: Bed, bare: Server, single: Server): Promise<Figure[]> {
  const [service, singly] = await Promise.all([
    startSignoff(b.dataDir, manyViews),
    startVersion(b, 'single service'),
  ])
  try {
    const path = await viewPath(service.url, b.key)
    // A mail client; what looks like a bot, or like the same reader again, would be another way through.
    const headers = { 'user-agent': 'Mozilla/5.0 (X11) Thunderbird/128.0' }
    // Folding begins a second after the first view: long enough for it to be at work most of the time.
    const load: Load = { path, connections, headers, duration: 5 }
    const next = (other: Server, rounds: number) =>
      compare({ url: service.url, load }, { url: other.url, load }, rounds, () => folded(b))
    const limit = await next(bare, 5)
    const rows = await next(singly, 9)
    const small = await next(single, 3)
    return [
      ...against('the view of a signature', limit, rows),
      {
        what: 'the same, against a small server with one insert per request',
        value: small.ratio,
        note: rates(small),
      },
    ]
  } finally {
    await Promise.all([service.stop(), singly.stop()])
  }
}

async function pixels(): Promise<Figure[]> {
  const b = await bed()
  const [grouped, bare, single] = await Promise.all([
    startVersion(b, 'grouped'),
    startVersion(b, 'bare'),
    startVersion(b, 'single'),
  ])
  try {
    const load: Load = { path: '/o/x', connections }
    const next = (other: Server) =>
      compare({ url: grouped.url, load }, { url: other.url, load }, 5, () => emptied(b))
    const limit = await next(bare)
    const rows = await next(single)
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
