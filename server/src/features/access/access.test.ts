import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

describe('a session', () => {
  it('opens the API as the member', async () => {
    const owner = await app.signIn()
    const { status, body } = await owner.get('/v1/me')
    expect([status, body.data.account.email, body.data.member.role]).toEqual([
      200,
      'owner@example.com',
      'owner',
    ])
    expect((await owner.post('/v1/folders', { name: 'By cookie' })).status).toBe(201)
    expect((await owner.get('/v1/sessions')).body.data).toHaveLength(1)
    expect((await owner.post('/auth/sign_out')).status).toBe(204)
    expect((await owner.get('/v1/me')).body.error.code).toBe('session_expired')
  })
})
