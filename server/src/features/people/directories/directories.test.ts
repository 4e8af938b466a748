// Directories by the API: connecting, trying, mapping, adopting, disconnecting; files, photos and pushed people.
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import type { Google } from '#test/support/directories/google.ts'
import {
  addUser,
  adminAddress,
  connectGoogle,
  startDirectory,
  syncNow,
} from '#test/support/directories/google-people.ts'
import { runAllJobs } from '#test/support/jobs.ts'
import { createTeammate } from '#test/support/world.ts'
import { pushGone, pushGroups, pushPeople } from './index.ts'

let app: TestApp
let google: Google
beforeAll(async () => {
  app = await testApp()
  google = await startDirectory()
})

const fieldNamed = async (key: string) =>
  (await app.get('/v1/smart_fields?limit=100')).body.data.find((item: { key: string }) => item.key === key)
const valuesOf = async (address: string): Promise<Record<string, string | null>> => {
  const [teammate] = (await app.get(`/v1/teammates?search=${encodeURIComponent(address)}`)).body.data
  return Object.fromEntries(
    (teammate?.smart_fields ?? []).map((item: { label: string; value: string | null }) => [
      item.label,
      item.value,
    ]),
  )
}
const kindOf = async (query: string) => (await app.get(`/v1/teammates?${query}`)).body.pagination.total_count

describe('connecting', () => {
  it('refuses settings that do not fit the kind, and addresses that only the operator may name', async () => {
    const create = (body: object) => app.post('/v1/integrations', { integration: body })
    expect(fieldErrors(await create({ kind: 'fax' }))).toEqual({ kind: 'not_allowed' })
    const secret = { service_account_key: google.keyFile }
    expect(fieldErrors(await create({ kind: 'google_workspace', secret }))).toEqual({
      'settings.admin': 'missing',
    })
    const settings = { admin: adminAddress, api: 'http://10.0.0.1', grace_days: -1 }
    expect(fieldErrors(await create({ kind: 'google_workspace', settings, secret }))).toEqual({
      'settings.api': 'unknown_property',
      'settings.grace_days': 'out_of_range',
    })
    const wrongKey = { service_account_key: 'x' }
    const refused = await create({
      kind: 'google_workspace',
      settings: { admin: adminAddress },
      secret: wrongKey,
    })
    expect(fieldErrors(refused)).toEqual({ 'secret.service_account_key': 'invalid' })
    expect(fieldErrors(await create({ kind: 'csv', capabilities: ['channel'] }))).toEqual({
      'capabilities[0]': 'not_allowed',
    })
    const webhook = await create({ kind: 'webhook', settings: { url: 'https://mail.example.com/in' } })
    expect([webhook.status, webhook.body.data.signing_secret]).toEqual([
      201,
      expect.stringContaining('whsec_'),
    ])
    const path = `/v1/integrations/${webhook.body.data.id}`
    expect((await app.get(path)).text).not.toContain(webhook.body.data.signing_secret)
    const changed = await app.patch(path, { name: 'Mail', settings: { url: 'https://mail.example.com/2' } })
    expect(changed.body.data).toMatchObject({ name: 'Mail', settings: { url: 'https://mail.example.com/2' } })
    const unknown = await app.patch(path, { settings: { bogus: null, url: 'https://mail.example.com/3' } })
    expect(fieldErrors(unknown)).toEqual({ 'settings.bogus': 'unknown_property' })
    expect((await app.get(path)).body.data.settings).toEqual({ url: 'https://mail.example.com/2' })
    expect(fieldErrors(await app.patch(path, { settings: { url: null } }))).toEqual({
      'settings.url': 'missing',
    })
    expect((await app.del(path)).status).toBe(204)
    const manager = await app.signIn({ role: 'manager' })
    expect((await manager.post('/v1/integrations', { kind: 'csv' })).body.error.code).toBe(
      'insufficient_role',
    )
  })
})

describe('a Google directory', () => {
  let id = ''

  it('is tried step by step, and each failed step has a remedy', async () => {
    expect((await app.post('/v1/teammates/sync', {})).body.error.code).toBe('no_integration_to_sync')
    for (const email of ['Ada@example.com', 'bob@example.com']) await createTeammate(app, { email })
    id = await connectGoogle(app, google)
    const test = async () => (await app.post(`/v1/integrations/${id}/test`)).body.data.steps
    expect((await test()).map(({ name, ok }: { name: string; ok: boolean }) => `${name} ${ok}`)).toEqual(
      ['key', 'users', 'groups', 'org_units', 'domains'].map(name => `${name} true`),
    )
    const groupScope = [...google.delegated].find(scope => scope.includes('directory.group.')) as string
    google.delegated.delete(groupScope)
    google.forgetTokens()
    const failed = (await test()).filter(({ ok }: { ok: boolean }) => !ok)
    expect(failed).toMatchObject([{ name: 'groups', remedy: expect.stringContaining(groupScope) }])
    expect(await syncNow(app)).toMatchObject({ status: 'failed', error_code: 'access_lost' })
    const refused = await app.post('/v1/teammates/sync', {})
    expect(refused.body).toMatchObject({
      error: { code: 'integration_access_lost' },
      remediation: { action: 'connect_integration' },
    })
    google.delegated.add(groupScope)
    const second = await app.post('/v1/integrations', { integration: { kind: 'csv' } })
    expect(fieldErrors(second)).toEqual({ 'settings.drives_teammates': 'taken' })
  })

  it('adopts manual teammates, shows attributes, and fills mapped fields without a request', async () => {
    addUser(google, 'ada', { pronouns: 'she/her', photoEtag: '"1"', photo: await picture('#336699') })
    addUser(google, 'bob', { primaryEmail: 'robert@example.com', aliases: ['bob@example.com'] })
    expect(await syncNow(app)).toMatchObject({ status: 'succeeded', people_added: 0, people_changed: 2 })
    expect([await kindOf('source=manual'), await kindOf('source=directory')]).toEqual([0, 2])
    const path = `/v1/integrations/${id}/attributes`
    const attributes = (await app.get(path)).body.data
    const pronouns = 'customSchemas.Contact.pronouns'
    const rowOf = (name: string) => attributes.find((item: { attribute: string }) => item.attribute === name)
    expect(rowOf(pronouns)).toMatchObject({ people_count: 1, examples: ['she/her'] })
    expect(rowOf('organizations.title').smart_field_ids).toHaveLength(1)
    expect(attributes.map((item: { attribute: string }) => item.attribute).join()).not.toContain('recovery')
    const requests = google.directory.requests.length
    const field = { label: 'Pronouns', integration_id: id, integration_attribute: pronouns }
    expect((await app.post('/v1/smart_fields', field)).status).toBe(201)
    await runAllJobs(app)
    expect([(await valuesOf('ada@example.com')).Pronouns, google.directory.requests.length]).toEqual([
      'she/her',
      requests,
    ])
    const title = await fieldNamed('job_title')
    await app.patch(`/v1/smart_fields/${title.id}`, { integration_attribute: 'organizations.department' })
    await runAllJobs(app)
    expect((await valuesOf('ada@example.com'))['Job title']).toBe('Engineering')
    const halves = await app.patch(`/v1/smart_fields/${title.id}`, { integration_id: null })
    expect(fieldErrors(halves)).toEqual({ integration_id: 'missing' })
    const manager = await app.signIn({ role: 'manager' })
    const byManager = await manager.patch(`/v1/smart_fields/${title.id}`, { integration_attribute: 'x' })
    expect(byManager.body.error.code).toBe('insufficient_role')
    expect((await app.post('/v1/teammates', { teammate: { email: 'x@example.com' } })).body.error.code).toBe(
      'directory_managed',
    )
  })

  it('brings photos in Google’s alphabet, and only those that have changed', async () => {
    const { id: field } = await fieldNamed('profile_picture')
    const mapping = { integration_id: id, integration_attribute: 'photo' }
    expect((await app.patch(`/v1/smart_fields/${field}`, mapping)).status).toBe(200)
    await runAllJobs(app)
    const first = (await valuesOf('ada@example.com'))['Profile picture']
    expect(first).toMatch(/^http/)
    const photoRequests = () => google.directory.requests.filter(path => path.endsWith('/thumbnail')).length
    expect([photoRequests(), (await syncNow(app)).status, photoRequests()]).toEqual([1, 'succeeded', 1])
    const [ada] = google.directory.users.values()
    if (ada) ada.photo = await picture('#993366')
    if (ada) ada.photoEtag = '"2"'
    await syncNow(app)
    const second = (await valuesOf('ada@example.com'))['Profile picture']
    expect([photoRequests(), second === first]).toEqual([2, false])
    if (ada) ada.photoEtag = null
    await syncNow(app)
    expect((await valuesOf('ada@example.com'))['Profile picture']).toBeNull()
  })

  it('leaves its people as manual teammates when it is disconnected', async () => {
    const started = await app.post('/v1/teammates/sync', {})
    expect((await app.del(`/v1/integrations/${id}`)).status).toBe(204)
    expect((await app.get(`/v1/sync_runs/${started.body.data.id}`)).body.data).toMatchObject({
      status: 'failed',
      error_code: 'disconnected',
    })
    await runAllJobs(app)
    expect([await kindOf('source=manual'), await kindOf('source=directory')]).toEqual([2, 0])
    expect(await fieldNamed('first_name')).toMatchObject({
      integration_id: null,
      integration_attribute: null,
    })
    expect((await valuesOf('ada@example.com'))['First name']).toBe('ada')
    expect(await app.db.query(sql`select from directory_people`)).toEqual([])
  })
})

const picture = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 96, height: 96, channels: 3, background } })
    .jpeg()
    .toBuffer()

describe('files as a directory', () => {
  const importFile = async (text: string) => {
    const uploaded = await app.call('POST', '/v1/imports', {
      payload: text,
      headers: { 'content-type': 'text/csv' },
    })
    const mapping = uploaded.body.data.guessed_mapping
    const path = `/v1/imports/${uploaded.body.data.id}`
    const applied = await app.post(`${path}/apply`, { mapping, mode: 'directory' })
    expect([applied.status, applied.body.data?.state]).toEqual([202, 'running'])
    await runAllJobs(app)
    const [run] = (await app.get('/v1/sync_runs?limit=1')).body.data
    return { import: (await app.get(path)).body.data, run }
  }

  it('are runs of the engine, with groups and a stable number', async () => {
    const settings = { id_column: 'Number', group_columns: ['Department'] }
    const connected = await app.post('/v1/integrations', { integration: { kind: 'csv', settings } })
    const { id } = connected.body.data
    const lines = Array.from({ length: 30 }, (_, n) => `${n},c${n}@example.com,First${n},Sales`)
    const header = 'Number,Email,First name,Department'
    const first = await importFile([header, ...lines, '99,nonsense,X,Sales'].join('\n'))
    expect(first.run).toMatchObject({
      trigger: 'import',
      status: 'succeeded',
      people_added: 30,
      problem_count: 1,
    })
    expect(first.import).toMatchObject({ state: 'done', created_count: 30 })
    const groups = (await app.get(`/v1/integration_entities?integration_id=${id}`)).body.data
    expect(groups).toMatchObject([{ name: 'Sales', sub_kind: 'department', teammates_count: 30 }])
    expect((await valuesOf('c3@example.com')).Department).toBe('Sales')
    // A person is renamed, and half of the file is missing.
    const second = await importFile([header, '0,zero@example.com,Zero,Law', ...lines.slice(1, 15)].join('\n'))
    expect(second.run).toMatchObject({ status: 'held', people_changed: 1, people_held: 15 })
    expect((await valuesOf('zero@example.com'))['First name']).toBe('Zero')
    expect((await app.post('/v1/teammates/sync', {})).body.error.code).toBe('no_integration_to_sync')
    expect((await app.del(`/v1/integrations/${id}`)).status).toBe(204)
  })
})

describe('a source that sends changes itself', () => {
  it('writes people and groups at once, by the same rules', async () => {
    const { body } = await app.post('/v1/integrations', { integration: { kind: 'csv', name: 'Pushed' } })
    const { id } = body.data
    const person = (externalId: string, isActive = true) => ({
      externalId,
      primaryAddress: `${externalId}@push.example`,
      aliases: [],
      isActive,
      attributes: {},
    })
    const deps = { onPeopleChange: app.parts.onPeopleChange }
    const group = { externalId: 'g', name: 'Pushed group', subKind: 'group' as const }
    const members = { group: 'g', add: ['a', 'b'], remove: [], isComplete: false }
    await app.db.transaction(tx =>
      pushGroups(tx, app.by, id, { groups: [group], memberships: [members] }, deps),
    )
    const pushed = await app.db.transaction(tx =>
      pushPeople(tx, app.by, id, [person('a'), person('b')], deps),
    )
    expect([...pushed.values()].map(({ teammateId }) => typeof teammateId)).toEqual(['string', 'string'])
    const count = async () =>
      (await app.get(`/v1/integration_entities?integration_id=${id}`)).body.data[0].teammates_count
    expect(await count()).toBe(2)
    await app.db.transaction(tx => pushPeople(tx, app.by, id, [person('a', false)], deps))
    const active = async (name: string) =>
      (await app.get(`/v1/teammates?search=${name}@push.example`)).body.data[0]?.active
    expect([await active('a'), await active('b')]).toEqual([false, true])
    const removal = { group: 'g', add: [], remove: ['b'], isComplete: false }
    await app.db.transaction(tx => pushGroups(tx, app.by, id, { memberships: [removal] }, deps))
    await app.db.transaction(tx => pushGone(tx, app.by, id, ['b'], deps))
    expect([await count(), await active('b')]).toEqual([1, true])
  })
})
