// A real OpenLDAP server with 3,000 people.
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Attribute, Change } from 'ldapts'
import sharp from 'sharp'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { changeIntegration } from '#features/workspace/integrations/index.ts'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { command } from '#test/support/command.ts'
import { mapFields } from '#test/support/directories/directory-state.ts'
import { syncNow } from '#test/support/directories/google-people.ts'
import { hasSlapd, ldifOf, reader, type Slapd, startSlapd, suffix } from '#test/support/directories/slapd.ts'
import { urlOf } from '#test/support/postgres/postgres.ts'
import { startCuttingProxy } from '#test/support/processes/cutting-proxy.ts'
import { openSession } from './directory.ts'
import { entryId } from './entry.ts'
import { KnownEntries } from './members.ts'
import { ldapSettingsOf } from './settings.ts'

const secretKeys = Buffer.alloc(32, 7).toString('base64')
const count = 3_000
const unit = (name: string, parent: string) =>
  ldifOf(`ou=${name},${parent}`, { objectClass: 'organizationalUnit', ou: name })
const people = `ou=People,${suffix}`
const personDn = (n: number) => `uid=p${n},${n % 3 === 0 ? `ou=Zürich\\, Süd,${people}` : people}`

const photo = (red: number) =>
  sharp({ create: { width: 64, height: 64, channels: 3, background: { r: red, g: 0, b: 0 } } })
    .jpeg()
    .toBuffer()

const person = (n: number, more: object = {}) =>
  ldifOf(personDn(n), {
    objectClass: 'inetOrgPerson',
    uid: `p${n}`,
    cn: `Person ${n}`,
    sn: n === 1 ? 'Ärger-Öztürk' : 'Example',
    givenName: n === 1 ? 'Üwe' : `P${n}`,
    mail: n === 1 ? ['p1@example.com', 'uwe@example.com'] : `p${n}@example.com`,
    title: 'Engineer',
    telephoneNumber: '+49 30 123456',
    manager: personDn(1),
    ...more,
  })

const group = (name: string, members: readonly string[]) =>
  ldifOf(`cn=${name},ou=Groups,${suffix}`, { objectClass: 'groupOfNames', cn: name, member: members })

let app: TestApp
let slapd: Slapd
let id = ''
let folder = ''

const cli = (args: readonly string[], env: Record<string, string> = {}) =>
  command(['integrations', ...args], {
    DATABASE_URL: urlOf(app.connection),
    SIGNOFF_DATA_DIR: folder,
    SIGNOFF_SECRET_KEYS: secretKeys,
    ...env,
  })

beforeAll(async () => {
  if (!hasSlapd) return
  folder = await mkdtemp(join(inject('folder'), 'ldap-'))
  const red = await photo(200)
  slapd = await startSlapd({
    ldif: [
      unit('People', suffix),
      ldifOf(`ou=Zürich\\, Süd,${people}`, { objectClass: 'organizationalUnit', ou: 'Zürich, Süd' }),
      unit('Groups', suffix),
      unit('Hidden', suffix),
      ...Array.from({ length: count }, (_, n) => person(n, n === 1 || n === 2 ? { jpegPhoto: red } : {})),
      ldifOf(`uid=mailless,${people}`, {
        objectClass: 'inetOrgPerson',
        uid: 'mailless',
        cn: 'No',
        sn: 'Mail',
      }),
      group('inner', [personDn(1), personDn(3), `uid=unknown,${people}`]),
      // Members are written with other cases and spaces than the entries.
      group('outer', [`CN=Inner, OU=groups, ${suffix}`, `UID=P6,ou=z\\C3\\BCrich\\2C s\\C3\\BCd,${people}`]),
    ].join(''),
  })
  app = await testApp({ env: { SIGNOFF_SECRET_KEYS: secretKeys } })
})

const teammateWith = async (address: string) =>
  (await app.get(`/v1/teammates?search=${encodeURIComponent(address)}`)).body.data[0]
const fieldOf = (teammate: { smart_fields: { label: string; value: unknown }[] }, label: string) =>
  teammate.smart_fields.find(field => field.label === label)?.value
const entities = async (): Promise<{ name: string; teammates_count: number }[]> =>
  (await app.get('/v1/integration_entities?limit=100')).body.data
const stepsOf = async () => (await app.post(`/v1/integrations/${id}/test`)).body.data.steps
const change = (settings: object, password?: string) =>
  changeIntegration(
    app.db,
    app.by,
    id,
    { settings: { ...settings }, ...(password && { secret: { password } }) },
    app.parts.integrations,
  )

describe.skipIf(!hasSlapd)('an OpenLDAP directory', () => {
  it('is connected by the command line, with StartTLS and an authority of its own', async () => {
    const ca = join(folder, 'ca.pem')
    const password = join(folder, 'password')
    await writeFile(ca, slapd.ca)
    await writeFile(password, `${reader.password}\n`)
    const add = (...args: string[]) => cli(['add', 'ldap', '-w', app.id, '--url', slapd.url, ...args])
    const account = ['--preset', 'openldap', '--bind-dn', reader.dn, '--people-base', people]
    expect(await add(...account)).toMatchObject({
      code: 1,
      err: expect.stringContaining('SIGNOFF_LDAP_PASSWORD'),
    })
    const secret = await add(...account, '--password-file', password, '--attribute', 'userPassword')
    expect(secret).toMatchObject({ code: 1, err: expect.stringContaining('userPassword holds a secret') })
    const filter = await add(...account, '--password-file', password, '--people-filter', '(a=b')
    expect(filter).toMatchObject({ code: 1, err: expect.stringContaining('people_filter') })
    const added = await add(
      ...account,
      '--password-file',
      password,
      '--ca-file',
      ca,
      '--group-base',
      `ou=Groups,${suffix}`,
    )
    expect(added).toMatchObject({ code: 0, err: '' })
    id = /Connected as (\S+?)\./.exec(added.out)?.[1] ?? ''
    const { settings } = (await app.get(`/v1/integrations/${id}`)).body.data
    expect(settings).toMatchObject({ url: slapd.url, bind_dn: reader.dn, drives_teammates: true })
    expect(JSON.stringify(settings)).not.toContain(reader.password)
    expect(await cli(['test', '-w', app.id, id])).toMatchObject({ code: 0 })
    const change = (...args: string[]) => cli(['change', 'ldap', '-w', app.id, id, ...args])
    expect(await change('--people-filter', '(uid=p1)', '--no-start-tls')).toMatchObject({ code: 0 })
    const changed = await app.get(`/v1/integrations/${id}`)
    expect(changed.body.data.settings).toMatchObject({
      people_filter: '(uid=p1)',
      start_tls: false,
      url: slapd.url,
    })
    const env = { SIGNOFF_LDAP_PASSWORD: reader.password }
    const reset = ['change', 'ldap', '-w', app.id, id, '--people-filter', '', '--start-tls']
    expect(await cli(reset, env)).toMatchObject({ code: 0 })
  })

  it('is tried step by step, and each failure names its remedy', async () => {
    expect(await stepsOf()).toMatchObject([
      { name: 'reach', ok: true },
      { name: 'tls', ok: true },
      { name: 'bind', ok: true },
      { name: 'base', ok: true },
      { name: 'people', ok: true, message: '3000 people were found, 3000 with an address.' },
      { name: 'groups', ok: true, message: '2 groups were found, 2 with members.' },
    ])
    const broken: [object, string, RegExp][] = [
      [{ url: 'ldap://127.0.0.1:1' }, 'reach', /127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\)/],
      [{ ca_certificate: null }, 'tls', /certificate of ldap:\S+ is not trusted/],
      [{ url: slapd.url.replace('ldap:', 'ldaps:') }, 'tls', /sets up no TLS/],
      [{ bind_dn: `cn=nobody,${suffix}` }, 'bind', /refuses the account cn=nobody/],
      [{ people_bases: [`ou=Wrong,${suffix}`] }, 'base', /no entry “ou=Wrong,dc=example,dc=com”/],
      [{ people_filter: '(uid=nobody)' }, 'people', /No people were found/],
      [{ id_attribute: 'employeeNumber' }, 'people', /without employeeNumber/],
    ]
    const usual = (await app.get(`/v1/integrations/${id}`)).body.data.settings
    for (const [settings, name, message] of broken) {
      await change(settings)
      const last = (await stepsOf()).at(-1)
      expect(last).toMatchObject({ name, ok: false, message: expect.stringMatching(message) })
      expect(last.remedy.length).toBeGreaterThan(10)
      await change({ people_filter: null, id_attribute: null, ...usual })
    }
    // The run says the same.
    await change({ people_bases: [`ou=Wrong,${suffix}`] })
    expect(await syncNow(app)).toMatchObject({
      status: 'failed',
      error_code: 'access_lost',
      error_message: expect.stringContaining('“ou=Wrong,dc=example,dc=com”'),
    })
    await change(usual)
    await change({ url: slapd.secureUrl }, 'wrong')
    expect((await stepsOf()).at(-1)).toMatchObject({ name: 'bind', ok: false })
    await change(usual, reader.password)
  })

  it('cannot be pointed elsewhere by the API, whose clients must not name hosts of the own network', async () => {
    const settings = { url: 'ldap://10.0.0.1', preset: 'openldap' }
    const created = await app.post('/v1/integrations', { integration: { kind: 'ldap', settings } })
    expect([created.status, created.body.error.message]).toEqual([
      422,
      expect.stringContaining('command line'),
    ])
    const empty = await app.post('/v1/integrations', { integration: { kind: 'ldap' } })
    expect([empty.status, empty.body.error.message]).toEqual([422, expect.stringContaining('command line')])
    const moved = await app.patch(`/v1/integrations/${id}`, {
      integration: { settings: { url: settings.url } },
    })
    expect(moved.status).toBe(422)
    const later = await app.patch(`/v1/integrations/${id}`, { integration: { settings: { grace_days: 3 } } })
    expect(later.body.data.settings).toMatchObject({ grace_days: 3, url: slapd.url, bind_dn: reader.dn })
  })

  it('brings 3,000 people with values, photos, org units and nested groups; a second run writes nothing', async () => {
    await mapFields(app, id, { first_name: 'givenName', last_name: 'sn', job_title: 'title' })
    await mapFields(app, id, { profile_picture: 'photo' })
    const first = await syncNow(app)
    expect(first).toMatchObject({
      status: 'succeeded',
      kind: 'full',
      people_seen: count,
      people_added: count,
    })
    const uwe = await teammateWith('uwe@example.com')
    expect([fieldOf(uwe, 'First name'), fieldOf(uwe, 'Last name')]).toEqual(['Üwe', 'Ärger-Öztürk'])
    expect(uwe.emails.map(({ address }: { address: string }) => address).sort()).toEqual([
      'p1@example.com',
      'uwe@example.com',
    ])
    expect(await teammateWith('mailless')).toBeUndefined()
    expect((await entities()).map(({ name, teammates_count }) => [name, teammates_count]).sort()).toEqual([
      ['/People', count],
      ['/People/Zürich, Süd', count / 3],
      ['inner', 2],
      ['outer', 3],
    ])
    const pictures = sql`
      select v.asset_id from smart_field_values v join smart_fields f on f.workspace_id = v.workspace_id and f.id = v.smart_field_id
      where f.key = 'profile_picture' and v.asset_id is not null`
    const firstPictures = await app.db.query(pictures)
    expect(firstPictures).toHaveLength(2)
    const versions = sql`select xmin::text from directory_people union all select xmin::text from teammates`
    const before = await app.db.query(versions)
    expect(await syncNow(app)).toMatchObject({ people_seen: count, people_changed: 0, members_added: 0 })
    expect(await app.db.query(versions)).toEqual(before)
    await slapd.admin.modify(
      personDn(2),
      new Change({
        operation: 'replace',
        modification: new Attribute({ type: 'jpegPhoto', values: [await photo(20)] }),
      }),
    )
    await slapd.admin.modifyDN(`ou=Zürich\\, Süd,${people}`, 'ou=Genf')
    expect(await syncNow(app)).toMatchObject({ people_changed: 0, entities_changed: 1, entities_added: 0 })
    const secondPictures = await app.db.query(pictures)
    expect(secondPictures).toHaveLength(2)
    expect(secondPictures).not.toEqual(firstPictures)
    expect((await entities()).map(({ name }) => name)).toContain('/People/Genf')
  })

  it('keeps members who are renamed between the people and the groups of a run', async () => {
    const settings = ldapSettingsOf((await app.get(`/v1/integrations/${id}`)).body.data.settings)
    const session = await openSession(settings, reader.password, new AbortController().signal)
    try {
      const entryIds = new KnownEntries(settings)
      for (const n of [1, 4]) {
        const entry = await session.entry({ base: personDn(n), attributes: ['entryUUID'] })
        if (entry) entryIds.add(entry, entryId(entry, 'entryUUID') ?? '', '')
      }
      await slapd.admin.modifyDN(personDn(1), `uid=renamed,${people}`)
      const idOfMember = (value: string) => entryIds.idOfMember(value, session)
      expect(await idOfMember(`uid=renamed,${people}`)).toBe(await idOfMember(personDn(1)))
      // Not one of the people that were read, nor in the directory.
      for (const name of [personDn(7), `uid=unknown,${people}`, 'no name', 'uid=a=b,,'])
        expect(await idOfMember(name)).toBeUndefined()
    } finally {
      session.close()
    }
  })

  it('that gives only a part of its entries, or is cut off, removes nobody', async () => {
    const proxy = await startCuttingProxy(slapd.url)
    await change({ url: proxy.url, ca_certificate: slapd.ca, start_tls: false })
    for (proxy.budget of [1, 30, 5_000, 700_000])
      expect(await syncNow(app)).toMatchObject({
        status: 'failed',
        error_code: 'unavailable',
        people_missing: 0,
      })
    proxy.budget = Number.POSITIVE_INFINITY
    expect(await syncNow(app)).toMatchObject({ status: 'succeeded', people_missing: 0 })
    const living = sql`select from directory_people where state = 'present'`
    expect(await app.db.query(living)).toHaveLength(count)
    const limited = await startSlapd({
      pagedTotal: '40',
      ldif: [unit('People', suffix), ...Array.from({ length: 60 }, (_, n) => person(n * 3 + 1))].join(''),
    })
    await change({
      url: limited.url,
      ca_certificate: limited.ca,
      people_bases: [people],
      group_bases: [people],
    })
    const run = await syncNow(app)
    expect(run).toMatchObject({ status: 'failed', error_code: 'access_lost', people_missing: 0 })
    expect(run.error_message).toContain('size limit')
  })
})
