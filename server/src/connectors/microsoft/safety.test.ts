// What Entra can answer by mistake, and what it must not cause; connecting, permissions and photos.
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { command } from '#test/support/command.ts'
import { syncNow } from '#test/support/directories/google-people.ts'
import { type Microsoft, startMicrosoft } from '#test/support/directories/microsoft.ts'
import type { EntraUser, GraphBehavior } from '#test/support/directories/microsoft-directory.ts'
import { addEntraGroup, addEntraUser, connectMicrosoft } from '#test/support/directories/microsoft-people.ts'
import { runAllJobs } from '#test/support/jobs.ts'
import { urlOf } from '#test/support/postgres/postgres.ts'
import { nextRsaKeys } from '#test/support/sign-in/rsa-keys.ts'
import { createSignature } from '#test/support/signatures.ts'

const secretKeys = Buffer.alloc(32, 7).toString('base64')
let app: TestApp
let microsoft: Microsoft
let integrationId = ''
const people: EntraUser[] = []
const user = (n: number) => people[n] as EntraUser

beforeAll(async () => {
  app = await testApp({ env: { SIGNOFF_SECRET_KEYS: secretKeys } })
  microsoft = await startMicrosoft()
})

const integration = async () => (await app.get(`/v1/integrations/${integrationId}`)).body.data
const teammateWith = async (address: string) =>
  (await app.get(`/v1/teammates?search=${encodeURIComponent(address)}`)).body.data[0]
const fieldOf = (teammate: { smart_fields: { label: string; value: string | null }[] }, label: string) =>
  teammate.smart_fields.find(field => field.label === label)?.value
const livingCount = async () =>
  (
    await app.db.query(
      sql`select from teammates where workspace_id = ${app.id} and active and deleted_at is null`,
    )
  ).length
const versions = () =>
  app.db.query(sql`
    select 'p' as t, xmin::text from directory_people union all select 't', xmin::text from teammates
    union all select 'e', xmin::text from emails union all select 'v', xmin::text from smart_field_values
    union all select 'm', xmin::text from integration_entity_members
    union all select 'd', xmin::text from directory_edges union all select 'n', xmin::text from integration_entities
    order by 1, 2`)
const test = async (): Promise<{ name: string; ok: boolean; message: string; remedy: string }[]> =>
  (await app.post(`/v1/integrations/${integrationId}/test`)).body.data.steps

describe('connecting', () => {
  it('needs a secret, or a certificate with its key, and names what does not fit', async () => {
    const { tenant, clientId, certificate, privateKey } = microsoft
    const settings = { tenant, client_id: clientId }
    const create = (secret: object | undefined, more: object = {}) =>
      app.post('/v1/integrations', {
        integration: { kind: 'microsoft_365', settings: { ...settings, ...more }, secret },
      })
    const problems = async (...args: Parameters<typeof create>) => fieldErrors(await create(...args))
    expect(await problems(undefined)).toEqual({ 'secret.client_secret': 'missing' })
    expect(await problems({ certificate })).toEqual({ 'secret.private_key': 'missing' })
    expect(await problems({ certificate: 'x', private_key: privateKey })).toEqual({
      'secret.certificate': 'invalid',
    })
    const { privateKey: otherKey } = nextRsaKeys()
    const other = String(otherKey.export({ type: 'pkcs8', format: 'pem' }))
    expect(await problems({ certificate, private_key: other })).toEqual({ 'secret.private_key': 'invalid' })
    expect(await problems({ client_secret: 'x', certificate })).toEqual({ 'secret.client_secret': 'invalid' })
    expect(await problems({ client_secret: 'x' }, { tenant: 'common' })).toEqual({
      'settings.tenant': 'invalid',
    })
    expect(await problems({ client_secret: 'x' }, { graph_api: 'http://10.0.0.1', cloud: 'moon' })).toEqual({
      'settings.graph_api': 'unknown_property',
      'settings.cloud': 'not_allowed',
    })
  })

  it('by the command line reads the certificate from a file, and tries each permission', async () => {
    const { api, tenant, clientId, certificate, privateKey, consented } = microsoft
    const folder = await mkdtemp(join(tmpdir(), 'signoff-'))
    const file = join(folder, 'both.pem')
    await writeFile(file, `${privateKey}\n${certificate}`)
    const env = {
      DATABASE_URL: urlOf(app.connection),
      SIGNOFF_DATA_DIR: folder,
      SIGNOFF_SECRET_KEYS: secretKeys,
    }
    const cli = (...args: string[]) => command(['integrations', ...args, '-w', app.id], env)
    const addresses = ['--graph-api', api, '--login-api', api]
    const ids = ['--tenant', tenant, '--client-id', clientId]
    expect((await cli('add', 'microsoft', ...ids)).err).toContain('--secret-file or --certificate-file')
    const added = await cli('add', 'microsoft', ...ids, '--certificate-file', file, ...addresses)
    integrationId = /Connected as (\S+)\./.exec(added.out)?.[1] ?? ''
    expect((await integration()).settings).toMatchObject({ tenant, credential: 'certificate' })
    expect((await app.get(`/v1/integrations/${integrationId}`)).text).not.toContain('PRIVATE KEY')
    addEntraUser(microsoft, 'first')
    expect((await test()).map(({ name, ok }) => `${name} ${ok}`)).toEqual(
      ['credential', 'sign_in', 'users', 'groups', 'domains', 'photos'].map(name => `${name} true`),
    )
    for (const [step, permission] of [
      ['users', 'User.Read.All'],
      ['groups', 'GroupMember.Read.All'],
      ['photos', 'ProfilePhoto.Read.All'],
      ['domains', 'Domain.Read.All'],
    ] as const) {
      consented.delete(permission)
      const failed = (await test()).find(({ ok }) => !ok)
      consented.add(permission)
      expect(failed).toMatchObject({ name: step, remedy: expect.stringContaining(permission) })
    }
    microsoft.isExpired = true
    expect((await test()).at(-1)).toMatchObject({
      name: 'sign_in',
      ok: false,
      remedy: expect.stringContaining('upload'),
    })
    microsoft.isExpired = false
    const secret = { client_secret: microsoft.clientSecret }
    const changed = await app.patch(`/v1/integrations/${integrationId}`, { secret })
    expect(changed.body.data.settings).toMatchObject({
      credential: 'client_secret',
      certificate_sha256: null,
    })
    expect((await test()).every(({ ok }) => ok)).toBe(true)
    expect((await app.del(`/v1/integrations/${integrationId}`)).status).toBe(204)
    microsoft.directory.users.clear()
  })
})

describe('Entra', () => {
  it('brings people with mailboxes and nested groups, and a second run reads only changes', async () => {
    integrationId = await connectMicrosoft(app, microsoft, { extra_attributes: ['extension_1_pronouns'] })
    for (let n = 0; n < 120; n++) people.push(addEntraUser(microsoft, `p${n}`))
    user(7).aliases = ['seven@example.com']
    user(7).values.extension_1_pronouns = 'they'
    user(7).values.onPremisesExtensionAttributes = { extensionAttribute3: 'Blue', extensionAttribute4: null }
    addEntraUser(microsoft, 'guest', { userType: 'Guest', primary: 'guest@elsewhere.example' })
    addEntraUser(microsoft, 'admin', { primary: null })
    addEntraUser(microsoft, 'room', { accountEnabled: false })
    const inner = addEntraGroup(microsoft, 'Inner', [user(0).id, user(1).id, 'device 1'])
    addEntraGroup(microsoft, 'Outer', [inner.id, user(2).id])
    microsoft.directory.pageSize = 50
    const first = await syncNow(app)
    expect(first).toMatchObject({ status: 'succeeded', kind: 'full', people_seen: 121, people_added: 120 })
    expect(first).toMatchObject({ entities_added: 2, members_added: 5, problem_count: 0 })
    const seven = await teammateWith('p7@example.com')
    expect(seven.emails.map(({ address }: { address: string }) => address).sort()).toEqual([
      'p7@example.com',
      'seven@example.com',
    ])
    expect([fieldOf(seven, 'Job title'), fieldOf(seven, 'Work phone')]).toEqual(['Engineer', '+49 30 123456'])
    const attributes = (await app.get(`/v1/integrations/${integrationId}/attributes`)).body.data
    const examples = new Map(
      attributes.map((row: { attribute: string; examples: string[] }) => [row.attribute, row.examples]),
    )
    expect(examples.get('onPremisesExtensionAttributes.extensionAttribute3')).toEqual(['Blue'])
    expect(examples.get('extension_1_pronouns')).toEqual(['they'])
    expect((await app.get('/v1/workspace')).body.data.own_domains).toEqual([
      'example.com',
      'tenant.onmicrosoft.com',
    ])
    const before = await versions()
    const requests = microsoft.directory.requests.length
    expect(await syncNow(app)).toMatchObject({ status: 'succeeded', kind: 'delta', people_seen: 0 })
    expect(await versions()).toEqual(before)
    expect(microsoft.directory.requests.slice(requests)).toEqual(['users/delta', 'groups/delta', 'domains'])
  })

  it('is read again completely when links have expired or a day is over', async () => {
    user(3).values.jobTitle = null
    microsoft.directory.behavior = (_, query) => (query.has('$deltatoken') ? 'gone' : 'well')
    expect(await syncNow(app)).toMatchObject({ kind: 'full', status: 'succeeded', people_changed: 1 })
    microsoft.directory.behavior = () => 'well'
    expect(fieldOf(await teammateWith('p3@example.com'), 'Job title')).toBeNull()
    microsoft.directory.forgetLinks()
    expect(await syncNow(app)).toMatchObject({ kind: 'full', status: 'succeeded', people_changed: 0 })
    await app.db.query(sql`
      update integrations set cursor = jsonb_set(cursor::jsonb, '{full_at}', '1')::text where id = ${integrationId}`)
    expect(await syncNow(app)).toMatchObject({ kind: 'full', people_changed: 0 })
  })

  it('that answers without people, by halves, elsewhere or not at all removes nobody', async () => {
    const { directory } = microsoft
    const all = new Map(directory.users)
    directory.users.clear()
    directory.forgetLinks()
    const empty = await syncNow(app)
    expect(empty).toMatchObject({ status: 'held', kind: 'full', people_held: 120, people_missing: 0 })
    for (const [id, person] of all) directory.users.set(id, person)
    expect(await syncNow(app)).toMatchObject({ status: 'succeeded', kind: 'delta', people_missing: 0 })
    expect((await integration()).held_run_id).toBeNull()
    // A next page that was cut off is asked for again, and one that is elsewhere is not.
    const failsBy = async (answers: readonly GraphBehavior[], code: string) => {
      let pages = 0
      directory.forgetLinks()
      directory.behavior = (_, query) => (query.has('$skiptoken') ? (answers[pages++] ?? 'well') : 'well')
      expect(await syncNow(app)).toMatchObject({ status: 'failed', error_code: code, people_missing: 0 })
      expect(pages).toBe(answers.length)
    }
    await failsBy(['cut', 'elsewhere'], 'invalid_answer')
    await failsBy(['gone'], 'unavailable')
    let requests = 0
    const troubles = [undefined, 'too many', 'lost connection'] as const
    directory.behavior = () => troubles[requests++] ?? 'well'
    const started = Date.now()
    expect(await syncNow(app)).toMatchObject({ status: 'succeeded', people_changed: 0 })
    expect(Date.now() - started).toBeGreaterThanOrEqual(1_000)
    directory.behavior = () => 'well'
    expect([await livingCount(), directory.faults]).toEqual([120, []])
  })

  it('that names a delta link elsewhere is read completely the next time', async () => {
    const { directory } = microsoft
    const cursor = async () =>
      (
        await app.db.query<{ cursor: string | null }>(
          sql`select cursor from integrations where id = ${integrationId}`,
        )
      )[0]?.cursor
    directory.pageSize = 1_000
    directory.forgetLinks()
    directory.behavior = path => (path === 'groups/delta' ? 'elsewhere' : 'well')
    expect(await syncNow(app)).toMatchObject({ status: 'succeeded', kind: 'full' })
    expect(await cursor()).toBeNull()
    directory.behavior = () => 'well'
    expect(await syncNow(app)).toMatchObject({ status: 'succeeded', kind: 'full' })
    // A delta keeps the link that it began with.
    const before = JSON.parse((await cursor()) ?? '')
    directory.behavior = path => (path === 'users/delta' ? 'elsewhere' : 'well')
    expect(await syncNow(app)).toMatchObject({ status: 'succeeded', kind: 'delta' })
    directory.behavior = () => 'well'
    expect(JSON.parse((await cursor()) ?? '').users).toBe(before.users)
    // A link that an earlier version has stored.
    const stored = JSON.stringify({
      ...before,
      users: 'https://graph.elsewhere.example/v1.0/users/delta?$deltatoken=1',
    })
    await app.db.query(sql`update integrations set cursor = ${stored} where id = ${integrationId}`)
    expect(await syncNow(app)).toMatchObject({ status: 'succeeded', kind: 'full' })
    expect(await syncNow(app)).toMatchObject({ status: 'succeeded', kind: 'delta' })
    directory.pageSize = 50
    expect(directory.faults).toEqual([])
  })

  it('whose consent was withdrawn says so, and goes on with a new token after the consent', async () => {
    microsoft.consented.delete('GroupMember.Read.All')
    microsoft.forgetTokens()
    const lost = await syncNow(app)
    expect(lost).toMatchObject({ status: 'failed', error_code: 'access_lost' })
    expect(lost.error_message).toContain('GroupMember.Read.All')
    microsoft.consented.add('GroupMember.Read.All')
    expect(await syncNow(app)).toMatchObject({ status: 'succeeded' })
  })

  it('that deletes 12 % of its people waits for an approval, which lets exactly those leave', async () => {
    const leaving = people.slice(50, 64)
    for (const { id } of leaving) microsoft.directory.users.delete(id)
    user(70).accountEnabled = false
    user(71).values.jobTitle = 'Director'
    addEntraUser(microsoft, 'joiner')
    const held = await syncNow(app)
    expect(held).toMatchObject({ status: 'held', kind: 'delta', people_held: 15, people_added: 1 })
    // The next delta names none of them, and they still wait.
    expect(await syncNow(app)).toMatchObject({ status: 'succeeded', people_missing: 0 })
    expect((await integration()).held_run_id).toBe(held.id)
    microsoft.directory.users.set(user(50).id, user(50))
    await syncNow(app)
    expect((await app.post(`/v1/sync_runs/${held.id}/approve`)).body.data.status).toBe('approved')
    await runAllJobs(app)
    const after = (await app.get(`/v1/sync_runs/${held.id}`)).body.data
    expect(after).toMatchObject({ people_missing: 13, people_deactivated: 1 })
    expect((await teammateWith(user(70).primary ?? '')).active).toBe(false)
    // A delta that names them as removed once more does not end their grace, and does not forget them.
    microsoft.directory.chance = probability => probability === 0.1
    expect(await syncNow(app)).toMatchObject({ kind: 'delta', people_missing: 0, people_removed: 0 })
    microsoft.directory.chance = () => false
    await app.db.query(sql`
      update directory_people set missing_since = now() - interval '8 days' where state = 'missing'`)
    expect(await syncNow(app)).toMatchObject({ status: 'succeeded', people_removed: 13 })
  })

  it('can move addresses between people, and create a person again, without a loss', async () => {
    const signature = (await createSignature(app)).body.data.id
    const chosen = await teammateWith('p1@example.com')
    await app.post(`/v1/signatures/${signature}/emails`, { email_ids: [chosen.emails[0].id] })
    user(1).aliases = ['p1@example.com']
    user(1).primary = 'p1@new.example'
    ;[user(2).primary, user(3).primary] = [user(3).primary, user(2).primary]
    user(8).aliases = user(7).aliases
    user(7).aliases = []
    const { id: oldId } = await teammateWith('p9@example.com')
    microsoft.directory.users.delete(user(9).id)
    addEntraUser(microsoft, 'nine', { primary: 'p9@example.com' })
    const moved = await syncNow(app)
    expect(moved).toMatchObject({ status: 'succeeded', kind: 'delta', problem_count: 0, people_missing: 0 })
    const reached = (await app.get(`/v1/signatures/${signature}/emails`)).body.data
    expect(reached.map(({ address }: { address: string }) => address)).toEqual(['p1@new.example'])
    expect(fieldOf(await teammateWith('p3@example.com'), 'First name')).toBe('p2')
    expect((await teammateWith('seven@example.com')).emails).toHaveLength(2)
    const nine = await teammateWith('p9@example.com')
    expect([nine.id, fieldOf(nine, 'First name')]).toEqual([oldId, 'nine'])
  })

  it('brings photos, and asks for each once a day', async () => {
    const picture = (background: string) =>
      sharp({ create: { width: 96, height: 96, channels: 3, background } })
        .jpeg()
        .toBuffer()
    const { requests } = microsoft.directory
    const asked = () => requests.splice(0).filter(path => path.includes('/photo')).length
    asked()
    const yesterday = sql`
      update directory_people set photo_stored_tag = '2020-01-01T00:00:00.000Z' || substr(photo_stored_tag, 25)
      where external_id = any(${[10, 11, 12].map(n => user(n).id)})`
    const readPictureUrl = async () => fieldOf(await teammateWith('p10@example.com'), 'Profile picture')
    user(10).photo = { bytes: await picture('#336699'), tag: 'W/"1"' }
    const fields = (await app.get('/v1/smart_fields?limit=100')).body.data
    const { id } = fields.find(({ key }: { key: string }) => key === 'profile_picture')
    await app.patch(`/v1/smart_fields/${id}`, {
      integration_id: integrationId,
      integration_attribute: 'photo',
    })
    await runAllJobs(app)
    const first = await readPictureUrl()
    expect([first, asked() > 100]).toEqual([expect.stringMatching(/^http/), true])
    await syncNow(app)
    expect(asked()).toBe(0)
    await app.db.query(yesterday)
    const before = await versions()
    await syncNow(app)
    // Tags only: the photo is the same.
    expect([asked(), await readPictureUrl()]).toEqual([3, first])
    expect((await versions()).filter(row => row.t !== 'p')).toEqual(before.filter(row => row.t !== 'p'))
    user(10).photo = { bytes: await picture('#993366'), tag: 'W/"2"' }
    await app.db.query(yesterday)
    // A photo that cannot be read does not stop the others.
    microsoft.directory.behavior = path => (path.startsWith(`users/${user(11).id}`) ? 'expired' : 'well')
    await syncNow(app)
    microsoft.directory.behavior = () => 'well'
    expect(await readPictureUrl()).not.toBe(first)
    user(10).photo = null
    await app.db.query(yesterday)
    await syncNow(app)
    expect([await readPictureUrl(), microsoft.directory.faults]).toEqual([null, []])
  })
})
