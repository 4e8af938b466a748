// The request sequences that Okta and Entra are documented to send, and the rules around them.
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { command } from '#test/support/command.ts'
import {
  connectScim,
  enterpriseSchema,
  entraUser,
  groupSchema,
  oktaUser,
  type ScimProvider,
} from '#test/support/directories/scim.ts'
import { runJob } from '#test/support/jobs.ts'
import { urlOf } from '#test/support/postgres/postgres.ts'

let app: TestApp
let scim: ScimProvider
beforeAll(async () => {
  app = await testApp()
  scim = await connectScim(app)
})

const listSchemas = ['urn:ietf:params:scim:api:messages:2.0:ListResponse']
const create = async (path: string, body: object): Promise<string> => (await scim.post(path, body)).body.id
const filtered = async (path: string, filter: string) =>
  (await scim.get(`${path}?filter=${encodeURIComponent(filter)}`)).body

/** The teammate with this address, as the API shows it. */
const teammateOf = async (address: string) => {
  const { body } = await app.get(`/v1/teammates?search=${encodeURIComponent(address)}`)
  const [row] = body.data
  if (!row) return undefined
  const value = (label: string) =>
    row.smart_fields.find((item: { label: string }) => item.label === label)?.value ?? null
  return { id: row.id, active: row.active, title: value('Job title'), first: value('First name') }
}
const membersOf = async (groupId: string): Promise<string[]> =>
  (await scim.get(`/Groups/${groupId}`)).body.members.map(({ value }: { value: string }) => value).sort()

describe('connecting', () => {
  it('answers the base URL and how to make the key, once per workspace', async () => {
    const workspace = await app.workspace('Fresh')
    const { body } = await app.post('/v1/integrations', { kind: 'scim' }, { key: workspace.key })
    expect(body.data).toMatchObject({
      kind: 'scim',
      base_url: `${app.config.publicUrl}/scim/v2`,
      next_step: expect.stringContaining('scim:write'),
    })
    for (const settings of [{}, { drives_teammates: false }]) {
      const again = await app.post('/v1/integrations', { kind: 'scim', settings }, { key: workspace.key })
      expect(fieldErrors(again)).toEqual({ kind: 'taken' })
      expect(again.body.error.message).toContain('SCIM')
    }
    const users = () => app.get('/scim/v2/Users', { key: workspace.key })
    expect((await users()).status).toBe(200)
    await app.del(`/v1/integrations/${body.data.id}`, { key: workspace.key })
    expect((await users()).body).toMatchObject({ status: '404', detail: expect.stringContaining('SCIM') })
    const env = { DATABASE_URL: urlOf(app.connection), SIGNOFF_DATA_DIR: app.config.dataDir }
    const added = await command(['integrations', 'add', 'scim', '-w', workspace.id], env)
    expect([added.code, added.err, added.out]).toEqual([0, '', expect.stringContaining('/scim/v2')])
    expect(added.out).toContain(
      `keys create SCIM --scopes scim:write --expires never --workspace ${workspace.id}`,
    )
    expect((await users()).status).toBe(200)
  })
})

describe('Okta', () => {
  it('tests the connection, pages, creates, finds, and gets 409 for a duplicate', async () => {
    const empty = await scim.get('/Users?startIndex=1&count=2')
    expect(empty.headers['content-type']).toContain('application/scim+json')
    expect(empty.body).toEqual({
      schemas: listSchemas,
      totalResults: 0,
      startIndex: 1,
      itemsPerPage: 0,
      Resources: [],
    })
    const sent = oktaUser('ada', { 'urn:example:hr': { shoeSize: 38, Nested: { List: [1] } } })
    const created = await scim.post('/Users', sent, { headers: { 'content-type': 'application/json' } })
    const { password: _, groups: __, ...attributes } = sent
    expect([created.status, created.body]).toEqual([
      201,
      {
        ...attributes,
        id: expect.any(String),
        meta: {
          resourceType: 'User',
          created: expect.any(String),
          lastModified: expect.any(String),
          location: `${app.config.publicUrl}/scim/v2/Users/${created.body.id}`,
        },
      },
    ])
    expect(created.headers.location).toBe(created.body.meta.location)
    expect((await scim.get(`/Users/${created.body.id}`)).body).toEqual(created.body)
    expect(await teammateOf('ada@example.com')).toMatchObject({ active: true, first: 'ada' })
    for (const userName of ['ada@example.com', 'ADA@Example.com']) {
      const duplicate = await scim.post('/Users', oktaUser('other', { userName }))
      expect(duplicate.body).toMatchObject({ status: '409', scimType: 'uniqueness' })
      expect((await filtered('/Users', `userName eq "${userName}"`)).Resources).toHaveLength(1)
    }
    // Another user with the address of a person who is there.
    const stolen = oktaUser('thief', { emails: [{ value: 'ada@example.com', primary: true }] })
    expect((await scim.post('/Users', stolen)).status).toBe(409)
    expect((await filtered('/Users', 'userName eq "thief@example.com"')).totalResults).toBe(0)
    for (const name of ['bob', 'cem', 'dee']) await create('/Users', oktaUser(name))
    const pages = await Promise.all([1, 3, 5].map(start => scim.get(`/Users?startIndex=${start}&count=2`)))
    expect(pages.map(({ body }) => [body.totalResults, body.itemsPerPage])).toEqual([
      [4, 2],
      [4, 2],
      [4, 0],
    ])
    expect((await scim.get('/Users?startIndex=-3&count=-1')).body).toMatchObject({
      totalResults: 4,
      startIndex: 1,
      Resources: [],
    })
    const missing = await scim.get('/Users/23a35c27-23d3-4c03-b4c5-6443c09e7173')
    expect(missing.body).toMatchObject({ status: '404', detail: expect.any(String) })
  })

  it('replaces whole users: one without active stays active, and inactive ones are still returned', async () => {
    const [{ id }] = (await filtered('/Users', 'userName eq "bob@example.com"')).Resources
    const { active: _, ...whole } = oktaUser('bob', { title: 'Engineer', id })
    const replaced = await scim.put(`/Users/${id}`, whole)
    expect([replaced.status, replaced.body.active, replaced.body.title]).toEqual([200, true, 'Engineer'])
    expect(await teammateOf('bob@example.com')).toMatchObject({ active: true, title: 'Engineer' })
    const inactive = await scim.patch(`/Users/${id}`, { op: 'replace', value: { active: false } })
    expect([inactive.status, inactive.body.active]).toEqual([200, false])
    expect((await scim.put(`/Users/${id}`, whole)).body.active).toBe(false)
    expect(await teammateOf('bob@example.com')).toMatchObject({ active: false, title: 'Engineer' })
    expect(
      (await filtered('/Users', 'active eq false')).Resources.map((item: { id: string }) => item.id),
    ).toEqual([id])
    await scim.put(`/Users/${id}`, { ...whole, active: true })
    expect(await teammateOf('bob@example.com')).toMatchObject({ active: true })
  })

  it('pushes groups with members and renames them; nested groups are expanded', async () => {
    const users = (await scim.get('/Users?attributes=userName')).body.Resources
    const idOf = (name: string) =>
      users.find(({ userName }: { userName: string }) => userName === `${name}@example.com`).id
    const unknown = '23a35c27-23d3-4c03-b4c5-6443c09e7173'
    const sent = {
      schemas: [groupSchema],
      displayName: 'Sales',
      members: [{ value: idOf('ada'), display: 'ada' }, { value: unknown }, { value: 'nonsense' }],
    }
    const created = await scim.post('/Groups', sent)
    expect(created.body).toMatchObject({
      displayName: 'Sales',
      members: [{ value: idOf('ada'), display: 'ada@example.com', type: 'User' }],
    })
    const { id } = created.body
    expect((await scim.post('/Groups', { ...sent, displayName: 'SALES' })).status).toBe(409)
    const renamed = await scim.patch(`/Groups/${id}`, {
      op: 'replace',
      value: { id, displayName: 'Sales EMEA' },
    })
    expect(renamed.status).toBe(204)
    expect(await membersOf(id)).toEqual([idOf('ada')])
    const parent = await create('/Groups', {
      displayName: 'Everyone',
      members: [{ value: id }, { value: idOf('bob') }],
    })
    const entities = (await app.get('/v1/integration_entities')).body.data
    expect(
      entities.map(({ name, teammates_count }: Record<string, unknown>) => [name, teammates_count]),
    ).toEqual([
      ['Everyone', 2],
      ['Sales EMEA', 1],
    ])
    await scim.put(`/Groups/${id}`, { displayName: 'Sales', members: [{ value: idOf('cem') }] })
    expect(await membersOf(id)).toEqual([idOf('cem')])
    expect((await filtered('/Groups', `members.value eq "${idOf('cem')}"`)).totalResults).toBe(1)
    expect((await scim.del(`/Groups/${id}`)).status).toBe(204)
    expect((await scim.get(`/Groups/${id}`)).status).toBe(404)
    expect(await membersOf(parent)).toEqual([idOf('bob')])
    await scim.del(`/Groups/${parent}`)
    expect((await app.get('/v1/integration_entities')).body.data).toEqual([])
  })
})

describe('Entra', () => {
  it('tests the connection with a random user and reads the schemas', async () => {
    const random = 'userName eq "3f2504e0-4f89-41d3-9a0c-0305e82c3301"'
    expect(await filtered('/Users', random)).toMatchObject({ totalResults: 0, Resources: [] })
    const schemas = await scim.get('/Schemas')
    expect(schemas.body.Resources.map(({ name }: { name: string }) => name)).toEqual([
      'User',
      'Group',
      'EnterpriseUser',
    ])
    expect(schemas.text).not.toContain('null')
    expect((await scim.get(`/Schemas/${enterpriseSchema}`)).body.id).toBe(enterpriseSchema)
    expect((await scim.get('/ResourceTypes')).body.totalResults).toBe(2)
    expect((await scim.get('/ResourceTypes/User')).body.endpoint).toBe('/Users')
    const { body: config } = await scim.get('/ServiceProviderConfig')
    expect(config).toMatchObject({ patch: { supported: true }, bulk: { supported: false } })
    expect((await app.get(new URL(config.documentationUri).pathname)).status).toBe(200)
  })

  it('changes users by PATCH in all its forms', async () => {
    const { emails: _, ...withoutEmails } = entraUser('grace')
    const id = await create('/Users?aadOptscim062020', withoutEmails)
    const path = `/Users/${id}`
    const department = `${enterpriseSchema}:department`
    const steps: readonly (readonly [operation: object, expected: object])[] = [
      [
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'Grace.H@contoso.example.com' },
        { emails: [{ type: 'work', value: 'Grace.H@contoso.example.com' }] },
      ],
      [{ op: 'Add', path: 'title', value: 'Admiral' }, { title: 'Admiral' }],
      [{ op: 'Replace', path: 'name.givenName', value: 'Grace' }, { name: { givenName: 'Grace' } }],
      [{ op: 'Add', path: department, value: 'Navy' }, { [enterpriseSchema]: { department: 'Navy' } }],
      [
        { op: 'Add', path: `${enterpriseSchema}:manager`, value: 'a1' },
        { [enterpriseSchema]: { department: 'Navy', manager: { value: 'a1' } } },
      ],
      [
        { op: 'Replace', path: `${enterpriseSchema}:manager`, value: [{ value: 'b2', $ref: 'x' }] },
        { [enterpriseSchema]: { manager: { value: 'b2' } } },
      ],
      [
        { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 555 0100' },
        { phoneNumbers: [{ type: 'mobile', value: '+1 555 0100' }] },
      ],
      [
        { op: 'add', path: 'phoneNumbers', value: [{ type: 'work', value: '+1 555 0101' }] },
        { phoneNumbers: [{ type: 'mobile' }, { type: 'work', value: '+1 555 0101' }] },
      ],
      [
        {
          op: 'replace',
          value: {
            'name.familyName': 'Hopper',
            [department]: 'Computing',
            'addresses[type eq "work"].locality': 'Arlington',
            [enterpriseSchema]: { costCenter: '17' },
            DisplayName: 'Grace Hopper',
          },
        },
        {
          displayName: 'Grace Hopper',
          name: { givenName: 'Grace', familyName: 'Hopper' },
          addresses: [{ type: 'work', locality: 'Arlington' }],
          [enterpriseSchema]: { department: 'Computing', costCenter: '17', manager: { value: 'b2' } },
        },
      ],
      [
        { op: 'Add', path: 'urn:example:ext:2.0:User:tag', value: 'x' },
        { 'urn:example:ext:2.0:User': { tag: 'x' } },
      ],
      [{ op: 'Replace', path: 'externalId', value: 'new-id' }, { externalId: 'new-id' }],
      [{ op: 'Replace', path: 'active', value: 'False' }, { active: false }],
      [{ op: 'Replace', path: 'Active', value: 'True' }, { active: true }],
    ]
    for (const [operation, expected] of steps) {
      const answer = await scim.patch(path, operation)
      expect([answer.status, answer.body], JSON.stringify(operation)).toMatchObject([200, expected])
    }
    expect(await filtered('/Users', `id eq "${id}" and manager eq "b2"`)).toMatchObject({
      totalResults: 1,
    })
    expect(await teammateOf('grace.h@contoso.example.com')).toMatchObject({
      first: 'Grace',
      title: 'Admiral',
    })
    const removed = await scim.patch(
      path,
      { op: 'Remove', path: 'title' },
      { op: 'remove', path: 'phoneNumbers[type eq "mobile"]' },
      { op: 'Remove', path: `${enterpriseSchema}:manager` },
      { op: 'Remove', path: 'addresses[type eq "home"].locality' },
    )
    expect(removed.body).not.toHaveProperty('title')
    expect(removed.body.phoneNumbers).toEqual([{ type: 'work', value: '+1 555 0101' }])
    expect(removed.body[enterpriseSchema]).toEqual({ department: 'Computing', costCenter: '17' })
    expect(await teammateOf('grace.h@contoso.example.com')).toMatchObject({ title: null })
    const work = 'emails[type eq "work"].value eq "grace.h@CONTOSO.example.com"'
    for (const filter of [work, 'emails.value eq "grace.h@contoso.example.com"', 'externalId eq "new-id"'])
      expect((await filtered('/Users', filter)).totalResults, filter).toBe(1)
    const narrow = (await scim.get(`${path}?attributes=userName,name.givenName,emails.value`)).body
    expect(narrow).toEqual({
      schemas: expect.any(Array),
      id,
      userName: 'grace@contoso.example.com',
      name: { givenName: 'Grace' },
      emails: [{ value: 'Grace.H@contoso.example.com' }],
    })
    const excluded = (await scim.get(`${path}?excludedAttributes=emails,name.familyName,${department}`)).body
    expect(excluded).toMatchObject({ name: { givenName: 'Grace' }, [enterpriseSchema]: { costCenter: '17' } })
    expect([excluded.emails, excluded.name.familyName]).toEqual([undefined, undefined])
  })

  it('creates groups empty and then sends members, and removes them in both forms', async () => {
    const [a, b, c] = await Promise.all(['m1', 'm2', 'm3'].map(name => create('/Users', entraUser(name))))
    const group = { externalId: 'g-1', displayName: 'All hands', schemas: [groupSchema], members: [] }
    const id = await create('/Groups', group)
    const path = `/Groups/${id}`
    const add = { op: 'Add', path: 'members', value: [{ $ref: null, value: a }, { value: b }, { value: c }] }
    const added = await scim.patch(path, add)
    expect([added.status, added.text]).toEqual([204, ''])
    expect(await membersOf(id)).toEqual([a, b, c].sort())
    await scim.patch(path, { op: 'Remove', path: 'members', value: [{ $ref: null, value: a }] })
    await scim.patch(path, { op: 'remove', path: `members[value eq "${b}"]` })
    expect(await membersOf(id)).toEqual([c])
    const answer = await scim.get(
      `/Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "all hands"')}`,
    )
    expect(answer.body.Resources).toMatchObject([{ id, displayName: 'All hands' }])
    expect(answer.text).not.toContain('"members"')
    await scim.patch(
      path,
      { op: 'replace', path: 'members', value: [{ value: a }] },
      { ...add, value: [{ value: b }] },
    )
    expect(await membersOf(id)).toEqual([a, b].sort())
    await scim.patch(path, { op: 'remove', path: 'members' })
    expect(await membersOf(id)).toEqual([])
  })

  it('loses no member to 50 parallel changes', async () => {
    const ids = await Promise.all(
      Array.from({ length: 14 }, (_, n) => create('/Users', entraUser(`parallel${n}`))),
    )
    const [first, second] = [ids.slice(0, 7), ids.slice(7)]
    const inner = await create('/Groups', { displayName: 'Inner', members: second.map(value => ({ value })) })
    const members = [...first, inner].map(value => ({ value }))
    const group = await create('/Groups', { displayName: 'Parallel', members })
    const remove = (id: string, value: string) =>
      scim.patch(`/Groups/${id}`, { op: 'remove', path: `members[value eq "${value}"]` })
    const add = (id: string, value: string) =>
      scim.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [{ value }] })
    const answers = await Promise.all([
      ...first.flatMap(id => [remove(group, id), add(inner, id)]),
      ...second.flatMap(id => [add(group, id), remove(inner, id)]),
      ...ids.map((id, n) => scim.patch(`/Users/${id}`, { op: 'replace', path: 'title', value: `T${n}` })),
      ...second.map(id => add(group, id)),
      remove(group, inner),
    ])
    expect(answers).toHaveLength(50)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 204]))
    expect(await membersOf(inner)).toEqual([...first].sort())
    expect(await membersOf(group)).toEqual([...second].sort())
    const entities = (await app.get('/v1/integration_entities?limit=100')).body.data
    for (const groupName of ['Parallel', 'Inner'])
      expect(entities.find(({ name }: { name: string }) => name === groupName).teammates_count).toBe(7)
  })
})

describe('leavers', () => {
  it('keep their place for the grace, are removed after it, and come back with all values', async () => {
    const sent = oktaUser('leaver', { title: 'Pilot' })
    const id = await create('/Users', sent)
    const group = await create('/Groups', { displayName: 'Crew', members: [{ value: id }] })
    const before = await teammateOf('leaver@example.com')
    expect((await scim.del(`/Users/${id}`)).status).toBe(204)
    expect((await scim.get(`/Users/${id}`)).status).toBe(404)
    expect((await scim.del(`/Users/${id}`)).status).toBe(404)
    expect((await filtered('/Users', 'userName eq "leaver@example.com"')).totalResults).toBe(0)
    expect(await membersOf(group)).toEqual([])
    expect(await teammateOf('leaver@example.com')).toEqual(before)
    const endGrace = async () => {
      await app.db.query(
        sql`update directory_people set missing_since = now() - interval '8 days' where state = 'missing'`,
      )
      await runJob(app, 'directories.end_graces', {})
    }
    await endGrace()
    expect(await teammateOf('leaver@example.com')).toBeUndefined()
    // A value that the provider does not send is restored.
    const back = await scim.post('/Users', sent)
    expect([back.status, back.body.id === id]).toEqual([201, false])
    expect(await teammateOf('leaver@example.com')).toEqual(before)
    await scim.del(`/Users/${back.body.id}`)
    const anew = await create('/Users', oktaUser('leaver', { externalId: 'other' }))
    expect(await teammateOf('leaver@example.com')).toMatchObject({ id: before?.id })
    await endGrace()
    expect(await teammateOf('leaver@example.com')).toMatchObject({ id: before?.id })
    await scim.del(`/Users/${anew}`)
    await runJob(app, 'scim.expire', {})
  })
})
