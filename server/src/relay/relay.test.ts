// The relay between a sender and a next hop: what is passed on, and with what signature.
import PostalMime from 'postal-mime'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { runAllJobs } from '#test/support/jobs.ts'
import { type StandInHop, standInHop } from '#test/support/mail/next-hop.ts'
import {
  connectRelay,
  mailOf,
  relayEnv,
  signedPerson,
  type TestRelay,
  testRelay,
} from '#test/support/mail/relay.ts'
import { SmtpSender } from '#test/support/mail/smtp-sender.ts'
import { stack, text } from '#test/support/signatures.ts'
import { assign, createAlias } from '#test/support/world.ts'

let app: TestApp
let hop: StandInHop
let relay: TestRelay
let integrationId: string

beforeAll(async () => {
  app = await testApp({ env: relayEnv })
  hop = await standInHop()
  await app.patch('/v1/workspace', { domains: ['example.com'] })
  const { id: teammateId, signatureId } = await signedPerson(app, 'ada@example.com', 'Signature of Ada')
  await assign(app, signatureId, await createAlias(app, teammateId, 'lovelace@example.com'))
  for (const [kind, words] of [
    ['reply', 'Answered by Ada'],
    ['internal', 'Colleague'],
  ] as const) {
    const path = `/v1/signatures/${signatureId}/variants/${kind}`
    await app.patch(path, { variant: { draft_content: stack(text(words)) } })
    expect((await app.post(`${path}/publish`, { activated: true })).status).toBe(200)
  }
  integrationId = await connectRelay(app, { next_hop: hop.url })
  await runAllJobs(app)
  relay = await testRelay(app)
})

beforeEach(() => {
  hop.messages.length = 0
  hop.faults.length = 0
  hop.commands.length = 0
  hop.script = {}
})

async function sender(): Promise<SmtpSender> {
  const connected = await SmtpSender.connect(relay.port)
  await connected.say('EHLO sender.test')
  return connected
}

async function relayed(from: string, to: readonly string[], message: string): Promise<string> {
  const connected = await sender()
  const replies = await connected.send(from, to, message)
  connected.quit()
  expect(replies.at(-1)).toBe('250 2.0.0 queued as 1')
  expect(hop.faults).toEqual([])
  return hop.messages.at(-1)?.data.toString('utf8') ?? ''
}

const lastRow = async () => {
  await relay.flush()
  return (await app.get('/v1/relay_messages')).body.data[0]
}

describe('a message', () => {
  it('gets the signature of its sender, and our header on top', async () => {
    const received = await relayed(
      'ada@example.com',
      ['bob@other.test'],
      mailOf('Ada <Ada@Example.com>', 'bob@other.test'),
    )
    expect(received.startsWith('X-Signoff-Processed: localhost:3000\r\n')).toBe(true)
    const parsed = await PostalMime.parse(received)
    expect(parsed.text).toContain('Hello there.')
    expect(parsed.text).toContain('Signature of Ada')
    expect(await lastRow()).toMatchObject({
      integration_id: integrationId,
      outcome: 'stamped',
      reason: null,
      status: 250,
      sender_domain: 'example.com',
      recipient_domains: ['other.test'],
      recipients_count: 1,
      sender_address: null,
      recipient_addresses: null,
    })
  })

  it('gets that of an alias, and none for a person without one', async () => {
    const alias = await relayed(
      'ada@example.com',
      ['bob@other.test'],
      mailOf('lovelace@example.com', 'bob@other.test'),
    )
    expect(alias).toContain('Signature of Ada')
    const other = mailOf('nobody@example.com', 'bob@other.test')
    expect(await relayed('ada@example.com', ['bob@other.test'], other)).toBe(
      `X-Signoff-Processed: localhost:3000\r\n${other}`,
    )
    expect(await lastRow()).toMatchObject({ outcome: 'passed', reason: 'no_signature' })
  })

  it('that was here already passes without another signature, and a loop ends', async () => {
    const header = 'X-Signoff-Processed: localhost:3000\r\n'
    const once = `${header}${mailOf('ada@example.com', 'bob@other.test')}`
    expect(await relayed('ada@example.com', ['bob@other.test'], once)).toBe(`${header}${once}`)
    const connected = await sender()
    const folded = 'X-Signoff-Processed:\r\n localhost:3000\r\n'
    const looped = `${header.repeat(4)}${folded}${mailOf('ada@example.com', 'bob@other.test')}`
    const replies = await connected.send('ada@example.com', ['bob@other.test'], looped)
    expect(replies.at(-1)).toMatch(/^554 5\.4\.6/)
    expect(await lastRow()).toMatchObject({ outcome: 'rejected', reason: 'loop', status: 554 })
    // The hop had accepted sender and recipients of it: the next message is not taken for a part of that.
    const next = await connected.send(
      'ada@example.com',
      ['c@other.test'],
      mailOf('ada@example.com', 'c@other.test'),
    )
    expect(next.at(-1)).toMatch(/^250/)
    expect(hop.messages.at(-1)?.recipients).toEqual(['RCPT TO:<c@other.test>'])
    expect(hop.faults).toEqual([])
  })

  it.each([
    [
      'HTML',
      'text/html',
      '<p>Hi</p><div class=3D"gmail_signature"><b>Signature</b> of&nbsp;=\r\n<i>Ada</i></div>',
    ],
    ['text', 'text/plain', 'Hi\r\n\r\n-- \r\n*Signature* <https://www.example.com/> of\r\nAda\r\n'],
  ])(
    'with the signature of another channel, without tracking, gets no second one: %s',
    async (_, type, body) => {
      const head = `From: ada@example.com\r\nTo: bob@other.test\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n`
      const send = (more: string, text: string) =>
        relayed('ada@example.com', ['bob@other.test'], `${head}${more}\r\n${text}`)
      const signed = await send('', body)
      expect(signed).toContain(body)
      expect(signed).not.toContain('data-signoff')
      expect(await lastRow()).toMatchObject({ reason: 'already_signed' })
      // Gmail has one signature for all mails: in a reply it is that for new mail, where the relay would put another.
      await send('In-Reply-To: <1@other.test>\r\n', body)
      expect(await lastRow()).toMatchObject({ reason: 'already_signed' })
      // The add-in can take a mail for one among colleagues, or for a reply, which is none here.
      for (const words of ['Colleague', 'Answered by Ada']) {
        await send('', body.replace(/Signature.*of(?:&nbsp;|\r\n)(?:=\r\n)?(?:<i>)?Ada/s, words))
        expect(await lastRow(), words).toMatchObject({ reason: 'already_signed' })
      }
      await send('', body.replaceAll('Ada', 'Bob'))
      expect(await lastRow()).toMatchObject({ outcome: 'stamped' })
    },
  )

  it('without a sender passes as it came', async () => {
    const bounce = mailOf('ada@example.com', 'bob@other.test')
    expect(await relayed('', ['bob@other.test'], bounce)).toBe(
      `X-Signoff-Processed: localhost:3000\r\n${bounce}`,
    )
    expect(await lastRow()).toMatchObject({ outcome: 'passed', reason: 'bounce', sender_domain: null })
  })

  it('with bare line feeds keeps their dots', async () => {
    const message = mailOf('nobody@example.com', 'bob@other.test', 'line\n.dot\r.dot\r\n.dot')
    expect(await relayed('ada@example.com', ['b@other.test'], message)).toContain(
      'line\n.dot\r.dot\r\n.dot\r\n',
    )
  })

  it('goes to a recipient whose name is quoted', async () => {
    await relayed(
      'ada@example.com',
      ['"v w@x"@xn--bcher-kva.example'],
      mailOf('ada@example.com', 'b@other.test'),
    )
    expect(hop.messages.at(-1)?.recipients).toEqual(['RCPT TO:<"v w@x"@xn--bcher-kva.example>'])
    const connected = await sender()
    await connected.say('MAIL FROM:<ada@example.com>')
    for (const local of ['"v w', '"v w"x', '"v w\\"', '"a <b"', `"${'v '.repeat(100)}"`])
      expect(await connected.say(`RCPT TO:<${local}@other.test>`), local).toMatch(/^501/)
    expect(await connected.say('RCPT TO:<"v \\" w"@other.test> NOTIFY=NEVER')).toMatch(/^250/)
    expect(hop.commands.at(-1)).toBe('RCPT TO:<"v \\" w"@other.test> NOTIFY=NEVER')
    connected.quit()
  })

  it('keeps lines with dots, and its single line breaks end no message', async () => {
    const tricky = mailOf('nobody@example.com', 'bob@other.test', '.\r\n..\r\n.x\r\nend')
    expect(await relayed('ada@example.com', ['b@other.test'], tricky)).toContain(
      '\r\n\r\n.\r\n..\r\n.x\r\nend\r\n',
    )
    const connected = await sender()
    await connected.say('MAIL FROM:<ada@example.com>')
    await connected.say('RCPT TO:<b@other.test>')
    await connected.say('DATA')
    for (const end of ['\n.\n', '\n.\r\n', '\r.\r\n', '\r.\r'])
      connected.write(`x${end}MAIL FROM:<smuggled@example.com>\r\n`)
    connected.write('\r\n.\r\n')
    expect(await connected.reply()).toMatch(/^250/)
    const wire = hop.messages.at(-1)?.data.toString('latin1') ?? ''
    expect(wire).not.toMatch(/[\r\n]\.[\r\n]/)
    expect(hop.commands.join()).not.toContain('smuggled')
  })
})

describe('kinds of mail', () => {
  it('decide the variant, and whether there is a signature at all', async () => {
    const reply = mailOf('ada@example.com', 'bob@other.test', 'Yes.', 'In-Reply-To: <2@test>\r\n')
    expect(await relayed('ada@example.com', ['bob@other.test'], reply)).toContain('Answered by Ada')
    const internal = mailOf('ada@example.com', 'eve@example.com')
    expect(await relayed('ada@example.com', ['eve@example.com'], internal)).toContain('Colleague')
    // The envelope alone is not enough: the other recipient gets a copy of his own.
    const split = mailOf('ada@example.com', 'eve@example.com, bob@other.test')
    expect(await relayed('ada@example.com', ['eve@example.com'], split)).toContain('Signature of Ada')
    await app.patch(`/v1/integrations/${integrationId}`, { settings: { mails: ['external'] } })
    await relay.refresh()
    expect(await relayed('ada@example.com', ['bob@other.test'], reply)).not.toContain('Answered by Ada')
    expect(await lastRow()).toMatchObject({ outcome: 'passed', reason: 'not_selected' })
    await app.patch(`/v1/integrations/${integrationId}`, { settings: { mails: null } })
    await relay.refresh()
  })
})

describe('an installation', () => {
  it('is installed when the first message with this version was accepted', async () => {
    const person = await signedPerson(app, 'grace@example.com', 'Signature of Grace')
    await runAllJobs(app)
    const rows = async () =>
      (await app.get(`/v1/installations?email_id=${person.emailId}`)).body.data.filter(
        (row: { channel: string }) => row.channel === 'smtp_relay',
      )
    expect(await rows()).toMatchObject([{ status: 'pending' }])
    hop.script = { message: () => '451 later' }
    const connected = await sender()
    const message = mailOf('grace@example.com', 'bob@other.test')
    expect((await connected.send('grace@example.com', ['b@other.test'], message)).at(-1)).toBe('451 later')
    await relay.flush()
    expect(await rows()).toMatchObject([{ status: 'pending' }])
    hop.script = {}
    expect((await connected.send('grace@example.com', ['b@other.test'], message)).at(-1)).toMatch(/^250/)
    await relay.flush()
    expect(await rows()).toMatchObject([{ status: 'installed' }])
  })
})

describe('the list of messages', () => {
  it('keeps addresses only while the workspace wants it, and can be filtered', async () => {
    await app.patch('/v1/workspace', { relay_addresses_enabled: true })
    await relay.refresh()
    await relayed(
      'ada@example.com',
      ['bob@other.test', 'c@third.test'],
      mailOf('ada@example.com', 'bob@other.test'),
    )
    expect(await lastRow()).toMatchObject({
      sender_address: 'ada@example.com',
      recipient_addresses: ['bob@other.test', 'c@third.test'],
      recipient_domains: ['other.test', 'third.test'],
    })
    await app.patch('/v1/workspace', { relay_addresses_enabled: false })
    await relay.refresh()
    const count = async (query: string) =>
      (await app.get(`/v1/relay_messages?${query}`)).body.pagination.total_count
    expect(await count('domain=third.test')).toBe(1)
    expect(await count('outcome=rejected&reason=loop')).toBe(1)
    expect(await count(`integration_id=${integrationId}&since=2020-01-01`)).toBeGreaterThan(5)
    expect(await count('until=2020-01-01')).toBe(0)
    expect((await app.get('/v1/relay_messages?domain=x')).status).toBe(422)
    expect((await app.get('/v1/relay_messages', { key: app.other.key })).body.data).toEqual([])
  })
})
