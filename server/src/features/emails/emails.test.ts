import { beforeAll, describe, expect, it } from 'vitest'
import { problems, type TestApp, testApp } from '#test/support/app.ts'

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
    const made = await alias(id, 'Sales@Example.com')
    expect(made.status).toBe(201)
    expect(made.body.data).toEqual({
      id: expect.any(String),
      address: 'Sales@Example.com',
      primary: false,
      teammate_id: id,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect((await app.get(made.headers.location!)).body).toEqual(made.body)
    const listed = await app.get(`/v1/emails?teammate_id=${id}`)
    expect(listed.body.data).toEqual([made.body.data, emails[0]])
    expect(listed.body.pagination.total_count).toBe(2)
    expect((await app.get('/v1/emails?teammate_id=01a1e0a4-15b9-71f7-98af-f25f4b8294b4')).body.data).toEqual(
      [],
    )
    expect(problems(await app.get('/v1/emails?teammate_id=x'))).toEqual({ teammate_id: 'invalid' })
  })

  it('are refused when taken, malformed or for nobody', async () => {
    const { id, email } = await teammate()
    expect(problems(await alias(id, email.toUpperCase()))).toEqual({ address: 'taken' })
    expect(problems(await alias(id, 'x'))).toEqual({ address: 'invalid' })
    for (const unseen of [
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
      for (const hidden of [`a${unseen}b@example.com`, `ab@exam${unseen}ple.com`])
        expect(problems(await alias(id, hidden)), JSON.stringify(hidden)).toEqual({ address: 'invalid' })
    expect((await alias(id, 'jürgen@münchen.example')).status).toBe(201)
    expect(problems(await alias('01a1e0a4-15b9-71f7-98af-f25f4b8294b4'))).toEqual({
      teammate_id: 'unknown_reference',
    })
    const elsewhere = (
      await app.post('/v1/teammates', { teammate: { email: address() } }, { key: app.other.key })
    ).body.data
    expect(problems(await alias(elsewhere.id))).toEqual({ teammate_id: 'unknown_reference' })
    const both = await app.post('/v1/emails', { email: {} })
    expect(both.body.details).toEqual([
      expect.objectContaining({ field: 'email', code: 'missing', missing: ['teammate_id', 'address'] }),
    ])
  })

  it('change their address, and become the primary one', async () => {
    const person = await teammate()
    const made = await alias(person.id)
    const path = made.headers.location!
    const renamed = address()
    expect((await app.patch(path, { email: { address: renamed } })).body.data).toMatchObject({
      address: renamed,
      primary: false,
    })
    expect((await app.patch(path, { primary: false })).body.data.primary).toBe(false)
    expect((await app.patch(path, { primary: true })).body.data.primary).toBe(true)
    expect((await app.get(`/v1/emails/${person.emails[0].id}`)).body.data.primary).toBe(false)
    expect((await app.get(`/v1/teammates/${person.id}`)).body.data.email).toBe(renamed)
    expect(problems(await app.patch(path, { primary: false }))).toEqual({ primary: 'invalid' })
    expect(problems(await app.patch(path, { address: person.email }))).toEqual({ address: 'taken' })
    expect((await app.patch(path, {})).status).toBe(200)
  })

  it('are deleted unless they are the primary one, and free their address', async () => {
    const person = await teammate()
    const made = await alias(person.id)
    const primary = await app.del(`/v1/emails/${person.emails[0].id}`)
    expect(primary.status).toBe(409)
    expect(primary.body.error.code).toBe('primary_email')
    expect((await app.del(made.headers.location!)).status).toBe(204)
    expect((await app.get(made.headers.location!)).status).toBe(404)
    expect((await alias(person.id, made.body.data.address)).status).toBe(201)
  })

  it('have one primary per teammate, whoever asks at once', async () => {
    const person = await teammate()
    const aliases = await Promise.all([1, 2, 3, 4].map(() => alias(person.id)))
    const answers = await Promise.all(
      aliases.map(made => app.patch(made.headers.location!, { primary: true })),
    )
    expect(answers.map(answer => answer.status)).toEqual([200, 200, 200, 200])
    const { emails } = (await app.get(`/v1/teammates/${person.id}`)).body.data
    expect(emails.filter((one: { primary: boolean }) => one.primary)).toHaveLength(1)
  })
})
