import { listTeammates } from '#features/people/teammates/listing/queries.ts'
import type { TeammateFilters } from '#features/people/teammates/selection/queries.ts'
import { smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { createWorkspace } from '#features/workspace/workspaces/index.ts'
import { newRow } from '#kernel/base/ids.ts'
import { type Db, type Pool, type Sql, sql } from '#kernel/db/db.ts'
import { queriesBy } from '#kernel/db/query-forms.ts'
import { type Bench, type Figure, median, timeOfRequest, withService } from './support/bench.ts'

const departments = ['Sales', 'Support', 'Marketing', 'Operations', 'Engineering', 'Legal', 'Finance']

export async function seed(db: Pool, workspaceId: string, count: number): Promise<void> {
  const fields = (await smartFieldsOf(db, workspaceId))
    .filter(field => !field.computed)
    .map(field => field.id)
  const officeField = newRow()
  await db.query(sql`
    insert into smart_fields (workspace_id, id, label, label_key, key, kind, created_at, updated_at)
    values (${workspaceId}, ${officeField.id}, 'Office', 'office', 'office', 'text', ${officeField.now}, ${officeField.now})`)
  const all = [...fields, officeField.id]
  for (let done = 0; done < count; done += 2_000) {
    const rows = Array.from({ length: Math.min(2_000, count - done) }, (_, i) => ({
      ...newRow(),
      email: newRow().id,
      n: done + i,
    }))
    const ids = rows.map(row => row.id)
    const times = rows.map(row => row.now)
    await db.query(sql`
      insert into teammates (workspace_id, id, source, name_key, created_at, updated_at)
      select ${workspaceId}::uuid, t.id, 'manual', 'value 0 of ' || t.n || ' value 1 of ' || t.n, t.at, t.at
      from unnest(${ids}::uuid[], ${rows.map(row => row.n)}::int[], ${times}::timestamptz[]) as t (id, n, at)`)
    await db.query(sql`
      insert into emails (workspace_id, id, teammate_id, address, address_key, is_primary, created_at, updated_at)
      select ${workspaceId}::uuid, e.id, e.teammate_id, e.address, e.address, true, e.at, e.at
      from unnest(${rows.map(row => row.email)}::uuid[], ${ids}::uuid[], ${rows.map(row => `person${row.n}@example.com`)}::text[],
        ${times}::timestamptz[]) as e (id, teammate_id, address, at)`)
    const values = rows.flatMap(row =>
      all.map((field, k) => ({
        teammate: row.id,
        field,
        value: k === 3 ? (departments[row.n % 7] ?? '') : `value ${k} of ${row.n}`,
      })),
    )
    await db.query(sql`
      insert into smart_field_values (workspace_id, teammate_id, smart_field_id, value, value_key)
      select ${workspaceId}::uuid, v.t, v.f, v.value, lower(v.value) from unnest(${values.map(v => v.teammate)}::uuid[],
        ${values.map(v => v.field)}::uuid[], ${values.map(v => v.value)}::text[]) as v (t, f, value)`)
  }
  const kinds = ['teammates.manual', 'seats', 'emails']
  await db.query(sql`
    insert into tallies (workspace_id, kind, n) select ${workspaceId}::uuid, kind, ${count}::bigint from unnest(${kinds}::text[]) kind`)
}

async function medianTime(url: string, key: string, path: string): Promise<number> {
  for (let i = 0; i < 20; i++) await timeOfRequest(`${url}${path}`, key)
  const times: number[] = []
  for (let i = 0; i < 100; i++) times.push(await timeOfRequest(`${url}${path}`, key))
  return median(times)
}

/** The long tables that the query plans of a list scan sequentially. */
async function scannedLongTables(
  db: Pool,
  workspaceId: string,
  filters: TeammateFilters,
  page: number,
): Promise<string[]> {
  const statements: Sql[] = []
  const recordingDb = queriesBy(async statement => {
    statements.push(statement)
    return []
  }) as Db
  await listTeammates(recordingDb, { workspaceId, publicUrl: '' }, { page, limit: 50 }, filters)
  const plans = await Promise.all(statements.map(statement => db.column<string>(sql`explain ${statement}`)))
  const scanned = [
    ...plans
      .flat()
      .join('\n')
      .matchAll(/Seq Scan on (\w+)/g),
  ].map(([, table]) => table ?? '')
  const longTables = await db.column<string>(sql`select relname from pg_class where reltuples > 1000`)
  return scanned.filter(table => longTables.includes(table))
}

const run = () =>
  withService(async (b, server): Promise<Figure[]> => {
    const owner = { ownerName: 'Bench', ownerEmail: 'bench@example.com' }
    const small = await createWorkspace(b.db, { name: 'Small', ...owner })
    await seed(b.db, small.id, 1_000)
    await seed(b.db, b.workspaceId, 100_000)
    await b.db.query(sql`vacuum analyze`)
    const [field] = (await smartFieldsOf(b.db, b.workspaceId)).filter(field => field.key === 'department')
    const filters: Record<string, TeammateFilters> = {
      'no filter': {},
      source: { source: 'manual' },
      search: { search: 'person9999' },
      'a value': { value: { fieldId: field?.id ?? '', text: 'legal' } },
    }
    const scannedTables: string[] = []
    for (const [name, filter] of Object.entries(filters)) {
      for (const page of [1, 1_000])
        scannedTables.push(
          ...(await scannedLongTables(b.db, b.workspaceId, filter, page)).map(table => `${name}: ${table}`),
        )
    }
    const ratio = async (path: string) => {
      const smallTime = await medianTime(server.url, small.key, path)
      const largeTime = await medianTime(server.url, b.key, path)
      return {
        value: largeTime / smallTime,
        note: `${largeTime.toFixed(1)} ms against ${smallTime.toFixed(1)} ms`,
      }
    }
    const search = await ratio('/v1/teammates?limit=50&search=person999')
    // Finding people without a value reads all people: it is the only filter whose plan may scan the complete table.
    const missingTime = await medianTime(
      server.url,
      b.key,
      `/v1/teammates?limit=50&missing_smart_field_id=${field?.id}`,
    )
    const lastPageTime = await medianTime(server.url, b.key, '/v1/teammates?limit=50&page=2000')
    return [
      {
        what: 'page 1 of 100,000 teammates with 10 values each, against 1,000',
        ...(await ratio('/v1/teammates?limit=50')),
        limit: { most: 3 },
      },
      {
        what: 'sequential scans of long tables, in the plans of page 1 and 1,000 with and without filters',
        value: scannedTables.length,
        limit: { most: 0 },
        note: scannedTables.join(', '),
      },
      { what: 'search in 100,000, against 1,000', ...search },
      { what: 'the last page of 2,000, in ms', value: lastPageTime },
      { what: 'those without a value, of 100,000, in ms', value: missingTime },
    ]
  })

export const benches: readonly Bench[] = [{ name: 'teammates', run }]
