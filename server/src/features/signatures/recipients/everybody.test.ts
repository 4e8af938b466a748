import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { createSignature, stack, text } from '#test/support/signatures.ts'
import { assign, createAlias, createTeammate, type FieldIds, fieldIds } from '#test/support/world.ts'

let app: TestApp
let fields: FieldIds
beforeAll(async () => {
  app = await testApp()
  fields = await fieldIds(app)
})

const create = async (): Promise<string> =>
  (await createSignature(app, { draft_content: stack(text('Hello')) })).body.data.id
const list = async (id: string): Promise<{ id: string; sources: object[] }[]> =>
  (await app.get(`/v1/signatures/${id}/emails?limit=100`)).body.data
const recipientIds = async (id: string) => (await list(id)).map(recipient => recipient.id).sort()
const putRules = (id: string, body: object) =>
  app.call('PUT', `/v1/signatures/${id}/recipient_rules`, { body })

describe('recipients as everybody', () => {
  it('are all present and future addresses, with the reason', async () => {
    const id = await create()
    const before = await createTeammate(app)
    const set = await putRules(id, { everybody: true })
    const present = (await app.get('/v1/emails?limit=1')).body.pagination.total_count
    expect(set.body.data).toMatchObject({
      everybody: true,
      email_ids_count: 0,
      matching_emails_count: present,
    })
    const after = await createTeammate(app)
    const alias = await createAlias(app, before.id, 'alias-of-all@example.com')
    const imported = await app.post('/v1/teammates/import', {
      teammates: [{ email: 'imported-for-all@example.com' }],
    })
    expect(imported.body.data.created).toBe(1)
    const { body } = await app.get(`/v1/signatures/${id}/emails?limit=100`)
    expect(body.selection).toMatchObject({ everybody: true, matching_emails_count: present + 3 })
    const addresses = body.data.map((recipient: { address: string }) => recipient.address)
    expect(addresses).toEqual(
      expect.arrayContaining([before.email, after.email, 'imported-for-all@example.com']),
    )
    const explained = (await app.get(`/v1/emails/${alias}/signature`)).body.data.candidates
    expect(
      explained.find((candidate: { signature_id: string }) => candidate.signature_id === id),
    ).toMatchObject({
      sources: [{ kind: 'everybody' }],
    })
    await app.del(`/v1/teammates/${after.id}`)
    expect((await putRules(id, { everybody: true })).body.data.matching_emails_count).toBe(present + 2)
  })

  it('stay when they are removed by hand, and leave when it is switched off, unless another reason holds', async () => {
    const id = await create()
    const [chosen, other] = [await createTeammate(app), await createTeammate(app)]
    await assign(app, id, chosen.emailId)
    await putRules(id, { everybody: true })
    await app.del(`/v1/signatures/${id}/emails/${other.emailId}`)
    expect(await recipientIds(id)).toContain(other.emailId)
    const off = await putRules(id, { everybody: false })
    expect(off.body.data).toMatchObject({ everybody: false, email_ids_count: 1, matching_emails_count: 1 })
    expect(await recipientIds(id)).toEqual([chosen.emailId])
    await createTeammate(app)
    expect(await recipientIds(id)).toEqual([chosen.emailId])
  })

  it('are no addresses of another workspace', async () => {
    const id = await create()
    await putRules(id, { everybody: true })
    const stranger = await createTeammate(app, { key: app.other.key })
    expect(await recipientIds(id)).not.toContain(stranger.emailId)
  })

  it('are not changed by a change of conditions', async () => {
    const id = await create()
    const { emailId } = await createTeammate(app, { values: { [fields.department]: 'Yard' } })
    const { department: smart_field_id } = fields
    await putRules(id, { everybody: true, conditions: [[{ smart_field_id, values: ['yard'] }]] })
    const sources = async () => (await list(id)).find(recipient => recipient.id === emailId)?.sources
    expect(await sources()).toEqual([{ kind: 'smart_field' }, { kind: 'everybody' }])
    const cleared = await putRules(id, { conditions: [] })
    expect(cleared.body.data).toMatchObject({ everybody: true, conditions: [] })
    expect(await sources()).toEqual([{ kind: 'everybody' }])
  })
})
