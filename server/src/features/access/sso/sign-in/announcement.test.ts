// The mail about a sign-in by single sign-on, from a browser that the account has not used before.
import { expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { testApp } from '#test/support/app.ts'
import { runAllJobs } from '#test/support/jobs.ts'
import { startMailServer } from '#test/support/mail/mail.ts'
import { ForgingProvider } from '#test/support/sign-in/oidc-provider.ts'
import {
  connect,
  oidcConnection,
  outcomeOf,
  signInAt,
  ssoEnv,
  TestBrowser,
} from '#test/support/sign-in/sso.ts'

it('names the workspace, and is sent once an hour', async () => {
  const mail = await startMailServer()
  const app = await testApp({ env: { ...ssoEnv, SIGNOFF_SMTP_URL: mail.url } })
  const provider = await ForgingProvider.start()
  const workspace = await app.workspace('Northbean')
  await connect(app, oidcConnection(provider.issuer), workspace.key)
  const signIn = async () => outcomeOf(await signInAt(provider, new TestBrowser(app), workspace.id))
  const mails = async () => {
    await runAllJobs(app)
    return mail.mails.filter(({ to }) => to === 'ada@example.com').map(({ text }) => text)
  }
  expect(await signIn()).toBe('signed in')
  expect(await mails()).toEqual([])
  for (let n = 0; n < 3; n++) expect(await signIn()).toBe('signed in')
  const [text, ...more] = await mails()
  expect(text).toContain('through the single sign-on of Northbean')
  expect(more).toEqual([])
  await app.db.query(sql`update sign_in_mail_counts set window_start = window_start - interval '61 minutes'`)
  expect(await signIn()).toBe('signed in')
  expect(await mails()).toHaveLength(2)
})
