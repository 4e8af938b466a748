// @module-tag random
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { anyCharacter } from '#test/support/any-character.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { runAllJobs } from '#test/support/jobs.ts'
import { type MailServer, type ReadMail, readMail, startMailServer } from '#test/support/mail/mail.ts'
import { runs } from '#test/support/runs.ts'
import { headerName, sentenceName } from './names.ts'

let app: TestApp
let server: MailServer
beforeAll(async () => {
  server = await startMailServer()
  app = await testApp({ env: { SIGNOFF_SMTP_URL: server.url } })
})

interface Names {
  readonly company: string
  readonly sender: string | null
  readonly reader: string
  readonly inviter: string
}

/** Names are written to the database directly: older names were not checked. */
async function invite({ company, sender, reader, inviter }: Names): Promise<ReadMail> {
  await app.db.query(
    sql`update workspaces set name = ${company}, mail_sender_name = ${sender} where id = ${app.id}`,
  )
  await app.db.transaction(tx =>
    app.parts.enqueueAccountMail(tx, 'invitation', {
      to: 'ada@example.com',
      name: reader,
      locale: null,
      workspaceId: app.id,
      data: {
        url: 'https://signoff.example.com/invitation#token',
        expiresAt: new Date('2096-01-01T00:00:00Z'),
        invitedBy: inviter,
        role: 'member',
      },
    }),
  )
  server.mails.length = 0
  await runAllJobs(app)
  expect(server.mails.map(({ to }) => to)).toEqual(['ada@example.com'])
  return readMail(server.mails[0]?.source ?? '')
}

const headerNames = ({ headers }: ReadMail) => headers.map(([name]) => name)
/** All tags with their attributes. The title and texts between them are the only places for names. */
const tagsOf = ({ html }: ReadMail) => html.match(/<[^>]*>/g)
const addressesIn = (text: string) => text.match(/\S*@\S*/g)

const hostile = fc.oneof(
  fc.constantFrom(
    'Evil\r\nBcc: victim@example.com',
    'Evil\nSubject: other',
    'Evil\r\n\r\n<h1>body</h1>',
    '"Quoted" <victim@example.com>',
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    '</title></head><body onload=x>',
    '\u202emoc.live\u202c',
    'מרחבא שלום (שלום)',
    '👩‍🚀🏳️‍🌈',
    'a\u2028b\u0085c\u0007d',
    '=?UTF-8?Q?=0D=0ABcc:_x?=',
    '$& $1 {{y}} %s',
    ', other@example.com, ;:',
    '',
  ),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: anyCharacter, maxLength: 60 }).map(text => text.toWellFormed().replaceAll('\u0000', '')),
)

describe('a name', () => {
  it('with any characters injects neither headers nor markup', async () => {
    const plain = await invite({ company: 'Plain', sender: 'Plain', reader: 'Ada', inviter: 'Bob' })
    const names = fc.record({
      company: hostile,
      sender: fc.option(hostile),
      reader: hostile,
      inviter: hostile,
    })
    await fc.assert(
      fc.asyncProperty(names, async hostileNames => {
        const mail = await invite(hostileNames)
        expect(headerNames(mail)).toEqual(headerNames(plain))
        expect(tagsOf(mail)).toEqual(tagsOf(plain))
        expect(mail.from).toMatch(/<signoff@localhost>$/)
        expect(mail.headers).toContainEqual(['to', 'ada@example.com'])
        expect(mail.text).not.toMatch(/[\r\u202a-\u202e\u2028\u2029]/)
        expect(mail.text.split('\n')).toHaveLength(plain.text.split('\n').length)
      }),
      { numRuns: runs(20) },
    )
  }, 60_000)

  it('of any form is one line in a header', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), text => {
        expect(headerName(text)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
        expect([...headerName(text)].length).toBeLessThanOrEqual(120)
      }),
    )
  })

  it('never becomes a link in a sentence', () => {
    expect(sentenceName('See https://evil.example now')).toBe(
      'See https:\u200b/\u200b/\u200bevil.\u200bexample now',
    )
    expect(addressesIn(sentenceName('a@evil.example'))).toEqual(['a@\u200bevil.\u200bexample'])
    expect(sentenceName('Northbean Coffee Inc.')).toBe('Northbean Coffee Inc.')
  })

  it('of right-to-left characters is isolated from the sentence', () => {
    expect(sentenceName('שלום')).toBe('\u2068שלום\u2069')
    expect(headerName('שלום')).toBe('שלום')
  })
})

describe('the sender', () => {
  it('is the name of the workspace until a sender name is set', async () => {
    const names = { company: 'Northbean "Coffee", Ltd.', reader: 'Ada', inviter: 'Bob' }
    expect((await invite({ ...names, sender: null })).from).toBe(
      '"Northbean \\"Coffee\\", Ltd." <signoff@localhost>',
    )
    expect((await invite({ ...names, sender: 'Größe 👋' })).from).toBe('Größe 👋 <signoff@localhost>')
  })
})
