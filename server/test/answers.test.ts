// Responses that are large, slow, or not read by the client: none blocks memory, event loop or database for other
// requests.
import { type ClientRequest, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listSignatures } from '#features/signatures/signatures/queries.ts'
import { newRow } from '#kernel/base/ids.ts'
import { type Sql, sql } from '#kernel/db/db.ts'
import { queriesBy } from '#kernel/db/query-forms.ts'
import { type TestApp, type TestWorkspace, testApp } from './support/app.ts'
import { lockWaits } from './support/postgres/lock-waits.ts'
import { loopLimit, watchLoop } from './support/processes/loop-watch.ts'

let app: TestApp
/** More apps on the same database: one with a short answer timeout, one with a short query timeout. */
let appWithAnswerTimeout: TestApp
let appWithQueryTimeout: TestApp
beforeAll(async () => {
  app = await testApp()
  const { connection } = app
  appWithAnswerTimeout = await testApp({ connection, env: { SIGNOFF_ANSWER_TIMEOUT_SECONDS: '1' } })
  appWithQueryTimeout = await testApp({ connection, env: { SIGNOFF_QUERY_TIMEOUT_SECONDS: '1' } })
  for (const { http } of [app, appWithAnswerTimeout]) await http.listen({ host: '127.0.0.1', port: 0 })
  await createSignatures(40)
  await createTeammates()
})

const requests: ClientRequest[] = []
afterAll(() => {
  for (const request of requests) request.destroy()
})

/** With content and a different draft: half a megabyte each. */
async function createSignatures(count: number): Promise<void> {
  const rows = Array.from({ length: count }, () => newRow())
  await app.db.query(sql`
    insert into signatures (workspace_id, id, name, name_key, priority, content, draft_content, created_at, updated_at)
    select ${app.id}, s.id, 'Large ' || n, 'large ' || n, n, jsonb_build_object('n', n, 'text', repeat('"aaa', 75000)),
      jsonb_build_object('text', repeat('ü', 75000)), s.at, s.at
    from unnest(${rows.map(row => row.id)}::uuid[], ${rows.map(row => row.now)}::timestamptz[]) with ordinality as s (id, at, n)`)
}

/** 60 teammates with seven values of maximum length. */
async function createTeammates(): Promise<void> {
  const fields: { id: string; kind: string }[] = (await app.get('/v1/smart_fields?limit=100')).body.data
  const texts = fields.filter(field => field.kind === 'text').slice(0, 7)
  for (let batch = 0; batch < 5; batch++) {
    const teammates = Array.from({ length: 12 }, (_, n) => ({
      email: `large-${batch * 12 + n}@example.com`,
      smart_fields: texts.map(({ id }) => ({ smart_field_id: id, value: `"${'é'.repeat(4_900)}` })),
    }))
    const imported = await app.post('/v1/teammates/import', { teammates })
    expect(imported.body.data.created).toBe(12)
  }
}

/** Sends a request over a real connection. */
function sendRequest(
  { http }: TestApp,
  path: string,
  { key }: TestWorkspace = app,
): Promise<IncomingMessage> {
  const { port } = http.server.address() as AddressInfo
  const headers = { authorization: `Bearer ${key}` }
  return new Promise((resolve, reject) => {
    const request = get({ port, host: '127.0.0.1', path, headers, agent: false }, resolve)
    requests.push(request.on('error', reject))
  })
}

/** Downloads a response and checks that it does not block the event loop. */
async function download(path: string): Promise<{ readonly headers: object; readonly bytes: Buffer }> {
  const { result, held } = await watchLoop(async () => {
    const response = await sendRequest(app, path)
    expect(response.statusCode).toBe(200)
    return { headers: response.headers, bytes: await buffer(response) }
  })
  expect(held, `${path} holds the event loop`).toBeLessThan(loopLimit)
  return result
}

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }

describe('a page of large records', () => {
  /** Compares one large page with the same records in pages of one. */
  async function expectComplete(path: string, count: number): Promise<Record<string, unknown>[]> {
    const { headers, bytes } = await download(`${path}limit=${count}`)
    expect(headers).toMatchObject({ ...jsonHeaders, 'transfer-encoding': 'chunked' })
    const { data, pagination } = JSON.parse(bytes.toString())
    expect(pagination).toEqual({
      page: 1,
      limit: count,
      total_count: count,
      total_pages: 1,
      has_more: false,
    })
    const oneByOne: unknown[] = []
    for (let page = 1; page <= count; page++) {
      const small = await app.get(`${path}limit=1&page=${page}`)
      expect(small.headers).toMatchObject({ ...jsonHeaders, 'content-length': expect.anything() })
      oneByOne.push(...small.body.data)
    }
    expect(data).toEqual(oneByOne)
    return data
  }

  it('is complete, in order, and does not block: signatures with their contents', async () => {
    const signatures = await expectComplete('/v1/signatures?include_content=true&', 40)
    expect(signatures.map(signature => (signature.content as { n: number }).n)).toEqual(
      Array.from({ length: 40 }, (_, n) => 40 - n),
    )
  })

  it('is complete, in order, and does not block: teammates with long values', async () => {
    await expectComplete('/v1/teammates?', 60)
    await expectComplete('/v1/teammates?search=large&', 60)
  })

  it('is complete, in order, and does not block: campaigns', async () => {
    const content = { type: 'stack', children: [] }
    for (let n = 0; n < 16; n++) {
      const created = await app.post('/v1/marketing_campaigns', {
        marketing_campaign: { name: `Large ${n}`, content: null },
      })
      expect(created.status, created.text).toBe(201)
    }
    await app.db.query(sql`
      update marketing_campaigns set content = ${JSON.stringify(content)}::jsonb || jsonb_build_object('text', repeat('x', 900000))
      where workspace_id = ${app.id}`)
    await expectComplete('/v1/marketing_campaigns?', 16)
  })

  it('is sent as one text when the records are small', async () => {
    const { headers } = await download('/v1/signatures?include_content=true&limit=1')
    expect(headers).toMatchObject({ ...jsonHeaders, 'content-length': expect.anything() })
  })

  it('answers HEAD without records', async () => {
    const { status, text } = await app.call('HEAD', '/v1/signatures?include_content=true&limit=40')
    expect([status, text]).toEqual([200, ''])
  })

  it('is read from PostgreSQL only as fast as the client reads it', async () => {
    let queryCount = 0
    const query = <Row>(statement: Sql) => {
      queryCount++
      return app.db.query<Row>(statement)
    }
    const countingDb = { ...app.db, ...queriesBy(query) }
    const page = await listSignatures(countingDb, app.id, { page: 1, limit: 40 }, { include_content: true })
    if (!('pieces' in page)) throw new Error('one text')
    for await (const piece of page.pieces) {
      expect(piece.length).toBeLessThan(2_000_000)
      if (queryCount === 5) break
    }
    await sleep(100)
    expect(queryCount).toBe(5)
  })
})

describe('an export', () => {
  it('of values full of quotes does not block the event loop, and is well-formed', async () => {
    const rows = Array.from({ length: 1_000 }, () => newRow())
    const quotes = '"'.repeat(8_000)
    const properties = JSON.stringify({ quotes, lines: ',\r\n' })
    await app.db.query(sql`
      insert into event_tail (workspace_id, id, recorded_at, name, outcome, properties)
      select ${app.id}, e.id, '2020-01-01'::timestamptz + n * interval '1 ms', '=quoted', 'counted', ${properties}::jsonb
      from unnest(${rows.map(row => row.id)}::uuid[]) with ordinality as e (id, n)`)
    const { bytes } = await download('/v1/analytics/export?start_date=2020-01-01&end_date=2020-01-01')
    const lines = bytes.toString().split('\r\n')
    expect(lines).toHaveLength(1_002)
    const cells = lines
      .slice(1, -1)
      .map(line => /^([\w-]{36}),[^,]+,([^,]+),.*,"(\{.*\})",,,,$/.exec(line) ?? [])
    expect(cells.map(([, id]) => id)).toEqual(rows.map(row => row.id).reverse())
    for (const [, , name, sent = ''] of [cells[0] ?? [], cells[999] ?? []])
      expect([name, JSON.parse(sent.replaceAll('""', '"'))]).toEqual(["'=quoted", { quotes, lines: ',\r\n' }])
  })
})

/** Locks the table `folders` while `work` runs, so no request can read it. */
async function withLockedFolders<T>(work: (release: () => Promise<void>) => Promise<T>): Promise<T> {
  const holder = new pg.Client(app.connection)
  await holder.connect()
  let isLocked = true
  const release = async () => {
    if (isLocked) await holder.query('rollback')
    isLocked = false
  }
  try {
    await holder.query('begin')
    await holder.query('lock table folders in access exclusive mode')
    return await work(release)
  } finally {
    await release()
    await holder.end()
  }
}

const countBlocked = () => lockWaits(app.db)

describe('a client that does not read its response', () => {
  const large = '/v1/signatures?include_content=true&limit=40'
  const connections = () =>
    new Promise<number>((resolve, reject) =>
      appWithAnswerTimeout.http.server.getConnections((error, count) =>
        error ? reject(error) : resolve(count),
      ),
    )

  it('is disconnected', async () => {
    const response = await sendRequest(appWithAnswerTimeout, large)
    response.on('error', () => undefined)
    response.pause()
    expect([response.statusCode, await connections()]).toEqual([200, 1])
    await expect.poll(connections, { timeout: 20_000 }).toBe(0)
  })

  it('can open only a limited number of large responses', async () => {
    const open = Array.from({ length: 12 }, () => sendRequest(app, '/v1/marketing_campaigns'))
    for (const response of await Promise.all(open)) expect(response.pause().statusCode).toBe(200)
    const refused = await sendRequest(app, '/v1/marketing_campaigns')
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2'])
    const { other } = app
    expect((await app.get('/v1/openapi.json', { key: other.key })).status).toBe(200) // larger than 64 KB
    for (const response of await Promise.all(open)) response.destroy()
    await expect.poll(async () => (await sendRequest(app, '/v1/marketing_campaigns')).statusCode).toBe(200)
  })

  it('is not disconnected while the service prepares the response', async () => {
    await withLockedFolders(async release => {
      const response = sendRequest(appWithAnswerTimeout, '/v1/folders')
      await expect.poll(countBlocked).toBe(1)
      await sleep(1_500)
      await release()
      expect((await response).statusCode).toBe(200)
    })
  })

  it('is not disconnected while it reads slowly', async () => {
    const response = await sendRequest(appWithAnswerTimeout, large)
    let size = 0
    let pauses = 0
    for await (const chunk of response) {
      size += chunk.length
      if (pauses >= 5 || size < pauses * 2_500_000) continue
      pauses++
      await sleep(300)
    }
    expect(size).toBeGreaterThan(15_000_000)
  })
})

describe('slow queries', () => {
  it('are cancelled, in PostgreSQL too, with an error that says what to do', async () => {
    await withLockedFolders(async () => {
      const answer = await appWithQueryTimeout.get('/v1/folders', { key: app.key })
      expect([answer.status, answer.body.error.code]).toEqual([503, 'unavailable'])
      expect(answer.body.error.message).toContain('Ask for less')
      expect(answer.headers['retry-after']).toBe('30')
      await expect.poll(countBlocked).toBe(0)
    })
    expect((await appWithQueryTimeout.get('/v1/folders', { key: app.key })).status).toBe(200)
  })

  it('of one workspace leave connections for other workspaces', async () => {
    await withLockedFolders(async release => {
      const requests = Array.from({ length: 20 }, () => app.get('/v1/folders'))
      await expect.poll(countBlocked).toBe(6)
      const other = await app.get('/v1/smart_fields', { key: app.other.key })
      expect(other.status).toBe(200)
      expect(await countBlocked()).toBe(6)
      await release()
      expect((await Promise.all(requests)).map(({ status }) => status)).toEqual(requests.map(() => 200))
    })
  })
})
