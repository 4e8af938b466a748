import { beforeAll, describe, expect, it } from 'vitest'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { field, stack } from '#test/support/signatures.ts'
import { createTeammate, fieldIds } from '#test/support/world.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

const create = (smart_field: object) => app.post('/v1/smart_fields', { smart_field })

describe('smart fields', () => {
  it('exist in a new workspace: nine to fill in, and the email address', async () => {
    const { body } = await app.get('/v1/smart_fields', { key: app.other.key })
    const fields = body.data
      .reverse()
      .map((field: Record<string, unknown>) => [field.label, field.key, field.kind, field.default])
    expect(fields).toEqual([
      ['First name', 'first_name', 'text', true],
      ['Last name', 'last_name', 'text', true],
      ['Job title', 'job_title', 'text', true],
      ['Department', 'department', 'text', true],
      ['Company', 'company', 'text', true],
      ['Work phone', 'work_phone', 'phone', true],
      ['Mobile phone', 'mobile_phone', 'phone', true],
      ['Calendar link', 'calendar_link', 'url', true],
      ['Profile picture', 'profile_picture', 'image', true],
      ['Email', 'email', 'email', true],
    ])
  })

  it('are created with every field of the contract', async () => {
    const created = await create({ label: 'Pronouns' })
    expect(created.status).toBe(201)
    expect(created.body.data).toEqual({
      id: expect.any(String),
      label: 'Pronouns',
      key: 'pronouns',
      kind: 'text',
      required: false,
      default: false,
      fallback: null,
      integration_id: null,
      integration_attribute: null,
      editable_by_owner: false,
      approval: 'none',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    const full = await create({ label: 'Homepage', kind: 'url', required: true, fallback: 'example.com' })
    expect(full.body.data).toMatchObject({ kind: 'url', required: true, fallback: 'example.com' })
    expect((await app.get(full.headers.location!)).body).toEqual(full.body)
  })

  it('know where they are used, and how many active people lack them', async () => {
    const { id } = (await create({ label: 'Building' })).body.data
    await createTeammate(app, { values: { [id]: 'A 12' } })
    const other = await createTeammate(app)
    await app.post('/v1/signatures', { signature: { name: 'Used', draft_content: stack(field(id)) } })
    const usage = async () =>
      (await app.get('/v1/smart_fields/usage')).body.data.find(
        (entry: { smart_field_id: string }) => entry.smart_field_id === id,
      )
    const before = await usage()
    expect(before.used_in).toEqual([{ kind: 'signature', id: expect.any(String), name: 'Used' }])
    expect(before.missing_count).toBeGreaterThan(0)
    await app.post('/v1/teammates/deactivate', { ids: [other.id] })
    const { missing_count } = await usage()
    expect(missing_count).toBe(before.missing_count - 1)
    const countOf = async (query: string) =>
      (await app.get(`/v1/teammates?missing_smart_field_id=${id}${query}`)).body.pagination.total_count
    expect([await countOf(''), await countOf('&active=false')]).toEqual([missing_count, 1])
    const page = (await app.get('/v1/smart_fields/usage?limit=1')).body
    expect([page.data[0].smart_field_id, page.pagination.has_more]).toEqual([id, true])
  })

  it.each([
    [{}, { label: 'missing' }],
    [{ label: '' }, { label: 'blank' }],
    [{ label: 'x'.repeat(101) }, { label: 'too_long' }],
    [{ label: 'x', kind: 'number' }, { kind: 'not_allowed' }],
    [{ label: 'x', required: 'yes' }, { required: 'invalid_type' }],
    [{ label: 'x', key: 'x' }, { key: 'unknown_property' }],
    [{ label: 'x', kind: 'email', fallback: 'nobody' }, { fallback: 'invalid' }],
    [{ label: ' fIRST name ' }, { label: 'taken' }],
  ])('refuse %j', async (input, expected) => {
    const answer = await create(input)
    expect(answer.status).toBe(422)
    expect(fieldErrors(answer)).toEqual(expected)
  })

  it('name the allowed kinds', async () => {
    const { body } = await create({ label: 'x', kind: 'number' })
    expect(body.details[0].allowed).toEqual(['text', 'url', 'email', 'phone', 'image'])
  })

  it('keep their key when the label changes; a second field with the label gets another key', async () => {
    const first = await create({ label: 'Desk' })
    const renamed = await app.patch(first.headers.location!, { label: 'Table' })
    expect(renamed.body.data).toMatchObject({ label: 'Table', key: 'desk' })
    const second = await create({ label: 'Desk' })
    expect(second.body.data.key).toBe('desk_2')
    expect((await create({ label: '部署' })).body.data.key).toBe('部署')
    expect((await create({ label: '***' })).body.data.key).toBe('field')
  })

  it('change one property at a time, and clear a fallback', async () => {
    const created = await create({ label: 'Room', fallback: 'Lobby', required: true })
    const path = created.headers.location!
    expect((await app.patch(path, { fallback: null })).body.data).toMatchObject({
      fallback: null,
      required: true,
      label: 'Room',
    })
    expect((await app.patch(path, {})).status).toBe(200)
    expect(fieldErrors(await app.patch(path, { label: 'Last name' }))).toEqual({ label: 'taken' })
    expect((await app.patch(path, { label: 'ROOM' })).body.data.label).toBe('ROOM')
  })

  it('change their kind only while all stored values fit the new kind', async () => {
    const { body } = await create({ label: 'Site' })
    const path = `/v1/smart_fields/${body.data.id}`
    expect((await app.patch(path, { kind: 'url' })).body.data.kind).toBe('url')
    await createTeammate(app, { values: { [body.data.id]: 'example.com' } })
    expect(fieldErrors(await app.patch(path, { kind: 'phone' }))).toEqual({ kind: 'invalid' })
    expect((await app.patch(path, { kind: 'text' })).body.data.kind).toBe('text')
  })

  it('cannot be deleted or change their kind if they are built in', async () => {
    const { email, job_title: title } = await fieldIds(app)
    for (const id of [email, title]) {
      const refused = await app.del(`/v1/smart_fields/${id}`)
      expect(refused.status).toBe(422)
      expect(fieldErrors(refused)).toEqual({ id: 'invalid' })
    }
    expect(fieldErrors(await app.patch(`/v1/smart_fields/${title}`, { kind: 'url' }))).toEqual({
      kind: 'invalid',
    })
    expect(fieldErrors(await app.patch(`/v1/smart_fields/${email}`, { fallback: 'a@b.c' }))).toEqual({
      fallback: 'invalid',
    })
    expect((await app.patch(`/v1/smart_fields/${title}`, { label: 'Role' })).body.data).toMatchObject({
      label: 'Role',
      default: true,
    })
  })

  it('are deleted together with their values', async () => {
    const field = (await create({ label: 'Badge' })).body.data.id
    const teammate = await createTeammate(app, { values: { [field]: '7' } })
    expect((await app.del(`/v1/smart_fields/${field}`)).status).toBe(204)
    expect((await app.get(`/v1/smart_fields/${field}`)).status).toBe(404)
    const { body } = await app.get(`/v1/teammates/${teammate.id}`)
    expect(body.data.smart_fields.map((field: { label: string }) => field.label)).not.toContain('Badge')
  })

  it('lose no change when two requests run concurrently', async () => {
    const path = (await create({ label: 'Race' })).headers.location!
    for (let round = 0; round < 5; round++) {
      await Promise.all([
        app.patch(path, { fallback: `f${round}` }),
        app.patch(path, { label: `Race ${round}` }),
      ])
      expect((await app.get(path)).body.data).toMatchObject({ fallback: `f${round}`, label: `Race ${round}` })
    }
  })

  it('get different keys when fields with similar labels are created concurrently', async () => {
    const labels = Array.from({ length: 20 }, (_, i) => `a${'-'.repeat(i + 1)}b`)
    const responses = await Promise.all(labels.map(label => create({ label })))
    expect(new Set(responses.map(answer => answer.status))).toEqual(new Set([201]))
    expect(new Set(responses.map(answer => answer.body.data.key)).size).toBe(20)
    const longKeys = await Promise.all(['!', '?'].map(end => create({ label: `a${'𠀀'.repeat(60)}${end}` })))
    for (const { body } of longKeys)
      expect(body.data.key.isWellFormed() && !body.data.key.includes('\ufffd')).toBe(true)
  })
})
