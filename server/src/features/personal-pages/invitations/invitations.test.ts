import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../../test/support/app.ts'
import { workAll } from '../../../../test/support/jobs.ts'

let app: TestApp
const mails: { to: string; text: string }[] = []
beforeAll(async () => {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      let text = ''
      stream.on('data', chunk => {
        text += chunk
      })
      stream.on('end', () => {
        mails.push({
          to: session.envelope.rcptTo.map(one => one.address).join(),
          text: text.replace(/=\r\n/g, ''),
        })
        done()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  afterAll(() => new Promise<void>(done => server.close(done)))
  const { port } = server.server.address() as { port: number }
  app = await testApp({ env: { SIGNOFF_SMTP_URL: `smtp://127.0.0.1:${port}` } })
})

const content = (value: string) => ({ type: 'stack', children: [{ type: 'text', tokens: [{ value }] }] })

async function teammate(email: string): Promise<string> {
  return (await app.post('/v1/teammates', { teammate: { email } })).body.data.emails[0].id
}

describe('invitations', () => {
  it('reach everybody once per version, each with their own page', async () => {
    const ids = [await teammate('ada@example.com'), await teammate('bob@example.com')]
    const made = await app.post('/v1/signatures', {
      signature: { name: 'All', draft_content: content('v1') },
    })
    const path = `/v1/signatures/${made.body.data.id}`
    const early = await app.post(`${path}/invite`)
    expect([early.status, early.body.error.code]).toEqual([409, 'no_signature_to_install'])
    await app.post(`${path}/emails`, { email_ids: ids })
    await app.post(`${path}/publish`)
    const asked = await app.post(`${path}/invite`)
    expect([asked.status, asked.body.data.queued]).toEqual([202, 2])
    await app.post(`${path}/invite`)
    await workAll(app)
    expect(mails.map(mail => mail.to).sort()).toEqual(['ada@example.com', 'bob@example.com'])
    for (const [n, id] of ids.entries()) {
      const { url } = (await app.get(`/v1/emails/${id}/personal_page`)).body.data
      const theirs = mails.find(mail => mail.to === ['ada@example.com', 'bob@example.com'][n])
      expect(theirs?.text.replaceAll('=3D', '=')).toContain(new URL(url).pathname)
    }
    expect((await app.post(`${path}/invite`)).body.data.queued).toBe(0)
    await app.patch(path, { signature: { draft_content: content('v2') } })
    await app.post(`${path}/publish`)
    expect((await app.post(`${path}/invite`)).body.data.queued).toBe(2)
    await workAll(app)
    expect(mails).toHaveLength(4)
  })

  it('need a mail server', async () => {
    const silent = await testApp()
    const made = await silent.post('/v1/signatures', {
      signature: { name: 'All', draft_content: content('v1') },
    })
    await silent.post(`/v1/signatures/${made.body.data.id}/publish`)
    const answer = await silent.post(`/v1/signatures/${made.body.data.id}/invite`)
    expect([answer.status, answer.body.error.message]).toEqual([
      503,
      expect.stringContaining('SIGNOFF_SMTP_URL'),
    ])
    expect((await silent.post(`/v1/signatures/${silent.id}/invite`)).status).toBe(404)
  })
})
