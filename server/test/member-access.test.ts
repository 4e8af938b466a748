// What a member sees in a workspace whose members see their own data only, and in one whose members read all of it.
import { beforeAll, describe, expect, it } from 'vitest'
import { type SignedIn, type TestApp, testApp } from './support/app.ts'
import { stack, text } from './support/signatures.ts'
import { createPublished, createTeammate, fieldIds } from './support/world.ts'

let app: TestApp
let ada: { readonly id: string; readonly emailId: string; readonly me: SignedIn }
let bob: { readonly id: string; readonly emailId: string }
beforeAll(async () => {
  app = await testApp()
  const fields = await fieldIds(app)
  const own = await createTeammate(app, { email: 'Ada@example.com' })
  bob = await createTeammate(app, {
    email: 'bob@example.com',
    values: { [fields.job_title]: 'ada' },
  })
  await createPublished(app, { draft_content: stack(text('Kind regards')) }, own.emailId, bob.emailId)
  ada = { ...own, me: await app.signIn({ role: 'member', email: 'ada@example.com' }) }
})
const choose = (member_access: 'own' | 'read') => app.patch('/v1/workspace', { member_access })
const idsOf = ({ body }: { readonly body: { readonly data: readonly { readonly id: string }[] } }) =>
  body.data.map(({ id }) => id)

describe('in a new workspace a member', () => {
  it('has no scope but that to read the workspace', async () => {
    expect((await ada.me.get('/v1/workspace')).body.data.member_access).toBe('own')
    expect((await ada.me.get('/v1/me')).body.data.scopes).toEqual(['workspace:read'])
  })

  it('finds and reads no other person', async () => {
    for (const query of [
      '',
      '?search=Ada',
      '?search=bob',
      '?sort=-created_at',
      '?active=true',
      '?source=manual',
    ])
      expect(idsOf(await ada.me.get(`/v1/teammates${query}`)), query).toEqual(
        query.includes('bob') ? [] : [ada.id],
      )
    const { body } = await ada.me.get('/v1/teammates')
    expect([body.pagination.total_count, body.pagination.has_more]).toEqual([1, false])
    expect((await ada.me.get(`/v1/teammates/${ada.id}`)).body.data.id).toBe(ada.id)
    expect((await ada.me.get(`/v1/teammates/${bob.id}`)).status).toBe(404)
  })

  it('reads the own signature, without tracking if wanted, and no other', async () => {
    const path = `/v1/emails/${ada.emailId}/signature`
    const installed = (await ada.me.get(path)).body.data.html
    expect(installed).toContain('Kind regards')
    expect(installed).toContain('/o/')
    expect((await ada.me.get(`${path}?tracked=false`)).body.data.html).not.toContain('/o/')
    expect((await ada.me.get(`/v1/emails/${bob.emailId}/signature`)).status).toBe(404)
    expect((await ada.me.get(`/v1/emails/${ada.emailId}/personal_page`)).status).toBe(200)
    expect((await ada.me.get(`/v1/emails/${bob.emailId}/personal_page`)).status).toBe(403)
  })

  it.each([
    '/v1/signatures',
    '/v1/emails',
    '/v1/analytics/events',
    '/v1/marketing_campaigns',
    '/v1/installations',
  ])('is refused at %s, and is told why', async path => {
    const { status, body } = await ada.me.get(path)
    expect([status, body.error.code]).toEqual([403, 'insufficient_role'])
  })

  it('who is no teammate finds nobody', async () => {
    const stranger = await app.signIn({ role: 'member', email: 'new@example.com' })
    expect(idsOf(await stranger.get('/v1/teammates'))).toEqual([])
    expect((await stranger.get(`/v1/emails/${ada.emailId}/signature`)).status).toBe(404)
  })
})

it('members read everything where the workspace wants it, and the change is in the audit log', async () => {
  await choose('read')
  const member = await app.signIn({ role: 'member', email: 'cy@example.com' })
  expect(idsOf(await member.get('/v1/teammates')).sort()).toEqual([ada.id, bob.id].sort())
  expect((await member.get('/v1/signatures')).status).toBe(200)
  expect((await member.get(`/v1/emails/${bob.emailId}/signature`)).status).toBe(200)
  expect(
    (await app.get('/v1/audit_log')).body.data.map(({ action }: { action: string }) => action),
  ).toContain('workspace.updated')
  await choose('own')
})
