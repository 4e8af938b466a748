import { beforeAll, describe, expect, it } from 'vitest'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

describe('the order of a list', () => {
  it('can be any value that the route table names, and no other', async () => {
    const sorted = app.routes.flatMap(({ method, path, query }) => {
      const { enum: values } = (query?.properties.sort ?? {}) as { enum?: string[] }
      return method === 'GET' && values ? [{ path, values }] : []
    })
    expect(sorted.length).toBeGreaterThanOrEqual(10)
    for (const { path, values } of sorted) {
      for (const sort of values) expect((await app.get(`${path}?sort=${sort}`)).status, sort).toBe(200)
      const refused = await app.get(`${path}?sort=nothing`)
      expect([refused.status, fieldErrors(refused)], path).toEqual([422, { sort: 'not_allowed' }])
      expect(refused.body.details[0].allowed, path).toEqual(values)
    }
  })

  it('is by name without case and accents, or by another property, with equal records by id', async () => {
    const named = ['beta', 'Élan', 'alpha', 'Echo', 'Alpha']
    const ids = new Map<string, string>()
    for (const [priority, name] of named.entries()) {
      const body = { name, priority: Math.floor(priority / 2) }
      ids.set(name, (await app.post('/v1/signatures', body)).body.data.id)
      await app.post('/v1/marketing_campaigns', { marketing_campaign: { name } })
      await app.post('/v1/folders', { name })
    }
    const namesOf = async (path: string) =>
      (await app.get(path)).body.data.map((row: { name: string }) => row.name)
    for (const path of ['/v1/signatures', '/v1/marketing_campaigns', '/v1/folders']) {
      const sorted = ['alpha', 'Alpha', 'beta', 'Echo', 'Élan']
      expect(await namesOf(`${path}?sort=name`), path).toEqual(sorted)
      expect(await namesOf(`${path}?sort=-name`), path).toEqual(sorted.toReversed())
      expect(await namesOf(`${path}?sort=created_at`), path).toEqual(named)
      expect(await namesOf(path), path).toEqual(named.toReversed())
    }
    expect(await namesOf('/v1/signatures?sort=priority&include_content=true')).toEqual(named)
    expect(await namesOf('/v1/signatures?sort=-priority&limit=2&page=2')).toEqual(['alpha', 'Élan'])
  })

  it('goes with filters of signatures, campaigns and addresses', async () => {
    const countOf = async (path: string) => (await app.get(path)).body.pagination.total_count
    expect(await countOf('/v1/marketing_campaigns?search=ALPHA')).toBe(2)
    expect(await countOf('/v1/marketing_campaigns?search=Élan&status=draft')).toBe(1)
    const { id } = (await app.get('/v1/signatures?search=beta')).body.data[0]
    expect(await countOf(`/v1/marketing_campaigns?signature_template_id=${id}&sort=name`)).toBe(5)
    expect(await countOf('/v1/signatures?status=draft&sort=name')).toBe(5)
    expect(await countOf('/v1/signatures?status=live')).toBe(0)
    for (const name of ['ada', 'bob', 'ada.two'])
      await app.post('/v1/teammates', { teammate: { email: `${name}@example.com` } })
    const answer = await app.get('/v1/emails?search=ADA&sort=-address')
    expect(answer.body.data.map((row: { address: string }) => row.address)).toEqual([
      'ada@example.com',
      'ada.two@example.com',
    ])
    expect(answer.body.pagination.total_count).toBe(2)
  })
})
