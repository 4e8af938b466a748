import { beforeAll, describe, expect, it } from 'vitest'
import { createKey } from '#features/workspace/api-keys/index.ts'
import { sql } from '#kernel/db/db.ts'
import { type Answer, type SignedIn, type TestApp, testApp } from '#test/support/app.ts'
import { runAllJobs, startSending } from '#test/support/jobs.ts'
import { type MailServer, readMail, startMailServer } from '#test/support/mail/mail.ts'
import { startEventReceiver } from '#test/support/outside/event-receiver.ts'
import { connect, listen } from '#test/support/outside/mcp.ts'
import { createSignature, stack, text, withoutIds } from '#test/support/signatures.ts'
import { unknownId } from '#test/support/world.ts'

let app: TestApp
let mails: MailServer
let manager: SignedIn
let admin: SignedIn
beforeAll(async () => {
  mails = await startMailServer()
  app = await testApp({ env: { SIGNOFF_SMTP_URL: mails.url, SIGNOFF_PRIVATE_TARGETS: '127.0.0.1' } })
  manager = await app.signIn({ role: 'manager', email: 'mara@example.com' })
  admin = await app.signIn({ role: 'admin', email: 'adam@example.com' })
  const set = await app.patch('/v1/workspace', { publish_approval: 'required' })
  expect(set.body.data.publish_approval).toBe('required')
})

const path = '/v1/publication_requests'
const create = async (words = 'One'): Promise<string> =>
  (await createSignature(app, { draft_content: stack(text(words)) })).headers.location!
const requestOf = async (signature: string): Promise<Answer['body']['data']> => {
  const asked = await manager.post(`${signature}/publish`)
  expect(asked.status).toBe(202)
  return asked.body.data
}
const live = async (signature: string) => withoutIds((await app.get(signature)).body.data.content)
const refusal = ({ status, body }: Answer) => [status, body.error?.code]

describe('where the workspace wants approvals', () => {
  it('a manager asks, an admin approves, and exactly that content goes live', async () => {
    const signature = await create('Asked')
    const asked = await manager.post(`${signature}/publish`)
    expect([asked.status, asked.body.warnings]).toEqual([202, expect.any(Array)])
    const { data } = asked.body
    expect(data).toMatchObject({
      status: 'pending',
      signature_id: signature.split('/').at(-1),
      kind: 'primary',
      stale: false,
      requested_by: { member_id: manager.memberId, email: 'mara@example.com' },
      decided_by: null,
      before: null,
    })
    expect(withoutIds(data.after)).toEqual(stack(text('Asked')))
    expect(await live(signature)).toBeNull()
    expect((await manager.post(`${signature}/publish`)).body.data).toEqual(data)

    expect(refusal(await manager.post(`${path}/${data.id}/approve`))).toEqual([403, 'insufficient_role'])
    const approved = await admin.post(`${path}/${data.id}/approve`)
    expect(approved.body.data).toMatchObject({
      status: 'approved',
      before: null,
      decided_by: { member_id: admin.memberId },
    })
    expect(await live(signature)).toEqual(stack(text('Asked')))
    const [version] = (await app.get(`${signature}/versions`)).body.data
    expect(version.published_by).toBe('adam@example.com')
    expect(refusal(await admin.post(`${path}/${data.id}/approve`))).toEqual([409, 'already_decided'])
    expect(refusal(await admin.post(`${path}/${data.id}/reject`, { reason: null }))).toEqual([
      409,
      'already_decided',
    ])
    const log = await app.get(`/v1/audit_log?resource_id=${data.id}`)
    expect(log.body.data.map((entry: { action: string }) => entry.action)).toEqual([
      'publication_request.approved',
      'publication_request.created',
    ])
  })

  it('owners and admins publish directly, which replaces the pending request', async () => {
    const signature = await create()
    const { id } = await requestOf(signature)
    expect((await admin.post(`${signature}/publish`)).status).toBe(200)
    expect((await app.get(`${path}/${id}`)).body.data).toMatchObject({ status: 'replaced', before: null })
    await manager.patch(signature, { draft_content: stack(text('Two')) })
    const next = await requestOf(signature)
    expect(withoutIds(next.before)).toEqual(stack(text('One')))
    expect((await app.post(`${signature}/publish`)).status).toBe(200)
  })

  it('a changed draft makes the request stale, and a newer request replaces it', async () => {
    const signature = await create()
    const first = await requestOf(signature)
    await manager.patch(signature, { draft_content: stack(text('Two')) })
    const stale = await admin.post(`${path}/${first.id}/approve`)
    expect([...refusal(stale), stale.body.error.type]).toEqual([409, 'stale_resource', 'conflict'])
    expect((await app.get(`${path}/${first.id}`)).body.data.stale).toBe(true)
    const second = await requestOf(signature)
    const { body } = await app.get(`${path}?signature_id=${signature.split('/').at(-1)}`)
    expect(body.data.map((item: { id: string; status: string }) => [item.id, item.status])).toEqual([
      [second.id, 'pending'],
      [first.id, 'replaced'],
    ])
    expect(body.data[0]).not.toHaveProperty('after')
    const pending = await app.get(`${path}?status=pending&limit=100`)
    expect(pending.body.data.map((item: { id: string }) => item.id)).not.toContain(first.id)
    expect(refusal(await admin.post(`${path}/${first.id}/approve`))).toEqual([409, 'already_decided'])
    expect((await admin.post(`${path}/${second.id}/approve`)).status).toBe(200)
  })

  it('a variant waits too, and keeps the options of its publish', async () => {
    const signature = await create()
    const variant = `${signature}/variants/reply`
    await app.patch(variant, { variant: { draft_content: stack(text('Re')) } })
    const asked = await manager.post(`${variant}/publish`, { activated: false })
    expect([asked.status, asked.body.data.kind]).toEqual([202, 'reply'])
    expect((await app.get(variant)).body.data.content).toBeNull()
    expect((await admin.post(`${path}/${asked.body.data.id}/approve`)).status).toBe(200)
    expect((await app.get(variant)).body.data).toMatchObject({
      activated: false,
      content: { children: [{ tokens: [{ value: 'Re' }] }] },
    })
    const gone = await manager.post(`${variant}/publish`)
    await app.del(variant)
    expect(refusal(await admin.post(`${path}/${gone.body.data.id}/approve`))).toEqual([409, 'stale_resource'])
  })

  it('only owners and admins change the switches of a variant', async () => {
    const variant = `${await create()}/variants/reply`
    const change = (by: SignedIn, sent: object) => by.patch(variant, { variant: sent })
    expect(refusal(await change(manager, { hidden: true }))).toEqual([403, 'insufficient_role'])
    const draft = { draft_content: stack(text('Short')), hidden: false, activated: true }
    expect((await change(manager, draft)).status).toBe(200)
    expect((await admin.post(`${variant}/publish`)).status).toBe(200)
    expect(refusal(await change(manager, { activated: false }))).toEqual([403, 'insufficient_role'])
    expect((await change(admin, { activated: false })).body.data.activated).toBe(false)
  })

  it('the member who asked decides nothing, whatever the role and the key', async () => {
    const email = 'rosa@example.com'
    const rising = await app.signIn({ role: 'manager', email })
    const signature = await create()
    const { body } = await rising.post(`${signature}/publish`)
    await app.patch(`/v1/members/${rising.memberId}`, { role: 'admin' })
    const risen = await app.signIn({ email, role: 'admin' })
    for (const action of ['approve', 'reject'])
      expect(refusal(await risen.post(`${path}/${body.data.id}/${action}`))).toEqual([403, 'own_request'])
    const key = (await risen.post('/v1/api_keys', { api_key: { name: 'Own', scopes: ['*'] } })).body.data
    const byKey = await app.post(`${path}/${body.data.id}/approve`, undefined, { key: key.secret ?? key.key })
    expect(refusal(byKey)).toEqual([403, 'own_request'])
    expect(await live(signature)).toBeNull()
  })

  it('of approvals, rejections and changed drafts at the same moment, one wins', async () => {
    for (let round = 0; round < 5; round++) {
      const signature = await create('Seen')
      const { id } = await requestOf(signature)
      const [changed, ...answers] = await Promise.all([
        manager.patch(signature, { draft_content: stack(text('Unseen')) }),
        ...Array.from({ length: 3 }, () => admin.post(`${path}/${id}/approve`)),
        app.post(`${path}/${id}/reject`, { reason: 'No' }),
      ])
      expect(changed.status).toBe(200)
      const won = answers.filter(answer => answer.status === 200)
      expect(won.length).toBeLessThanOrEqual(1)
      for (const answer of answers)
        if (answer.status !== 200)
          expect([
            [409, 'already_decided'],
            [409, 'stale_resource'],
          ]).toContainEqual(refusal(answer))
      const isApproved = won[0]?.body.data.status === 'approved'
      expect(await live(signature)).toEqual(isApproved ? stack(text('Seen')) : null)
    }
  })

  it('an agent with the key of a manager is told that nothing is published', async () => {
    const signature = await create()
    const { key } = await createKey(app.db, app.by, manager.memberId, {
      name: 'Agent',
      scopes: ['signatures:*'],
    })
    const agent = await connect(await listen(app), key, '2026')
    const answer = await agent.call('publish_signature', { signature_id: signature.split('/').at(-1) })
    expect([answer.isError, answer.text.includes('NOT published')]).toEqual([false, true])
    expect(answer.data.data).toMatchObject({
      status: 'pending',
      requested_by: { member_id: manager.memberId },
    })
    expect(await live(signature)).toBeNull()
  })

  it('a deleted signature takes its requests along', async () => {
    const signature = await create()
    const { id } = await requestOf(signature)
    expect((await app.del(signature)).status).toBe(204)
    for (const answer of [
      await app.get(`${path}/${id}`),
      await admin.post(`${path}/${id}/approve`),
      await admin.post(`${path}/${unknownId}/reject`),
    ])
      expect(answer.status).toBe(404)
  })
})

it('webhooks, owners, admins and the member who asked are told', async () => {
  const receiver = await startEventReceiver()
  const hook = await app.post('/v1/webhooks', {
    webhook: { url: receiver.url, events: ['publication.requested'] },
  })
  receiver.secrets.push(hook.body.data.secret)
  await runAllJobs(app)
  mails.mails.length = 0
  const sending = startSending(app)
  const signature = await create()
  await app.patch(signature, { name: 'Autumn' })
  const { id } = await requestOf(signature)
  await expect.poll(() => receiver.events.length).toBe(1)
  await sending.stop(2_000)
  expect(receiver.events[0]?.data).toMatchObject({
    id,
    path: `${path}/${id}`,
    signature_name: 'Autumn',
    kind: 'primary',
    requested_by: 'mara@example.com',
  })
  await runAllJobs(app)
  const readers = mails.mails.map(({ to }) => to)
  expect(readers).toEqual(expect.arrayContaining(['owner@example.com', 'adam@example.com']))
  expect(readers).not.toContain('mara@example.com')
  // The next request within the hour is not mailed.
  mails.mails.length = 0
  await manager.patch(signature, { draft_content: stack(text('Two')) })
  const second = await requestOf(signature)
  await runAllJobs(app)
  expect(mails.mails).toEqual([])
  await admin.post(`${path}/${second.id}/reject`, { reason: 'The old logo' })
  await runAllJobs(app)
  const [mail] = mails.mails
  expect(mail?.to).toBe('mara@example.com')
  expect(readMail(mail?.source ?? '').text).toContain('The old logo')
  const rejected = await app.get(`${path}/${second.id}`)
  expect(rejected.body.data).toMatchObject({ status: 'rejected', reason: 'The old logo' })
})

it('without the setting managers publish by themselves, and requests that wait can still be decided', async () => {
  const signature = await create()
  const { id } = await requestOf(signature)
  await app.patch('/v1/workspace', { publish_approval: 'none' })
  expect((await admin.post(`${path}/${id}/approve`)).status).toBe(200)
  expect((await manager.post(`${signature}/publish`)).status).toBe(200)
  const rows = await app.db.query(sql`select from publication_requests where workspace_id = ${app.other.id}`)
  expect(rows).toEqual([])
})
