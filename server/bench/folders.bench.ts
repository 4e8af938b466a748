import { join } from 'node:path'
import { listFolders } from '#features/workspace/folders/queries.ts'
import { newRow } from '#kernel/base/ids.ts'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import {
  type Bench,
  compare,
  createFixture,
  type Figure,
  type Fixture,
  startServer,
  startSignoff,
} from './support/bench.ts'

const bareServer = join(import.meta.dirname, 'support/baseline-folders.ts')
const page = { page: 1, limit: 50 }

async function seed({ db, workspaceId }: Fixture, count: number): Promise<void> {
  const rows = Array.from({ length: count }, () => newRow())
  await db.query(sql`
    insert into folders (workspace_id, id, name, created_at, updated_at)
    select ${workspaceId}::uuid, f.id, 'Folder ' || f.id, f.at, f.at
    from unnest(${rows.map(row => row.id)}::uuid[], ${rows.map(row => row.now)}::timestamptz[]) as f (id, at)`)
  await db.query(sql`analyze`)
}

/** Returns the SQL statement of the list. */
async function listStatement(workspaceId: string): Promise<Sql> {
  let captured: Sql | undefined
  const recordingDb = {
    async query(statement: Sql) {
      captured = statement
      return []
    },
  } as unknown as Db
  await listFolders(recordingDb, workspaceId, page)
  if (!captured) throw new Error('the list ran no statement')
  return captured
}

async function run(): Promise<Figure[]> {
  const b = await createFixture()
  await seed(b, 10_000)
  const { text, values } = await listStatement(b.workspaceId)
  const options = {
    connection: b.embedded.connection,
    list: { text, values },
    workspaceId: b.workspaceId,
    wrap: { ...page, total_pages: 200, has_more: true },
  }
  const service = await startSignoff(b.dataDir)
  const baseline = await startServer([bareServer, JSON.stringify(options)], {})
  try {
    const headers = { authorization: `Bearer ${b.key}`, 'content-type': 'application/json' }
    const reads = await compare(
      { url: service.url, load: { path: '/v1/folders?limit=50', headers } },
      { url: baseline.url, load: { path: '/folders', headers } },
    )
    const post = { method: 'POST' as const, headers, body: JSON.stringify({ folder: { name: 'Bench' } }) }
    const writes = await compare(
      { url: service.url, load: { path: '/v1/folders', ...post } },
      { url: baseline.url, load: { path: '/folders', ...post } },
    )
    const note = (pair: { service: number; baseline: number }) =>
      `${Math.round(pair.service)}/s against ${Math.round(pair.baseline)}/s`
    return [
      {
        what: 'GET /v1/folders?limit=50 of 10,000, against bare Fastify with the same SQL',
        value: reads.ratio,
        limit: { least: 0.6 },
        note: note(reads),
      },
      {
        what: 'POST /v1/folders, against bare Fastify with one insert',
        value: writes.ratio,
        limit: { least: 0.6 },
        note: note(writes),
      },
    ]
  } finally {
    await service.stop()
    await baseline.stop()
    await b.end()
  }
}

export const benches: readonly Bench[] = [{ name: 'folders', run }]
