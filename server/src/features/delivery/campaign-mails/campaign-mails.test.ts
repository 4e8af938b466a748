import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { runAllJobs, runScheduled } from '#test/support/jobs.ts'
import { type MailServer, startMailServer } from '#test/support/mail/mail.ts'
import { stack, text } from '#test/support/signatures.ts'
import { createAlias, createCampaign, createPublished, createTeammate } from '#test/support/world.ts'

let app: TestApp
let server: MailServer
let clock = new Date('2026-06-01T12:00:00Z')
const people = ['ada@example.com', 'bob@example.com', 'cleo@example.com']

beforeAll(async () => {
  server = await startMailServer()
  app = await testApp({ env: { SIGNOFF_SMTP_URL: server.url }, now: () => clock })
  const emailIds: string[] = []
  for (const email of people) {
    const { id, emailId } = await createTeammate(app, { email })
    emailIds.push(emailId, await createAlias(app, id, email.replace('@', '.alias@')))
  }
  await createPublished(app, { draft_content: stack(text('Own'), { type: 'marketing' }) }, ...emailIds)
})
beforeEach(() => {
  server.mails.length = 0
  server.answer = async () => undefined
})

const createMailing = (fields: object = {}) =>
  createCampaign(app, { name: 'Fair <2026>', send_email: true, content: stack(text('Come')), ...fields })
const mailedAddresses = () => server.mails.map(mail => mail.to).sort()

describe('a campaign that mails', () => {
  it('mails each teammate once when it goes live, with signature and personal page', async () => {
    const path = await createMailing()
    await app.post(`${path}/schedule`)
    await runAllJobs(app)
    expect(mailedAddresses()).toEqual(people)
    const [mail] = server.mails
    const mailText = mail?.text.replaceAll('=3D', '=') ?? ''
    expect(mailText).toContain('Subject: New in your email signature: Fair <2026>')
    expect(mailText).toContain('Come')
    expect(mailText).toMatch(/http:\/\/localhost:3000\/p\/[\w-]+\/[\w-]+/)
    expect(mailText).toContain('Fair &lt;2026&gt;')
    await app.post(`${path}/pause`)
    await app.post(`${path}/resume`)
    await app.post(`${path}/pause`)
    await app.post(`${path}/schedule`)
    await runAllJobs(app)
    expect(mailedAddresses()).toEqual(people)
  })

  it('waits for its start time', async () => {
    const path = await createMailing({ start_time: '2026-07-01T00:00' })
    await app.post(`${path}/schedule`)
    await runAllJobs(app)
    expect(mailedAddresses()).toEqual([])
    clock = new Date('2026-07-01T00:00:00Z')
    await runScheduled(app, 'campaigns.turn_all')
    await runAllJobs(app)
    expect((await app.get(path)).body.data.status).toBe('active')
    expect(mailedAddresses()).toEqual(people)
  })

  it('retries only the mail that the mail server refused', async () => {
    let refusals = 1
    server.answer = async to => {
      if (to === 'bob@example.com' && refusals-- > 0) throw new Error('not now')
    }
    const path = await createMailing()
    await app.post(`${path}/schedule`)
    await runAllJobs(app, { mayFail: true })
    expect(mailedAddresses()).toEqual(people.filter(address => address !== 'bob@example.com'))
    // The worker must have unlocked the failed job: the time of its retry is set together with that.
    const retryNow = sql`
      update graphile_worker._private_jobs set run_at = now() where last_error is not null and locked_at is null returning id`
    await expect.poll(async () => (await app.db.query(retryNow)).length).toBe(1)
    await runAllJobs(app)
    expect(mailedAddresses()).toEqual(people)
  })

  it('does not repeat a mail that was possibly delivered', async () => {
    const delivered = Promise.withResolvers<void>()
    server.answer = () => delivered.promise // the mail server has received the mail, but does not answer
    const path = await createMailing()
    await app.post(`${path}/schedule`)
    const id = path.split('/').at(-1)
    const firstRun = runAllJobs(app)
    await expect
      .poll(
        async () =>
          (
            await app.db.query<{ n: number }>(sql`
              select count(*)::int as n from campaign_mails where campaign_id = ${id} and begun_at is not null`)
          )[0]?.n,
      )
      .toBeGreaterThan(0)
    const secondApp = await testApp({ connection: app.connection, env: { SIGNOFF_SMTP_URL: server.url } })
    server.answer = async () => undefined
    await app.db.query(sql`update graphile_worker._private_jobs set locked_at = null, locked_by = null`)
    await runAllJobs(secondApp)
    const begunRows = await app.db.query<{ n: number }>(sql`
      select count(*)::int as n from campaign_mails where campaign_id = ${id} and begun_at is not null`)
    expect(begunRows[0]?.n).toBe(people.length)
    expect(new Set(mailedAddresses()).size).toBe(server.mails.length)
    delivered.resolve()
    await firstRun
  })

  it('mails teammates who see a banner, but not the control group', async () => {
    const variants = [{ name: 'Shown', content: stack(text('Come')) }, { name: 'Control' }]
    const path = await createMailing({ content: null, variants })
    await app.post(`${path}/schedule`)
    await runAllJobs(app)
    const { data } = (await app.get(`${path}/audience?limit=100`)).body
    const bannerVariantId = (await app.get(path)).body.data.variants[0].id
    const expected = people.filter(address =>
      data.some(
        (recipient: { address: string; variant_id: string }) =>
          recipient.address === address && recipient.variant_id === bannerVariantId,
      ),
    )
    expect(mailedAddresses()).toEqual(expected)
  })

  it('that is paused before the mail job runs sends its mails after resume', async () => {
    const path = await createMailing()
    await app.post(`${path}/schedule`)
    await app.post(`${path}/pause`)
    await runAllJobs(app)
    expect(mailedAddresses()).toEqual([])
    await app.post(`${path}/resume`)
    await runAllJobs(app)
    expect(mailedAddresses()).toEqual(people)
  })

  it('sends no mails without send_email', async () => {
    const path = await createMailing({ send_email: false })
    await app.post(`${path}/schedule`)
    await runAllJobs(app)
    expect(mailedAddresses()).toEqual([])
  })
})
