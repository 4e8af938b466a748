// The settings of a relay: by the API and the command line, tested step by step, obeyed without a restart.
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { changeIntegration } from '#features/workspace/integrations/index.ts'
import { operator } from '#kernel/api/scopes.ts'
import { sql } from '#kernel/db/db.ts'
import { queriesBy } from '#kernel/db/query-forms.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { type StandInHop, standInHop } from '#test/support/mail/next-hop.ts'
import {
  certificates,
  connectRelay,
  mailOf,
  relayEnv,
  signedPerson,
  type TestRelay,
  testRelay,
} from '#test/support/mail/relay.ts'
import { SmtpSender } from '#test/support/mail/smtp-sender.ts'
import { emptyFolder } from '#test/support/processes/process.ts'
import { parseClient } from '../clients/clients.ts'
import { connectorSetup, connectorTargets } from './connector-setup.ts'

let app: TestApp
let hop: StandInHop
let relay: TestRelay
let integrationId: string

beforeAll(async () => {
  const folder = await emptyFolder()
  const issued = await certificates('localhost')
  await writeFile(join(folder, 'ca.pem'), issued.ca)
  app = await testApp({ env: { ...relayEnv, SIGNOFF_RELAY_CLIENT_CA: join(folder, 'ca.pem') } })
  hop = await standInHop({ certificate: issued.of('localhost') })
  await app.patch('/v1/workspace', { domains: ['example.com'] })
  await signedPerson(app, 'ada@example.com', 'Signature of Ada')
  integrationId = await connectRelay(app, { next_hop: hop.url })
  relay = await testRelay(app)
})

const create = (settings: object, more: object = {}, target = app) =>
  target.post('/v1/integrations', { integration: { kind: 'smtp_relay', settings, ...more } })

describe('settings', () => {
  it('are refused with the name of each field', async () => {
    const bad = await create({
      next_hop: 'http://example.com',
      clients: [
        '10.0.0.0/8',
        '0.0.0.0/0',
        '1.2',
        'cn:',
        'cn:*.com',
        'cn:mail.example.com;tenant=x',
        '2000::/3',
        'cn:mail.protection.outlook.com',
        '10.0.0.1;header=X-Signoff-Client:short',
        '::ffff:10.0.0.1',
        'cn:*.co.uk',
        'cn:*.google.com',
        '209.85.128.0/17',
        '209.85.200.1',
        '40.107.0.0/16',
        '2a00:1450:4864::/56',
      ],
      domains: ['example.com', 'no domain'],
      mails: ['replies'],
    })
    expect(bad.status).toBe(422)
    expect(Object.keys(fieldErrors(bad)).sort()).toEqual(
      [
        'settings.next_hop',
        ...Array.from({ length: 15 }, (_, n) => n + 1).map(n => `settings.clients[${n}]`),
        'settings.domains[1]',
        'settings.mails',
      ].sort(),
    )
    expect(bad.text).toContain('settings.clients[9] must be written as an IPv4 address or network: 10.0.0.1')
    expect(bad.text).toContain('settings.clients[12] is shared by all customers of Google')
    for (const next_hop of [
      'smtp://',
      'smtp://u:p@host',
      'smtp://host/path',
      'smtp://host?x=1',
      'smtps://host?starttls=required',
      'smtp://host:99999',
      'smtp://ho st',
    ])
      expect(fieldErrors(await create({ next_hop, clients: ['10.0.0.1'] })), next_hop).toEqual({
        'settings.next_hop': 'invalid',
      })
    expect(fieldErrors(await create({ next_hop: hop.url }))).toEqual({ 'settings.clients': 'missing' })
    expect(
      fieldErrors(await create({ next_hop: hop.url, clients: ['10.0.0.1'], stamp_timeout_ms: 1 })),
    ).toEqual({
      'settings.stamp_timeout_ms': 'out_of_range',
    })
    const secret = { dkim: { selector: 's1', domain: 'example.com', private_key: 'no key' } }
    expect(fieldErrors(await create({ next_hop: hop.url, clients: ['10.0.0.1'] }, { secret }))).toEqual({
      'secret.dkim.private_key': 'invalid',
    })
    // An API client cannot send mail, or the test of a connection, into the network of the service.
    const closed = await testApp({ connection: app.connection })
    for (const [target, next_hop] of [
      [app, 'smtp://10.9.8.7:25'],
      [closed, 'smtp://localhost:25'],
      [closed, 'smtps://a.LOCALHOST.'],
      [closed, 'smtp://mail.local'],
      [closed, 'smtp://mailhub'],
    ] as const)
      expect(fieldErrors(await create({ next_hop, clients: ['10.0.0.1'] }, {}, target)), next_hop).toEqual({
        'settings.next_hop': 'invalid',
      })
    // The network that the operator allows can have names of its own. No other name is resolved to save it.
    for (const [target, next_hop] of [
      [app, 'smtp://mail.local'],
      [closed, 'smtp://nowhere.example.com'],
    ] as const)
      expect((await create({ next_hop, clients: ['10.77.0.1'] }, {}, target)).status, next_hop).toBe(201)
    expect(
      fieldErrors(await create({ next_hop: hop.url, clients: ['10.0.0.1'], private_next_hop: hop.url })),
    ).toEqual({
      'settings.private_next_hop': 'unknown_property',
    })
  })

  it('name networks by their first address, and wide ones only where all of it is private', async () => {
    const clients = ['192.168.0.0/8', '172.0.0.0/8', '10.1.2.3/24', '2002::/16', 'fc00::/6', 'fd00::1/64']
    const bad = await create({ next_hop: hop.url, clients })
    expect(Object.keys(fieldErrors(bad))).toEqual(clients.map((_, n) => `settings.clients[${n}]`))
    expect(bad.text).toContain('must begin with the first address of the network: 10.1.2.0/24')
    for (const client of ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '209.85.128.0/17', 'fd00::/8'])
      expect(parseClient(client), client).toMatchObject({ text: client })
  })

  it('are tested step by step', async () => {
    const steps = async (settings: object) => {
      await app.patch(`/v1/integrations/${integrationId}`, { settings })
      const { body } = await app.post(`/v1/integrations/${integrationId}/test`)
      return body.data.steps.map(({ name, ok }: { name: string; ok: boolean }) => `${name} ${ok}`)
    }
    expect(await steps({ next_hop: `smtp://localhost:${hop.port}?starttls=required` })).toEqual([
      'next_hop true',
      'ehlo true',
      'tls true',
      'certificate true',
      'clients true',
      'domains true',
    ])
    const bare = await standInHop()
    expect(await steps({ next_hop: `smtp://localhost:${bare.port}?starttls=required` })).toContain(
      'tls false',
    )
    expect(await steps({ next_hop: `smtps://localhost:${bare.port}` })).toContain('certificate false')
    expect(await steps({ next_hop: 'smtp://127.0.0.1:1' })).toContain('next_hop false')
    expect(await steps({ next_hop: hop.url, clients: ['cn:mail.example.com'] })).toContain('clients false')
    await app.patch('/v1/workspace', { domains: [] })
    expect(await steps({ clients: ['127.0.0.1'] })).toContain('domains false')
    await app.patch('/v1/workspace', { domains: ['example.com'] })
  })

  it('are obeyed without a restart', async () => {
    const from = async (address: string) => {
      const sender = await SmtpSender.connect(relay.port)
      if (!sender.greeting.startsWith('220')) return sender.greeting.slice(0, 3)
      await sender.say('EHLO sender.test')
      const answer = await sender.say(`MAIL FROM:<${address}>`)
      sender.quit()
      return answer.slice(0, 3)
    }
    await expect.poll(() => from('ada@example.com')).toBe('250')
    const change = { settings: { domains: ['New.test'] } }
    expect(fieldErrors(await app.patch(`/v1/integrations/${integrationId}`, change))).toEqual({
      'settings.domains[0]': 'invalid',
    })
    await app.patch('/v1/workspace', { domains: ['example.com', 'new.test'] })
    expect((await app.patch(`/v1/integrations/${integrationId}`, change)).status).toBe(200)
    await expect.poll(() => from('ada@example.com')).toBe('550')
    expect(await from('ada@new.test')).toBe('250')
    await app.patch(`/v1/integrations/${integrationId}`, {
      settings: { domains: null, clients: ['10.0.0.1'] },
    })
    await expect.poll(() => from('ada@example.com')).toBe('421')
    await app.patch('/v1/workspace', { domains: ['example.com'] })
    await app.patch(`/v1/integrations/${integrationId}`, { settings: { clients: ['127.0.0.1'] } })
    await expect.poll(() => from('ada@example.com')).toBe('250')
  })
})

describe('a next hop in the own network', () => {
  it('is trusted when the operator names it, and not when the operator changes something else', async () => {
    const { body } = await create({ next_hop: hop.url, clients: ['10.0.0.7'], domains: ['example.com'] })
    const { id } = body.data
    const byOperator = (settings: Record<string, unknown>) =>
      changeIntegration(app.db, operator(app.id), id, { settings }, app.parts.integrations)
    const trusted = async () => {
      const [row] = await app.db.query<{ hop: string | null }>(
        sql`select settings ->> 'private_next_hop' as hop from integrations where id = ${id}`,
      )
      return row?.hop
    }
    await byOperator({ mails: ['external'] })
    expect(await trusted()).toBe(null)
    await byOperator({ next_hop: 'smtp://10.9.8.7:25' })
    expect(await trusted()).toBe('smtp://10.9.8.7:25')
    const byClient = (next_hop: string) => app.patch(`/v1/integrations/${id}`, { settings: { next_hop } })
    const refused = await byClient('smtp://10.9.8.6:25')
    expect([refused.status, fieldErrors(refused)]).toEqual([422, { 'settings.next_hop': 'invalid' }])
    // What the operator has chosen can come back with other settings.
    expect((await byClient('smtp://10.9.8.7:25')).status).toBe(200)
    expect((await byClient('smtp://mail.example.com:25')).status).toBe(200)
    await byOperator({ mails: ['external', 'internal'] })
    expect(await trusted()).toBe('smtp://10.9.8.7:25')
    expect((await app.del(`/v1/integrations/${id}`)).status).toBe(204)
    await relay.refresh()
  })
})

describe('the secret of a header', () => {
  const stored = async (id: string) => {
    const [row] = await app.db.query<{ settings: { clients: string[] }; secret: Buffer }>(
      sql`select settings, secret from integrations where id = ${id}`,
    )
    return JSON.parse(await app.parts.vault.open(row?.secret ?? Buffer.alloc(0), id))
  }

  it('is stored sealed and never returned, and stays when a client comes back without it', async () => {
    const clients = ['10.7.0.0/24;header=X-Client:Secret-of-the-test-1', '10.7.1.0/24']
    const made = await create({ next_hop: hop.url, clients, domains: ['example.com'] })
    const { id, settings } = made.body.data
    expect(settings.clients).toEqual(['10.7.0.0/24;header=X-Client', '10.7.1.0/24'])
    const patch = (sent: readonly string[], more: object = {}) =>
      app.patch(`/v1/integrations/${id}`, { settings: { clients: sent }, ...more })
    // A network that is new gets the secret of its header; a masked one keeps it.
    const added = await patch(['10.7.0.0/24;header=X-Client:****', '10.7.2.0/24;header=X-Client'])
    expect(added.body.data.settings.clients).toEqual([
      '10.7.0.0/24;header=X-Client',
      '10.7.2.0/24;header=X-Client',
    ])
    const both = {
      '10.7.0.0/24;header=X-Client': 'Secret-of-the-test-1',
      '10.7.2.0/24;header=X-Client': 'Secret-of-the-test-1',
    }
    expect(await stored(id)).toEqual({ header_secrets: both })
    const { privateKey } = generateKeyPairSync('ed25519', {
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    const dkim = { selector: 's1', domain: 'example.com', private_key: privateKey }
    await app.patch(`/v1/integrations/${id}`, { secret: { dkim } })
    expect(await stored(id)).toEqual({ dkim, header_secrets: both })
    const changed = await patch(['10.7.0.0/24;header=X-Client:Secret-of-the-test-2'])
    expect(await stored(id)).toEqual({
      dkim,
      header_secrets: { '10.7.0.0/24;header=X-Client': 'Secret-of-the-test-2' },
    })
    const tested = await app.post(`/v1/integrations/${id}/test`)
    expect(tested.text).toContain('10.7.0.0/24;header=X-Client')
    const answers = [made, added, changed, tested, await app.get(`/v1/integrations/${id}`)]
    for (const { text } of answers) expect(text).not.toContain('Secret-of-the-test')
    expect((await app.del(`/v1/integrations/${id}`)).status).toBe(204)
  })

  it('is needed once, and one for each client', async () => {
    const at = (clients: string[]) => create({ next_hop: hop.url, clients, domains: ['example.com'] })
    expect(fieldErrors(await at(['10.7.9.1', '10.7.0.0/24;header=X-Client']))).toEqual({
      'settings.clients[1]': 'missing',
    })
    const twice = ['1', '2'].map(n => `10.7.0.0/24;header=X-Client:Secret-of-the-test-${n}`)
    expect(fieldErrors(await at(twice))).toEqual({ 'settings.clients[1]': 'duplicate' })
  })
})

describe('the set-up of mail systems', () => {
  it.each(connectorTargets)('is printed for %s, with the names of this installation', target => {
    const facts = {
      relayHost: 'relay.example.com',
      relayPort: 2525,
      instance: 'signoff.example.com',
      domains: ['example.com'],
      secret: 'a-secret-of-the-test',
    }
    const printed = connectorSetup(target, facts)
    expect(printed).toContain('relay.example.com')
    expect(printed).toContain('npx signoff integrations add relay \\\n  --next-hop "smtp://')
    expect(printed).toContain('--domain example.com')
    expect(printed).toContain('Switch it off in a hurry')
    if (target !== 'postfix') expect(printed).toContain('signoff.example.com')
    // The relay knows its clients before a rule sends it mail; and the rule begins with ten people.
    const rule = {
      exchange: 'New-TransportRule',
      google: 'Content compliance',
      postfix: 'content_filter=signoff',
    }
    expect(printed.indexOf('integrations add relay')).toBeLessThan(printed.indexOf(rule[target]))
    expect(printed).toContain('ten people')
    const clients = [...printed.matchAll(/--client "([^"]+)"/g)].map(([, text = '']) => text)
    for (const client of clients)
      expect(parseClient(client.replace('<Tenant ID>', randomUUID())), client).toBeTypeOf('object')
    if (target === 'google') expect(printed).toContain('X-Signoff-Client: a-secret-of-the-test')
    expect(printed).not.toMatch(/undefined|\$\{/)
  })
})

describe('DKIM', () => {
  it('signs what leaves the relay, with a key that is stored sealed', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'der' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    const secret = { dkim: { selector: 's1', domain: 'example.com', private_key: privateKey } }
    const patched = await app.patch(`/v1/integrations/${integrationId}`, { integration: { secret } })
    expect(patched.status).toBe(200)
    expect(patched.text).not.toContain('PRIVATE KEY')
    const [stored] = await app.db.query<{ secret: Buffer }>(
      sql`select secret from integrations where id = ${integrationId}`,
    )
    expect(stored?.secret.toString('latin1')).not.toContain('PRIVATE')
    await relay.refresh()
    const sender = await SmtpSender.connect(relay.port)
    await sender.say('EHLO sender.test')
    await sender.send('ada@example.com', ['b@other.test'], mailOf('ada@example.com', 'b@other.test'))
    sender.quit()
    const received = hop.messages.at(-1)?.data ?? Buffer.alloc(0)
    expect(received.toString()).toContain('Signature of Ada')
    const record = `v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`
    const { results } = await dkimVerify(received, { resolver: async () => [[record]] as never })
    expect(results.map(({ status }: { status: { result: string } }) => status.result)).toEqual(['pass'])
  })
})

describe('without PostgreSQL', () => {
  it('mail flows on: with signatures that are known, and without those that are not', async () => {
    let isAway = false
    const db = {
      ...app.db,
      ...queriesBy(statement =>
        isAway ? Promise.reject(new Error('Connection terminated')) : app.db.query(statement),
      ),
    }
    const second = await testRelay({ ...app, db })
    const relayed = async (address: string) => {
      const sender = await SmtpSender.connect(second.port)
      await sender.say('EHLO sender.test')
      const replies = await sender.send('ada@example.com', ['b@other.test'], mailOf(address, 'b@other.test'))
      expect(replies.at(-1)).toMatch(/^250/)
      sender.quit()
      return hop.messages.at(-1)?.data.toString() ?? ''
    }
    await signedPerson(app, 'new@example.com', 'Signature of the new person')
    expect(await relayed('ada@example.com')).toContain('Signature of Ada')
    isAway = true
    expect(await relayed('ada@example.com')).toContain('Signature of Ada')
    expect(await relayed('new@example.com')).not.toContain('Signature of the new person')
    isAway = false
    expect(await relayed('new@example.com')).toContain('Signature of the new person')
    await second.flush()
    const reasons = (await app.get('/v1/relay_messages?outcome=passed')).body.data
    expect(reasons[0]).toMatchObject({ reason: 'stamp_error' })
  })

  it('a lookup that takes too long passes the message as it came', async () => {
    await app.patch(`/v1/integrations/${integrationId}`, { settings: { stamp_timeout_ms: 100 } })
    await relay.refresh()
    const message = mailOf('slow@example.com', 'b@other.test')
    await app.db.transaction(async tx => {
      await tx.query(sql`lock table emails in access exclusive mode`)
      const sender = await SmtpSender.connect(relay.port)
      await sender.say('EHLO sender.test')
      expect((await sender.send('ada@example.com', ['b@other.test'], message)).at(-1)).toMatch(/^250/)
      sender.quit()
    })
    expect(hop.messages.at(-1)?.data.toString()).toContain(message)
    await relay.flush()
    expect((await app.get('/v1/relay_messages')).body.data[0]).toMatchObject({
      outcome: 'passed',
      reason: 'stamp_timeout',
    })
    expect(await relay.metrics.text()).toMatch(/signoff_relay_messages_total\{outcome="passed"\} [1-9]/)
  })
})
