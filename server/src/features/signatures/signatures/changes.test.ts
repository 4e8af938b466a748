import { beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '#kernel/api/routes.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { stack, text } from '#test/support/signatures.ts'
import { type OnSignatureChange, signatureRoutes } from './index.ts'

let app: TestApp
let routes: readonly Route[]
beforeAll(async () => {
  app = await testApp()
  routes = signatureRoutes({
    publicUrl: '',
    tracking: null,
    ...app.parts.signatures,
    onChange,
  })
})

const notifiedIds: string[] = []
let hookFails = false
const onChange: OnSignatureChange = async (tx, { workspaceId, signatureId }) => {
  expect(workspaceId).toBe(app.id)
  expect(tx).not.toBe(app.db)
  if (hookFails) throw new Error('no')
  notifiedIds.push(signatureId)
}

/** Calls the route and returns whether the hook was called for the signature. */
async function notifies(method: string, path: string, id: string, body?: object): Promise<boolean> {
  notifiedIds.length = 0
  const route = routes.find(route => route.method === method && route.path === `/v1/signatures/{id}${path}`)!
  const request = {
    isAnswerInTransaction: false,
    client: { method: 'POST', address: '', userAgent: '', headers: {} },
  }
  await route.handle({ ...request, db: app.db, by: app.by, params: { id, kind: 'reply' }, query: {}, body })
  expect(notifiedIds.every(notifiedId => notifiedId === id)).toBe(true)
  return notifiedIds.length === 1
}
const create = async (): Promise<string> =>
  (await app.post('/v1/signatures', { name: 'S', draft_content: stack(text('x')), priority: 1 })).body.data.id

describe('the onChange hook', () => {
  it('is called for every change that affects what addresses get, and for no other change', async () => {
    const id = await create()
    const variant = '/variants/{kind}'
    const steps: [string, string, object | undefined, boolean][] = [
      ['PATCH', '', { draft_content: stack(text('x')) }, false],
      ['PATCH', '', { name: 'N' }, false],
      ['PATCH', '', { priority: 1 }, false],
      ['PATCH', '', { priority: 2 }, true],
      ['POST', '/publish', undefined, true],
      ['POST', '/deactivate', undefined, true],
      ['POST', '/duplicate', {}, false],
      ['PATCH', variant, { draft_content: stack(text('x')) }, false],
      ['PATCH', variant, { activated: true }, true],
      ['PATCH', variant, {}, false],
      ['POST', `${variant}/publish`, undefined, true],
      ['DELETE', variant, undefined, true],
      ['DELETE', variant, undefined, false],
      ['DELETE', '', undefined, true],
    ]
    for (const [method, path, body, expected] of steps) {
      expect(await notifies(method, path, id, body), `${method} ${path} ${JSON.stringify(body)}`).toBe(
        expected,
      )
    }
  })

  it('rolls the change back when it throws', async () => {
    const id = await create()
    await app.post(`/v1/signatures/${id}/publish`)
    const before = (await app.get(`/v1/signatures/${id}`)).body
    hookFails = true
    for (const [method, path] of [
      ['POST', '/publish'],
      ['DELETE', ''],
    ] as const)
      await expect(notifies(method, path, id)).rejects.toThrow('no')
    hookFails = false
    expect((await app.get(`/v1/signatures/${id}`)).body).toEqual(before)
    expect((await app.get(`/v1/signatures/${id}/versions`)).body.data).toHaveLength(1)
  })
})
