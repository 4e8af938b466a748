import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { createSignature, field, stack, text } from '#test/support/signatures.ts'
import { assign, createTeammate, fieldIds, publish } from '#test/support/world.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

const path = '/v1/workspace/checklist'
const checklist = async () => (await app.get(path)).body.data
const doneKeys = async () =>
  (await checklist()).items
    .filter((item: { done: boolean }) => item.done)
    .map((item: { key: string }) => item.key)

describe('the checklist', () => {
  it('follows the data, step by step', async () => {
    const fresh = await checklist()
    expect([fresh.done, fresh.total, fresh.dismissed]).toEqual([0, 9, false])
    expect(new Set(Object.values(fresh.attention))).toEqual(new Set([0, false]))
    await app.patch('/v1/workspace/brand', { brand: { website: 'https://example.com' } })
    await app.patch('/v1/workspace', { workspace: { domains: ['example.com'] } })
    await app.post('/v1/members', { member: { email: 'admin@example.com', role: 'admin' } })
    const { emailId } = await createTeammate(app)
    expect(await doneKeys()).toEqual(['brand', 'people', 'members', 'domains'])
    const fields = await fieldIds(app)
    const { body } = await createSignature(app, {
      draft_content: stack(text('Hello'), field(fields.job_title!)),
    })
    await assign(app, body.data.id, emailId)
    await publish(app, body.data.id)
    expect(await doneKeys()).toEqual([
      'brand',
      'people',
      'signature',
      'recipients',
      'publish',
      'members',
      'domains',
    ])
    expect((await checklist()).attention.people_with_missing_values).toBe(1)
    const other = await createTeammate(app)
    await app.post('/v1/teammates/deactivate', { ids: [other.id] })
    const { items, attention } = await checklist()
    const { seat_count } = (await app.get('/v1/workspace')).body.data
    expect([items[1], seat_count]).toEqual([{ key: 'people', done: true, count: 1 }, 1])
    expect(attention.people_with_missing_values_is_lower_bound).toBe(false)
    await app.post(`/v1/signatures/${body.data.id}/deactivate`)
    expect((await checklist()).attention.people_with_missing_values).toBe(0)
  })

  it('counts what needs attention', async () => {
    const webhook = { url: 'https://example.com/hook', events: ['teammate.created'] }
    const { id } = (await app.post('/v1/webhooks', { webhook })).body.data
    await app.db.query(sql`
      update webhooks set failing_since = now() where workspace_id = ${app.id} and id = ${id}`)
    await app.db.query(sql`update installations set status = 'failed' where workspace_id = ${app.id}`)
    const [failed] = await app.db.query<{ n: number }>(sql`
      select count(*)::int as n from installations where workspace_id = ${app.id}`)
    const { attention } = await checklist()
    expect(attention).toMatchObject({
      failing_webhooks: 1,
      failed_installations: failed?.n,
      halted_channels: 0,
    })
  })

  it('can be hidden by an admin, and shown again', async () => {
    expect((await app.patch(path, { dismissed: true })).body.data.dismissed).toBe(true)
    expect((await checklist()).dismissed).toBe(true)
    expect((await app.patch(path, {})).body.data.dismissed).toBe(true)
    expect((await app.patch(path, { checklist: { dismissed: false } })).body.data.dismissed).toBe(false)
  })
})
