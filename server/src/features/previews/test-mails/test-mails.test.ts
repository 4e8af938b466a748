import { beforeAll, describe, expect, it } from 'vitest'
import { createKey } from '#features/api-keys/index.ts'
import { addMember } from '#features/workspaces/index.ts'
import { sql } from '#kernel/db.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { startJobs } from '#test/support/jobs.ts'
import { type MailServer, startMailServer } from '#test/support/mail.ts'
import { createSignature, field, stack, text } from '#test/support/signatures.ts'
import { createTeammate, fieldIds, unknownId } from '#test/support/world.ts'

let app: TestApp
let mails: MailServer['mails']
beforeAll(async () => {
  const server = await startMailServer()
  mails = server.mails
  app = await testApp({ env: { SIGNOFF_SMTP_URL: server.url } })
})

const create = async (more: object = {}): Promise<string> =>
  (await createSignature(app, more)).headers.location!
const keyOf = async (email: string, role: 'manager' | 'member' = 'manager') => {
  const memberId = await addMember(app.db, app.id, { name: email, email, role })
  return (await createKey(app.db, app.by, memberId, { name: email, scopes: ['*'] })).key
}

describe('a test mail', () => {
  it('sends the draft to the member who owns the key, as HTML and as text', async () => {
    const { first_name: firstName } = await fieldIds(app)
    const { emailId } = await createTeammate(app, { values: { [firstName]: 'Grace' } })
    const path = await create({ name: 'Winter\nBcc: all@example.com', draft_content: stack(text('Live')) })
    await app.post(`${path}/publish`)
    await app.patch(path, { draft_content: stack(text('Bold draft'), field(firstName)) })
    const key = await keyOf('designer@example.com')
    const sent = await app.post(`${path}/test_email`, { email_id: emailId }, { key })
    expect([sent.status, sent.body]).toEqual([202, { data: { sent_to: 'designer@example.com' } }])
    const withoutRecipient = await app.post(`${path}/test_email`, undefined, { key })
    expect(withoutRecipient.status).toBe(202)
    await app.patch(path, { draft_content: stack(text('Changed since')) })

    const worker = startJobs(app, { concurrency: 2 })
    await expect.poll(() => mails.length).toBe(2)
    await worker.stop(3_000)
    expect(mails).toHaveLength(2)
    expect(mails.map(mail => mail.to)).toEqual(['designer@example.com', 'designer@example.com'])
    const mail = mails.find(received => received.text.includes('Grace'))?.text
    expect(mail).toMatch(/^Subject: Test: Winter Bcc: all@example\.com/m)
    expect(mail).not.toMatch(/^Bcc:/m)
    expect(mail).toMatch(/^Content-Type: multipart\/alternative/m)
    expect(mail).toMatch(/^Content-Type: text\/plain[\s\S]*Bold draft[\s\S]*^Content-Type: text\/html/m)
    expect(mails.some(mail => mail.text.includes('Alex'))).toBe(true)
    expect(mails.some(mail => mail.text.includes('Changed since'))).toBe(false)
    const id = path.split('/').at(-1)
    const log = (await app.get(`/v1/audit_log?resource_id=${id}`)).body.data
    expect(log.filter((entry: { action: string }) => entry.action === 'signature.test_mailed')).toHaveLength(
      2,
    )
  })

  it('needs content and an existing email address', async () => {
    const path = await create()
    const blank = await app.post(`${path}/test_email`)
    expect([blank.status, fieldErrors(blank)]).toEqual([422, { draft_content: 'blank' }])
    await app.patch(path, { draft_content: stack(text('x')) })
    for (const [sent, expected] of [
      [{ email_id: unknownId }, { email_id: 'unknown_reference' }],
      [{ email_id: 'x' }, { email_id: 'invalid' }],
      [{ to: 'all@example.com' }, { to: 'unknown_property' }],
    ])
      expect(fieldErrors(await app.post(`${path}/test_email`, sent))).toEqual(expected)
    expect((await app.post(`/v1/signatures/${unknownId}/test_email`)).status).toBe(404)
    await app.post(`${path}/publish`)
    await app.patch(path, { draft_content: null })
    expect((await app.post(`${path}/test_email`)).status).toBe(202)
  })

  it('is limited to ten per hour and member, also for concurrent requests and several keys', async () => {
    const path = await create({ draft_content: stack(text('x')) })
    const key = await keyOf('eager@example.com')
    const other = await keyOf('patient@example.com')
    const answers = await Promise.all(
      Array.from({ length: 15 }, () => app.post(`${path}/test_email`, undefined, { key })),
    )
    const refused = answers.filter(answer => answer.status !== 202)
    expect(answers.length - refused.length).toBe(10)
    for (const { status, headers, body } of refused) {
      expect([status, body.error.code]).toEqual([429, 'rate_limited'])
      expect(Number(headers['retry-after'])).toBeGreaterThan(3_500)
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(3_600)
    }
    expect((await app.post(`${path}/test_email`, undefined, { key: other })).status).toBe(202)
    const ofMember = sql`
      workspace_id = ${app.id} and member_id = (
        select id from members where workspace_id = ${app.id} and email = 'eager@example.com')`
    await app.db.query(sql`update test_mails set sent_at = sent_at - interval '59 minutes' where ${ofMember}`)
    const tooSoon = await app.post(`${path}/test_email`, undefined, { key })
    expect(tooSoon.status).toBe(429)
    expect(Number(tooSoon.headers['retry-after'])).toBeLessThanOrEqual(60)
    await app.db.query(sql`update test_mails set sent_at = sent_at - interval '1 minute' where ${ofMember}`)
    expect((await app.post(`${path}/test_email`, undefined, { key })).status).toBe(202)
    const [row] = await app.db.query(sql`select count(*)::int as n from test_mails where ${ofMember}`)
    expect(row).toEqual({ n: 1 }) // expired rows are deleted
  })

  it('is refused to a member with a read-only role', async () => {
    const path = await create({ draft_content: stack(text('x')) })
    const key = await keyOf('reader@example.com', 'member')
    expect((await app.post(`${path}/test_email`, undefined, { key })).body.error.code).toBe(
      'insufficient_role',
    )
  })
})

describe('without a mail server', () => {
  it('a test mail is refused, and the error names the setting', async () => {
    const appWithoutMail = await testApp({ connection: app.connection })
    const path = (await createSignature(appWithoutMail, { draft_content: stack(text('x')) })).headers
      .location!
    const { status, body } = await appWithoutMail.post(`${path}/test_email`)
    expect([status, body.error.code]).toEqual([503, 'unavailable'])
    expect(body.error.message).toContain('SIGNOFF_SMTP_URL')
  })
})
