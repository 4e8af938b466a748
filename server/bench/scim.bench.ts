// An identity provider sends 25 requests a second, as Entra does: users, groups and searches, in a service with its worker.
import { setTimeout as sleep } from 'node:timers/promises'
import { findMember } from '#features/workspace/accounts/index.ts'
import { createKey } from '#features/workspace/api-keys/index.ts'
import { operator } from '#kernel/api/scopes.ts'
import { sql } from '#kernel/db/db.ts'
import {
  type Bench,
  createFixture,
  type Figure,
  type Fixture,
  startSignoff,
  waitUntilReady,
} from './support/bench.ts'

const people = 500
const seconds = 20
const perSecond = 25

type Send = (method: string, path: string, body?: object) => Promise<{ status: number; body: unknown }>

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

const user = (n: number) => ({
  userName: `person.${n}@example.com`,
  externalId: `id ${n}`,
  active: true,
  displayName: `Person ${n}`,
  name: { givenName: `First ${n}`, familyName: `Last ${n}` },
  emails: [{ value: `person.${n}@example.com`, type: 'work', primary: true }],
  title: `Title ${n % 30}`,
  [enterprise]: { department: `Department ${n % 10}` },
})

const sender =
  (url: string, key: string): Send =>
  async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status >= 400) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }

const idOf = ({ body }: { readonly body: unknown }): string => {
  const { id, data } = body as { id?: string; data?: { id: string } }
  return id ?? data?.id ?? ''
}

/** A channel that cannot be reached, and a signature for the department Sales: its mailboxes become due. */
async function connectMailboxes(api: Send, integrationId: string): Promise<void> {
  const webhook = { kind: 'webhook', settings: { url: 'https://mail.example.com/in' } }
  await api('POST', '/v1/integrations', { integration: webhook })
  const { body } = await api('GET', '/v1/smart_fields?limit=100')
  const { data: fields } = body as { data: { id: string; key: string }[] }
  const fieldOf = (key: string) => fields.find(field => field.key === key)?.id ?? ''
  for (const [key, attribute] of [
    ['department', 'enterprise.department'],
    ['job_title', 'title'],
  ] as const)
    await api('PATCH', `/v1/smart_fields/${fieldOf(key)}`, {
      integration_id: integrationId,
      integration_attribute: attribute,
    })
  const content = {
    type: 'stack',
    children: [{ type: 'text', tokens: [{ smartFieldUuid: fieldOf('job_title') }] }],
  }
  const id = idOf(await api('POST', '/v1/signatures', { name: 'Sales', draft_content: content }))
  const conditions = [[{ smart_field_id: fieldOf('department'), values: ['Sales'] }]]
  await api('PUT', `/v1/signatures/${id}/recipient_rules`, { conditions })
  await api('POST', `/v1/signatures/${id}/publish`, { force: true })
}

/** Milliseconds from the request until the mailbox of the person is due. */
async function untilQueued({ db, workspaceId }: Fixture, scim: Send, id: string, n: number): Promise<number> {
  const began = performance.now()
  const path = `${enterprise}:department`
  await scim('PATCH', `/Users/${id}`, { Operations: [{ op: 'replace', path, value: 'Sales' }] })
  const queued = sql`
    select from mailboxes m join emails e on e.workspace_id = m.workspace_id and e.id = m.email_id
    where m.workspace_id = ${workspaceId} and e.address = ${`person.${n}@example.com`}`
  while ((await db.query(queued)).length === 0) await sleep(2)
  return performance.now() - began
}

/** Sends at fixed times, whether or not earlier requests are answered. Returns their milliseconds. */
async function sendEvenly(count: number, send: (n: number) => Promise<unknown>): Promise<number[]> {
  const began = performance.now()
  const times: Promise<number>[] = []
  for (let n = 0; n < count; n++) {
    await sleep(Math.max(0, (n * 1_000) / perSecond - (performance.now() - began)))
    const sentAt = performance.now()
    times.push(send(n).then(() => performance.now() - sentAt))
  }
  return Promise.all(times)
}

const rank = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

async function run(): Promise<Figure[]> {
  const fixture = await createFixture()
  const { db, workspaceId, dataDir, key } = fixture
  const server = await startSignoff(dataDir)
  try {
    await waitUntilReady(server.url)
    const api = sender(server.url, key)
    const integrationId = idOf(await api('POST', '/v1/integrations', { kind: 'scim' }))
    await connectMailboxes(api, integrationId)
    const owner = await findMember(db, workspaceId)
    const scimKey = await createKey(db, operator(workspaceId), owner?.id ?? '', {
      name: 'SCIM',
      scopes: ['scim:write'],
    })
    const scim = sender(`${server.url}/scim/v2`, scimKey.key)
    const ids: string[] = []
    const created: number[] = []
    for (let n = 0; n < people; n++) {
      const began = performance.now()
      ids.push(idOf(await scim('POST', '/Users', user(n))))
      created.push(performance.now() - began)
    }
    const group = idOf(
      await scim('POST', '/Groups', { displayName: 'All', members: ids.map(value => ({ value })) }),
    )
    await db.query(sql`analyze`)
    const idAt = (n: number) => ids[(n * 7) % people] ?? ''
    const requests: readonly ((n: number) => Promise<unknown>)[] = [
      n => scim('GET', `/Users?filter=${encodeURIComponent(`userName eq "PERSON.${n}@example.com"`)}`),
      n =>
        scim('PATCH', `/Users/${idAt(n)}`, {
          Operations: [{ op: 'Replace', path: 'title', value: `T ${n}` }],
        }),
      n => scim('GET', `/Users/${idAt(n)}`),
      n =>
        scim('PATCH', `/Groups/${group}`, {
          Operations: [{ op: n % 2 ? 'Add' : 'Remove', path: 'members', value: [{ value: idAt(n) }] }],
        }),
      n => scim('POST', '/Users', user(people + n)),
    ]
    const times = await sendEvenly(seconds * perSecond, async n => requests[n % requests.length]?.(n))
    const queued: number[] = []
    for (let n = 0; n < 10; n++) queued.push(await untilQueued(fixture, scim, ids[n] ?? '', n))
    const note = `median ${rank(times, 0.5).toFixed(0)} ms; one user after the other ${rank(created, 0.5).toFixed(0)} ms`
    return [
      {
        what: `SCIM, ${perSecond} requests/s for ${seconds} s: 99th percentile in ms`,
        value: rank(times, 0.99),
        limit: { most: 200 },
        note,
      },
      {
        what: 'SCIM, from a change until its mailbox is due, in ms: the slowest of 10',
        value: Math.max(...queued),
        limit: { most: 1_000 },
        note: `median ${rank(queued, 0.5).toFixed(0)} ms`,
      },
    ]
  } finally {
    await server.stop()
    await fixture.end()
  }
}

export const benches: readonly Bench[] = [{ name: 'directories, SCIM', run }]
