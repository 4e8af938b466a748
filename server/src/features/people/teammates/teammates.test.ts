import { beforeAll, describe, expect, it } from 'vitest'
import { addMember } from '#features/workspace/accounts/index.ts'
import { createKey } from '#features/workspace/api-keys/index.ts'
import { insertIntegration } from '#features/workspace/integrations/index.ts'
import { sql } from '#kernel/db/db.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { type FieldIds, fieldIds, unknownId } from '#test/support/world.ts'

let app: TestApp
let fields: FieldIds
beforeAll(async () => {
  app = await testApp()
  fields = await fieldIds(app)
})

let n = 0
const address = () => `person${++n}@example.com`
const value = (key: string, text: string | null) => ({ smart_field_id: fields[key], value: text })
const create = (teammate: object) => app.post('/v1/teammates', { teammate })
const valueIn = (
  teammate: { smart_fields: { smart_field_id: string; value: string | null }[] },
  key: string,
) => teammate.smart_fields.find(field => field.smart_field_id === fields[key])?.value

describe('teammates', () => {
  it('are created with every field of the contract', async () => {
    const email = address()
    const response = await create({
      email,
      smart_fields: [value('first_name', 'Ada'), value('work_phone', '+44 20 7946 0101')],
    })
    expect(response.status).toBe(201)
    expect(response.headers.location).toBe(`/v1/teammates/${response.body.data.id}`)
    const { id, emails, smart_fields, created_at } = response.body.data
    expect(response.body.data).toEqual({
      id,
      email,
      emails: [
        {
          id: expect.any(String),
          address: email,
          primary: true,
          teammate_id: id,
          created_at: expect.any(String),
          updated_at: expect.any(String),
        },
      ],
      smart_fields,
      source: 'manual',
      integration_id: null,
      active: true,
      created_at,
      updated_at: created_at,
    })
    expect(emails).toHaveLength(1)
    expect(smart_fields).toHaveLength(10)
    expect(smart_fields[0]).toEqual({ smart_field_id: fields.first_name, label: 'First name', value: 'Ada' })
    expect(valueIn(response.body.data, 'last_name')).toBeNull()
    expect(valueIn(response.body.data, 'email')).toBe(email)
    expect((await app.get(response.headers.location!)).body).toEqual(response.body)
  })

  it('require the wrapper `teammate`', async () => {
    const answer = await app.post('/v1/teammates', { email: address() })
    expect(answer.status).toBe(422)
    expect(answer.body.details).toEqual([
      expect.objectContaining({ field: 'teammate', code: 'missing', missing: ['teammate'] }),
    ])
  })

  it.each<[object | (() => object), Record<string, string>]>([
    [{}, { email: 'missing' }],
    [{ email: 'no-domain' }, { email: 'invalid' }],
    [{ email: 'a b@example.com' }, { email: 'invalid' }],
    [{ email: 'a@b..c' }, { email: 'invalid' }],
    [{ email: `${'x'.repeat(65)}@example.com` }, { email: 'invalid' }],
    [{ email: 5 }, { email: 'invalid_type' }],
    [{ email: 'q@example.com', name: 'Q' }, { name: 'unknown_property' }],
    [{ email: 'q@example.com', smart_fields: 'x' }, { smart_fields: 'invalid_type' }],
    [
      { email: 'q@example.com', smart_fields: [{ value: 'x' }] },
      { 'smart_fields[0].smart_field_id': 'missing' },
    ],
    [
      { email: 'q@example.com', smart_fields: [{ smart_field_id: 'x', value: 'x' }] },
      { 'smart_fields[0].smart_field_id': 'invalid' },
    ],
    [
      {
        email: 'q@example.com',
        smart_fields: [{ smart_field_id: unknownId, value: 'x' }],
      },
      { 'smart_fields[0].smart_field_id': 'unknown_reference' },
    ],
    [
      () => ({ email: 'q@example.com', smart_fields: [value('work_phone', 'none')] }),
      { 'smart_fields[0].value': 'invalid' },
    ],
    [
      () => ({ email: 'q@example.com', smart_fields: [value('calendar_link', 'javascript:alert(1)')] }),
      { 'smart_fields[0].value': 'invalid' },
    ],
    [
      () => ({ email: 'q@example.com', smart_fields: [value('first_name', 'x'.repeat(5001))] }),
      { 'smart_fields[0].value': 'too_long' },
    ],
    [
      () => ({ email: 'q@example.com', smart_fields: [value('first_name', 'a'), value('first_name', 'b')] }),
      { 'smart_fields[1].smart_field_id': 'duplicate' },
    ],
  ])('refuse %j and write nothing', async (input, expected) => {
    const answer = await create(typeof input === 'function' ? input() : input)
    expect(answer.status).toBe(422)
    expect(fieldErrors(answer)).toEqual(expected)
    expect((await app.get('/v1/teammates?search=q@example.com')).body.data).toEqual([])
  })

  it('have addresses that are unique without case, until they are deleted', async () => {
    const response = await create({ email: 'Grace@Example.com' })
    expect(response.body.data.email).toBe('Grace@Example.com')
    expect(fieldErrors(await create({ email: 'grace@example.COM' }))).toEqual({ email: 'taken' })
    expect((await app.del(response.headers.location!)).status).toBe(204)
    expect((await app.get(response.headers.location!)).status).toBe(404)
    expect((await app.get(`/v1/emails/${response.body.data.emails[0].id}`)).status).toBe(404)
    expect((await create({ email: 'grace@example.com' })).status).toBe(201)
    const elsewhere = await app.post(
      '/v1/teammates',
      { teammate: { email: 'grace@example.com' } },
      { key: app.other.key },
    )
    expect(elsewhere.status).toBe(201)
  })

  it('change only what is sent; null and an empty text clear a value', async () => {
    const response = await create({
      email: address(),
      smart_fields: [value('first_name', 'Ada'), value('last_name', 'King'), value('company', 'X')],
    })
    const path = response.headers.location!
    const patched = await app.patch(path, {
      teammate: { smart_fields: [value('first_name', 'Augusta'), value('company', null)] },
    })
    expect(patched.status).toBe(200)
    expect(valueIn(patched.body.data, 'first_name')).toBe('Augusta')
    expect(valueIn(patched.body.data, 'last_name')).toBe('King')
    expect(valueIn(patched.body.data, 'company')).toBeNull()
    expect(
      valueIn(
        (await app.patch(path, { teammate: { smart_fields: [value('last_name', '  ')] } })).body.data,
        'last_name',
      ),
    ).toBeNull()
    expect((await app.patch(path, { teammate: {} })).status).toBe(200)
    expect((await app.patch(path, {})).status).toBe(422)
  })

  it('have an address that follows the primary one: another value is ignored, and named', async () => {
    const sent = [value('email', 'else@example.com'), value('first_name', 'Eve')]
    const response = await create({ email: address(), smart_fields: sent })
    expect(response.status).toBe(201)
    expect(response.body.ignored).toEqual([{ field: 'smart_fields[0]', code: 'computed' }])
    expect(valueIn(response.body.data, 'email')).toBe(response.body.data.email)
    expect(valueIn(response.body.data, 'first_name')).toBe('Eve')
  })

  it('name smart fields by their keys too', async () => {
    const sent = [
      { smart_field: 'first_name', value: 'Ada' },
      { smart_field_id: fields.last_name, value: 'King' },
    ]
    const { body, headers } = await create({ email: address(), smart_fields: sent })
    expect([valueIn(body.data, 'first_name'), valueIn(body.data, 'last_name')]).toEqual(['Ada', 'King'])
    const patch = (smart_fields: object[]) => app.patch(headers.location!, { teammate: { smart_fields } })
    const cleared = await patch([{ smart_field: 'first_name', value: null }])
    expect(valueIn(cleared.body.data, 'first_name')).toBeNull()
    const refused = await patch([
      { smart_field: 'nonsense', value: 'x' },
      { smart_field: 'company', smart_field_id: fields.company, value: 'x' },
      { value: 'x' },
      { smart_field: 'department', value: 'x' },
      { smart_field_id: fields.department, value: 'y' },
    ])
    expect(fieldErrors(refused)).toEqual({
      'smart_fields[0].smart_field': 'unknown_reference',
      'smart_fields[1].smart_field': 'invalid',
      'smart_fields[2].smart_field_id': 'missing',
      'smart_fields[4].smart_field_id': 'duplicate',
    })
    const imported = [{ email: address(), smart_fields: [{ smart_field: 'company', value: 'Example' }] }]
    expect((await app.post('/v1/teammates/import', { teammates: imported })).body.data.created).toBe(1)
  })

  it('can change their primary address, and make an alias the primary address', async () => {
    const response = await create({ email: address() })
    const path = response.headers.location!
    const renamed = address()
    const patched = await app.patch(path, { teammate: { email: renamed } })
    expect(patched.body.data.email).toBe(renamed)
    expect(patched.body.data.emails).toHaveLength(1)
    const alias = address()
    await app.post('/v1/emails', { email: { teammate_id: response.body.data.id, address: alias } })
    const swapped = await app.patch(path, { teammate: { email: alias.toUpperCase() } })
    expect(swapped.body.data.email).toBe(alias.toUpperCase())
    expect(
      swapped.body.data.emails.map((email: { address: string; primary: boolean }) => [
        email.address,
        email.primary,
      ]),
    ).toEqual([
      [alias.toUpperCase(), true],
      [renamed, false],
    ])
    const taken = await create({ email: address() })
    expect(fieldErrors(await app.patch(path, { teammate: { email: taken.body.data.email } }))).toEqual({
      email: 'taken',
    })
  })

  it('are found by part of an address or of any value, whatever the case', async () => {
    const response = await create({
      email: 'findme@sub.example.com',
      smart_fields: [
        value('job_title', 'Chief Œnologist 100%_sure'),
        value('company', '***:(?i)A.*[b]\\$ & Daughters'),
      ],
    })
    const { id } = response.body.data
    const long = ['CHIEF œnologist 100%_s', '***:(?i)a.*[b]\\$ & daughters'] // too long for LIKE: compared by a regular expression
    for (const search of ['FINDME', 'sub.exam', 'œnolog', 'ŒNOLOG', '100%_', 'f œ'.slice(2), ...long]) {
      const { body } = await app.get(`/v1/teammates?search=${encodeURIComponent(search)}`)
      expect(
        body.data.map((teammate: { id: string }) => teammate.id),
        search,
      ).toEqual([id])
      expect(body.pagination.total_count).toBe(1)
    }
    for (const search of [
      'findmf',
      '100__sure',
      '%',
      'zz%',
      'chief œnologist 100__',
      'chief .* 100%_sure and',
    ]) {
      const { body } = await app.get(`/v1/teammates?search=${encodeURIComponent(search)}`)
      expect(
        body.data.map((teammate: { id: string }) => teammate.id),
        search,
      ).toEqual(search === '%' ? [id] : [])
    }
  })

  it('are filtered by a value, by a missing value, and by source', async () => {
    const inLegal = await create({ email: address(), smart_fields: [value('department', 'Legal')] })
    const query = (text: string) => app.get(`/v1/teammates?limit=100&${text}`)
    const byDepartment = await query(`smart_field_id=${fields.department}&smart_field_value=%20lEGAL`)
    expect(byDepartment.body.data.map((teammate: { id: string }) => teammate.id)).toEqual([
      inLegal.body.data.id,
    ])
    const byAddress = await query(
      `smart_field_id=${fields.email}&smart_field_value=${inLegal.body.data.email}`,
    )
    expect(byAddress.body.data.map((teammate: { id: string }) => teammate.id)).toEqual([inLegal.body.data.id])
    const lacking = await query(`missing_smart_field_id=${fields.department}`)
    expect(lacking.body.data.map((teammate: { id: string }) => teammate.id)).not.toContain(
      inLegal.body.data.id,
    )
    expect(lacking.body.pagination.total_count).toBe((await query('')).body.pagination.total_count - 1)
    expect((await query(`missing_smart_field_id=${fields.email}`)).body.data).toEqual([])
    expect((await query('source=directory')).body.pagination.total_count).toBe(0)
    expect((await query('source=manual')).body.pagination).toEqual((await query('')).body.pagination)
    expect(fieldErrors(await query('source=else'))).toEqual({ source: 'not_allowed' })
    expect(fieldErrors(await query(`smart_field_id=${fields.department}`))).toEqual({
      smart_field_value: 'missing',
    })
    expect(fieldErrors(await query('missing_smart_field_id=7'))).toEqual({
      missing_smart_field_id: 'invalid',
    })
  })

  it('are all found by an empty search', async () => {
    const all = (await app.get('/v1/teammates')).body.pagination.total_count
    for (const search of ['', '%20']) {
      expect((await app.get(`/v1/teammates?search=${search}`)).body.pagination.total_count).toBe(all)
    }
  })

  it('report the path of an invalid value, whatever the label of the field is', async () => {
    const field = await app.post('/v1/smart_fields', { label: 'Connection timeout link', kind: 'url' })
    const smart_fields = [{ smart_field_id: field.body.data.id, value: 'not a link' }]
    expect(fieldErrors(await create({ email: address(), smart_fields }))).toEqual({
      'smart_fields[0].value': 'invalid',
    })
  })

  it('accept concurrent changes through /v1/teammates and /v1/emails', async () => {
    const { body, headers } = await create({ email: address() })
    const teammate_id = body.data.id
    for (let round = 0; round < 5; round++) {
      const alias = await app.post('/v1/emails', { email: { teammate_id, address: address() } })
      const emails = (await app.get(headers.location!)).body.data.emails as { id: string }[]
      const answers = await Promise.all([
        ...emails.map(email => app.patch(`/v1/emails/${email.id}`, { primary: true })),
        ...[1, 2, 3, 4].map(() => app.patch(headers.location!, { teammate: { email: address() } })),
        app.patch(headers.location!, { teammate: { smart_fields: [value('first_name', `r${round}`)] } }),
        app.post('/v1/emails', { email: { teammate_id, address: address() } }),
      ])
      expect(answers.map(answer => answer.status).filter(status => status >= 300)).toEqual([])
      expect((await app.get(alias.headers.location!)).status).toBe(200)
      const after = (await app.get(headers.location!)).body.data.emails as { primary: boolean }[]
      expect(after.filter(email => email.primary)).toHaveLength(1)
    }
  })

  it('are found by the key of a smart field', async () => {
    const created = await app.post('/v1/smart_fields', { smart_field: { label: 'Shoe size' } })
    const { id, key } = created.body.data
    const smart_fields = [{ smart_field_id: id, value: '43' }]
    const { body } = await app.post('/v1/teammates', {
      teammate: { email: 'shoe@example.com', smart_fields },
    })
    const idsBy = async (query: string) =>
      (await app.get(`/v1/teammates?${query}`)).body.data.map((teammate: { id: string }) => teammate.id)
    expect(await idsBy(`smart_field=${key}&smart_field_value=43`)).toEqual([body.data.id])
    expect(await idsBy(`smart_field=${key}&smart_field_value=44`)).toEqual([])
    const without = await idsBy(`missing_smart_field=${key}&limit=100`)
    expect(without).toEqual(await idsBy(`missing_smart_field_id=${id}&limit=100`))
    expect(without).not.toContain(body.data.id)
    const wrong = {
      [`smart_field=${key}`]: { smart_field_value: 'missing' },
      'smart_field_value=43': { smart_field_id: 'missing' },
      'smart_field=nothing&smart_field_value=43': { smart_field: 'unknown_reference' },
      'missing_smart_field=nothing': { missing_smart_field: 'unknown_reference' },
      [`smart_field=${key}&smart_field_id=${id}&smart_field_value=1`]: { smart_field: 'invalid' },
      [`missing_smart_field=${key}&missing_smart_field_id=${id}`]: { missing_smart_field: 'invalid' },
    }
    for (const [query, expected] of Object.entries(wrong))
      expect(fieldErrors(await app.get(`/v1/teammates?${query}`)), query).toEqual(expected)
  })

  it('get a new updated_at when one of their addresses changes', async () => {
    const { body, headers } = await create({ email: address() })
    await new Promise(resolve => setTimeout(resolve, 5))
    await app.patch(`/v1/emails/${body.data.emails[0].id}`, { address: address() })
    expect((await app.get(headers.location!)).body.data.updated_at > body.data.updated_at).toBe(true)
  })

  it('are counted as seats', async () => {
    const seats = async () => (await app.get('/v1/workspace')).body.data.seat_count
    const before = await seats()
    const response = await create({ email: address() })
    expect(await seats()).toBe(before + 1)
    await app.del(response.headers.location!)
    expect(await seats()).toBe(before)
  })
})

describe('the import of teammates', () => {
  it('creates, updates or rejects each row by itself', async () => {
    const existing = await create({
      email: address(),
      smart_fields: [value('first_name', 'Old'), value('last_name', 'Name')],
    })
    const newEmail = address()
    const { status, body } = await app.post('/v1/teammates/import', {
      teammates: [
        { email: existing.body.data.email.toUpperCase(), smart_fields: [value('first_name', 'New')] },
        { email: newEmail, smart_fields: [value('first_name', 'Fresh')] },
        { email: 'broken' },
        'not an object',
        { email: newEmail, smart_fields: [value('last_name', 'Twice')] },
        { email: address(), smart_fields: [value('work_phone', 'no')] },
        { email: address(), extra: 1 },
      ],
    })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ created: 1, updated: 2 })
    const failed = body.data.failed.map(
      (row: { index: number; email: string; details: { field: string; code: string }[] }) => [
        row.index,
        row.details.map(detail => `${detail.field} ${detail.code}`),
      ],
    )
    expect(failed).toEqual([
      [2, ['email invalid']],
      [3, ['teammate invalid_type']],
      [5, ['smart_fields[0].value invalid']],
      [6, ['extra unknown_property']],
    ])
    const updated = (await app.get(existing.headers.location!)).body.data
    expect([valueIn(updated, 'first_name'), valueIn(updated, 'last_name')]).toEqual(['New', 'Name'])
    const created = (await app.get(`/v1/teammates?search=${newEmail}`)).body.data[0]
    expect([valueIn(created, 'first_name'), valueIn(created, 'last_name')]).toEqual(['Fresh', 'Twice'])
  })

  it('reports all problems of a row', async () => {
    const unknownField = { smart_field: 'nothing', value: 'x' }
    const picture = { smart_field_id: fields.profile_picture, value: unknownId }
    const { body } = await app.post('/v1/teammates/import', {
      teammates: [
        { email: 'broken', smart_fields: [unknownField, 7, value('work_phone', 'no'), picture] },
        { email: address(), smart_fields: [unknownField, picture] },
        { email: 'broken', smart_fields: 'none' },
      ],
    })
    const failed = body.data.failed.map(({ details }: { details: { field: string; code: string }[] }) =>
      Object.fromEntries(details.map(({ field, code }) => [field, code])),
    )
    expect(failed).toEqual([
      {
        email: 'invalid',
        'smart_fields[0].smart_field': 'unknown_reference',
        'smart_fields[1]': 'invalid_type',
        'smart_fields[2].value': 'invalid',
        'smart_fields[3].value': 'unknown_reference',
      },
      {
        'smart_fields[0].smart_field': 'unknown_reference',
        'smart_fields[1].value': 'unknown_reference',
      },
      { email: 'invalid', smart_fields: 'invalid_type' },
    ])
  })

  it('refuses a body without rows, or with too many', async () => {
    expect(fieldErrors(await app.post('/v1/teammates/import', {}))).toEqual({ teammates: 'missing' })
    const teammates = Array.from({ length: 1001 }, () => ({ email: 'x@example.com' }))
    expect(fieldErrors(await app.post('/v1/teammates/import', { teammates }))).toEqual({
      teammates: 'too_many',
    })
    expect((await app.post('/v1/teammates/import', { teammates: [] })).body.data).toEqual({
      created: 0,
      updated: 0,
      failed: [],
    })
  })

  it('limits the size of its answer, however many problems there are', async () => {
    const wrong = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`p${n}`, 1]))
    const rows = Array.from({ length: 1_000 }, () => ({ email: 'x', ...wrong }))
    const { body, text } = await app.post('/v1/teammates/import', { teammates: rows })
    expect(body.data.failed).toHaveLength(1_000)
    const details = body.data.failed.map((row: { details: unknown[] }) => row.details.length)
    expect([details[0], details[999], details.reduce((sum: number, n: number) => sum + n, 0)]).toEqual([
      50, 1, 2_000,
    ])
    expect(text.length).toBeLessThan(500_000)
    const long = { [`p${'x'.repeat(500_000)}`]: 1, email: `${'y'.repeat(400_000)}@example.com` }
    const answer = await app.post('/v1/teammates/import', { teammates: [long] })
    expect(answer.text.length).toBeLessThan(3_000)
  })

  it('creates each address once when several imports run at the same time', async () => {
    const teammates = Array.from({ length: 200 }, (_, i) => ({
      email: `twin${i}@example.com`,
      smart_fields: [value('company', 'Twin')],
    }))
    const both = await Promise.all([1, 2, 3].map(() => app.post('/v1/teammates/import', { teammates })))
    expect(both.map(answer => answer.status)).toEqual([200, 200, 200])
    expect(both.reduce((sum, answer) => sum + answer.body.data.created, 0)).toBe(200)
    expect(both.reduce((sum, answer) => sum + answer.body.data.updated, 0)).toBe(400)
    expect((await app.get('/v1/teammates?search=twin')).body.pagination.total_count).toBe(200)
  })
})

describe('a workspace whose teammates come from a directory', () => {
  it('lets only the directory change teammates and addresses, and the API change values that are not synced', async () => {
    const response = await create({
      email: 'synced@example.com',
      smart_fields: [value('department', 'Old'), value('company', 'Old')],
    })
    const alias = await app.post('/v1/emails', {
      email: { teammate_id: response.body.data.id, address: address() },
    })
    const integrationId = await insertIntegration(app.db, app.by, {
      kind: 'google_workspace',
      name: 'Example Directory',
      dashboardUrl: 'https://admin.google.com',
      drivesTeammates: true,
    })
    await app.db.query(sql`
      update smart_fields set integration_id = ${integrationId}, integration_attribute = 'organizations.department'
      where workspace_id = ${app.id} and id = ${fields.department}`)
    const refused = [
      await create({ email: address() }),
      await app.del(response.headers.location!),
      await app.patch(response.headers.location!, { teammate: { email: address() } }),
      await app.post('/v1/emails', { email: { teammate_id: response.body.data.id, address: address() } }),
      await app.patch(alias.headers.location!, { primary: true }),
      await app.del(alias.headers.location!),
    ]
    for (const answer of refused) {
      expect(answer.status).toBe(409)
      expect(answer.body.error.code).toBe('directory_managed')
      expect(answer.body.remediation).toMatchObject({
        action: 'manage_in_dashboard',
        dashboard_url: 'https://admin.google.com',
      })
    }
    const patched = await app.patch(response.headers.location!, {
      teammate: { smart_fields: [value('department', 'New'), value('company', 'New')] },
    })
    expect([valueIn(patched.body.data, 'department'), valueIn(patched.body.data, 'company')]).toEqual([
      'Old',
      'New',
    ])
    const imported = await app.post('/v1/teammates/import', {
      teammates: [
        { email: 'synced@example.com', smart_fields: [value('company', 'Imported')] },
        { email: address() },
      ],
    })
    expect(imported.body.data).toMatchObject({ created: 0, updated: 1, failed: [{ index: 1 }] })
    await app.db.query(sql`update integrations set deleted_at = now() where workspace_id = ${app.id}`)
    expect((await create({ email: address() })).status).toBe(201)
  })
})

describe('a member', () => {
  it('can read, and write their own values, but nothing else', async () => {
    const ownTeammate = await create({ email: 'Own.Member@example.com' })
    const otherTeammate = await create({ email: address() })
    const memberId = await addMember(app.db, app.id, {
      name: 'M',
      email: 'own.member@example.com',
      role: 'member',
    })
    const { key } = await createKey(app.db, app.by, memberId, { name: 'm', scopes: ['*'] })
    await app.patch(`/v1/smart_fields/${fields.first_name}`, { editable_by_owner: true })
    const change = { teammate: { smart_fields: [value('first_name', 'Mine')] } }
    expect((await app.get('/v1/teammates', { key })).status).toBe(200)
    expect(
      valueIn((await app.patch(ownTeammate.headers.location!, change, { key })).body.data, 'first_name'),
    ).toBe('Mine')
    for (const answer of [
      await app.patch(otherTeammate.headers.location!, change, { key }),
      await app.patch(ownTeammate.headers.location!, { teammate: { email: address() } }, { key }),
      await app.post('/v1/teammates', { teammate: { email: address() } }, { key }),
      await app.post('/v1/folders', { name: 'x' }, { key }),
      await app.get('/v1/api_keys', { key }),
    ]) {
      expect(answer.status).toBe(403)
      expect(answer.body.error.code).toBe('insufficient_role')
    }
  })
})
