import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db.ts'
import { newRow } from '#kernel/ids.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'

let app: TestApp
let fields: Record<string, string>
beforeAll(async () => {
  app = await testApp()
  const { body } = await app.get('/v1/smart_fields?limit=100')
  fields = Object.fromEntries(body.data.map((field: { key: string; id: string }) => [field.key, field.id]))
})

const unknownId = '01a1e0a4-15b9-71f7-98af-f25f4b8294b4'
const tree = JSON.stringify({ type: 'stack', children: [{ type: 'text', tokens: [{ value: 'Hello' }] }] })

interface SignatureOptions {
  readonly priority?: number
  readonly activated?: boolean
  readonly published?: boolean
}

async function createSignature(
  name: string,
  { priority = 0, activated = true, published = true }: SignatureOptions = {},
) {
  const { id, now } = newRow()
  await app.db.query(sql`
    insert into signatures (workspace_id, id, name, priority, signature_installation_activated, content, created_at, updated_at)
    values (${app.id}, ${id}, ${name}, ${priority}, ${activated}, ${published ? tree : null}, ${now}, ${now})`)
  return id
}

let teammateCount = 0
async function createTeammate(values: Record<string, string> = {}) {
  teammateCount += 1
  const smart_fields = Object.entries(values).map(([key, value]) => ({ smart_field_id: fields[key], value }))
  const { body } = await app.post('/v1/teammates', {
    teammate: { email: `p${teammateCount}@example.com`, smart_fields },
  })
  return { id: body.data.id as string, email: body.data.emails[0].id as string }
}

const setValue = (id: string, key: string, value: string | null) =>
  app.patch(`/v1/teammates/${id}`, {
    teammate: { smart_fields: [{ smart_field_id: fields[key], value }] },
  })

const list = async (id: string): Promise<{ id: string; sources: object[] }[]> =>
  (await app.get(`/v1/signatures/${id}/emails?limit=100`)).body.data
const recipientIds = async (id: string) => (await list(id)).map(recipient => recipient.id).sort()
const putRules = (id: string, body: object) =>
  app.call('PUT', `/v1/signatures/${id}/recipient_rules`, { body })
const condition = (key: string, operator: string, ...values: string[]) => ({
  smart_field_id: fields[key],
  operator,
  values,
})

describe('recipients by hand', () => {
  it('are added, listed with their source, and removed', async () => {
    const id = await createSignature('By hand')
    const [first, second] = [await createTeammate(), await createTeammate()]
    const added = await app.post(`/v1/signatures/${id}/emails`, {
      email_ids: [first.email, second.email, first.email],
    })
    expect(added.status).toBe(200)
    expect(added.body.data).toEqual({
      email_ids_count: 2,
      integration_entity_ids: [],
      conditions: [],
      assign_to_all_future_emails: false,
    })
    expect((await app.post(`/v1/signatures/${id}/emails`, { email_ids: [first.email] })).body).toEqual(
      added.body,
    )
    const { body } = await app.get(`/v1/signatures/${id}/emails`)
    expect(body.data[0]).toMatchObject({
      id: second.email,
      primary: true,
      installation_status: null,
      sources: [{ kind: 'manual' }],
    })
    expect(body.pagination.total_count).toBe(2)
    expect(body.selection).toEqual(added.body.data)
    expect((await app.del(`/v1/signatures/${id}/emails/${first.email}`)).status).toBe(204)
    expect((await app.del(`/v1/signatures/${id}/emails/${first.email}`)).status).toBe(204)
    const removed = await app.post(`/v1/signatures/${id}/emails/remove`, {
      email_ids: [second.email, unknownId],
    })
    expect(removed.body.data.email_ids_count).toBe(0)
    expect(await recipientIds(id)).toEqual([])
  })

  it('must be addresses of this workspace', async () => {
    const id = await createSignature('Strangers')
    const { email } = await createTeammate()
    const answer = await app.post(`/v1/signatures/${id}/emails`, { email_ids: [email, unknownId] })
    expect(fieldErrors(answer)).toEqual({ 'email_ids[1]': 'unknown_reference' })
    expect(await recipientIds(id)).toEqual([])
    expect((await app.post(`/v1/signatures/${unknownId}/emails`, { email_ids: [email] })).status).toBe(404)
  })

  it('are removed when their address is deleted', async () => {
    const id = await createSignature('Leavers')
    const teammate = await createTeammate()
    const alias = await app.post('/v1/emails', { teammate_id: teammate.id, address: 'leaver@example.com' })
    await app.post(`/v1/signatures/${id}/emails`, { email_ids: [teammate.email, alias.body.data.id] })
    await app.del(`/v1/emails/${alias.body.data.id}`)
    expect(await recipientIds(id)).toEqual([teammate.email])
    await app.del(`/v1/teammates/${teammate.id}`)
    expect(await recipientIds(id)).toEqual([])
  })
})

describe('an address that is deleted concurrently', () => {
  it('does not become a recipient, in either order of the requests', async () => {
    const id = await createSignature('Race')
    const { id: teammate_id } = await createTeammate()
    for (let n = 0; n < 12; n++) {
      const created = await app.post('/v1/emails', {
        email: { teammate_id, address: `alias${n}@example.com` },
      })
      const emailId = created.body.data.id
      const [, added] = await Promise.all([
        app.del(`/v1/emails/${emailId}`),
        app.post(`/v1/signatures/${id}/emails`, { email_ids: [emailId] }),
      ])
      expect([200, 422]).toContain(added.status)
    }
    const rows = await app.db.query(sql`select from recipients where signature_id = ${id}`)
    expect([rows.length, await list(id)]).toEqual([0, []])
  })

  it('is not listed', async () => {
    const id = await createSignature('Leftover')
    const { email } = await createTeammate()
    await app.post(`/v1/signatures/${id}/emails`, { email_ids: [email] })
    await app.db.query(sql`update emails set deleted_at = now() where id = ${email}`)
    expect(await list(id)).toEqual([])
  })
})

describe('rules', () => {
  it('without any property are refused with a clear message', async () => {
    const { body } = await putRules(await createSignature('Nothing'), {})
    expect(body.error.message).toBe('body needs at least one property')
  })
})

describe('recipients by rule', () => {
  it('are added and removed as their values change', async () => {
    const id = await createSignature('Sales')
    const [anna, ben] = [
      await createTeammate({ department: ' SALES ' }),
      await createTeammate({ department: 'Law' }),
    ]
    const saved = await putRules(id, {
      conditions: [[condition('department', 'is_any_of', 'sales', 'Marketing')]],
    })
    expect(saved.status).toBe(200)
    expect(await recipientIds(id)).toEqual([anna.email])
    expect((await list(id))[0]?.sources).toEqual([{ kind: 'smart_field' }])
    await setValue(ben.id, 'department', 'marketing')
    expect(await recipientIds(id)).toEqual([anna.email, ben.email].sort())
    await setValue(anna.id, 'department', null)
    expect(await recipientIds(id)).toEqual([ben.email])
    const alias = await app.post('/v1/emails', { teammate_id: ben.id, address: 'ben@example.com' })
    expect(await recipientIds(id)).toEqual([ben.email, alias.body.data.id].sort())
    await putRules(id, { conditions: [] })
    expect(await recipientIds(id)).toEqual([])
  })

  it('can be selected by their address', async () => {
    const id = await createSignature('By address')
    const teammate = await createTeammate()
    const alias = await app.post('/v1/emails', { teammate_id: teammate.id, address: 'WHO@sub.example' })
    await putRules(id, { conditions: [[condition('email', 'ends_with', '@Sub.Example')]] })
    expect(await recipientIds(id)).toEqual([alias.body.data.id])
    await app.patch(`/v1/emails/${alias.body.data.id}`, { address: 'who@other.example' })
    expect(await recipientIds(id)).toEqual([])
  })

  it('stay after they are removed by hand', async () => {
    const id = await createSignature('Both')
    const teammate = await createTeammate({ job_title: 'Chef' })
    await app.post(`/v1/signatures/${id}/emails`, { email_ids: [teammate.email] })
    await putRules(id, { conditions: [[condition('job_title', 'starts_with', 'ch')]] })
    expect((await list(id))[0]?.sources).toEqual([{ kind: 'manual' }, { kind: 'smart_field' }])
    await app.del(`/v1/signatures/${id}/emails/${teammate.email}`)
    expect((await list(id))[0]?.sources).toEqual([{ kind: 'smart_field' }])
  })

  it('are all new addresses once assign_to_all_future_emails is set', async () => {
    const id = await createSignature('Future')
    const before = await createTeammate()
    await putRules(id, { assign_to_all_future_emails: true })
    const after = await createTeammate()
    expect(await recipientIds(id)).toEqual([after.email])
    expect((await list(id))[0]?.sources).toEqual([{ kind: 'all_future' }])
    await app.del(`/v1/signatures/${id}/emails/${after.email}`)
    await setValue(after.id, 'job_title', 'x')
    await setValue(before.id, 'job_title', 'x')
    expect(await recipientIds(id)).toEqual([])
    await putRules(id, { assign_to_all_future_emails: false })
    await createTeammate()
    expect(await recipientIds(id)).toEqual([])
  })

  it.each([
    [{}, {}],
    [{ conditions: [[]] }, { 'conditions[0]': 'too_short' }],
    [
      { conditions: [[{ smart_field_id: unknownId, values: ['x'] }]] },
      { 'conditions[0][0].smart_field_id': 'unknown_reference' },
    ],
    [
      { conditions: [[{ smart_field_id: unknownId, operator: 'is_like', values: ['x'] }]] },
      { 'conditions[0][0].operator': 'not_allowed' },
    ],
    [{ conditions: [[{ smart_field_id: 'FIELD' }]] }, { 'conditions[0][0].values': 'missing' }],
    [{ conditions: [[{ smart_field_id: 'FIELD', values: [] }]] }, { 'conditions[0][0].values': 'too_short' }],
    [
      { conditions: [[{ smart_field_id: 'FIELD', values: [' '] }]] },
      { 'conditions[0][0].values[0]': 'blank' },
    ],
  ])('are refused for %j', async (body, expected) => {
    const id = await createSignature('Wrong')
    const sent = JSON.parse(JSON.stringify(body).replaceAll('FIELD', fields.department ?? ''))
    const answer = await putRules(id, sent)
    expect(answer.status).toBe(422)
    if (Object.keys(expected).length > 0) expect(fieldErrors(answer)).toEqual(expected)
  })

  it('block the deletion of their smart field', async () => {
    const id = await createSignature('Holds a field')
    const { body } = await app.post('/v1/smart_fields', { label: 'Floor' })
    fields.floor = body.data.id
    await putRules(id, { conditions: [[{ smart_field_id: body.data.id, operator: 'is_set' }]] })
    const refused = await app.del(`/v1/smart_fields/${body.data.id}`)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'smart_field_in_use'])
    await putRules(id, { conditions: [] })
    expect((await app.del(`/v1/smart_fields/${body.data.id}`)).status).toBe(204)
  })
})

describe('recipients by directory entity', () => {
  it('are its current members', async () => {
    const id = await createSignature('Group')
    const teammate = await createTeammate()
    const [integration, entity] = [newRow(), newRow()]
    const { now } = integration
    await app.db.query(sql`
      insert into integrations (workspace_id, id, kind, name, created_at, updated_at)
      values (${app.id}, ${integration.id}, 'google', 'Google', ${now}, ${now})`)
    await app.db.query(sql`
      insert into integration_entities (workspace_id, id, integration_id, name, sub_kind, created_at, updated_at)
      values (${app.id}, ${entity.id}, ${integration.id}, 'All', 'group', ${now}, ${now})`)
    await app.db.query(sql`
      insert into integration_entity_members (workspace_id, entity_id, teammate_id) values (${app.id}, ${entity.id}, ${teammate.id})`)
    const path = `/v1/signatures/${id}/integration_entities`
    const assigned = await app.post(path, { integration_entity_ids: [entity.id] })
    expect(assigned.body.data.integration_entity_ids).toEqual([entity.id])
    expect((await list(id))[0]).toMatchObject({
      id: teammate.email,
      sources: [{ kind: 'integration_entity', id: entity.id }],
    })
    expect(fieldErrors(await app.post(path, { integration_entity_ids: [unknownId] }))).toEqual({
      'integration_entity_ids[0]': 'unknown_reference',
    })
    expect((await app.del(`${path}/${entity.id}`)).status).toBe(204)
    await app.db.query(sql`update integrations set deleted_at = ${now} where id = ${integration.id}`)
    expect(fieldErrors(await app.post(path, { integration_entity_ids: [entity.id] }))).toEqual({
      'integration_entity_ids[0]': 'unknown_reference',
    })
    expect(await recipientIds(id)).toEqual([])
  })
})

describe('the signature of an address', () => {
  const explain = async (email: string, query = '') =>
    (await app.get(`/v1/emails/${email}/signature${query}`)).body.data

  it('is the one with the lowest priority, with a reason for each candidate', async () => {
    const { email } = await createTeammate()
    const signatureIds = [
      await createSignature('Second', { priority: 5 }),
      await createSignature('First', { priority: 2 }),
      await createSignature('Younger', { priority: 2 }),
      await createSignature('Off', { priority: 0, activated: false }),
      await createSignature('Unpublished', { priority: 1, published: false }),
    ]
    for (const id of signatureIds) await app.post(`/v1/signatures/${id}/emails`, { email_ids: [email] })
    const answer = await explain(email)
    expect(answer).toMatchObject({
      signature_id: signatureIds[1],
      variant: null,
      campaign_id: null,
      text: 'Hello',
    })
    expect(answer.html).toContain('Hello')
    expect(
      answer.candidates.map(
        (candidate: { name: string; reason: string }) => `${candidate.name}: ${candidate.reason}`,
      ),
    ).toEqual([
      'Off: Its installation is switched off.',
      'Unpublished: It has never been published.',
      'First: It has the first place (priority 2) among the signatures that reach this address.',
      'Younger: “First” has the same priority (2) and is older.',
      'Second: “First” comes first: its priority 2 is lower than 5.',
    ])
    expect(answer.candidates.map((candidate: { chosen: boolean }) => candidate.chosen)).toEqual([
      false,
      false,
      true,
      false,
      false,
    ])
  })

  it('is a variant or no signature for other kinds of mail', async () => {
    const { email } = await createTeammate()
    const id = await createSignature('Varied')
    await app.post(`/v1/signatures/${id}/emails`, { email_ids: [email] })
    const patchVariant = (kind: string, more: object) =>
      app.patch(`/v1/signatures/${id}/variants/${kind}`, { variant: more })
    const short = { type: 'stack', children: [{ type: 'text', tokens: [{ value: 'Short' }] }] }
    await patchVariant('reply', { draft_content: short, activated: true })
    expect((await explain(email, '?kind=reply')).variant).toBe(null) // the variant is not published yet
    await app.post(`/v1/signatures/${id}/variants/reply/publish`)
    expect(await explain(email, '?kind=reply')).toMatchObject({ variant: 'reply', text: 'Short' })
    expect(await explain(email, '?kind=new')).toMatchObject({ variant: null, text: 'Hello' })
    await patchVariant('internal', { activated: true, hidden: true })
    expect(await explain(email, '?kind=internal')).toMatchObject({
      signature_id: id,
      variant: 'internal',
      html: null,
      text: null,
    })
    await patchVariant('reply', { activated: false })
    expect(await explain(email, '?kind=reply')).toMatchObject({ variant: null, text: 'Hello' })
  })

  it('is null when no signature reaches the address', async () => {
    const { email } = await createTeammate()
    expect(await explain(email)).toEqual({
      signature_id: null,
      variant: null,
      campaign_id: null,
      html: null,
      text: null,
      candidates: [],
    })
    expect((await app.get(`/v1/emails/${unknownId}/signature`)).status).toBe(404)
    expect(fieldErrors(await app.get(`/v1/emails/${email}/signature?kind=fax&at=soon`))).toEqual({
      kind: 'not_allowed',
      at: 'invalid',
    })
  })
})
