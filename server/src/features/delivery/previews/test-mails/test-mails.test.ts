import { beforeAll, describe, expect, it } from 'vitest'
import { addMember } from '#features/workspace/accounts/index.ts'
import { createKey } from '#features/workspace/api-keys/index.ts'
import { sql } from '#kernel/db/db.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { runAllJobs, startJobs } from '#test/support/jobs.ts'
import { type MailServer, startMailServer } from '#test/support/mail/mail.ts'
import { createSignature, field, stack, text } from '#test/support/signatures.ts'
import { createTeammate, fieldIds, startCampaign, unknownId } from '#test/support/world.ts'

let app: TestApp
let mails: MailServer['mails']
beforeAll(async () => {
  const server = await startMailServer()
  mails = server.mails
  app = await testApp({ env: { SIGNOFF_SMTP_URL: server.url } })
})

const create = async (more: object = {}): Promise<string> =>
  (await createSignature(app, more)).headers.location!
/** The text of a mail without its encoding. */
const decoded = (mail: string): string =>
  Buffer.from(
    mail.replace(/=([0-9A-F]{2})/g, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16))),
    'latin1',
  ).toString()
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

  it('goes to addresses of teammates and members, each once and each with a mail of its own', async () => {
    const path = await create({ name: 'Standard', draft_content: stack(text('Best regards')) })
    const key = await keyOf('sender@example.com')
    await keyOf('Member@example.com')
    const { email } = await createTeammate(app, { email: 'colleague@example.com' })
    const to = [email, 'member@example.com', 'COLLEAGUE@example.com', 'sender@example.com']
    const sent = await app.post(`${path}/test_email`, { to }, { key })
    const addresses = ['colleague@example.com', 'Member@example.com', 'sender@example.com']
    expect([sent.status, sent.body]).toEqual([202, { data: { sent_to: addresses.join(', ') } }])
    mails.length = 0
    await runAllJobs(app)
    expect(mails.map(mail => mail.to).sort()).toEqual([...addresses].sort())
    for (const { text: mail } of mails) {
      expect(mail).toMatch(/^Subject: Test: Standard$/m)
      expect(mail.match(/^To: (.*)$/m)?.[1]?.includes(',')).toBe(false)
    }
  })

  it('is refused for other addresses, and sends nothing', async () => {
    const path = await create({ draft_content: stack(text('x')) })
    const key = await keyOf('careful@example.com')
    const foreign = await createTeammate(app, { email: 'foreign@example.com', key: app.other.key })
    const { email } = await createTeammate(app)
    const refused = await app.post(
      `${path}/test_email`,
      { to: [email, 'stranger@example.com', foreign.email] },
      { key },
    )
    expect([refused.status, fieldErrors(refused)]).toEqual([
      422,
      { 'to[1]': 'unknown_reference', 'to[2]': 'unknown_reference' },
    ])
    mails.length = 0
    await runAllJobs(app)
    expect(mails).toEqual([])
  })

  it('is a letter that shows the signature, its variants and the running campaign', async () => {
    const path = await create({
      name: 'Standard <b>',
      draft_content: stack(text('Main words'), { type: 'marketing' }),
    })
    for (const [kind, variant] of [
      [
        'internal',
        {
          draft_content: stack(text('Internal words'), { type: 'marketing' }),
          show_marketing_campaigns: false,
        },
      ],
      ['reply', { draft_content: stack(text('Reply words')), activated: true }],
    ] as const)
      expect((await app.patch(`${path}/variants/${kind}`, { variant })).status).toBe(200)
    const campaign = await startCampaign(app, { content: stack(text('Winter fair')) })
    const key = await keyOf('grace@example.com')
    for (const query of ['', '?campaign=none'])
      expect((await app.post(`${path}/test_email${query}`, undefined, { key })).status).toBe(202)
    await app.patch(`${path}/variants/reply`, { variant: { hidden: true } })
    expect((await app.post(`${path}/test_email`, undefined, { key })).status).toBe(202)
    const unknown = await app.post(`${path}/test_email?campaign=${unknownId}`, undefined, { key })
    expect(fieldErrors(unknown)).toEqual({ campaign: 'unknown_reference' })
    await app.del(campaign)
    mails.length = 0
    await runAllJobs(app)
    const bodies = mails.map(mail => decoded(mail.text)).sort((a, b) => a.length - b.length)
    const [plain] = bodies.filter(body => !body.includes('Winter fair'))
    const [hidden] = bodies.filter(body => body.includes('No signature is shown.'))
    const [full] = bodies.filter(body => body !== plain && body !== hidden)
    for (const part of [
      /Hello,\s+This is how the signature “Standard <b>” looks at the end of a mail\.\s+Main words\s+Winter fair/,
      /In replies:\s+Reply words\s+In internal mail \(not active yet\):\s+Internal words\s+This is a test that grace@example\.com \(grace@example\.com\) sent from Signoff/,
      /<p[^>]*>Hello,<\/p>/,
      /“Standard &lt;b&gt;”/,
    ])
      expect(full).toMatch(part)
    expect(hidden).toMatch(/In replies:\s+No signature is shown\./)
    expect(hidden).not.toContain('Reply words')
  })

  it('needs content and an existing email address', async () => {
    const path = await create()
    const blank = await app.post(`${path}/test_email`)
    expect([blank.status, fieldErrors(blank)]).toEqual([422, { draft_content: 'blank' }])
    await app.patch(path, { draft_content: stack(text('x')) })
    for (const [sent, expected] of [
      [{ email_id: unknownId }, { email_id: 'unknown_reference' }],
      [{ email_id: 'x' }, { email_id: 'invalid' }],
      [{ to: 'all@example.com' }, { to: 'invalid_type' }],
      [{ to: [] }, { to: 'too_short' }],
      [{ to: Array.from({ length: 6 }, (_, n) => `person${n}@example.com`) }, { to: 'too_many' }],
      [{ to: ['Ada'] }, { 'to[0]': 'invalid' }],
      [{ cc: ['all@example.com'] }, { cc: 'unknown_property' }],
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
    const five = await Promise.all(Array.from({ length: 5 }, async () => (await createTeammate(app)).email))
    expect((await app.post(`${path}/test_email`, { to: five }, { key: other })).status).toBe(202)
    const beyond = await app.post(`${path}/test_email`, { to: five }, { key: other })
    expect([beyond.status, Number(beyond.headers['retry-after']) > 3_500]).toEqual([429, true])
    expect((await app.post(`${path}/test_email`, { to: five.slice(1) }, { key: other })).status).toBe(202)
    const ofMember = sql`
      workspace_id = ${app.id} and member_id = (
        select id from members where workspace_id = ${app.id} and email = 'eager@example.com')`
    const sentBefore = (minutes: number) =>
      app.db.query(
        sql`update test_mails set sent_at = ${new Date(Date.now() - minutes * 60_000)} where ${ofMember}`,
      )
    await sentBefore(59)
    const tooSoon = await app.post(`${path}/test_email`, undefined, { key })
    expect(tooSoon.status).toBe(429)
    expect(Number(tooSoon.headers['retry-after'])).toBeLessThanOrEqual(60)
    await sentBefore(60)
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
