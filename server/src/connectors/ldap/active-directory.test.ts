// Runs of changes between full runs, as Active Directory offers them.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { command } from '#test/support/command.ts'
import {
  type AdObject,
  domain,
  type FakeDomain,
  startDomain,
} from '#test/support/directories/active-directory.ts'
import { syncNow } from '#test/support/directories/google-people.ts'
import { connectLdap } from '#test/support/directories/ldap-people.ts'
import { runAllJobs } from '#test/support/jobs.ts'
import { urlOf } from '#test/support/postgres/postgres.ts'
import { emptyFolder } from '#test/support/processes/process.ts'
import { planRead } from './cursor.ts'
import { dnKey, orgUnitPath, partsOf } from './dn.ts'
import { guidOf, idValue } from './entry.ts'
import { LdapSession } from './session.ts'

let app: TestApp
let ad: FakeDomain
const people: AdObject[] = []
const groups: AdObject[] = []
const staff = `OU=Staff,${domain}`

const addPerson = (name: string, more: Readonly<Record<string, string>> = {}, unit = staff) =>
  ad.add(`CN=${name},${unit}`, {
    objectClass: ['top', 'person', 'user'],
    objectCategory: 'person',
    givenName: name,
    sn: 'Example',
    mail: `${name}@example.com`,
    proxyAddresses: [`SMTP:${name}@example.com`, `smtp:${name}.x@example.com`, `sip:${name}@example.com`],
    userAccountControl: '512',
    title: 'Engineer',
    ...more,
  })

beforeAll(async () => {
  ad = await startDomain()
  ad.add(domain, { objectClass: ['top', 'domain', 'domainDNS'] })
  for (const name of ['Staff', 'Former'])
    ad.add(`OU=${name},${domain}`, { objectClass: ['top', 'organizationalUnit'] })
  ad.add(`OU=Berlin,${staff}`, { objectClass: ['top', 'organizationalUnit'] })
  for (let n = 0; n < 30; n++) people.push(addPerson(`p${n}`, {}, n < 10 ? `OU=Berlin,${staff}` : staff))
  for (const name of ['inner', 'outer'])
    groups.push(ad.add(`CN=${name},${staff}`, { objectClass: ['top', 'group'], cn: name }))
  for (const person of people.slice(0, 12)) groups[0]?.members.add(person)
  groups[1]?.members.add(groups[0] as AdObject).add(people[20] as AdObject)
  app = await testApp()
  await connectLdap(app, {
    settings: {
      url: ad.url,
      start_tls: false,
      preset: 'active_directory',
      bind_dn: `CN=reader,${domain}`,
      people_bases: [staff],
      page_size: 10,
      grace_days: 3,
    },
    password: 'secret',
  })
})

const person = (n: number) => people[n] as AdObject
const group = (n: number) => groups[n] as AdObject
const entities = async () =>
  Object.fromEntries(
    (await app.get('/v1/integration_entities?limit=100')).body.data.map(
      ({ name, teammates_count }: { name: string; teammates_count: number }) => [name, teammates_count],
    ),
  )
const stateOf = async (object: AdObject) =>
  (
    await app.db.query<{ state: string }>(
      sql`select state from directory_people where external_id = ${guidOf(object.guid)}`,
    )
  )[0]?.state
const titleOf = async (name: string) => {
  const [teammate] = (await app.get(`/v1/teammates?search=${name}@example.com`)).body.data
  return teammate?.smart_fields.find(({ label }: { label: string }) => label === 'Job title').value
}

describe('Active Directory', () => {
  it('is read completely first: members in parts, ids inside names, and pages that are empty', async () => {
    Object.assign(ad, { shownMembers: 5, hasEmptyPages: true })
    const first = await syncNow(app)
    expect(first).toMatchObject({ status: 'succeeded', kind: 'full', people_seen: 30, people_added: 30 })
    expect(await entities()).toEqual({ '/Staff': 30, '/Staff/Berlin': 10, inner: 12, outer: 13 })
    const [teammate] = (await app.get('/v1/teammates?search=p3@example.com')).body.data
    const addresses = teammate.emails.map(({ address }: { address: string }) => address).sort()
    expect(addresses).toEqual(['p3.x@example.com', 'p3@example.com'])
  })

  it('then only names what has changed', async () => {
    ad.change(person(4), { title: 'Director' })
    ad.change(person(5), { userAccountControl: '514' })
    const joiner = addPerson('joiner')
    group(0).members.add(joiner)
    group(0).members.delete(person(0))
    ad.change(group(0))
    const sentBefore = ad.sent
    const delta = await syncNow(app)
    expect(delta).toMatchObject({ status: 'succeeded', kind: 'delta', people_seen: 3, people_added: 1 })
    expect(delta).toMatchObject({ people_deactivated: 1, people_missing: 0 })
    expect(ad.sent - sentBefore).toBeLessThan(20)
    expect(await titleOf('p4')).toBe('Director')
    expect(await entities()).toEqual({ '/Staff': 31, '/Staff/Berlin': 10, inner: 12, outer: 13 })
    expect(await syncNow(app)).toMatchObject({ kind: 'delta', people_seen: 0, status: 'succeeded' })
  })

  it('names people who were moved out, lost their address or were deleted, and their grace ends in time', async () => {
    ad.move(person(12), `CN=p12,OU=Former,${domain}`)
    ad.change(person(13), { mail: [], proxyAddresses: [] } as never)
    person(14).isDeleted = true
    ad.move(person(14), `CN=p14\\0ADEL,CN=Deleted Objects,${domain}`)
    group(1).isDeleted = true
    ad.move(group(1), `CN=outer\\0ADEL,CN=Deleted Objects,${domain}`)
    expect(await syncNow(app)).toMatchObject({ kind: 'delta', people_missing: 3, entities_removed: 1 })
    expect(await entities()).not.toHaveProperty('outer')
    // A change of a person who is missing already does not end the grace.
    ad.change(person(12), { title: 'Retired' })
    expect(await syncNow(app)).toMatchObject({ kind: 'delta', people_missing: 0 })
    expect(await stateOf(person(12))).toBe('missing')
    await app.db.query(sql`
      update directory_people set missing_since = now() - interval '4 days' where state = 'missing'`)
    expect(await syncNow(app)).toMatchObject({ people_removed: 3 })
    ad.move(person(12), `CN=p12,${staff}`)
    expect(await syncNow(app)).toMatchObject({ kind: 'delta', people_added: 1 })
    expect(await titleOf('p12')).toBe('Retired')
  })

  it('is read completely after an org unit was moved, on another server, and when deletions are hidden', async () => {
    const berlin = [...ad.objects].find(({ dn }) => dn.startsWith('OU=Berlin')) as AdObject
    ad.move(berlin, `OU=Genf,${staff}`)
    expect(await syncNow(app)).toMatchObject({ kind: 'full', people_missing: 0, entities_added: 0 })
    expect(await entities()).toMatchObject({ '/Staff/Genf': 10 })
    ad.invocationId = Buffer.alloc(16, 2)
    expect(await syncNow(app)).toMatchObject({ kind: 'full', people_seen: 29 })
    ad.showsDeleted = false
    person(15).isDeleted = true
    ad.move(person(15), `CN=p15\\0ADEL,CN=Deleted Objects,${domain}`)
    expect(await syncNow(app)).toMatchObject({ kind: 'delta', people_missing: 0 })
    // By --full, and an hour later, everything is read again.
    const env = { DATABASE_URL: urlOf(app.connection), SIGNOFF_DATA_DIR: await emptyFolder() }
    const reading = command(['integrations', 'sync', '--full', '--workspace', app.id], env)
    await expect
      .poll(async () => {
        await runAllJobs(app)
        return (await app.get('/v1/sync_runs?limit=1')).body.data[0]
      })
      .toMatchObject({ status: 'succeeded', kind: 'full', people_missing: 1 })
    expect((await reading).out).toMatch(/people missing +1/)
    person(16).isDeleted = true
    ad.move(person(16), `CN=p16\\0ADEL,CN=Deleted Objects,${domain}`)
    expect(await syncNow(app)).toMatchObject({ kind: 'delta', people_missing: 0 })
    const [row] = await app.db.query<{ cursor: string }>(sql`select cursor from integrations`)
    const cursor = JSON.parse(row?.cursor ?? '')
    const hourBefore = { ...cursor, full_at: cursor.full_at - 3_600_000 }
    await app.db.query(sql`update integrations set cursor = ${JSON.stringify(hourBefore)}`)
    expect(await syncNow(app)).toMatchObject({ kind: 'full', people_missing: 1 })
  })
})

describe('a connection', () => {
  it('is given up when the server is silent and the run must stop, announces gigabytes, or speaks no LDAP', async () => {
    let answer = Buffer.alloc(0)
    const asked = Promise.withResolvers<void>()
    const server = createServer(socket => {
      socket
        .on('error', () => undefined)
        .on('data', () => {
          socket.write(answer)
          asked.resolve()
        })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const target = { url: `ldap://127.0.0.1:${port}`, startTls: false, caCertificate: null }
    const stop = new AbortController()
    const silent = await LdapSession.connect(target, stop.signal)
    const bound = silent.bind('cn=reader', 'secret')
    await asked.promise
    stop.abort(new Error('the run must stop'))
    await expect(bound).rejects.toThrow('the run must stop')
    for (const [text, message] of [
      ['30847fffffff', 'a message is too large'],
      ['308089', 'the length of a message is not valid'],
      [Buffer.from('HTTP/1.1 400 Bad Request').toString('hex'), 'it is no LDAP message'],
      ['300502010264ff', 'makes no sense'],
    ] as const) {
      answer = Buffer.from(text, 'hex')
      const session = await LdapSession.connect(target, new AbortController().signal)
      await expect(session.bind('cn=reader', 'secret')).rejects.toThrow(message)
      await expect(session.bind('cn=reader', 'secret')).rejects.toThrow(message)
      session.close()
    }
    server.close()
    await once(server, 'close')
  })
})

describe('what a run of changes depends on', () => {
  const changes = { invocationId: 'a', highestUsn: 2n ** 60n, base: domain }
  const cursor = planRead(null, changes, false, 1_000).cursorAfter(true)

  it('is the same server, a number that has not gone back, and a full run within the last hour', () => {
    expect(planRead(cursor, changes, false, 2_000).sinceUsn).toBe(2n ** 60n + 1n)
    expect(planRead(cursor, changes, false, 3_602_000).sinceUsn).toBeNull()
    expect(planRead(cursor, changes, false, 0).sinceUsn).toBeNull()
    expect(planRead(cursor, changes, true, 2_000).sinceUsn).toBeNull()
    expect(planRead(cursor, { ...changes, invocationId: 'b' }, false, 2_000).sinceUsn).toBeNull()
    expect(planRead(cursor, { ...changes, highestUsn: 5n }, false, 2_000).sinceUsn).toBeNull()
    for (const broken of ['', 'nonsense', '{}', '7', '{"server":"a","usn":"x","full_at":1}'])
      expect(planRead(broken, changes, false, 2_000).sinceUsn).toBeNull()
    expect(planRead(cursor, null, false, 2_000).cursorAfter(true)).toBeNull()
    const later = planRead(cursor, { ...changes, highestUsn: 2n ** 60n + 9n }, false, 2_000).cursorAfter(
      false,
    )
    expect(JSON.parse(later ?? '')).toMatchObject({ full_at: 1_000, usn: String(2n ** 60n + 9n) })
  })

  it('is the id, whose first parts have the lowest byte first', () => {
    const bytes = Buffer.from('00112233445566778899aabbccddeeff', 'hex')
    expect(guidOf(bytes)).toBe('33221100-5544-7766-8899-aabbccddeeff')
    expect(idValue(guidOf(bytes), 'objectGUID')).toEqual(bytes)
    expect(idValue('hex:00ff', 'guid')).toEqual(Buffer.from('00ff', 'hex'))
  })

  it('and names that mean the same entry, however they are written', () => {
    const same = [
      'CN=Müller\\, Jörg,OU=A+B=c,DC=x',
      'cn=m\\c3\\bcller\\2C  jörg , ou=a + b=C, dc=X',
      'CN="Müller, Jörg";ou=A+b=c;dc=x',
    ]
    expect(new Set(same.map(dnKey)).size).toBe(1)
    expect(new Set(['cn=a,dc=x', 'cn=a\\,dc=x', 'cn=a+dc=x'].map(dnKey)).size).toBe(3)
    expect(partsOf('cn=a\\ ,dc=x')[0]?.[0]?.value).toBe('a ')
    expect(orgUnitPath('CN=a,OU=Süd\\, Ost,CN=b,ou=Top,DC=x')).toBe('/Top/Süd, Ost')
    expect(['', 'nonsense', 'cn', ',,', '\\'].map(partsOf)).toEqual([[], [], [], [], []])
  })
})
