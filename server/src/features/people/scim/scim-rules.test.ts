// What SCIM refuses, and in which form: rights, other workspaces, bounds, and nonsense of every kind.
// @module-tag random
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { findMember } from '#features/workspace/accounts/index.ts'
import { createKey } from '#features/workspace/api-keys/index.ts'
import { sql } from '#kernel/db/db.ts'
import { anyCharacter } from '#test/support/any-character.ts'
import { type Answer, type TestApp, testApp } from '#test/support/app.ts'
import {
  connectScim,
  enterpriseSchema,
  entraUser,
  groupSchema,
  oktaUser,
  type ScimProvider,
  userSchema,
} from '#test/support/directories/scim.ts'
import { runAllJobs, runJob } from '#test/support/jobs.ts'
import { loopLimit, watchLoop } from '#test/support/processes/loop-watch.ts'
import { runs } from '#test/support/runs.ts'

let app: TestApp
let scim: ScimProvider
let other: ScimProvider
beforeAll(async () => {
  app = await testApp()
  scim = await connectScim(app)
  other = await connectScim(app, app.other)
})

const keyWith = async (scope: string) => {
  const owner = await findMember(app.db, app.id)
  return (await createKey(app.db, app.by, String(owner?.id), { name: scope, scopes: [scope] })).key
}
const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error'
const unknownId = '01a1e0a4-15b9-71f7-98af-f25f4b8294b4'
const codesOf = ({ status, body }: Answer) => [status, body.scimType ?? null]

describe('rights', () => {
  it('need a key with the scope, and the scope opens nothing else', async () => {
    const readers = await keyWith('teammates:write')
    for (const [key, status] of [
      [null, 401],
      ['sk_nonsense', 401],
      [readers, 403],
      [app.key, 200],
    ] as const) {
      const answer = await app.get('/scim/v2/Users', { key })
      expect([answer.status, answer.headers['content-type']]).toEqual([
        status,
        'application/scim+json; charset=utf-8',
      ])
      if (status !== 200)
        expect(answer.body).toMatchObject({ status: String(status), detail: expect.stringMatching(/./) })
    }
    for (const path of ['/v1/teammates', '/v1/integrations', '/v1/api_keys', '/v1/workspace'])
      expect((await app.get(path, { key: scim.key })).body.error.code, path).toBe('insufficient_scope')
    const manager = await app.signIn({ role: 'manager' })
    expect((await manager.get('/scim/v2/Users')).status).toBe(403)
  })

  it('end at the workspace: ids of another one do not exist, and names are free', async () => {
    const user = (await scim.post('/Users', oktaUser('own'))).body
    const group = (await scim.post('/Groups', { displayName: 'Own', members: [{ value: user.id }] })).body
    expect((await other.post('/Users', oktaUser('own'))).status).toBe(201)
    const foreign = (await other.post('/Groups', { displayName: 'Own', members: [{ value: user.id }] })).body
    expect(foreign.members).toEqual([])
    for (const path of [`/Users/${user.id}`, `/Groups/${group.id}`]) {
      const sent = path.startsWith('/Users') ? oktaUser('stolen') : { displayName: 'Stolen' }
      const answers = [
        await other.get(path),
        await other.put(path, sent),
        await other.patch(path, { op: 'replace', value: { displayName: 'Stolen' } }),
        await other.del(path),
      ]
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    }
    await other.patch(`/Groups/${foreign.id}`, { op: 'add', path: 'members', value: [{ value: user.id }] })
    expect((await other.get(`/Groups/${foreign.id}`)).body.members).toEqual([])
    expect((await other.get('/Users')).text).not.toContain(user.id)
    expect((await scim.get(`/Groups/${group.id}`)).body).toEqual(group)
    expect((await scim.get(`/Users/${user.id}`)).body).toEqual(user)
    const log = (await app.get('/v1/audit_log?action=scim_user.created')).body.data
    expect(log[0]).toMatchObject({ resource_id: user.id, resource_name: user.userName, api_key_name: 'SCIM' })
    const theirs = await app.get('/v1/audit_log?action=scim_user.created', { key: app.other.key })
    expect(theirs.text).not.toContain(user.id)
  })
})

describe('errors', () => {
  it('have the form of the RFC, whichever part of the service refuses', async () => {
    const { id } = (await scim.post('/Users', entraUser('errors'))).body
    const path = `/scim/v2/Users/${id}`
    const send = (method: string, target: string, sent: object = {}) =>
      app.call(method, target, { key: scim.key, ...sent })
    const typed = (payload: string, type: string) => ({ payload, headers: { 'content-type': type } })
    const cases: readonly (readonly [Promise<Answer>, number, string | null])[] = [
      [send('GET', '/scim/v2'), 404, null],
      [send('GET', '/scim/v2/Bulk'), 404, null],
      [send('GET', '/scim/v2/Users/x'), 404, null],
      [send('GET', '/scim/v2/Schemas/x'), 404, null],
      [send('DELETE', '/scim/v2/Users'), 405, null],
      [send('POST', '/scim/v2/Users', typed('{}', 'text/plain')), 415, null],
      [send('POST', '/scim/v2/Users', typed('{', 'application/scim+json')), 400, 'invalidSyntax'],
      [send('POST', '/scim/v2/Users', typed('[]', 'application/json')), 400, 'invalidValue'],
      [send('POST', '/scim/v2/Users', { body: { userName: 'x'.repeat(70_000) } }), 413, null],
      [send('POST', '/scim/v2/Users', { body: {} }), 400, 'invalidValue'],
      [send('POST', '/scim/v2/Users', { body: { userName: 'no.address' } }), 400, 'invalidValue'],
      [send('POST', '/scim/v2/Users', { body: oktaUser('x', { active: 'maybe' }) }), 400, 'invalidValue'],
      [send('POST', '/scim/v2/Users', { body: oktaUser('x', { emails: 'x@y.z' }) }), 400, 'invalidValue'],
      [send('POST', '/scim/v2/Groups', { body: { displayName: ' ' } }), 400, 'invalidValue'],
      [send('POST', '/scim/v2/Groups', { body: { displayName: 'x', members: [1] } }), 400, 'invalidValue'],
      [send('GET', '/scim/v2/Users?count=x'), 400, 'invalidValue'],
      [send('PATCH', path, { body: {} }), 400, 'invalidSyntax'],
    ]
    for (const [promise, status, scimType] of cases) {
      const answer = await promise
      expect([answer.headers['content-type'], ...codesOf(answer)], answer.text).toEqual([
        'application/scim+json; charset=utf-8',
        status,
        scimType,
      ])
    }
    for (const [operation, scimType] of [
      [{ op: 'move', path: 'title', value: 'x' }, 'invalidSyntax'],
      [{ op: 'remove' }, 'noTarget'],
      [{ op: 'replace', path: 'emails[', value: 'x' }, 'invalidPath'],
      [{ op: 'replace', path: 'emails[type zz "x"].value', value: 'x' }, 'invalidFilter'],
      [{ op: 'replace', path: 'emails[type[value eq "x"]].value', value: 'x' }, 'invalidFilter'],
      [{ op: 'replace', path: 'emails[type ew "x"].value', value: 'x' }, 'noTarget'],
      [{ op: 'replace', path: '__proto__.x', value: 'x' }, 'invalidPath'],
      [{ op: 'replace', path: 'userName', value: '' }, 'invalidValue'],
      [{ op: 'remove', path: 'userName' }, 'invalidValue'],
      [{ op: 'replace', value: 'x' }, 'invalidValue'],
    ] as const)
      expect(codesOf(await scim.patch(`/Users/${id}`, operation)), JSON.stringify(operation)).toEqual([
        400,
        scimType,
      ])
    expect((await scim.get(`/Users/${id}`)).body).toMatchObject(entraUser('errors', { roles: [] }))
  })

  it('are those of the rate limit too', async () => {
    const limited = await testApp({
      env: { SIGNOFF_RATE_LIMIT: '1' },
      connection: app.connection,
      workspaces: { own: app, other: app.other },
    })
    const answers = await Promise.all([1, 2, 3].map(() => limited.get('/scim/v2/Users', { key: scim.key })))
    expect(answers.map(({ status }) => status).sort()).toContain(429)
    expect(answers.find(({ status }) => status === 429)?.body).toMatchObject({ status: '429' })
  })
})

describe('addresses', () => {
  it('answer 501 to every method of /Me, after the key was checked', async () => {
    const reader = await keyWith('teammates:write')
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      // A body of any kind does not matter.
      const sent = method === 'GET' ? {} : { payload: '{', headers: { 'content-type': 'text/plain' } }
      const answer = await app.call(method, '/scim/v2/Me?attributes=userName', { key: scim.key, ...sent })
      expect([method, answer.headers['content-type'], ...codesOf(answer)]).toEqual([
        ...[method, 'application/scim+json; charset=utf-8', 501, null],
      ])
      expect(answer.body).toMatchObject({ schemas: [errorSchema], status: '501' })
      expect((await app.call(method, '/scim/v2/Me', { key: null })).status).toBe(401)
      expect((await app.call(method, '/scim/v2/Me', { key: reader })).status).toBe(403)
    }
  })

  it('are found in any case, and ids are not', async () => {
    const { id } = (await scim.post('/USERS', oktaUser('shouting'))).body
    const sent = `?filter=${encodeURIComponent('userName eq "shouting@example.com"')}&attributes=userName`
    const listed = await scim.get(`/users${sent}`)
    expect(listed.body.Resources).toEqual([{ schemas: [userSchema], id, userName: 'shouting@example.com' }])
    expect((await scim.get(`/uSeRs/${id}/`)).body.meta.location).toContain(`/scim/v2/Users/${id}`)
    expect((await scim.patch(`/USERS/${id}`, { op: 'add', path: 'title', value: 'T' })).body.title).toBe('T')
    const changed = await app.call('DELETE', '/scim/v2/groups', { key: scim.key })
    expect([changed.status, changed.headers.allow]).toEqual([405, 'GET, HEAD, POST'])
    for (const path of ['/serviceproviderconfig', '/SCHEMAS', '/resourcetypes/User', '/groups'])
      expect((await scim.get(path)).status, path).toBe(200)
    for (const path of ['/resourcetypes/user', `/schemas/${enterpriseSchema.toUpperCase()}`, '/user', '/ME'])
      expect((await scim.get(path)).status, path).toBe(path === '/ME' ? 501 : 404)
    expect((await app.get('/scim/v2/users', { key: null })).body.status).toBe('401')
    expect((await scim.del(`/users/${id}`)).status).toBe(204)
  })

  it('that describe the server refuse filters, and a PATCH of a group that asks for attributes gets them', async () => {
    for (const path of ['/ServiceProviderConfig', '/Schemas', '/ResourceTypes'])
      expect(codesOf(await scim.get(`${path}?filter=id%20pr`)), path).toEqual([403, null])
    const { id } = (await scim.post('/Groups', { displayName: 'Asked' })).body
    const body = { Operations: [{ op: 'replace', path: 'displayName', value: 'Answered' }] }
    const answer = await app.call('PATCH', `/scim/v2/Groups/${id}?attributes=displayName`, {
      key: scim.key,
      body,
    })
    expect([answer.status, answer.body]).toEqual([
      200,
      { schemas: [groupSchema], id, displayName: 'Answered' },
    ])
  })
})

describe('attributes', () => {
  it('that only some entries of a list have leave no null behind', async () => {
    const emails = [{ value: 'a1@example.com', display: 'A' }, { value: 'a2@example.com' }]
    const { id } = (await scim.post('/Users', oktaUser('partial', { emails }))).body
    const { body } = await scim.get(`/Users/${id}?attributes=EMAILS.display,title,name.middleName`)
    expect(body).toEqual({ schemas: [userSchema], id, emails: [{ display: 'A' }, {}] })
  })
})

describe('bounds', () => {
  it('are named for operations, members, entries and depth, and the event loop stays free', async () => {
    const user = `/Users/${(await scim.post('/Users', oktaUser('bounds'))).body.id}`
    const group = `/Groups/${(await scim.post('/Groups', { displayName: 'Bounds' })).body.id}`
    const add = { op: 'add', path: 'members', value: [{ value: unknownId }] }
    const deep = Array.from({ length: 30 }).reduce<object>(inner => ({ a: inner }), {})
    const members = Array.from({ length: 10_001 }, () => ({ value: unknownId }))
    const numbers = Array.from({ length: 20_000 }, (_, n) => n % 10)
    const attributes = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, 'x']))
    // 40,000 spellings of one name: each is an operation on the same attribute.
    const variants = Object.fromEntries(
      Array.from({ length: 40_000 }, (_, n) => [
        [...'abcdefghijklmnop'].map((letter, at) => ((n >> at) & 1 ? letter.toUpperCase() : letter)).join(''),
        'x',
      ]),
    )
    const cases = {
      operations: () => scim.patch(group, ...Array.from({ length: 1_001 }, () => add)),
      members: () => scim.patch(group, { op: 'add', path: 'members', value: members }),
      'members of all operations': () =>
        scim.patch(group, ...Array.from({ length: 3 }, () => ({ ...add, value: members.slice(0, 5_000) }))),
      entries: () => scim.patch(user, { op: 'add', path: 'phoneNumbers', value: numbers }),
      'entries of a body': () => scim.put(user, oktaUser('bounds', { x: numbers })),
      depth: () => scim.put(user, oktaUser('bounds', { deep })),
      'depth of a patch': () => scim.patch(user, { op: 'add', value: { deep } }),
      attributes: () =>
        scim.patch(
          user,
          ...Array.from({ length: 1_000 }, (_, n) => ({ op: 'add', path: `p${n}`, value: 'x' })),
        ),
      'attributes of a body': () => scim.put(user, { ...oktaUser('bounds'), ...attributes(201) }),
      'attributes of a value': () => scim.patch(user, { op: 'add', value: attributes(201) }),
      'properties of values': () => scim.patch(group, { op: 'add', value: variants }),
    }
    for (const [what, send] of Object.entries(cases)) {
      const { result, held } = await watchLoop(send)
      expect(held, `${what} holds the event loop`).toBeLessThan(loopLimit)
      expect([what, result.status, ['tooMany', 'invalidValue'].includes(result.body.scimType)]).toEqual([
        what,
        400,
        true,
      ])
    }
  })
})

describe('nonsense', () => {
  it('is refused or accepted as a whole, and never a fault of the service', async () => {
    const userId = (await scim.post('/Users', entraUser('random'))).body.id
    const memberId = (await scim.post('/Users', entraUser('random2'))).body.id
    const groupId = (await scim.post('/Groups', { displayName: 'Random' })).body.id
    const names = [
      ...[
        'userName',
        'active',
        'emails',
        'name',
        'members',
        'displayName',
        'externalId',
        'schemas',
        'id',
        'meta',
      ],
      ...[enterpriseSchema, groupSchema, 'groups', 'phoneNumbers', '__proto__', 'constructor', 'title'],
    ]
    const paths = [
      ...names,
      ...['emails[type eq "work"].value', 'members[value eq "x"]', 'name.givenName', 'emails.value', 'a.b.c'],
      ...[
        `${enterpriseSchema}:manager`,
        `${enterpriseSchema}:manager.value`,
        'urn:x',
        'urn:x:y[z eq 1].q',
        '[',
        '',
      ],
    ]
    const text = fc.oneof(
      fc.constantFrom('ada@example.com', 'True', 'False', userId, memberId, groupId, '', ' ', 'x'),
      fc.string({ unit: anyCharacter, maxLength: 20 }),
    )
    const { value } = fc.letrec<{ value: unknown; object: object }>(tie => ({
      value: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        text,
        fc.constantFrom(null, true, false, 0, -1, 1e308),
        fc.array(tie('value'), { maxLength: 3 }),
        tie('object'),
      ),
      object: fc.dictionary(fc.constantFrom(...names, 'value', 'type', 'primary'), tie('value'), {
        maxKeys: 4,
      }),
    }))
    const operation = fc.record(
      {
        op: fc.constantFrom('add', 'Replace', 'REMOVE', 'x', 1),
        path: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...paths) }, text, value),
        value,
      },
      { requiredKeys: ['op'] },
    )
    const body = fc.oneof(
      fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 5 }),
      fc.record({ userName: text, emails: value, active: value, displayName: text, members: value }),
      fc.record({ Operations: fc.oneof(fc.array(operation, { maxLength: 4 }), value) }),
    )
    const target = fc.constantFrom(
      ...[
        ['POST', '/Users'],
        ['POST', '/Groups'],
        ...['PUT', 'PATCH'].flatMap(method => [
          [method, `/Users/${userId}`],
          [method, `/Groups/${groupId}`],
        ]),
      ],
    )
    /** Sums of what belongs together: stored resources, people of the directory, members. */
    const broken = () =>
      app.db.query(sql`
        select 'person' as what from scim_users u left join directory_people p
          on p.workspace_id = u.workspace_id and p.external_id = u.person_id::text
        where u.deleted_at is null and (p.external_id is null or p.is_active <> u.is_active or p.state = 'missing')
        union all
        select 'entity' from scim_groups g left join integration_entities e
          on e.workspace_id = g.workspace_id and e.external_id = g.id::text and not e.is_gone
        where e.id is null
        union all
        select 'count' from integration_entities e where e.teammates_count <> (
          select count(*) from integration_entity_members m where m.workspace_id = e.workspace_id and m.entity_id = e.id)`)
    const seen = new Set<number>()
    await fc.assert(
      fc.asyncProperty(target, body, async ([method = '', path = ''], sent) => {
        const answer = await app.call(method, `/scim/v2${path}`, { key: scim.key, body: sent })
        seen.add(answer.status)
        expect(
          [200, 201, 204, 400, 409],
          `${method} ${path} ${JSON.stringify(sent)} ${answer.text}`,
        ).toContain(answer.status)
      }),
      { numRuns: runs(400), seed: process.env.SIGNOFF_TEST_SEED === 'random' ? Date.now() : 7 },
    )
    expect([...seen]).toEqual(expect.arrayContaining([200, 201, 400]))
    expect(await broken()).toEqual([])
  }, 120_000)
})

describe('settings', () => {
  it('are applied to the users that are there already', async () => {
    const workspace = await app.workspace('Enriching')
    const provider = await connectScim(app, workspace, { drives_teammates: false })
    const people = async () =>
      (await app.get('/v1/teammates', { key: workspace.key })).body.data.map(
        ({ email }: { email: string }) => email,
      )
    expect((await provider.post('/Users', oktaUser('late'))).status).toBe(201)
    expect(await people()).toEqual([])
    const path = `/v1/integrations/${provider.integrationId}`
    await app.patch(path, { settings: { drives_teammates: true } }, { key: workspace.key })
    await runJob(app, 'directories.schedule', {})
    await runAllJobs(app)
    expect(await people()).toEqual(['late@example.com'])
    const user = oktaUser('odd', { phoneNumbers: [{ type: 'work', value: 'n/a' }] })
    await provider.post('/Users', user)
    await provider.post('/Groups', { displayName: 'Odd', members: [{ value: unknownId }, { value: 'x' }] })
    const { steps } = (await app.post(`${path}/test`, {}, { key: workspace.key })).body.data
    expect(steps).toMatchObject([
      { name: 'base_url', ok: false, remedy: expect.stringContaining('SIGNOFF_PUBLIC_URL') },
      { name: 'key', ok: true },
      { name: 'people', ok: false, message: expect.stringContaining('n/a') },
      { name: 'members', ok: false, message: expect.stringContaining(unknownId) },
    ])
    const { id } = (await provider.get('/Groups')).body.Resources[0]
    await provider.patch(`/Groups/${id}`, {
      op: 'remove',
      path: 'members',
      value: [{ value: unknownId }, { value: 'x' }],
    })
    const after = (await app.post(`${path}/test`, {}, { key: workspace.key })).body.data.steps
    expect(after[3]).toMatchObject({ name: 'members', ok: true })
    await app.del(path, { key: workspace.key })
    expect(await people()).toContain('late@example.com')
    const [left] = await app.db.query<{ n: number }>(
      sql`select count(*)::int as n from scim_users where workspace_id = ${workspace.id}`,
    )
    expect(left?.n).toBe(0)
  })
})
