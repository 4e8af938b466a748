import { beforeAll, describe, expect, it } from 'vitest'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { unknownId } from '#test/support/world.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

let n = 0
const address = () => `alias${++n}@example.com`
const teammate = async () => (await app.post('/v1/teammates', { teammate: { email: address() } })).body.data
const alias = (teammate_id: string, text = address()) =>
  app.post('/v1/emails', { email: { teammate_id, address: text } })

describe('emails', () => {
  it('are aliases when created, and listed with the primary address', async () => {
    const { id, emails } = await teammate()
    const created = await alias(id, 'Sales@Example.com')
    expect(created.status).toBe(201)
    expect(created.body.data).toEqual({
      id: expect.any(String),
      address: 'Sales@Example.com',
      primary: false,
      teammate_id: id,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect((await app.get(created.headers.location!)).body).toEqual(created.body)
    const list = await app.get(`/v1/emails?teammate_id=${id}`)
    expect(list.body.data).toEqual([created.body.data, emails[0]])
    expect(list.body.pagination.total_count).toBe(2)
    expect((await app.get(`/v1/emails?teammate_id=${unknownId}`)).body.data).toEqual([])
    expect(fieldErrors(await app.get('/v1/emails?teammate_id=x'))).toEqual({ teammate_id: 'invalid' })
  })

  it('are refused when taken, malformed or for an unknown teammate', async () => {
    const { id, email } = await teammate()
    expect(fieldErrors(await alias(id, email.toUpperCase()))).toEqual({ address: 'taken' })
    for (const text of ['x', 'x@localhost', 'x@example', 'x@example.', 'x@.com'])
      expect(fieldErrors(await alias(id, text)), text).toEqual({ address: 'invalid' })
    for (const invisible of [
      '\u202e',
      '\u200b',
      '\u2066',
      '\u00ad',
      '\ufeff',
      '\u3164',
      '\u2800',
      '\u{e0041}',
      '\ufe0f',
    ])
      for (const addressText of [`a${invisible}b@example.com`, `ab@exam${invisible}ple.com`])
        expect(fieldErrors(await alias(id, addressText)), JSON.stringify(addressText)).toEqual({
          address: 'invalid',
        })
    expect((await alias(id, 'jürgen@münchen.example')).status).toBe(201)
    expect(fieldErrors(await alias(unknownId))).toEqual({
      teammate_id: 'unknown_reference',
    })
    const otherTeammate = (
      await app.post('/v1/teammates', { teammate: { email: address() } }, { key: app.other.key })
    ).body.data
    expect(fieldErrors(await alias(otherTeammate.id))).toEqual({ teammate_id: 'unknown_reference' })
    const response = await app.post('/v1/emails', { email: {} })
    expect(response.body.details).toEqual([
      expect.objectContaining({ field: 'email', code: 'missing', missing: ['teammate_id', 'address'] }),
    ])
  })

  it('change their address and become the primary one', async () => {
    const person = await teammate()
    const created = await alias(person.id)
    const path = created.headers.location!
    const newAddress = address()
    expect((await app.patch(path, { email: { address: newAddress } })).body.data).toMatchObject({
      address: newAddress,
      primary: false,
    })
    expect((await app.patch(path, { primary: false })).body.data.primary).toBe(false)
    expect((await app.patch(path, { primary: true })).body.data.primary).toBe(true)
    expect((await app.get(`/v1/emails/${person.emails[0].id}`)).body.data.primary).toBe(false)
    expect((await app.get(`/v1/teammates/${person.id}`)).body.data.email).toBe(newAddress)
    expect(fieldErrors(await app.patch(path, { primary: false }))).toEqual({ primary: 'invalid' })
    expect(fieldErrors(await app.patch(path, { address: person.email }))).toEqual({ address: 'taken' })
    expect((await app.patch(path, {})).status).toBe(200)
  })

  it('are deleted unless primary, and their address can be used again', async () => {
    const person = await teammate()
    const created = await alias(person.id)
    const deletion = await app.del(`/v1/emails/${person.emails[0].id}`)
    expect(deletion.status).toBe(409)
    expect(deletion.body.error.code).toBe('primary_email')
    expect((await app.del(created.headers.location!)).status).toBe(204)
    expect((await app.get(created.headers.location!)).status).toBe(404)
    expect((await alias(person.id, created.body.data.address)).status).toBe(201)
  })

  it('have one primary per teammate, also after concurrent requests', async () => {
    const person = await teammate()
    const aliases = await Promise.all([1, 2, 3, 4].map(() => alias(person.id)))
    const answers = await Promise.all(
      aliases.map(response => app.patch(response.headers.location!, { primary: true })),
    )
    expect(answers.map(answer => answer.status)).toEqual([200, 200, 200, 200])
    const { emails } = (await app.get(`/v1/teammates/${person.id}`)).body.data
    expect(emails.filter((email: { primary: boolean }) => email.primary)).toHaveLength(1)
  })
})
