// Measures how the worst allowed requests affect other requests and memory.
import { request } from 'node:http'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { hostileFiles, hostileTrees } from '#test/support/adversarial.ts'
import { type Bench, type Figure, type Fixture, p99, startServer, withService } from './support/bench.ts'
import { memoryOf, postgresProcesses } from './support/memory.ts'

const probeFile = join(import.meta.dirname, 'support/health-probe.ts')

interface ApiRequest {
  readonly method: string
  readonly path: string
  readonly body?: string | Buffer
}

interface Client {
  send(sent: ApiRequest): Promise<{ readonly status: number; readonly text: string }>
}

const clientOf = (url: string, key: string): Client => ({
  send: ({ method, path, body }) =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const httpRequest = request(`${url}${path}`, { method, headers }, response => {
        const status = response.statusCode ?? 0
        readText(response).then(text => resolve({ status, text }), reject)
      })
      httpRequest.on('error', reject)
      httpRequest.end(body)
    }),
})

const json = async (client: Client, method: string, path: string, body?: object) => {
  const { status, text } = await client.send({ method, path, ...(body && { body: JSON.stringify(body) }) })
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`)
  return JSON.parse(text).data
}

interface Workload {
  readonly textFields: readonly string[]
  readonly signatureId: string
  readonly emailId: string
}

/** Creates a signature and twenty people with values of maximum length. */
async function createWorkload(client: Client): Promise<Workload> {
  const fields: { id: string; kind: string }[] = await json(client, 'GET', '/v1/smart_fields?limit=100')
  const textFields = fields.filter(field => field.kind === 'text').map(field => field.id)
  let emailId = ''
  for (let n = 0; n < 20; n++) {
    const smart_fields = textFields.map(smart_field_id => ({ smart_field_id, value: 'a@'.repeat(2_500) }))
    const teammate = { email: `p${n}@example.com`, smart_fields }
    emailId = (await json(client, 'POST', '/v1/teammates', { teammate })).emails[0].id
  }
  const signatureId = (await json(client, 'POST', '/v1/signatures', { name: 'Ruled' })).id
  return { textFields, signatureId, emailId }
}

const ruleOf = (field: string | undefined) =>
  Array.from({ length: 5 }, (_, g) => [
    {
      smart_field_id: field,
      operator: 'contains',
      values: Array.from({ length: 1_000 }, (_, v) => `${'a'.repeat(6)}${g * 1_000 + v}`),
    },
  ])

/** The worst allowed request of each kind. */
function worstRequests({ textFields, signatureId, emailId }: Workload): Readonly<Record<string, ApiRequest>> {
  const trees = new Map(hostileTrees(textFields))
  const { texts, pictures } = hostileFiles()
  const files = new Map<string, string>([...texts, ...pictures])
  const preview = (name: string): ApiRequest => ({
    method: 'POST',
    path: '/v1/content/preview',
    body: JSON.stringify({ content: trees.get(name), email_id: emailId }),
  })
  const upload = (name: string): ApiRequest => ({
    method: 'POST',
    path: '/v1/assets',
    body: Buffer.from(`{"asset":{"file_base64":"${files.get(name)}","filename":"a.svg"}}`),
  })
  const wrongRows = Array.from({ length: 1_000 }, () => ({ email: 'x'.repeat(800) }))
  const people = Array.from({ length: 1_000 }, (_, n) => ({
    email: `p${n % 20}@example.com`,
    smart_fields: [{ smart_field_id: textFields[0], value: 'a'.repeat(700) }],
  }))
  return {
    'previews of 256 KB for long values': preview('many lines of smart fields'),
    'previews of 4,400 links': preview('many links'),
    'uploads of 20 MB of blanks': upload('blanks between all'),
    'uploads of large SVGs': upload('a large SVG of tags without end'),
    'rules of 5,000 values': {
      method: 'PUT',
      path: `/v1/signatures/${signatureId}/recipient_rules`,
      body: JSON.stringify({ conditions: ruleOf(textFields[0]) }),
    },
    'imports of 1,000 people under such a rule': {
      method: 'POST',
      path: '/v1/teammates/import',
      body: JSON.stringify({ teammates: people }),
    },
    'imports of 1,000 wrong rows': {
      method: 'POST',
      path: '/v1/teammates/import',
      body: JSON.stringify({ teammates: wrongRows }),
    },
    'the program of the reference page': { method: 'GET', path: '/docs/js/scalar.js' },
    'the numbers for Prometheus': { method: 'GET', path: '/metrics' },
  }
}

const connections = 20
const seconds = 20

/** The 99th percentile of /healthz in milliseconds while 20 connections send this request. */
async function healthDuring(
  url: string,
  client: Client,
  apiRequest: ApiRequest,
): Promise<{ slowest: number; answered: number }> {
  const probeProcess = await startServer([probeFile, url], {})
  let printed = ''
  probeProcess.child.stdout?.on('data', chunk => {
    printed += chunk
  })
  const until = performance.now() + seconds * 1_000
  let answered = 0
  const load = async () => {
    while (performance.now() < until) {
      const { status } = await client.send(apiRequest)
      if (status === 500) throw new Error(`${apiRequest.path} answered 500`)
      answered++
    }
  }
  await Promise.all(Array.from({ length: connections }, load))
  await probeProcess.stop()
  const durations: number[] = JSON.parse(printed.trim().split('\n').at(-1) ?? '[]')
  return { slowest: p99(durations), answered }
}

const measureHealth = () =>
  withService(async (fixture, server): Promise<Figure[]> => {
    const client = clientOf(server.url, fixture.key)
    const figures: Figure[] = []
    for (const [name, apiRequest] of Object.entries(worstRequests(await createWorkload(client)))) {
      await client.send(apiRequest) // warm-up: modules that load on first use
      const { slowest, answered } = await healthDuring(server.url, client, apiRequest)
      const note = `${answered} answered`
      figures.push({ what: `/healthz p99 during ${name}, in ms`, value: slowest, limit: { most: 100 }, note })
    }
    return figures
  })

/** A PNG of 15 MB: noise does not compress. */
const noise = (): Promise<Buffer> =>
  sharp({
    create: {
      width: 2_260,
      height: 2_260,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png({ compressionLevel: 0 })
    .toBuffer()

const measureUploads = () =>
  withService(async (fixture, server): Promise<Figure[]> => {
    const client = clientOf(server.url, fixture.key)
    const file = await noise()
    const body = Buffer.from(
      JSON.stringify({ asset: { file_base64: file.toString('base64'), filename: 'a.png' } }),
    )
    const apiRequest = { method: 'POST', path: '/v1/assets', body }
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async () => (await client.send(apiRequest)).status),
    )
    const acceptedCount = statuses.filter(status => status === 201).length
    const retryCount = statuses.filter(status => status === 503).length
    const peak = memoryOf(server.child.pid, 'VmHWM')
    return [
      {
        what: `largest RSS of the service during 60 uploads of ${(body.length / 1e6).toFixed(1)} MB at once, in MB`,
        value: peak,
        limit: { most: 500 },
        note: `${acceptedCount} taken, ${retryCount} told to come back`,
      },
    ]
  })

/** The private memory of all PostgreSQL processes, in MB. */
const privateMemory = ({ dataDir }: Fixture): number =>
  postgresProcesses(dataDir).reduce((sum, pid) => sum + memoryOf(pid, 'RssAnon'), 0)

/** Conditions that differ for each `n` in number of groups, fields and operators. */
function conditionsOf(n: number, fields: readonly string[]): object[][] {
  const operators = ['is_any_of', 'contains', 'starts_with', 'ends_with', 'is_set']
  return Array.from({ length: 1 + (n % 40) }, (_, g) => {
    const operator = operators[(n + g) % operators.length]
    const smart_field_id = fields[(n + g * 3) % fields.length]
    return [
      operator === 'is_set' ? { smart_field_id, operator } : { smart_field_id, operator, values: [`v${n}`] },
    ]
  })
}

const measureStatements = () =>
  withService(async (fixture, server): Promise<Figure[]> => {
    const client = clientOf(server.url, fixture.key)
    const { textFields, signatureId, emailId } = await createWorkload(client)
    const content = { type: 'stack', children: [{ type: 'marketing' }] }
    await json(client, 'PATCH', `/v1/signatures/${signatureId}`, { draft_content: content })
    await json(client, 'POST', `/v1/signatures/${signatureId}/emails`, { email_ids: [emailId] })
    await json(client, 'POST', `/v1/signatures/${signatureId}/publish`)
    const campaign = await json(client, 'POST', '/v1/marketing_campaigns', {
      marketing_campaign: { name: 'Many' },
    })
    const path = `/v1/marketing_campaigns/${campaign.id}`
    const queryAudience = async (n: number) => {
      const smart_fields_conditions = conditionsOf(n, textFields)
      await json(client, 'PATCH', path, { marketing_campaign: { smart_fields_conditions } })
      await Promise.all(
        Array.from({ length: 4 }, () => client.send({ method: 'GET', path: `${path}/audience` })),
      )
    }
    for (let n = 0; n < 60; n++) await queryAudience(n)
    await sleep(500)
    const before = privateMemory(fixture)
    for (let n = 0; n < 1_000; n++) await queryAudience(n)
    await sleep(500)
    const after = privateMemory(fixture)
    const note = `${before.toFixed(0)} MB before, ${after.toFixed(0)} MB after`
    const what = 'private memory of PostgreSQL after 1,000 different campaign conditions, against before'
    return [{ what, value: after / before, limit: { most: 1.3 }, note }]
  })

export const benches: readonly Bench[] = [
  { name: 'bounds: others while the worst is asked', run: measureHealth },
  { name: 'bounds: memory of uploads', run: measureUploads },
  { name: 'bounds: memory of statements', run: measureStatements },
]
