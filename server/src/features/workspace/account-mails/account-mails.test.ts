import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addMember, findAccountByEmail, markSeen } from '#features/workspace/accounts/index.ts'
import { buildJobs } from '#jobs.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { runAllJobs, runScheduled } from '#test/support/jobs.ts'
import { type MailServer, readMail, startMailServer } from '#test/support/mail/mail.ts'
import type { AccountMail, AccountMailData, AccountMailKind } from './index.ts'

let app: TestApp
let server: MailServer
beforeAll(async () => {
  server = await startMailServer()
  app = await testApp({
    env: { SIGNOFF_SMTP_URL: server.url, SIGNOFF_PUBLIC_URL: 'https://signoff.example.com' },
  })
  await app.patch('/v1/workspace', {
    name: 'Northbean & Söhne',
    time_zone: 'Europe/Berlin',
    locale: 'en-GB',
    mail_sender_name: 'Northbean IT',
  })
})
beforeEach(() => {
  server.mails.length = 0
  server.answer = async () => undefined
})

const secret = 'q8Zt3mJ0xwV5nKpYb2RfE7LsHcUoAd9gT1iXeQ6MvNk'
const link = {
  url: `https://signoff.example.com/somewhere#${secret}`,
  expiresAt: new Date('2096-07-01T10:00:00Z'),
}
const origin = {
  at: new Date('2026-11-17T10:42:00Z'),
  browser: 'Firefox on Windows',
  network: '203.0.113.7',
}
const examples: AccountMailData = {
  invitation: { ...link, invitedBy: 'Grace Hopper', role: 'manager' },
  sign_in_link: link,
  password_reset: link,
  new_sign_in: origin,
  password_changed: origin,
  role_changed: { role: 'admin', changedBy: null },
  second_factor_changed: { ...origin, factor: 'recovery_codes', change: 'removed' },
  publication_requested: { signature: 'Standard', variant: null, requestedBy: 'Grace Hopper' },
  publication_decided: {
    signature: 'Standard',
    variant: 'reply',
    signatureId: '0190a000-0000-7000-8000-000000000001',
    isApproved: false,
    decidedBy: null,
    reason: 'Please use the new logo.',
  },
}
const kinds = Object.keys(examples) as AccountMailKind[]

const mailOf = <Kind extends AccountMailKind>(
  kind: Kind,
  more: Partial<AccountMail<Kind>> = {},
): AccountMail<Kind> => ({
  to: 'ada@example.com',
  name: 'Ada Lovelace',
  locale: null,
  workspaceId: app.id,
  data: examples[kind],
  ...more,
})
const enqueueMail = <Kind extends AccountMailKind>(kind: Kind, more: Partial<AccountMail<Kind>> = {}) =>
  app.db.transaction(tx => app.parts.enqueueAccountMail(tx, kind, mailOf(kind, more)))
const onlyMail = () => {
  expect(server.mails).toHaveLength(1)
  return readMail(server.mails[0]?.source ?? '')
}
const waiting = async () => (await app.db.query(sql`select begun_at from account_mails`)).length

describe('every mail to an account', () => {
  it.each(kinds.flatMap(kind => (['en', 'de'] as const).map(locale => [kind, locale] as const)))(
    '%s in %s names the company, the reader, the reason and the host of its link, and loads nothing',
    async (kind, locale) => {
      await enqueueMail(kind, { locale })
      await runAllJobs(app)
      const { from, subject, text, html } = onlyMail()
      expect(from).toBe('Northbean IT <signoff@localhost>')
      expect(subject).toContain('Northbean & Söhne')
      expect(html).toContain(`<html lang="${locale}"`)
      expect(html).toContain('Northbean &amp; Söhne')
      for (const body of [text, html.replaceAll('&amp;', '&')]) {
        expect(body).toContain('Ada Lovelace,')
        expect(body).toContain('ada@example.com')
        expect(body).toContain(
          locale === 'de' ? 'Sie erhalten diese E-Mail, weil' : 'You get this mail because',
        )
        expect(body).toContain('https://signoff.example.com')
        expect(body).not.toContain('undefined')
        if ('expiresAt' in examples[kind])
          expect(body).toContain(locale === 'de' ? '1. Juli 2096, 12:00 MESZ' : '1 July 2096, 12:00 CEST')
        if ('at' in examples[kind])
          expect(body).toContain(
            locale === 'de' ? '17. November 2026, 11:42 MEZ' : '17 November 2026, 11:42 CET',
          )
      }
      expect(html).toContain('<strong>signoff.example.com</strong>')
      expect(html).not.toMatch(/<img|<script|<iframe|<form|url\(|@import|src=/)
      const targets = [...html.matchAll(/href="([^"]*)"/g)].map(([, target]) => target)
      expect(new Set(targets).size).toBe(1)
      expect(await waiting()).toBe(0)
    },
  )

  it('is in English, without a company, where there is neither a workspace nor a language', async () => {
    await enqueueMail('password_reset', { workspaceId: null })
    await runAllJobs(app)
    const { from, text } = onlyMail()
    expect(from).toBe('Signoff <signoff@localhost>')
    expect(text).toContain('1 July 2096, 10:00 UTC')
    expect(text).toContain('Sent by Signoff. ')
    expect(onlyMail().subject).toBe('Set a new password for signoff.example.com')
  })

  it('in German begins with a small letter after the greeting, and names the browser in German', async () => {
    const linesOf = async (kind: AccountMailKind) => {
      server.mails.length = 0
      await enqueueMail(kind, { locale: 'de' })
      await runAllJobs(app)
      return onlyMail().text.split('\n\n')
    }
    const first = async (kind: AccountMailKind) => (await linesOf(kind))[2]
    expect(await first('password_reset')).toMatch(/^mit diesem Link/)
    expect(await first('password_changed')).toMatch(/^das Passwort/)
    expect(await first('role_changed')).toMatch(/^der Betreiber von signoff.example.com hat/)
    expect((await linesOf('new_sign_in')).join()).toContain('Browser: Firefox unter Windows')
  })

  it('leads to the account, and after a changed password to a link for a new one', async () => {
    const addressIn = async (kind: AccountMailKind) => {
      server.mails.length = 0
      await enqueueMail(kind)
      await runAllJobs(app)
      return /^https:\S+$/m.exec(onlyMail().text)?.[0]
    }
    expect(await addressIn('new_sign_in')).toBe('https://signoff.example.com/account')
    expect(await addressIn('role_changed')).toBe('https://signoff.example.com/account')
    expect(await addressIn('password_changed')).toBe('https://signoff.example.com/forgot')
  })

  it('sends a reader who cannot sign in with a new factor to a person who can remove it', async () => {
    const textTo = async (to: string, factor: 'totp' | 'recovery_codes') => {
      server.mails.length = 0
      const data = { ...origin, factor, change: 'added' as const }
      await enqueueMail('second_factor_changed', { to, data })
      await runAllJobs(app)
      return onlyMail().text
    }
    expect(await textTo('ada@example.com', 'totp')).toContain(
      'ask an administrator of Northbean & Söhne or the operator of signoff.example.com to remove it',
    )
    const toOwner = await textTo('owner@example.com', 'totp')
    expect(toOwner).toContain('ask the operator of signoff.example.com to remove it')
    expect(toOwner).not.toContain('administrator')
    expect(await textTo('ada@example.com', 'recovery_codes')).toContain('sign in, change your password')
  })

  it('is sent in the name of the only workspace of its reader, or of the one used last', async () => {
    const ada = { name: 'Ada', email: 'only@example.com', role: 'member' as const }
    await addMember(app.db, app.id, ada)
    const see = async (workspaceId: string, minute: number) => {
      const account = orNotFound(await findAccountByEmail(app.db, ada.email))
      await app.db.query(markSeen(workspaceId, account.id, new Date(Date.UTC(2026, 0, 1, 0, minute))))
    }
    const senderFor = async (to: string) => {
      server.mails.length = 0
      await enqueueMail('password_reset', { workspaceId: null, to })
      await runAllJobs(app)
      return onlyMail().from
    }
    expect(await senderFor('only@example.com')).toBe('Northbean IT <signoff@localhost>')
    await addMember(app.db, app.other.id, ada)
    expect(await senderFor('only@example.com')).toBe('Signoff <signoff@localhost>')
    await see(app.id, 1)
    expect(await senderFor('only@example.com')).toBe('Northbean IT <signoff@localhost>')
    await see(app.other.id, 2)
    expect(await senderFor('only@example.com')).toBe('Other <signoff@localhost>')
  })

  it('has the colour of the brand where its button can be read', async () => {
    const colourFor = async (primary: string | null) => {
      await app.patch('/v1/workspace/brand', { colors: { primary } })
      server.mails.length = 0
      await enqueueMail('invitation')
      await runAllJobs(app)
      const [, background, label] =
        /class="button" bgcolor="(#\w{6})".*?font-weight:600;color:(#\w{6})/.exec(onlyMail().html) ?? []
      return [background, label]
    }
    expect(await colourFor(null)).toEqual(['#0b5cad', '#ffffff'])
    expect(await colourFor('#2f5d50')).toEqual(['#2f5d50', '#ffffff'])
    expect(await colourFor('gold')).toEqual(['#ffd700', '#101828'])
    expect(await colourFor('#fefefe')).toEqual(['#0b5cad', '#ffffff'])
    await app.patch('/v1/workspace/brand', { colors: { primary: null } })
  })
})

describe('a mail that waits', () => {
  it('does not exist when the transaction of its cause is rolled back', async () => {
    const failing = app.db.transaction(async tx => {
      await app.parts.enqueueAccountMail(tx, 'invitation', mailOf('invitation'))
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await runAllJobs(app)
    expect([server.mails.length, await waiting()]).toEqual([0, 0])
  })

  it('reveals neither its link nor its reader in the database', async () => {
    await enqueueMail('sign_in_link')
    const stored = await app.db.query<{ row: string }>(sql`
      select encode(sealed, 'escape') as row from account_mails
      union all select payload::text from graphile_worker._private_jobs`)
    expect(stored.length).toBeGreaterThan(1)
    for (const { row } of stored) {
      expect(row).not.toContain(secret)
      expect(row).not.toContain('ada@example.com')
    }
    await runAllJobs(app)
    expect(onlyMail().text).toContain(secret)
  })

  it('is not sent when its link has expired', async () => {
    await enqueueMail('sign_in_link', { data: { ...link, expiresAt: new Date(Date.now() - 1) } })
    await runAllJobs(app)
    expect([server.mails.length, await waiting()]).toEqual([0, 0])
  })

  it('is sent before mails that wait longer', async () => {
    const order = sql`
      select task_identifier as name from graphile_worker.jobs order by priority, run_at, id limit 1`
    await app.db.query(sql`select graphile_worker.add_job('signatures.test_mail', payload => '{}')`)
    await enqueueMail('sign_in_link')
    expect(await app.db.query(order)).toEqual([{ name: 'account_mails.mail' }])
    await app.db.query(sql`delete from graphile_worker._private_jobs`)
    await app.db.query(sql`delete from account_mails`)
  })

  it('is not stored without a mail server', async () => {
    const silent = await testApp()
    await silent.db.transaction(tx =>
      silent.parts.enqueueAccountMail(tx, 'new_sign_in', {
        ...mailOf('new_sign_in'),
        workspaceId: silent.id,
      }),
    )
    expect(await silent.db.query(sql`select id from account_mails`)).toEqual([])
  })

  it('is deleted after a week', async () => {
    await enqueueMail('invitation')
    await runScheduled(app, 'account_mails.prune')
    expect(await waiting()).toBe(1)
    await app.db.query(sql`update account_mails set created_at = now() - interval '8 days'`)
    await runScheduled(app, 'account_mails.prune')
    expect(await waiting()).toBe(0)
    await runAllJobs(app)
    expect(server.mails).toEqual([])
  })
})

describe('a mail that was begun', () => {
  const job = (send: () => Promise<void>) => {
    const parts = { ...app.parts, sendMail: send }
    const job = buildJobs(parts, app.db).find(({ name }) => name === 'account_mails.mail')
    if (!job) throw new Error('there is no such job')
    return job
  }
  const nextPayload = async () => {
    const [row] = await app.db.query<{ id: string }>(sql`select id from account_mails`)
    await app.db.query(sql`delete from graphile_worker._private_jobs`)
    return { id: row?.id }
  }

  it('is begun again if the mail server refused it, and only then', async () => {
    await enqueueMail('invitation')
    const payload = await nextPayload()
    let attempts = 0
    const failWith = (failure: Error) =>
      job(async () => {
        attempts += 1
        throw failure
      }).run(payload)
    await expect(failWith(Object.assign(new Error('busy'), { responseCode: 451 }))).rejects.toThrow('busy')
    await expect(failWith(new Error('the connection broke'))).rejects.toThrow('broke')
    await failWith(new Error('must not be sent'))
    expect([attempts, await waiting()]).toEqual([2, 0])
  })

  it('is not begun by a second worker', async () => {
    await enqueueMail('invitation')
    const payload = await nextPayload()
    let release = () => {}
    const gate = new Promise<void>(resolve => {
      release = resolve
    })
    let attempts = 0
    const slow = job(async () => {
      attempts += 1
      await gate
    })
    const first = slow.run(payload)
    await expect.poll(() => attempts).toBe(1)
    await slow.run(payload)
    release()
    await first
    expect(attempts).toBe(1)
  })
})
