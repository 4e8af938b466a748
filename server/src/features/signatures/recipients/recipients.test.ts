import { beforeAll, describe, expect, it } from 'vitest'
import { newRow } from '#kernel/base/ids.ts'
import { sql } from '#kernel/db/db.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { stack, text } from '#test/support/signatures.ts'
import {
  assign,
  createAlias,
  createField,
  createTeammate,
  type FieldIds,
  fieldIds,
  setValues,
  unknownId,
} from '#test/support/world.ts'
import { changeRules } from './rules.ts'

let app: TestApp
let fields: FieldIds
beforeAll(async () => {
  app = await testApp()
  fields = await fieldIds(app)
})

const tree = JSON.stringify(stack(text('Hello')))

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
    const [first, second] = [await createTeammate(app), await createTeammate(app)]
    const added = await app.post(`/v1/signatures/${id}/emails`, {
      email_ids: [first.emailId, second.emailId, first.emailId],
    })
    expect(added.status).toBe(200)
    expect(added.body.data).toEqual({
      email_ids_count: 2,
      matching_emails_count: 2,
      integration_entity_ids: [],
      conditions: [],
      assign_to_all_future_emails: false,
      everybody: false,
    })
    expect((await app.post(`/v1/signatures/${id}/emails`, { email_ids: [first.emailId] })).body).toEqual(
      added.body,
    )
    const { body } = await app.get(`/v1/signatures/${id}/emails`)
    expect(body.data[0]).toMatchObject({
      id: second.emailId,
      primary: true,
      installation_status: null,
      sources: [{ kind: 'manual' }],
    })
    expect(body.pagination.total_count).toBe(2)
    expect(body.selection).toEqual(added.body.data)
    expect((await app.del(`/v1/signatures/${id}/emails/${first.emailId}`)).status).toBe(204)
    expect((await app.del(`/v1/signatures/${id}/emails/${first.emailId}`)).status).toBe(204)
    const removed = await app.post(`/v1/signatures/${id}/emails/remove`, {
      email_ids: [second.emailId, unknownId],
    })
    expect(removed.body.data.email_ids_count).toBe(0)
    expect(await recipientIds(id)).toEqual([])
  })

  it('must be addresses of this workspace', async () => {
    const id = await createSignature('Strangers')
    const { emailId } = await createTeammate(app)
    const answer = await app.post(`/v1/signatures/${id}/emails`, { email_ids: [emailId, unknownId] })
    expect(fieldErrors(answer)).toEqual({ 'email_ids[1]': 'unknown_reference' })
    expect(await recipientIds(id)).toEqual([])
    expect((await app.post(`/v1/signatures/${unknownId}/emails`, { email_ids: [emailId] })).status).toBe(404)
  })

  it('are removed when their address is deleted', async () => {
    const id = await createSignature('Leavers')
    const teammate = await createTeammate(app)
    const alias = await createAlias(app, teammate.id, 'leaver@example.com')
    await assign(app, id, teammate.emailId, alias)
    await app.del(`/v1/emails/${alias}`)
    expect(await recipientIds(id)).toEqual([teammate.emailId])
    await app.del(`/v1/teammates/${teammate.id}`)
    expect(await recipientIds(id)).toEqual([])
  })
})

describe('rules', () => {
  it('are stored with the default operator, also when no request has filled it in', async () => {
    const id = await createSignature('Inside')
    const conditions = [[{ smart_field: 'first_name', values: ['Inside'] }]]
    const selection = await changeRules(app.db, app.by, id, { conditions }, async () => undefined)
    const { first_name: smart_field_id } = fields
    expect(selection.conditions).toEqual([[{ smart_field_id, operator: 'is_any_of', values: ['Inside'] }]])
  })

  it('name their fields by key, and are answered with ids', async () => {
    const id = await createSignature('By key')
    const { first_name: fieldId } = await fieldIds(app)
    const { emailId } = await createTeammate(app, { values: { [fieldId!]: 'Keyed' } })
    const conditions = [[{ smart_field: 'first_name', operator: 'is_any_of', values: ['keyed'] }]]
    const set = await putRules(id, { conditions })
    const stored = [[{ smart_field_id: fieldId, operator: 'is_any_of', values: ['keyed'] }]]
    expect([set.status, set.body.data.conditions]).toEqual([200, stored])
    expect(await recipientIds(id)).toEqual([emailId])
    const wrong = [
      [
        { smart_field: 'nothing', operator: 'is_set' },
        { operator: 'is_set' },
        { smart_field: 'first_name', smart_field_id: fieldId, operator: 'is_set' },
        { smart_field_id: unknownId, values: [''] },
      ],
    ]
    expect(fieldErrors(await putRules(id, { conditions: wrong }))).toEqual({
      'conditions[0][0].smart_field': 'unknown_reference',
      'conditions[0][1].smart_field_id': 'missing',
      'conditions[0][2].smart_field': 'invalid',
      'conditions[0][3].smart_field_id': 'unknown_reference',
      'conditions[0][3].values[0]': 'blank',
    })
    expect((await app.get(`/v1/signatures/${id}/emails`)).body.selection.conditions).toEqual(stored)
  })
})

describe('an address that is deleted concurrently', () => {
  it('does not become a recipient, in either order of the requests', async () => {
    const id = await createSignature('Race')
    const teammate = await createTeammate(app)
    for (let n = 0; n < 12; n++) {
      const emailId = await createAlias(app, teammate.id, `alias${n}@example.com`)
      const [, added] = await Promise.all([app.del(`/v1/emails/${emailId}`), assign(app, id, emailId)])
      expect([200, 422]).toContain(added.status)
    }
    const rows = await app.db.query(sql`select from recipients where signature_id = ${id}`)
    expect([rows.length, await list(id)]).toEqual([0, []])
  })

  it('is not listed', async () => {
    const id = await createSignature('Leftover')
    const { emailId } = await createTeammate(app)
    await assign(app, id, emailId)
    await app.db.query(sql`update emails set deleted_at = now() where id = ${emailId}`)
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
      await createTeammate(app, { values: { [fields.department]: ' SALES ' } }),
      await createTeammate(app, { values: { [fields.department]: 'Law' } }),
    ]
    const saved = await putRules(id, {
      conditions: [[condition('department', 'is_any_of', 'sales', 'Marketing')]],
    })
    expect(saved.status).toBe(200)
    expect(await recipientIds(id)).toEqual([anna.emailId])
    expect((await list(id))[0]?.sources).toEqual([{ kind: 'smart_field' }])
    await setValues(app, ben.id, { [fields.department]: 'marketing' })
    expect(await recipientIds(id)).toEqual([anna.emailId, ben.emailId].sort())
    await setValues(app, anna.id, { [fields.department]: null })
    expect(await recipientIds(id)).toEqual([ben.emailId])
    const alias = await createAlias(app, ben.id, 'ben@example.com')
    expect(await recipientIds(id)).toEqual([ben.emailId, alias].sort())
    await putRules(id, { conditions: [] })
    expect(await recipientIds(id)).toEqual([])
  })

  it('can be selected by their address', async () => {
    const id = await createSignature('By address')
    const teammate = await createTeammate(app)
    const alias = await createAlias(app, teammate.id, 'WHO@sub.example')
    await putRules(id, { conditions: [[condition('email', 'ends_with', '@Sub.Example')]] })
    expect(await recipientIds(id)).toEqual([alias])
    await app.patch(`/v1/emails/${alias}`, { address: 'who@other.example' })
    expect(await recipientIds(id)).toEqual([])
  })

  it('can be counted before the rule is set', async () => {
    const first = await createTeammate(app, { values: { [fields.job_title]: 'Falconer' } })
    const second = await createTeammate(app, { values: { [fields.job_title]: 'Head falconer' } })
    const preview = (conditions: object[][]) => app.post('/v1/recipient_rules/preview', { conditions })
    const both = (await preview([[condition('job_title', 'contains', 'FALCON')]])).body.data
    expect(both.matching_emails_count).toBe(2)
    expect(both.emails.map((email: { id: string }) => email.id)).toEqual([first.emailId, second.emailId])
    await app.post('/v1/teammates/deactivate', { ids: [second.id] })
    const active = (await preview([[condition('job_title', 'contains', 'FALCON')]])).body.data
    expect(active.emails.map((email: { id: string }) => email.id)).toEqual([first.emailId])
    expect((await preview([])).body.data).toEqual({ matching_emails_count: 0, emails: [] })
    const refused = await preview([[condition('job_title', 'contains', '')]])
    expect(fieldErrors(refused)).toEqual({ 'conditions[0][0].values[0]': 'blank' })
  })

  it('stay after they are removed by hand', async () => {
    const id = await createSignature('Both')
    const teammate = await createTeammate(app, { values: { [fields.job_title]: 'Chef' } })
    await app.post(`/v1/signatures/${id}/emails`, { email_ids: [teammate.emailId] })
    await putRules(id, { conditions: [[condition('job_title', 'starts_with', 'ch')]] })
    expect((await list(id))[0]?.sources).toEqual([{ kind: 'manual' }, { kind: 'smart_field' }])
    await app.del(`/v1/signatures/${id}/emails/${teammate.emailId}`)
    expect((await list(id))[0]?.sources).toEqual([{ kind: 'smart_field' }])
  })

  it('are all new addresses once assign_to_all_future_emails is set', async () => {
    const id = await createSignature('Future')
    const before = await createTeammate(app)
    await putRules(id, { assign_to_all_future_emails: true })
    const after = await createTeammate(app)
    expect(await recipientIds(id)).toEqual([after.emailId])
    expect((await list(id))[0]?.sources).toEqual([{ kind: 'all_future' }])
    await app.del(`/v1/signatures/${id}/emails/${after.emailId}`)
    await setValues(app, after.id, { [fields.job_title]: 'x' })
    await setValues(app, before.id, { [fields.job_title]: 'x' })
    expect(await recipientIds(id)).toEqual([])
    await putRules(id, { assign_to_all_future_emails: false })
    await createTeammate(app)
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
    const sent = JSON.parse(JSON.stringify(body).replaceAll('FIELD', fields.department))
    const answer = await putRules(id, sent)
    expect(answer.status).toBe(422)
    if (Object.keys(expected).length > 0) expect(fieldErrors(answer)).toEqual(expected)
  })

  it('block the deletion of their smart field', async () => {
    const id = await createSignature('Holds a field')
    const floor = await createField(app, 'Floor')
    await putRules(id, { conditions: [[{ smart_field_id: floor, operator: 'is_set' }]] })
    const refused = await app.del(`/v1/smart_fields/${floor}`)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'smart_field_in_use'])
    await putRules(id, { conditions: [] })
    expect((await app.del(`/v1/smart_fields/${floor}`)).status).toBe(204)
  })
})

describe('recipients by directory entity', () => {
  it('are its current members', async () => {
    const id = await createSignature('Group')
    const teammate = await createTeammate(app)
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
      id: teammate.emailId,
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
  const explain = async (emailId: string, query = '') =>
    (await app.get(`/v1/emails/${emailId}/signature${query}`)).body.data

  it('is the one with the lowest priority, with a reason for each candidate', async () => {
    const { emailId } = await createTeammate(app)
    const signatureIds = [
      await createSignature('Second', { priority: 5 }),
      await createSignature('First', { priority: 2 }),
      await createSignature('Younger', { priority: 2 }),
      await createSignature('Off', { priority: 0, activated: false }),
      await createSignature('Unpublished', { priority: 1, published: false }),
    ]
    for (const id of signatureIds) await assign(app, id, emailId)
    const answer = await explain(emailId)
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
    const { emailId } = await createTeammate(app)
    const id = await createSignature('Varied')
    await assign(app, id, emailId)
    const patchVariant = (kind: string, more: object) =>
      app.patch(`/v1/signatures/${id}/variants/${kind}`, { variant: more })
    await patchVariant('reply', { draft_content: stack(text('Short')), activated: true })
    expect((await explain(emailId, '?kind=reply')).variant).toBe(null) // the variant is not published yet
    await app.post(`/v1/signatures/${id}/variants/reply/publish`)
    expect(await explain(emailId, '?kind=reply')).toMatchObject({ variant: 'reply', text: 'Short' })
    expect(await explain(emailId, '?kind=new')).toMatchObject({ variant: null, text: 'Hello' })
    await patchVariant('internal', { activated: true, hidden: true })
    expect(await explain(emailId, '?kind=internal')).toMatchObject({
      signature_id: id,
      variant: 'internal',
      html: null,
      text: null,
    })
    // The recipients decide: without own domains no mail is internal.
    expect(await explain(emailId, '?to=bob@example.com')).toMatchObject({ variant: null, internal: false })
    await app.patch('/v1/workspace', { workspace: { domains: ['Example.com', 'bücher.example'] } })
    const variantTo = async (to: string, kind = 'new') =>
      (await explain(emailId, `?kind=${kind}&to=${encodeURIComponent(to)}`)).variant
    expect(await variantTo('bob@EXAMPLE.com, Eva@xn--bcher-kva.example')).toBe('internal')
    expect(await variantTo('bob@example.com', 'reply')).toBe('internal')
    expect(await variantTo('bob@example.com,eva@partner.example.com', 'reply')).toBe('reply')
    expect(await variantTo('bob@notexample.com')).toBe(null)
    for (const query of ['kind=internal&to=bob@example.com', 'to=bob', 'to=bob@example.com,'])
      expect(fieldErrors(await app.get(`/v1/emails/${emailId}/signature?${query}`))).toEqual({
        to: 'invalid',
      })
    await patchVariant('reply', { activated: false })
    expect(await explain(emailId, '?kind=reply')).toMatchObject({ variant: null, text: 'Hello' })
  })

  it('is null when no signature reaches the address', async () => {
    const { emailId } = await createTeammate(app)
    expect(await explain(emailId)).toEqual({
      signature_id: null,
      variant: null,
      internal: false,
      campaign_id: null,
      html: null,
      text: null,
      candidates: [],
    })
    expect((await app.get(`/v1/emails/${unknownId}/signature`)).status).toBe(404)
    expect(fieldErrors(await app.get(`/v1/emails/${emailId}/signature?kind=fax&at=soon`))).toEqual({
      kind: 'not_allowed',
      at: 'invalid',
    })
  })
})
