// Who may send: the relay is never open, also when several workspaces share it.
import { X509Certificate } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { storedRelays } from '#features/delivery/relay/index.ts'
import { ownDomainsOf } from '#features/workspace/workspaces/index.ts'
import { sql } from '#kernel/db/db.ts'
import { fieldErrors, type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { type StandInHop, standInHop } from '#test/support/mail/next-hop.ts'
import {
  certificates,
  connectRelay,
  mailOf,
  relayEnv,
  type TestRelay,
  testRelay,
} from '#test/support/mail/relay.ts'
import { SmtpSender } from '#test/support/mail/smtp-sender.ts'
import { emptyFolder } from '#test/support/processes/process.ts'
import { isClient, parseClient } from './clients/clients.ts'
import { MessageHeader } from './receiving/message-header.ts'

let app: TestApp
let second: TestWorkspace
let hop: StandInHop
let otherHop: StandInHop
let relay: TestRelay
let issued: Awaited<ReturnType<typeof certificates>>
let foreign: Awaited<ReturnType<typeof certificates>>

const tenant = '5f0c2f6e-94c8-4f4c-9a2f-6f1f5f3a6d11'

beforeAll(async () => {
  const folder = await emptyFolder()
  issued = await certificates('localhost', 'mail.example.com', 'mail.protection.outlook.com')
  foreign = await certificates('mail.example.com')
  const file = async (name: string, text: string) => {
    await writeFile(join(folder, name), text)
    return join(folder, name)
  }
  const own = issued.of('localhost')
  app = await testApp({
    env: {
      ...relayEnv,
      SIGNOFF_RELAY_TLS_CERT: await file('cert.pem', own.cert),
      SIGNOFF_RELAY_TLS_KEY: await file('key.pem', own.key),
      SIGNOFF_RELAY_CLIENT_CA: await file('ca.pem', issued.ca),
      SIGNOFF_RELAY_TLS_PORT: '0',
    },
  })
  second = await app.workspace('Second')
  hop = await standInHop({ certificate: { ...own, ca: issued.ca } })
  otherHop = await standInHop()
  await app.patch('/v1/workspace', { domains: ['example.com'] })
  // 127.0.0.1 belongs to the first workspace, 127.0.0.2 to both, and 127.0.0.9 to none.
  await connectRelay(app, {
    next_hop: `smtp://localhost:${hop.port}?starttls=required`,
    clients: [
      '127.0.0.1',
      '127.0.0.2',
      '127.0.8.8',
      'cn:mail.example.com',
      `cn:mail.protection.outlook.com;tenant=${tenant}`,
    ],
  })
  await connectRelay(
    app,
    { next_hop: otherHop.url, clients: ['127.0.0.2/31', '127.0.6.6'], domains: ['second.test', 'both.test'] },
    second,
  )
  relay = await testRelay(app, { identify: 300 })
})

beforeEach(() => {
  for (const receiver of [hop, otherHop]) receiver.messages.length = 0
})

async function from(localAddress: string): Promise<SmtpSender & { greeting: string }> {
  const sender = await SmtpSender.connect(relay.port, localAddress)
  if (sender.greeting.startsWith('220')) await sender.say('EHLO sender.test')
  return sender
}

const message = mailOf('ada@example.com', 'bob@other.test')
const codes = (replies: readonly string[]) => replies.map(reply => reply.slice(0, 3))

describe('a known client', () => {
  it('sends for the domains of its workspace, to the hop of its workspace, by TLS with a certificate', async () => {
    const sender = await from('127.0.0.1')
    expect(codes(await sender.send('ada@EXAMPLE.com', ['b@other.test'], message))).toEqual([
      '250',
      '250',
      '250',
    ])
    expect(hop.messages).toMatchObject([{ isSecure: true, clientName: 'localhost' }])
    expect(otherHop.messages).toEqual([])
    sender.quit()
    const shared = await from('127.0.0.2')
    await shared.send('ada@example.com', ['b@other.test'], message)
    await shared.send('eve@second.test', ['b@other.test'], message)
    expect([hop.messages.length, otherHop.messages.length]).toEqual([2, 1])
    shared.quit()
  })
})

describe('an attempt to use the relay as an open one', () => {
  it('fails with a foreign sender, however it is written', async () => {
    const sender = await from('127.0.0.1')
    for (const address of [
      'spam@elsewhere.test',
      'ada@sub.example.com',
      'ada@example.com.elsewhere.test',
      'ada@notexample.com',
      'ada%example.com@elsewhere.test',
      '@example.com:spam@elsewhere.test',
      '"ada@example.com"@elsewhere.test',
      'ada@[127.0.0.1]',
      'ada',
    ])
      expect(await sender.say(`MAIL FROM:<${address}>`), address).toMatch(/^50[13]|^550/)
    expect(await sender.say('MAIL FROM:ada@example.com')).toMatch(/^501/)
    expect(await sender.say('RCPT TO:<victim@other.test>')).toMatch(/^503/)
    expect(await sender.say('DATA')).toMatch(/^503/)
    sender.quit()
  })

  it('fails from an unknown address, with and without the name of a known one', async () => {
    const sender = await from('127.0.0.9')
    expect(await sender.say('XCLIENT ADDR=127.0.0.1')).toMatch(/^50/)
    expect(await sender.say('XFORWARD ADDR=127.0.0.1')).toMatch(/^50/)
    expect(await sender.say('EHLO mail.example.com')).toMatch(/^250/)
    expect(await sender.say('AUTH PLAIN AGFkYQBhZGE=')).toMatch(/^50/)
    expect(await sender.say('MAIL FROM:<ada@example.com>')).toMatch(/^450/)
    expect(await sender.say('MAIL FROM:<>')).toMatch(/^450/)
    sender.cut()
  })

  it('fails without a certificate, and with one of an authority that is not trusted', async () => {
    for (const tls of [{}, foreign.of('mail.example.com'), issued.of('localhost')]) {
      const sender = await from('127.0.0.9')
      await sender.startTls(tls)
      expect(await sender.reply()).toMatch(/^421 4\.7\.0/)
      await expect.poll(() => sender.isClosed).toBe(true)
    }
  })

  it('fails for the domain of another workspace', async () => {
    const first = await from('127.0.0.1')
    expect(await first.say('MAIL FROM:<eve@second.test>')).toMatch(/^550/)
    const other = await from('127.0.0.3')
    expect(await other.say('MAIL FROM:<ada@example.com>')).toMatch(/^550/)
    expect(await other.say('MAIL FROM:<eve@second.test>')).toMatch(/^250/)
    for (const sender of [first, other]) sender.quit()
  })

  it('fails for the domains that the directory of another workspace names', async () => {
    const integration = {
      kind: 'csv',
      settings: { drives_teammates: false },
    }
    const { body } = await app.post('/v1/integrations', { integration }, { key: second.key })
    await app.db.query(
      sql`update integrations set domains = array['directory.test'] where workspace_id = ${second.id} and id = ${body.data.id}`,
    )
    expect((await ownDomainsOf(app.db, second.id)).includes('directory.test')).toBe(true)
    const relays = await storedRelays(app.db)
    expect(relays.find(row => row.workspace_id === app.id)?.own_domains).toEqual(['example.com'])
  })

  it('fails where several workspaces claim the sender', async () => {
    const id = await connectRelay(app, { next_hop: hop.url, clients: ['127.0.0.2'], domains: ['other.test'] })
    // As when both workspaces name the domain as their own later.
    await app.db.query(
      sql`update integrations set settings = settings || '{"domains": ["both.test"]}' where id = ${id}`,
    )
    await relay.refresh()
    const sender = await from('127.0.0.2')
    expect(await sender.say('MAIL FROM:<x@both.test>')).toMatch(/^451 4\.3\.5/)
    await app.del(`/v1/integrations/${id}`)
    await relay.refresh()
    expect(await sender.say('MAIL FROM:<x@both.test>')).toMatch(/^250/)
    sender.quit()
  })

  it('cannot be set up: what two relays would claim is refused', async () => {
    const next_hop = hop.url
    const own = await connectRelay(app, { next_hop, clients: ['127.8.0.1'], domains: ['claimed.test'] })
    await app.patch('/v1/workspace', { domains: ['claimed.test'] }, { key: second.key })
    const path = '/v1/integrations'
    const asSecond = { key: second.key }
    const create = (clients: readonly string[]) =>
      app.post(path, { integration: { kind: 'smtp_relay', settings: { next_hop, clients } } }, asSecond)
    const refused = await create(['127.9.0.1', '127.8.0.0/24;header=X-Client:Secret-of-the-test-1'])
    expect([refused.status, fieldErrors(refused)]).toEqual([422, { 'settings.clients[1]': 'taken' }])
    expect(refused.text).toContain('claimed.test')
    for (const hidden of [app.id, own, '127.8.0.1']) expect(refused.text).not.toContain(hidden)
    const { body } = await create(['127.9.0.1', 'cn:mail.claimed.test'])
    const change = (settings: object) =>
      app.patch(`${path}/${body.data.id}`, { integration: { settings } }, asSecond)
    expect(fieldErrors(await change({ clients: ['127.8.0.1'] }))).toEqual({ 'settings.clients[0]': 'taken' })
    expect((await change({ mails: ['external'] })).status).toBe(200)
    await expect(
      connectRelay(app, { next_hop, clients: ['cn:*.claimed.test'], domains: ['claimed.test'] }),
    ).rejects.toMatchObject({ details: [{ field: 'settings.clients[0]', code: 'taken' }] })
    for (const [id, key] of [
      [own, app.key],
      [body.data.id, second.key],
    ] as const)
      expect((await app.del(`${path}/${id}`, { key })).status).toBe(204)
    // Two saves at once: one of them is refused.
    const saves = await Promise.all([
      create(['127.8.0.0/24']).then(({ status }) => status),
      connectRelay(app, { next_hop, clients: ['127.8.0.1'], domains: ['claimed.test'] }).then(
        () => 201,
        () => 422,
      ),
    ])
    expect(saves.toSorted()).toEqual([201, 422])
  })

  it('fails when commands are sent before TLS begins', async () => {
    const sender = await SmtpSender.connect(relay.port, '127.0.0.9')
    await sender.say('EHLO x')
    sender.write('STARTTLS\r\nMAIL FROM:<ada@example.com>\r\nRCPT TO:<victim@other.test>\r\n')
    expect(await sender.reply()).toMatch(/^220/)
    sender.cut()
    expect(hop.messages).toEqual([])
  })

  it('ends when a stranger only holds the connection', async () => {
    const sender = await from('127.0.0.9')
    await expect.poll(() => sender.isClosed, { timeout: 10_000 }).toBe(true)
  })
})

describe('a certificate', () => {
  it('admits a client at an unknown address, by STARTTLS and from the first byte', async () => {
    const sender = await from('127.0.0.9')
    await sender.startTls(issued.of('mail.example.com'))
    await sender.say('EHLO sender.test')
    expect(codes(await sender.send('ada@example.com', ['b@other.test'], message))).toEqual([
      '250',
      '250',
      '250',
    ])
    sender.quit()
    const secure = await SmtpSender.connectSecure(relay.tlsPort ?? 0, {
      ...issued.of('mail.example.com'),
      localAddress: '127.0.0.9',
    } as object)
    await secure.say('EHLO sender.test')
    expect(codes(await secure.send('ada@example.com', ['b@other.test'], message))).toEqual([
      '250',
      '250',
      '250',
    ])
    secure.quit()
  })

  it('is known by its names as OpenSSL reads them', async () => {
    const isAdmitted = (client: string, names: Awaited<ReturnType<typeof certificates>>, name: string) => {
      const rule = parseClient(client)
      const certificate = new X509Certificate(names.of(name).cert)
      return typeof rule === 'object' && isClient(rule, { address: '127.0.0.9', certificate })
    }
    expect(isAdmitted('cn:mail.example.com', issued, 'mail.example.com')).toBe(true)
    expect(isAdmitted('cn:MAIL.example.com', issued, 'mail.example.com')).toBe(true)
    expect(isAdmitted('cn:*.example.com', issued, 'mail.example.com')).toBe(true)
    expect(isAdmitted('cn:example.com', issued, 'mail.example.com')).toBe(false)
    expect(isAdmitted('cn:*.example.com', issued, 'localhost')).toBe(false)
    const evil = 'x.evil.test, DNS:mail.example.com'
    const tricky = await certificates(evil, '*.wild.test')
    expect(isAdmitted('cn:mail.example.com', tricky, evil)).toBe(false)
    expect(isAdmitted('cn:a.wild.test', tricky, '*.wild.test')).toBe(true)
    expect(isAdmitted('cn:*.wild.test', tricky, '*.wild.test')).toBe(true)
    expect(isAdmitted('cn:a.b.wild.test', tricky, '*.wild.test')).toBe(false)
  })

  it('of Exchange Online admits the messages of one tenant', async () => {
    const sender = await from('127.0.0.9')
    await sender.startTls(issued.of('mail.protection.outlook.com'))
    await sender.say('EHLO sender.test')
    const header = (id: string) => `X-MS-Exchange-CrossTenant-Id: ${id}\r\n`
    const send = (headers: string) =>
      sender.send(
        'ada@example.com',
        ['b@other.test'],
        mailOf('ada@example.com', 'b@other.test', 'Hi', headers),
      )
    expect((await send('')).at(-1)).toMatch(/^450 4\.7\.1/)
    expect((await send(header('00000000-0000-0000-0000-000000000000'))).at(-1)).toMatch(/^450/)
    expect((await send(header(tenant) + header(tenant))).at(-1)).toMatch(/^450/)
    expect(hop.messages).toEqual([])
    expect((await send(header(tenant.toUpperCase()))).at(-1)).toMatch(/^250/)
    sender.quit()
  })
})

describe('a secret header', () => {
  it('admits the messages of one customer of a shared network, and does not go on', async () => {
    const secret = 'Secret-of-the-test-1'
    const clients = [`127.0.6.0/24;header=X-Signoff-Client:${secret}`]
    const id = await connectRelay(app, { next_hop: otherHop.url, clients, domains: ['shared.test'] })
    await relay.refresh()
    const sender = await from('127.0.6.1')
    const send = async (headers: string) => {
      const mail = mailOf('ada@shared.test', 'b@other.test', 'Hi', headers)
      return (await sender.send('ada@shared.test', ['b@other.test'], mail)).at(-1)
    }
    const line = (value: string) => `X-Signoff-Client: ${value}\r\n`
    // A mistake in the rule of the mail system must not make its mail bounce.
    for (const headers of ['', line('other'), line(secret.toLowerCase()), line(secret) + line(secret)])
      expect(await send(headers), headers).toMatch(/^450 4\.7\.1/)
    expect(otherHop.messages).toEqual([])
    for (const headers of [
      line(secret),
      `X-Signoff-Client :\r\n ${secret}\r\n`,
      `x-signoff-client:\t${secret} \r\n`,
    ]) {
      expect(await send(headers), headers).toMatch(/^250/)
      const received = otherHop.messages.at(-1)?.data.toString() ?? ''
      expect(received).toContain(mailOf('ada@shared.test', 'b@other.test', 'Hi'))
      expect(received).not.toContain(secret)
    }
    sender.quit()
    await app.del(`/v1/integrations/${id}`)
    await relay.refresh()
  })
})

describe('the header of a message', () => {
  it.each([
    ['A: 1\r\nX-Secret: 2\r\n\r\nX-Secret: body', 'A: 1\r\n\r\nX-Secret: body', ['2']],
    ['X-Secret :\r\n 2\r\n\t3\r\nA: 1\r\n\r\n', 'A: 1\r\n\r\n', ['2\t3']],
    ['A: 1\n\r\nX-Secret: 2\r\n\r\n', 'A: 1\n\r\nX-Secret: 2\r\n\r\n', []],
    ['A: 1\r\n\nX-Secret: 2\n\n', 'A: 1\r\n\nX-Secret: 2\n\n', []],
    ['\r\nX-Secret: 2\r\n\r\n', '\r\nX-Secret: 2\r\n\r\n', []],
    ['X-Secrets: 2\nX-Secret: 3\nx-SECRET: 4', 'X-Secrets: 2\n', ['3', '4']],
  ])('ends at the first empty line, and gives its fields in one line: %j', (source, rest, values) => {
    const header = new MessageHeader(Buffer.from(source))
    expect(header.values('X-Secret')).toEqual(values)
    expect(header.messageWithout(['X-Secret']).toString().trimEnd()).toBe(rest.trimEnd())
  })
})

describe('a bounce', () => {
  const bounce = (author: string, headers = '') => mailOf(author, 'b@other.test', 'Gone', headers)

  it('of a client of several relays goes to the hop of its author, one recipient at a time', async () => {
    const sender = await from('127.0.0.2')
    const send = async (author: string) =>
      codes(await sender.send('', ['b@other.test', 'c@other.test'], bounce(author)))
    expect(await send('MAILER-DAEMON@mail.second.test')).toEqual(['250', '250', '452', '250'])
    expect([hop.messages.length, otherHop.messages.length]).toEqual([0, 1])
    expect(otherHop.messages[0]).toMatchObject({
      mail: 'MAIL FROM:<>',
      recipients: ['RCPT TO:<b@other.test>'],
    })
    expect(await send('Ada <ada@example.com>')).toEqual(['250', '250', '452', '250'])
    expect([hop.messages.length, otherHop.messages.length]).toEqual([1, 1])
    expect(await send('ada@elsewhere.test')).toEqual(['250', '250', '452', '451'])
    otherHop.script = { recipient: () => '550 5.1.1 no such user' }
    expect(await send('eve@second.test')).toEqual(['250', '250', '452', '550'])
    otherHop.script = {}
    sender.quit()
  })

  it('of two customers of one mail system goes to the hop of the one whose secret it shows', async () => {
    const secrets = ['Secret-of-the-first-1', 'Secret-of-the-second-2']
    const [id, other] = await Promise.all(
      secrets.map((secret, n) =>
        connectRelay(
          app,
          {
            next_hop: n === 0 ? hop.url : otherHop.url,
            clients: [`127.0.8.0/24;header=X-Signoff-Client:${secret}`],
            domains: [`customer${n}.test`],
          },
          n === 0 ? app : second,
        ),
      ),
    )
    await relay.refresh()
    const sender = await from('127.0.8.1')
    const send = async (secret: string) =>
      (
        await sender.send(
          '',
          ['b@other.test'],
          bounce('mailer-daemon@googlemail.test', `X-Signoff-Client: ${secret}\r\n`),
        )
      ).at(-1)
    expect(await send(secrets[1] ?? '')).toMatch(/^250/)
    expect([hop.messages.length, otherHop.messages.length]).toEqual([0, 1])
    expect(otherHop.messages[0]?.data.toString()).not.toContain('X-Signoff-Client')
    expect(await send(secrets[0] ?? '')).toMatch(/^250/)
    expect([hop.messages.length, otherHop.messages.length]).toEqual([1, 1])
    expect(await send('Secret-of-a-third-one')).toMatch(/^[45]50/)
    sender.quit()
    await app.del(`/v1/integrations/${id}`)
    await app.del(`/v1/integrations/${other}`, { key: second.key })
    await relay.refresh()
  })
})

describe('a relay of a workspace without domains', () => {
  it('takes nothing away from the others of its client', async () => {
    const third = await app.workspace('Third')
    const bare = await standInHop({ script: { features: [] } })
    const clients = ['127.0.0.1', '127.0.5.5']
    const id = await connectRelay(app, { next_hop: bare.url, clients }, third)
    await relay.refresh()
    const fresh = await testRelay(app)
    const sender = await SmtpSender.connect(fresh.port, '127.0.0.1')
    expect(await sender.say('EHLO sender.test')).toContain('8BITMIME')
    await sender.say('MAIL FROM:<>')
    await sender.say('RCPT TO:<b@other.test>')
    expect(await sender.say('RCPT TO:<c@other.test>')).toMatch(/^250/)
    expect(bare.commands).toEqual([])
    const own = await SmtpSender.connect(fresh.port, '127.0.5.5')
    expect(own.greeting).toMatch(/^220/)
    await own.say('EHLO sender.test')
    expect(await own.say('MAIL FROM:<a@third.test>')).toMatch(/^450/)
    for (const connection of [sender, own]) connection.quit()
    await app.del(`/v1/integrations/${id}`, { key: third.key })
    await relay.refresh()
  })
})

describe('mail of a relay that is gone', () => {
  it('waits at its mail system, and foreign senders are refused as before', async () => {
    const settings = { next_hop: hop.url, clients: ['127.0.0.1', '127.0.7.7'], domains: ['gone.test'] }
    const id = await connectRelay(app, settings)
    const broken = await connectRelay(app, { ...settings, domains: ['broken.test'] })
    await relay.refresh()
    const [own, shared] = [await from('127.0.7.7'), await from('127.0.0.1')]
    expect(await shared.say('MAIL FROM:<a@gone.test>')).toMatch(/^250/)
    await shared.say('RSET')
    await app.del(`/v1/integrations/${id}`)
    await app.db.query(
      sql`update integrations set settings = settings || '{"next_hop": "none"}' where id = ${broken}`,
    )
    await relay.refresh()
    expect(await own.say('MAIL FROM:<a@gone.test>')).toMatch(/^450 4\.7\.1/)
    expect(await own.say('MAIL FROM:<>')).toMatch(/^450/)
    expect(await shared.say('MAIL FROM:<a@gone.test>')).toMatch(/^450/)
    expect(await shared.say('MAIL FROM:<a@broken.test>')).toMatch(/^450/)
    expect(await shared.say('MAIL FROM:<a@elsewhere.test>')).toMatch(/^550/)
    expect(await shared.say('MAIL FROM:<ada@example.com>')).toMatch(/^250/)
    for (const sender of [own, shared]) sender.quit()
    await app.del(`/v1/integrations/${broken}`)
    await relay.refresh()
  })
})

describe('many connections of one client', () => {
  it('give way while they are idle', async () => {
    const crowded = await testRelay(app)
    const connect = (localAddress: string) => SmtpSender.connect(crowded.port, localAddress)
    const idle = await Promise.all(Array.from({ length: 500 }, () => connect('127.0.0.1')))
    await expect.poll(() => idle.filter(({ isClosed }) => isClosed).length).toBe(250)
    // On a slow machine, one can give way before its greeting.
    const open = idle.filter(({ isClosed }) => !isClosed)
    expect(new Set(open.map(({ greeting }) => greeting.slice(0, 3)))).toEqual(new Set(['220']))
    const other = await connect('127.0.8.8')
    await other.say('EHLO sender.test')
    expect(codes(await other.send('ada@example.com', ['b@other.test'], message))).toEqual([
      '250',
      '250',
      '250',
    ])
    for (const sender of [...idle, other]) sender.cut()
  })
})

describe('many messages of one workspace', () => {
  it('have their share of the relay, from all its clients together', async () => {
    const crowded = await testRelay(app)
    const begin = async (localAddress: string, address: string) => {
      const sender = await SmtpSender.connect(crowded.port, localAddress)
      await sender.say('EHLO sender.test')
      return { sender, answer: (await sender.say(`MAIL FROM:<${address}>`)).slice(0, 9) }
    }
    const clients = ['127.0.0.3', '127.0.6.6']
    const open = await Promise.all(
      Array.from({ length: 250 }, (_, n) => begin(clients[n % 2] as string, 'eve@second.test')),
    )
    expect(new Set(open.map(({ answer }) => answer.slice(0, 3)))).toEqual(new Set(['250']))
    const next = await begin('127.0.6.6', 'eve@second.test')
    expect(next.answer).toBe('451 4.3.2')
    const other = await begin('127.0.8.8', 'ada@example.com')
    expect(other.answer).toMatch(/^250/)
    for (const { sender } of [...open, next, other]) sender.cut()
  })
})

describe('many unknown connections', () => {
  it('of one network wait, and do not keep the certificates of other networks out', async () => {
    const calm = await testRelay(app)
    const crowd = await Promise.all(
      Array.from({ length: 55 }, (_, n) => SmtpSender.connect(calm.port, `127.0.0.${n + 10}`)),
    )
    const greetings = crowd.map(({ greeting }) => greeting.slice(0, 9))
    expect(greetings.filter(greeting => greeting.startsWith('220')).length).toBe(50)
    expect(greetings.filter(greeting => greeting === '421 4.7.0').length).toBe(5)
    const other = await SmtpSender.connect(calm.port, '127.0.9.9')
    await other.say('EHLO sender.test')
    await other.startTls(issued.of('mail.example.com'))
    await other.say('EHLO sender.test')
    expect(await other.say('MAIL FROM:<ada@example.com>')).toMatch(/^250/)
    for (const sender of [...crowd, other]) sender.cut()
    const again = async () => {
      const sender = await SmtpSender.connect(calm.port, '127.0.0.9')
      sender.cut()
      return sender.greeting.slice(0, 3)
    }
    await expect.poll(again).toBe('220')
  })
})

describe('the next hop', () => {
  it('must prove its name where TLS is required', async () => {
    const stranger = await standInHop({ certificate: foreign.of('mail.example.com') })
    const plain = await standInHop()
    for (const [target, domain] of [
      [stranger, 'stranger.test'],
      [plain, 'plain.test'],
    ] as const)
      await connectRelay(app, {
        next_hop: `smtp://localhost:${target.port}?starttls=required`,
        domains: [domain],
      })
    await relay.refresh()
    const sender = await from('127.0.0.1')
    expect(await sender.say('MAIL FROM:<a@stranger.test>')).toMatch(/^451/)
    expect(await sender.say('MAIL FROM:<a@plain.test>')).toMatch(/^451/)
    expect([...stranger.commands, ...plain.commands].join()).not.toContain('MAIL')
    sender.quit()
  })
})
