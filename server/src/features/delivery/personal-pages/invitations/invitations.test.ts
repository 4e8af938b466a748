import { beforeAll, describe, expect, it } from 'vitest'
import { createMailComposer } from '#features/content/mail-layout/index.ts'
import { sql } from '#kernel/db/db.ts'
import { createMailer, wasRefused } from '#platform/mail.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { runAllJobs } from '#test/support/jobs.ts'
import { type MailServer, startMailServer } from '#test/support/mail/mail.ts'
import { createSignature, stack, text } from '#test/support/signatures.ts'
import { assign, createPublished, createTeammate } from '#test/support/world.ts'
import { invitationJobs } from './jobs.ts'

let app: TestApp
let mails: MailServer['mails']
beforeAll(async () => {
  const server = await startMailServer()
  mails = server.mails
  app = await testApp({ env: { SIGNOFF_SMTP_URL: server.url } })
})

const createEmail = async (email: string): Promise<string> => (await createTeammate(app, { email })).emailId

describe('invitations', () => {
  it('reach each recipient once per version, with the link to their own page', async () => {
    const ids = [await createEmail('ada@example.com'), await createEmail('bob@example.com')]
    const { body } = await createSignature(app, { draft_content: stack(text('v1')) })
    const path = `/v1/signatures/${body.data.id}`
    const tooEarly = await app.post(`${path}/invite`)
    expect([tooEarly.status, tooEarly.body.error.code]).toEqual([409, 'no_signature_to_install'])
    await assign(app, body.data.id, ...ids)
    await app.post(`${path}/publish`)
    const accepted = await app.post(`${path}/invite`)
    expect([accepted.status, accepted.body.data.queued]).toEqual([202, 2])
    await app.post(`${path}/invite`)
    await runAllJobs(app)
    expect(mails.map(mail => mail.to).sort()).toEqual(['ada@example.com', 'bob@example.com'])
    for (const [n, id] of ids.entries()) {
      const { url } = (await app.get(`/v1/emails/${id}/personal_page`)).body.data
      const mail = mails.find(mail => mail.to === ['ada@example.com', 'bob@example.com'][n])
      expect(mail?.text.replaceAll('=3D', '=')).toContain(new URL(url).pathname)
    }
    expect((await app.post(`${path}/invite`)).body.data.queued).toBe(0)
    await app.patch(path, { signature: { draft_content: stack(text('v2')) } })
    await app.post(`${path}/publish`)
    expect((await app.post(`${path}/invite`)).body.data.queued).toBe(2)
    await runAllJobs(app)
    expect(mails).toHaveLength(4)
  })

  const publishTo = async (words: string, priority: number, ...emailIds: string[]) =>
    `/v1/signatures/${await createPublished(app, { draft_content: stack(text(words)), priority }, ...emailIds)}`

  it('go only to the recipients for whom the signature wins', async () => {
    const [cy, di] = [await createEmail('cy@example.com'), await createEmail('di@example.com')]
    const low = await publishTo('Low', 900, cy, di)
    await publishTo('High', 1, di)
    expect((await app.post(`${low}/invite`)).body.data.queued).toBe(1)
    mails.length = 0
    await runAllJobs(app)
    expect(mails.map(mail => mail.to)).toEqual(['cy@example.com'])
    await app.post(`${low}/deactivate`)
    const deactivated = await app.post(`${low}/invite`)
    expect([deactivated.status, deactivated.body.error.code]).toEqual([409, 'no_signature_to_install'])
  })

  it('are not sent while pages are switched off, and the API returns no link', async () => {
    const eve = await createEmail('eve@example.com')
    const path = await publishTo('Page', 2, eve)
    expect((await app.post(`${path}/invite`)).status).toBe(202)
    await app.db.query(sql`update workspaces set personal_page = false where id = ${app.id}`)
    mails.length = 0
    await runAllJobs(app)
    expect(mails).toEqual([])
    for (const answer of [
      await app.post(`${path}/invite`),
      await app.get(`/v1/emails/${eve}/personal_page`),
      await app.post(`/v1/emails/${eve}/personal_page/rotate`),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([409, 'installation_unavailable'])
      const dashboard_url = expect.stringMatching(/\/settings\/workspace$/)
      expect(answer.body.remediation).toMatchObject({ action: 'connect_integration', dashboard_url })
    }
    await app.db.query(sql`update workspaces set personal_page = true where id = ${app.id}`)
  })

  it('are sent once: a retry sends again only if the mail server refused the mail', async () => {
    const fay = await createEmail('fay@example.com')
    const path = await publishTo('Once', 2, fay)
    await app.post(`${path}/invite`)
    const recipients: string[] = []
    let failure: Error | null = Object.assign(new Error('busy'), { responseCode: 451 })
    const jobs = invitationJobs(app.db, app.config.publicUrl, {
      compose: createMailComposer(app.db, app.parts.config.publicUrl),
      async send({ to }) {
        recipients.push(to)
        if (failure) throw failure
      },
      wasRefused,
    })
    const [round, mail] = jobs
    const signature_id = path.split('/').at(-1)
    const payload = { workspace_id: app.id, signature_id, version_number: 1, email_id: fay }
    await round?.run(payload)
    await expect(mail?.run(payload)).rejects.toThrow('busy')
    failure = new Error('the connection broke after the mail had been sent')
    await expect(mail?.run(payload)).rejects.toThrow('broke')
    failure = null
    await mail?.run(payload)
    expect(recipients).toEqual(['fay@example.com', 'fay@example.com'])
  })

  it('are retried when the mail server does not accept connections', async () => {
    const closed = createMailer({ smtpUrl: 'smtp://127.0.0.1:1', mailFrom: 'a@example.com' })
    const failure = await closed({ to: 'b@example.com', subject: 'x', text: 'x' }).catch(error => error)
    expect(wasRefused(failure)).toBe(true)
  })

  it('answer 503 without a configured mail server', async () => {
    const appWithoutMail = await testApp()
    const id = await createPublished(appWithoutMail, { draft_content: stack(text('v1')) })
    const answer = await appWithoutMail.post(`/v1/signatures/${id}/invite`)
    expect([answer.status, answer.body.error.message]).toEqual([
      503,
      expect.stringContaining('SIGNOFF_SMTP_URL'),
    ])
    expect((await appWithoutMail.post(`/v1/signatures/${appWithoutMail.id}/invite`)).status).toBe(404)
  })
})
