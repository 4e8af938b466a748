import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { startJobs } from '#test/support/jobs.ts'
import { type MailServer, startMailServer } from '#test/support/mail/mail.ts'

let app: TestApp
let server: MailServer
beforeAll(async () => {
  server = await startMailServer()
  app = await testApp({
    env: { SIGNOFF_SMTP_URL: server.url, SIGNOFF_OPERATOR_EMAIL: 'ops@example.com' },
  })
})

describe('feedback', () => {
  it('is received and stored', async () => {
    const feedback = {
      category: 'bug',
      message: 'It is broken',
      tool_name: 'POST /v1/folders',
      reporter: 'Ada',
    }
    const { status, body } = await app.post('/v1/feedback', feedback)
    expect(status).toBe(202)
    expect(body).toEqual({ data: { received: true, category: 'bug' } })
    const [stored] = await app.db.query(
      sql`select category, message, tool_name, reporter from feedback where workspace_id = ${app.id}`,
    )
    expect(stored).toEqual(feedback)
  })

  it('accepts null for optional fields', async () => {
    const answer = await app.post('/v1/feedback', {
      category: 'other',
      message: 'm',
      tool_name: null,
      reporter: null,
    })
    expect(answer.status).toBe(202)
  })

  it.each([
    [{}, { body: 'missing' }],
    [{ category: 'bug' }, { message: 'missing' }],
    [{ category: 'praise', message: 'm' }, { category: 'not_allowed' }],
    [{ category: 'bug', message: '' }, { message: 'blank' }],
    [{ category: 'bug', message: 'x'.repeat(5001) }, { message: 'too_long' }],
    [{ category: 'bug', message: 'm', tool_name: 'x'.repeat(201) }, { tool_name: 'too_long' }],
    [{ category: 'bug', message: 'm', reporter: 'x'.repeat(201) }, { reporter: 'too_long' }],
    [{ category: 'bug', message: 'm', mood: 'bad' }, { mood: 'unknown_property' }],
    [{ category: 5, message: 'm' }, { category: 'invalid_type' }],
  ])('refuses %j', async (body, expected) => {
    const answer = await app.post('/v1/feedback', body)
    expect(answer.status).toBe(422)
    expect(fieldErrors(answer)).toEqual(expected)
  })

  it('counts characters, not bytes', async () => {
    expect((await app.post('/v1/feedback', { category: 'bug', message: '😀'.repeat(5000) })).status).toBe(202)
  })

  it('is mailed to the operator, also after the mail server refused it once', async () => {
    let attempts = 0
    server.answer = async () => {
      if (++attempts === 1) throw new Error('try later')
    }
    const worker = startJobs(app, { concurrency: 2 })
    await expect.poll(() => server.mails.length).toBe(3)
    await worker.stop(3_000)
    expect(server.mails).toHaveLength(3)
    const mail = server.mails.find(({ text }) => text.includes('It is broken'))?.text
    expect(mail).toMatch(/^To: ops@example\.com/m)
    expect(mail).toMatch(/^Subject: Signoff feedback: bug/m)
    expect(mail).toContain('Workspace: Own')
  })
})
