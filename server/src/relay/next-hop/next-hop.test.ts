// The answers of the next hop are the answers to the sender, whatever the hop does.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { type HopScript, type StandInHop, standInHop } from '#test/support/mail/next-hop.ts'
import { connectRelay, mailOf, relayEnv, type TestRelay, testRelay } from '#test/support/mail/relay.ts'
import { SmtpSender } from '#test/support/mail/smtp-sender.ts'

let app: TestApp
let hop: StandInHop
let relay: TestRelay

beforeAll(async () => {
  app = await testApp({ env: relayEnv })
  await app.patch('/v1/workspace', { domains: ['example.com'] })
  hop = await standInHop()
  await connectRelay(app, { next_hop: hop.url })
  relay = await testRelay(app, { connect: 2_000, command: 2_000, write: 2_000, final: 2_000 })
})

beforeEach(() => {
  hop.messages.length = 0
  hop.faults.length = 0
  hop.commands.length = 0
  hop.script = {}
})

const message = mailOf('ada@example.com', 'bob@other.test')

async function greeted(): Promise<SmtpSender> {
  const sender = await SmtpSender.connect(relay.port)
  await sender.say('EHLO sender.test')
  return sender
}

/** The replies to MAIL, one RCPT and the message. */
async function sendBy(script: HopScript): Promise<string[]> {
  hop.script = script
  const sender = await greeted()
  const replies = await sender.send('ada@example.com', ['bob@other.test'], message)
  sender.quit()
  return replies
}

const lastRow = async () => {
  await relay.flush()
  return (await app.get('/v1/relay_messages')).body.data[0]
}

/** Senders that are connected to the relay. */
const connections = async () =>
  Number(/^signoff_relay_connections (\d+)/m.exec(await relay.metrics.text())?.[1])

describe('recipients', () => {
  it('are refused and deferred one by one: five, of which three get the message', async () => {
    hop.script = {
      recipient: line =>
        line.includes('gone@')
          ? '550 5.1.1 no such user'
          : line.includes('busy@')
            ? '452 4.5.3 too many'
            : '250 ok',
    }
    const sender = await greeted()
    const to = ['a', 'gone', 'b', 'busy', 'c'].map(name => `${name}@other.test`)
    const replies = await sender.send('ada@example.com', to, message)
    expect(replies.map(reply => reply.slice(0, 3))).toEqual(['250', '250', '550', '250', '452', '250', '250'])
    expect(replies[2]).toBe('550 5.1.1 no such user')
    expect(replies[4]).toBe('452 4.5.3 too many')
    expect(hop.messages.map(({ recipients }) => recipients)).toEqual([
      ['RCPT TO:<a@other.test>', 'RCPT TO:<b@other.test>', 'RCPT TO:<c@other.test>'],
    ])
    expect(await lastRow()).toMatchObject({ recipients_count: 3, status: 250 })
    sender.quit()
  })
})

describe('a hop that', () => {
  it('refuses or defers is quoted at each stage', async () => {
    expect((await sendBy({ mail: () => '550 5.7.1 not you' }))[0]).toBe('550 5.7.1 not you')
    expect((await sendBy({ data: () => '451 4.3.0 not now' }))[2]).toBe('451 4.3.0 not now')
    expect((await sendBy({ message: () => '554-5.6.0 spam\r\n554 5.6.0 indeed' }))[2]).toBe(
      '554 5.6.0 spam 5.6.0 indeed',
    )
    expect(await lastRow()).toMatchObject({ outcome: 'rejected', reason: 'next_hop', status: 554 })
    expect((await sendBy({ message: () => '452 4.3.1 full' }))[2]).toBe('452 4.3.1 full')
    expect(await lastRow()).toMatchObject({ outcome: 'deferred', reason: 'next_hop', status: 452 })
    expect(hop.messages).toEqual([])
  })

  it('dies or falls silent leaves the message with its sender', async () => {
    const scripts: HopScript[] = [
      { diesAfterBytes: 10 },
      { message: () => null },
      { message: () => new Promise(() => undefined) },
      { data: () => null },
      { data: () => '250 what' },
    ]
    for (const script of scripts) {
      const [, , answer] = await sendBy(script)
      expect(answer).toBe('451 4.4.1 The next hop cannot be used now; try again')
      expect(await lastRow()).toMatchObject({ outcome: 'deferred', reason: 'next_hop_away', status: 451 })
    }
    expect((await sendBy({ mail: () => null }))[0]).toMatch(/^451/)
    expect((await sendBy({ greeting: () => '554 go away' }))[0]).toMatch(/^451/)
    expect((await sendBy({ greeting: () => 'hello' }))[0]).toMatch(/^451/)
    expect(hop.messages).toEqual([])
    expect((await sendBy({})).at(-1)).toMatch(/^250/)
  })

  it('says yes before the end of the message has accepted nothing', async () => {
    hop.script = { data: () => '354 go\r\n250 already queued' }
    const sender = await greeted()
    const replies = await sender.send(
      'ada@example.com',
      ['bob@other.test'],
      `${message}${'x'.repeat(200_000)}\r\n`,
    )
    expect(replies.at(-1)).toMatch(/^451/)
    hop.script = { data: () => '354 go\r\n552 5.3.4 too big' }
    const second = await sender.send(
      'ada@example.com',
      ['bob@other.test'],
      `${message}${'x'.repeat(200_000)}\r\n`,
    )
    expect(second.at(-1)).toBe('552 5.3.4 too big')
    sender.quit()
  })

  it('sends a reply too many has not accepted what it never saw', async () => {
    for (const extra of ['250 again', '354 go', '450 busy', '550 no']) {
      hop.commands.length = 0
      hop.script = { recipient: line => (line.includes('<a@') ? `250 ok\r\n${extra}` : '250 ok') }
      const sender = await greeted()
      const replies = await sender.send('ada@example.com', ['a@other.test', 'b@other.test'], message)
      expect(replies.slice(2).join(), extra).toMatch(/^451 4\.4\.1 [^,]*,(451|503) [^,]*$/)
      expect(hop.messages).toEqual([])
      expect(hop.commands.join(), extra).not.toContain('<b@')
      sender.quit()
    }
    hop.script = { message: () => '250 2.0.0 queued as 1\r\n250 again' }
    const sender = await greeted()
    for (let n = 0; n < 2; n++)
      expect((await sender.send('ada@example.com', ['b@other.test'], message)).at(-1)).toMatch(/^250 2\.0\.0/)
    expect(hop.messages.length).toBe(2)
    sender.quit()
  })

  it('closes with 421 between two commands is quoted', async () => {
    hop.script = { recipient: () => '250 ok\r\n421 4.3.2 going down' }
    const sender = await greeted()
    const replies = await sender.send('ada@example.com', ['a@other.test', 'b@other.test'], message)
    expect(replies[2]).toBe('421 4.3.2 going down')
    expect(hop.messages).toEqual([])
    sender.cut()
  })

  it('writes one byte at a time is understood', async () => {
    expect(await sendBy({ dribbles: true })).toEqual([
      '250 Accepted',
      '250 Accepted',
      '250 2.0.0 queued as 1',
    ])
  })

  it('is away gives 451, and mail flows when it is back', async () => {
    const { port } = hop
    await hop.stop()
    expect((await sendBy({}))[0]).toBe('451 4.4.1 The next hop cannot be used now; try again')
    hop = await standInHop()
    await hop.stop()
    await hop.listen(port)
    expect((await sendBy({})).at(-1)).toMatch(/^250/)
  })
})

describe('a connection', () => {
  it('carries several messages, after RSET too, and survives a hop that closes an idle one', async () => {
    const sender = await greeted()
    await sender.say('MAIL FROM:<ada@example.com>')
    await sender.say('RCPT TO:<lost@other.test>')
    expect(await sender.say('RSET')).toMatch(/^250/)
    for (let n = 0; n < 2; n++)
      expect((await sender.send('ada@example.com', ['b@other.test'], message)).at(-1)).toMatch(/^250/)
    expect(hop.messages.map(({ recipients }) => recipients)).toEqual(
      Array(2).fill(['RCPT TO:<b@other.test>']),
    )
    expect(hop.commands.filter(line => line.startsWith('RSET')).length).toBe(1)
    hop.script = { mail: () => '421 4.3.2 idle' }
    expect(await sender.say('MAIL FROM:<ada@example.com>')).toBe('421 4.3.2 idle')
    expect(hop.faults).toEqual([])
  })

  it('that ends inside a message leaves nothing at the hop', async () => {
    const sender = await greeted()
    await sender.say('MAIL FROM:<ada@example.com>')
    await sender.say('RCPT TO:<bob@other.test>')
    await sender.say('DATA')
    sender.write(message)
    sender.cut()
    await expect.poll(lastRow).toMatchObject({ outcome: 'deferred', reason: 'disconnected' })
    await expect.poll(() => hop.openConnections).toBe(0)
    expect(hop.messages).toEqual([])
    expect(hop.commands).not.toContain('DATA')
  })
})

describe('a sender that leaves', () => {
  it('while the hop is connected to leaves no connection there', async () => {
    const sender = await greeted()
    const late = Promise.withResolvers<string>()
    const asked = Promise.withResolvers<void>()
    hop.script = {
      greeting: () => {
        asked.resolve()
        return late.promise
      },
    }
    sender.write('MAIL FROM:<ada@example.com>\r\n')
    await asked.promise
    sender.cut()
    await expect.poll(connections).toBe(0)
    late.resolve('220 late')
    await expect.poll(() => hop.commands).toContain('QUIT')
    await expect.poll(() => hop.openConnections).toBe(0)
    expect(hop.commands.join()).not.toContain('MAIL')
  })

  it('between the final dot and the answer leaves no connection there, and the message is noted', async () => {
    const sender = await greeted()
    const late = Promise.withResolvers<string>()
    const asked = Promise.withResolvers<void>()
    hop.script = {
      message: () => {
        asked.resolve()
        return late.promise
      },
    }
    const sent = sender.send('ada@example.com', ['left@other.test'], message).catch(() => [])
    await asked.promise
    sender.cut()
    await sent
    await expect.poll(connections).toBe(0)
    late.resolve('250 2.0.0 late')
    await expect.poll(() => hop.openConnections).toBe(0)
    expect(hop.messages.length).toBe(1)
    expect(await lastRow()).toMatchObject({ outcome: 'passed', status: 250 })
  })
})

describe('a message that comes slowly', () => {
  it('ends, although a byte comes now and then', { tags: ['deep'] }, async () => {
    const impatient = await testRelay(app, { pace: 300 })
    const sender = await SmtpSender.connect(impatient.port)
    await sender.say('EHLO sender.test')
    await sender.say('MAIL FROM:<ada@example.com> SIZE=41000000')
    await sender.say('RCPT TO:<bob@other.test>')
    await sender.say('DATA')
    const dribble = setInterval(() => sender.write('x'), 50)
    await expect.poll(() => sender.isClosed, { timeout: 10_000 }).toBe(true)
    clearInterval(dribble)
    expect(hop.messages).toEqual([])
  })
})

describe('extensions', () => {
  const offered = async () => {
    const sender = await SmtpSender.connect(relay.port)
    const lines = (await sender.say('EHLO sender.test')).split('\n').map(line => line.slice(4))
    sender.quit()
    return lines.slice(1).sort()
  }

  it('are announced when the next hop has them, and their parameters are passed on', async () => {
    expect(await offered()).toEqual(['8BITMIME', 'DSN', 'PIPELINING', 'SIZE 41943040', 'SMTPUTF8'])
    const sender = await greeted()
    await sender.say('MAIL FROM:<ada@example.com> BODY=8BITMIME SMTPUTF8 SIZE=1000 RET=HDRS ENVID=a+2Bb')
    await sender.say('RCPT TO:<bob@xn--bcher-kva.example> NOTIFY=SUCCESS,DELAY ORCPT=rfc822;b+2Bc@other.test')
    expect(hop.commands.slice(-2)).toEqual([
      'MAIL FROM:<ada@example.com> BODY=8BITMIME SMTPUTF8 SIZE=1000 RET=HDRS ENVID=a+2Bb',
      'RCPT TO:<bob@xn--bcher-kva.example> NOTIFY=SUCCESS,DELAY ORCPT=rfc822;b+2Bc@other.test',
    ])
    await sender.say('RSET')
    expect(await sender.say('MAIL FROM:<ada@example.com> HOLDFOR=60')).toMatch(/^555/)
    sender.quit()
  })

  it('that the hop does not have are not announced, and not promised', async () => {
    const features = ['SIZE 20000000']
    const tooLarge = (line: string) => (line.includes('SIZE=3') ? '552 5.3.4 too large here' : '250 ok')
    const bare = await standInHop({ script: { features, mail: tooLarge } })
    const id = await connectRelay(app, { next_hop: bare.url, domains: ['bare.test'] })
    const [{ id: first }] = (await app.get('/v1/integrations')).body.data.slice(-1)
    await relay.refresh()
    const all = ['8BITMIME', 'DSN', 'PIPELINING', 'SIZE 41943040', 'SMTPUTF8']
    // Before this client has sent mail for it, the other relay takes nothing away.
    expect(await offered()).toEqual(all)
    const sender = await greeted()
    // The limit of one hop is none for messages to another.
    expect(await sender.say('MAIL FROM:<ada@example.com> SIZE=30000000')).toMatch(/^250/)
    await sender.say('RSET')
    expect(await sender.say('MAIL FROM:<ada@bare.test> SIZE=30000000')).toBe('552 5.3.4 too large here')
    expect(await sender.say('MAIL FROM:<ada@bare.test> BODY=8BITMIME')).toMatch(/^451/)
    expect(await sender.say('MAIL FROM:<ada@bare.test> BODY=7BIT')).toMatch(/^250/)
    expect(bare.commands.at(-1)).toBe('MAIL FROM:<ada@bare.test>')
    sender.quit()
    // A sender of two relays is promised only what both hops have.
    expect(await offered()).toEqual(['PIPELINING', 'SIZE 41943040'])
    expect(first).not.toBe(id)
    expect((await app.del(`/v1/integrations/${id}`)).status).toBe(204)
    await relay.refresh()
  })

  it('of a hop that is away are not asked for by those of the others', async () => {
    const away = await standInHop()
    await away.stop()
    const id = await connectRelay(app, { next_hop: away.url, domains: ['away.test'] })
    await relay.refresh()
    expect(await offered()).toEqual(['8BITMIME', 'DSN', 'PIPELINING', 'SIZE 41943040', 'SMTPUTF8'])
    await app.del(`/v1/integrations/${id}`)
    await relay.refresh()
  })
})
