import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { unknownId } from '#test/support/world.ts'

let app: TestApp
const ids: string[] = []
beforeAll(async () => {
  app = await testApp()
  for (const n of [1, 2]) {
    const { body } = await app.post('/v1/teammates', { teammate: { email: `p${n}@example.com` } })
    ids.push(body.data.id)
  }
})

const inactive = async () =>
  (await app.get('/v1/teammates?active=false')).body.data.map((row: { id: string }) => row.id)

describe('people who have left', () => {
  it('become inactive and active again, and ids of no teammate are named', async () => {
    const sent = { ids: [ids[0], unknownId] }
    const left = await app.post('/v1/teammates/deactivate', sent)
    expect(left.body.data).toEqual({ changed: 1, unchanged: 0, unknown: [unknownId] })
    expect(await inactive()).toEqual([ids[0]])
    const again = await app.post('/v1/teammates/deactivate', { ids })
    expect(again.body.data).toEqual({ changed: 1, unchanged: 1, unknown: [] })
    const foreign = await app.post('/v1/teammates/activate', { ids }, { key: app.other.key })
    expect(foreign.body.data).toMatchObject({ changed: 0, unknown: ids.toSorted() })
    await app.post('/v1/teammates/activate', { ids })
    expect(await inactive()).toEqual([])
    const { body } = await app.get('/v1/audit_log?resource=teammate')
    const actions = body.data.map(({ action }: { action: string }) => action)
    expect(actions.filter((action: string) => action === 'teammate.deactivated')).toHaveLength(2)
    expect(actions.filter((action: string) => action === 'teammate.activated')).toHaveLength(2)
  })
})
