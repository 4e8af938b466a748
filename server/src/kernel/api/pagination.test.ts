// @module-tag random
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { newRow } from '#kernel/base/ids.ts'
import { sql } from '#kernel/db/db.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { runs } from '#test/support/runs.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

const page = async (path: string, number: number, limit: number) =>
  (await app.get(`${path}?page=${number}&limit=${limit}`)).body

describe('paging', () => {
  it('lists every record once, newest first, whatever the page size', async () => {
    const ids: string[] = []
    for (let i = 0; i < 37; i++) ids.unshift((await app.post('/v1/folders', { name: `f${i}` })).body.data.id)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 100 }), async limit => {
        const seen: string[] = []
        for (let number = 1; ; number++) {
          const { data, pagination } = await page('/v1/folders', number, limit)
          expect(pagination).toEqual({
            page: number,
            limit,
            total_count: 37,
            total_pages: Math.ceil(37 / limit),
            has_more: number < Math.ceil(37 / limit),
          })
          seen.push(...data.map((folder: { id: string }) => folder.id))
          if (!pagination.has_more) break
        }
        expect(seen).toEqual(ids)
      }),
      { numRuns: 20 },
    )
  })

  it('orders by created_at, then id', async () => {
    for (const path of ['/v1/folders', '/v1/smart_fields', '/v1/audit_log', '/v1/api_keys']) {
      const { data } = await page(path, 1, 100)
      const keys = data.map((row: { created_at: string; id: string }) => `${row.created_at} ${row.id}`)
      expect(keys, path).toEqual([...keys].sort().reverse())
    }
  })

  it('makes ids that hold created_at and only increase', () => {
    let last = ''
    for (let i = 0; i < 20_000; i++) {
      const before = Date.now()
      const { id, now } = newRow()
      // The time in an id can be ahead of the clock by some milliseconds, never behind.
      if (id <= last || now.getTime() < before || now.getTime() > Date.now() + 1_000)
        expect.fail(`${id} at ${now.toISOString()} after ${last}`)
      last = id
    }
  })

  it('accepts pages up to a million, and names a page beyond', async () => {
    expect((await page('/v1/folders', 1_000_000, 100)).data).toEqual([])
    for (const path of ['/v1/folders', '/v1/analytics/events', '/v1/teammates']) {
      const refused = await app.get(`${path}?page=1000001`)
      expect([refused.status, fieldErrors(refused)], path).toEqual([422, { page: 'out_of_range' }])
    }
  })

  it('counts exactly after any mix of concurrent writes', async () => {
    type Step = { kind: 'create' | 'delete' | 'alias' | 'unalias' | 'import'; n: number }
    const step = fc.record({
      kind: fc.constantFrom<Step['kind']>('create', 'delete', 'alias', 'unalias', 'import'),
      n: fc.nat(1_000),
    })
    let person = 0
    const pick = async (path: string, n: number) => {
      const { data } = await page(path, 1, 100)
      return data.length === 0 ? undefined : data[n % data.length]
    }
    const run = async ({ kind, n }: Step) => {
      const fresh = () => `count${person++}@example.com`
      if (kind === 'create') return app.post('/v1/teammates', { teammate: { email: fresh() } })
      if (kind === 'import') {
        return app.post('/v1/teammates/import', {
          teammates: Array.from({ length: n % 5 }, () => ({ email: fresh() })),
        })
      }
      const teammate = await pick('/v1/teammates', n)
      if (!teammate) return undefined
      if (kind === 'delete') return app.del(`/v1/teammates/${teammate.id}`)
      if (kind === 'alias')
        return app.post('/v1/emails', { email: { teammate_id: teammate.id, address: fresh() } })
      const email = await pick('/v1/emails', n)
      return email && app.del(`/v1/emails/${email.id}`)
    }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async steps => {
        const answers = await Promise.all(steps.map(run))
        for (const answer of answers) if (answer) expect(answer.status).toBeLessThan(500)
        const [real] = await app.db.query<{ teammates: number; emails: number; entries: number }>(sql`
          select (select count(*)::int from teammates where workspace_id = ${app.id} and deleted_at is null) as teammates,
            (select count(*)::int from emails where workspace_id = ${app.id} and deleted_at is null) as emails,
            (select count(*)::int from audit_log where workspace_id = ${app.id}) as entries`)
        expect((await page('/v1/teammates', 1, 1)).pagination.total_count).toBe(real!.teammates)
        expect((await page('/v1/emails', 1, 1)).pagination.total_count).toBe(real!.emails)
        expect((await page('/v1/audit_log', 1, 1)).pagination.total_count).toBe(real!.entries)
        expect((await app.get('/v1/workspace')).body.data.seat_count).toBe(real!.teammates)
      }),
      { numRuns: runs(8) },
    )
  })
})
