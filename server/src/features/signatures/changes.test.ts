import { beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '#kernel/routes.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { stack, text } from '#test/support/signatures.ts'
import { type OnSignatureChange, signatureRoutes } from './index.ts'

let app: TestApp
let routes: readonly Route[]
beforeAll(async () => {
  app = await testApp()
  const draw = async () => Buffer.alloc(0)
  routes = signatureRoutes({
    publicUrl: '',
    draw,
    sendsMail: true,
    ...app.parts.signatures,
    onChange: changed,
  })
})

const told: string[] = []
let fail = false
const changed: OnSignatureChange = async (tx, { workspaceId, signatureId }) => {
  expect(workspaceId).toBe(app.id)
  expect(tx).not.toBe(app.db)
  if (fail) throw new Error('no')
  told.push(signatureId)
}

/** Whether it told of the signature. */
async function tells(method: string, path: string, id: string, body?: object): Promise<boolean> {
  told.length = 0
  const route = routes.find(one => one.method === method && one.path === `/v1/signatures/{id}${path}`)!
  const from = { joined: false, client: { method: 'POST', address: '', userAgent: '', headers: {} } }
  await route.handle({ ...from, db: app.db, by: app.by, params: { id, kind: 'reply' }, query: {}, body })
  expect(told.every(one => one === id)).toBe(true)
  return told.length === 1
}
const create = async (): Promise<string> =>
  (await app.post('/v1/signatures', { name: 'S', draft_content: stack(text('x')), priority: 1 })).body.data.id

describe('what addresses get', () => {
  it('is told of every change of it, and of no other', async () => {
    const id = await create()
    const variant = '/variants/{kind}'
    const steps: [string, string, object | undefined, boolean][] = [
      ['PATCH', '', { draft_content: stack() }, false],
      ['PATCH', '', { name: 'N' }, false],
      ['PATCH', '', { priority: 1 }, false],
      ['PATCH', '', { priority: 2 }, true],
      ['POST', '/publish', undefined, true],
      ['POST', '/deactivate', undefined, true],
      ['POST', '/duplicate', {}, false],
      ['PATCH', variant, { draft_content: stack() }, false],
      ['PATCH', variant, { activated: true }, true],
      ['PATCH', variant, {}, false],
      ['POST', `${variant}/publish`, undefined, true],
      ['DELETE', variant, undefined, true],
      ['DELETE', variant, undefined, false],
      ['DELETE', '', undefined, true],
    ]
    for (const [method, path, body, expected] of steps) {
      expect(await tells(method, path, id, body), `${method} ${path} ${JSON.stringify(body)}`).toBe(expected)
    }
  })

  it('stays as it was when whoever is told cannot bear it', async () => {
    const id = await create()
    await app.post(`/v1/signatures/${id}/publish`)
    const before = (await app.get(`/v1/signatures/${id}`)).body
    fail = true
    for (const [method, path] of [
      ['POST', '/publish'],
      ['DELETE', ''],
    ] as const)
      await expect(tells(method, path, id)).rejects.toThrow('no')
    fail = false
    expect((await app.get(`/v1/signatures/${id}`)).body).toEqual(before)
    expect((await app.get(`/v1/signatures/${id}/versions`)).body.data).toHaveLength(1)
  })
})
