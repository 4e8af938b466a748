import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { createSignature, field, stack, text, withoutIds } from '#test/support/signatures.ts'
import { createField, unknownId } from '#test/support/world.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

const create = (more: object = {}) => createSignature(app, more)
const listFields = [
  'id',
  'name',
  'priority',
  'signature_installation_activated',
  'folder_id',
  'last_published_at',
  'created_at',
  'updated_at',
]
const referencesOf = async (signatureId: string) =>
  (
    await app.db.query<{ at: string }>(sql`
      select holder_kind || ' ' || target_id as at from content_references
      where workspace_id = ${app.id} and signature_id = ${signatureId} order by 1`)
  ).map(row => row.at)

describe('signatures', () => {
  it('are created, read, changed and deleted', async () => {
    const created = await app.post('/v1/signatures', { signature: { name: 'Standard' } })
    expect(created.status).toBe(201)
    expect(created.headers.location).toBe(`/v1/signatures/${created.body.data.id}`)
    expect(created.body.data).toEqual({
      id: expect.any(String),
      name: 'Standard',
      priority: expect.any(Number),
      signature_installation_activated: false,
      folder_id: null,
      last_published_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      content: null,
      draft_content: null,
      has_unpublished_changes: false,
    })
    const path = created.headers.location!
    const read = await app.get(path)
    expect([read.body, read.headers.etag]).toEqual([created.body, created.headers.etag])
    const changed = await app.patch(path, { signature: { name: 'House style', priority: 7 } })
    expect(changed.body.data).toMatchObject({ name: 'House style', priority: 7, draft_content: null })
    expect((await app.del(path)).status).toBe(204)
    expect((await app.get(path)).status).toBe(404)
    expect((await app.del(path)).status).toBe(404)
    expect((await app.patch(path, { name: 'x' })).status).toBe(404)
  })

  it('accept the inner object without its wrapper, and ids in upper case', async () => {
    const created = await app.post('/v1/signatures', { name: 'Flat' })
    expect(created.status).toBe(201)
    const path = `/v1/signatures/${created.body.data.id.toUpperCase()}`
    expect((await app.patch(path, { name: 'Flatter', draft_content: stack(text('x')) })).body.data.name).toBe(
      'Flatter',
    )
    expect((await app.post(`${path}/publish`)).status).toBe(200)
    expect((await app.del(path)).status).toBe(204)
    expect(await referencesOf(created.body.data.id)).toEqual([])
  })

  it.each([
    [{}, { name: 'missing' }],
    [{ name: ' ' }, { name: 'blank' }],
    [{ name: 'x'.repeat(201) }, { name: 'too_long' }],
    [{ name: 'x', content: stack() }, { content: 'unknown_property' }],
    [{ name: 'x', priority: -1 }, { priority: 'out_of_range' }],
    [{ name: 'x', priority: 2 ** 31 }, { priority: 'out_of_range' }],
    [{ name: 'x', priority: 1.5 }, { priority: 'invalid_type' }],
    [{ name: 'x', priority: null }, { priority: 'invalid_type' }],
    [{ name: 'x', folder_id: unknownId }, { folder_id: 'unknown_reference' }],
    [{ name: 'x', folder_id: 'none' }, { folder_id: 'invalid' }],
    [{ name: 'x', draft_content: 7 }, { draft_content: 'invalid_type' }],
    [{ name: 'x', draft_content: text('x') }, { 'draft_content.type': 'not_allowed' }],
    [
      { name: 'x', folder_id: unknownId, draft_content: stack({ ...text('x'), size: 1 }, field(unknownId)) },
      {
        folder_id: 'unknown_reference',
        'draft_content.children[0].size': 'unknown_property',
        'draft_content.children[1].tokens[0].smartFieldUuid': 'unknown_reference',
      },
    ],
    [
      {
        name: '',
        priority: -1,
        folder_id: unknownId,
        draft_content: stack({ ...text('x'), size: 1 }, field(unknownId)),
      },
      {
        name: 'blank',
        priority: 'out_of_range',
        folder_id: 'unknown_reference',
        'draft_content.children[0].size': 'unknown_property',
        'draft_content.children[1].tokens[0].smartFieldUuid': 'unknown_reference',
      },
    ],
    [
      { name: 7, folder_id: 'none', draft_content: stack(field(unknownId)) },
      {
        name: 'invalid_type',
        folder_id: 'invalid',
        'draft_content.children[0].tokens[0].smartFieldUuid': 'unknown_reference',
      },
    ],
  ])('refuse %j', async (sent, expected) => {
    const before = (await app.get('/v1/signatures')).body.pagination.total_count
    const answer = await app.post('/v1/signatures', { signature: sent })
    expect(answer.status).toBe(422)
    expect(fieldErrors(answer)).toEqual(expected)
    const { body } = await create()
    const patched = await app.patch(`/v1/signatures/${body.data.id}`, sent)
    if (Object.keys(sent).length > 0) expect(fieldErrors(patched)).toEqual(expected)
    expect((await app.get(`/v1/signatures/${body.data.id}`)).body).toEqual(body)
    expect((await app.get('/v1/signatures')).body.pagination.total_count).toBe(before + 1)
  })

  it('say in the error that a draft must be an object', async () => {
    const { body } = await create({ draft_content: 'hello' })
    expect(body.details[0].message).toBe('draft_content must be object')
  })

  it('get the last priority unless one is sent', async () => {
    const { body: high } = await create({ priority: 2_000_000 })
    const { body: next } = await create()
    expect([high.data.priority, next.data.priority]).toEqual([2_000_000, 2_000_001])
    const { body: last } = await create({ priority: 2 ** 31 - 1 })
    expect((await create()).body.data.priority).toBe(2 ** 31 - 1)
    await app.del(`/v1/signatures/${last.data.id}`)
    expect((await create({ priority: 0 })).body.data.priority).toBe(0)
  })

  it('change only the properties that are sent', async () => {
    const folder = (await app.post('/v1/folders', { name: 'F' })).body.data.id
    const { body } = await create({ draft_content: stack(text('a')), folder_id: folder, priority: 3 })
    const path = `/v1/signatures/${body.data.id}`
    expect((await app.patch(path, {})).body).toEqual(body)
    expect((await app.patch(path, { signature: {} })).body).toEqual(body)
    for (const patch of [{ name: 'N' }, { priority: 4 }, { folder_id: null }, { draft_content: null }]) {
      const before = (await app.get(path)).body.data
      const after = (await app.patch(path, { signature: patch })).body.data
      const { updated_at, has_unpublished_changes, ...same } = { ...before, ...patch }
      expect(after).toMatchObject(same)
      expect(after.updated_at >= updated_at).toBe(true)
      expect(has_unpublished_changes).toBe(true)
    }
    expect((await app.get(path)).body.data.has_unpublished_changes).toBe(false)
  })

  it('return the sent content plus ids', async () => {
    const number = fc.double({ min: 0, max: 2000, noNaN: true, noDefaultInfinity: true })
    const block = fc.record(
      {
        type: fc.constant('text'),
        visible: fc.boolean(),
        displayName: fc.string({ maxLength: 50, unit: 'grapheme' }),
        blockStyle: fc.record({ marginTop: number, width: number }, { requiredKeys: [] }),
        tokens: fc.array(
          fc.record({
            type: fc.constant('textToken'),
            value: fc.string({ maxLength: 80, unit: 'grapheme' }),
            textStyle: fc.record(
              { fontSize: fc.double({ min: 6, max: 96, noNaN: true }) },
              { requiredKeys: [] },
            ),
          }),
          { maxLength: 3 },
        ),
      },
      { requiredKeys: ['type', 'tokens'] },
    )
    const tree = fc.array(block, { maxLength: 5 }).map(children => stack(stack(...children), ...children))
    const { body } = await create()
    const path = `/v1/signatures/${body.data.id}`
    await fc.assert(
      fc.asyncProperty(tree, async sent => {
        const plain = JSON.parse(JSON.stringify(sent).replaceAll('\\u0000', ''))
        const patched = await app.patch(path, { signature: { draft_content: plain } })
        expect(patched.status, patched.text).toBe(200)
        const { data } = (await app.get(path)).body
        expect(data.draft_content).toEqual(patched.body.data.draft_content)
        expect(withoutIds(data.draft_content)).toEqual(plain)
        const again = await app.patch(path, { signature: { draft_content: data.draft_content } })
        expect(again.body.data.draft_content).toEqual(data.draft_content)
      }),
      { numRuns: 60 },
    )
  })

  it('are listed newest first with eight fields, and with content on request', async () => {
    const workspace = await app.workspace('List')
    const asWorkspace = { key: workspace.key }
    const folder = (await app.post('/v1/folders', { name: 'F' }, asWorkspace)).body.data.id
    const createdIds: string[] = []
    for (const [name, folder_id] of [
      ['Straße 100%', folder],
      ['ÄRGER', null],
      ['plain', null],
    ]) {
      const sent = { name, folder_id, draft_content: stack(text(name)) }
      createdIds.unshift((await app.post('/v1/signatures', sent, asWorkspace)).body.data.id)
    }
    const list = async (query: string) => (await app.get(`/v1/signatures?${query}`, asWorkspace)).body
    const names = async (query: string) => (await list(query)).data.map((row: { name: string }) => row.name)
    const all = await list('')
    expect(all.data.map((row: { id: string }) => row.id)).toEqual(createdIds)
    for (const row of all.data) expect(Object.keys(row)).toEqual(listFields)
    for (const row of (await list('include_content=true')).data) {
      expect(Object.keys(row)).toEqual([...listFields, 'content', 'draft_content'])
      expect(row.draft_content.children[0].tokens[0].value).toBe(row.name)
    }
    expect(await names('include_content=false&limit=1')).toEqual(['plain'])
    expect(await names(`folder_id=${folder}`)).toEqual(['Straße 100%'])
    expect(await names(`folder_id=${folder.toUpperCase()}`)).toEqual(['Straße 100%'])
    expect(await names('folder_id=none')).toEqual(['plain', 'ÄRGER'])
    expect(await names(`folder_id=${unknownId}`)).toEqual([])
    expect(await names('search=ärg')).toEqual(['ÄRGER'])
    expect(await names('search=100%25')).toEqual(['Straße 100%'])
    expect(await names('search=0_')).toEqual([])
    expect((await list('search=a&limit=1')).pagination).toMatchObject({ total_count: 2, has_more: true })
    await app.patch(`/v1/signatures/${createdIds[0]}`, { name: 'Renamed' }, asWorkspace)
    expect(await names('search=RENAMED')).toEqual(['Renamed'])
    for (const query of ['folder_id=x', 'folder_id=None', 'include_content=yes'])
      expect((await app.get(`/v1/signatures?${query}`, asWorkspace)).status, query).toBe(422)
  })

  it('block the deletion of their folder, and are counted in it', async () => {
    const folder = (await app.post('/v1/folders', { name: 'Held' })).body.data.id
    const { body } = await create({ folder_id: folder })
    expect((await app.get(`/v1/folders/${folder}`)).body.data.signature_count).toBe(1)
    expect((await app.del(`/v1/folders/${folder}`)).body.error.code).toBe('folder_not_empty')
    await app.patch(`/v1/signatures/${body.data.id}`, { folder_id: null })
    expect((await app.del(`/v1/folders/${folder}`)).status).toBe(204)
  })

  it('are not changed with an old ETag', async () => {
    const created = await create()
    const headers = { 'if-match': created.headers.etag! }
    const path = created.headers.location!
    expect((await app.patch(path, { name: 'A' }, { headers })).status).toBe(200)
    expect((await app.patch(path, { name: 'B' }, { headers })).status).toBe(412)
    expect((await app.del(path, { headers })).status).toBe(412)
  })

  it('are published, and get rules, only in the version that If-Match names', async () => {
    const { headers: made } = await create({ draft_content: stack(text('x')) })
    const path = made.location!
    const put = (body: object, etag: string) =>
      app.call('PUT', `${path}/recipient_rules`, { body, headers: { 'if-match': etag } })
    const rules = (await app.get(`${path}/recipient_rules`)).headers.etag!
    expect((await put({ everybody: true }, rules)).status).toBe(200)
    for (const etag of [rules, '"x"']) expect((await put({ everybody: false }, etag)).status).toBe(412)
    expect((await app.get(`${path}/recipient_rules`)).body.data).toEqual({
      conditions: [],
      assign_to_all_future_emails: false,
      everybody: true,
    })
    const { etag } = (await app.patch(path, { draft_content: stack(text('y')) })).headers
    const publishWith = (match: string, more = {}) =>
      app.post(`${path}/publish`, undefined, { headers: { 'if-match': match, ...more } })
    const stale = await publishWith(made.etag!)
    expect([stale.status, stale.body.error.code]).toEqual([412, 'stale_resource'])
    const keyed = { 'idempotency-key': 'publish-stale' }
    expect((await publishWith(made.etag!, keyed)).status).toBe(412)
    expect((await app.get(path)).body.data.last_published_at).toBeNull()
    const current = { 'idempotency-key': 'publish-current' }
    const answers = await Promise.all([1, 2, 3].map(() => publishWith(etag!, current)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await app.get(`${path}/versions`)).body.data).toHaveLength(1)
  })

  it('are created once per Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'create-once' }
    const sent = { signature: { name: 'Once', draft_content: stack(text('x')) } }
    const answers = await Promise.all([1, 2, 3].map(() => app.post('/v1/signatures', sent, { headers })))
    expect(new Set(answers.map(answer => answer.body.data.id)).size).toBe(1)
  })

  it('leave no references, versions or variants when they are deleted', async () => {
    const id = await createField(app, 'Leaves')
    const { body } = await create({ draft_content: stack(field(id)) })
    const path = `/v1/signatures/${body.data.id}`
    await app.post(`${path}/publish`)
    await app.patch(`${path}/variants/reply`, { variant: { draft_content: stack(field(id)) } })
    expect(await referencesOf(body.data.id)).toEqual([`signature ${id}`, `variant ${id}`, `version ${id}`])
    await app.del(path)
    expect(await referencesOf(body.data.id)).toEqual([])
    for (const table of ['versions', 'variants']) expect((await app.get(`${path}/${table}`)).status).toBe(404)
    expect((await app.del(`/v1/smart_fields/${id}`)).status).toBe(204)
  })
})

describe('a smart field', () => {
  it('in use is not deleted, and the error names where it is used', async () => {
    const id = await createField(app, 'Badge number')
    const other = await createField(app, 'Other')
    const { body } = await create({ name: 'Badges', draft_content: stack(field(id)) })
    const path = `/v1/signatures/${body.data.id}`
    const { body: second } = await create({ name: 'Short badges' })
    const variant = `/v1/signatures/${second.data.id}/variants/reply`
    await app.patch(variant, { variant: { draft_content: stack(field(id.toUpperCase())) } })
    const refused = await app.del(`/v1/smart_fields/${id}`)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'smart_field_in_use'])
    expect(refused.body.error.message).toBe(
      'Badge number is in use: signature “Badges”, a variant of signature “Short badges”.',
    )
    expect((await app.get(`/v1/smart_fields/${id}`)).status).toBe(200)
    await app.post(`${path}/publish`)
    await app.patch(path, { draft_content: stack(field(other)) })
    expect((await app.del(`/v1/smart_fields/${id}`)).body.error.message).toContain('“Badges”') // still live
    await app.post(`${path}/publish`)
    await app.del(variant)
    expect((await app.del(`/v1/smart_fields/${id}`)).status).toBe(204) // old versions do not block it
    expect((await app.del(`/v1/smart_fields/${other}`)).status).toBe(409)
  })
})

describe('a smart field that is deleted while a draft starts to use it', () => {
  it('is either rejected in the draft or not deleted', async () => {
    const { body } = await create()
    const path = `/v1/signatures/${body.data.id}`
    const outcomes = new Set<string>()
    for (let round = 0; round < 15; round++) {
      const id = await createField(app, `Race ${round}`)
      const [patched, deleted] = await Promise.all([
        app.patch(path, { draft_content: stack(...Array.from({ length: 20 }, () => field(id))) }),
        app.del(`/v1/smart_fields/${id}`),
      ])
      outcomes.add(`${patched.status} ${deleted.status}`)
    }
    expect([...outcomes].filter(outcome => outcome !== '200 409' && outcome !== '422 204')).toEqual([])
  })
})

describe('an asset', () => {
  it('is in use while a signature shows it', async () => {
    const dot =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
    const { body: asset } = await app.post('/v1/assets', {
      asset: { file_base64: dot, filename: 'dot.png' },
    })
    const read = async () => (await app.get(`/v1/assets/${asset.data.id}`)).body.data
    const { body } = await create({ draft_content: stack({ type: 'image', assetUuid: asset.data.id }) })
    expect(await read()).toMatchObject({ in_use: true, signature_template_count: 1 })
    await app.patch(`/v1/signatures/${body.data.id}`, { draft_content: null })
    expect(await read()).toMatchObject({ in_use: false, signature_template_count: 0 })
  })
})

describe('a copy', () => {
  it('has the newest layout and the variants as drafts, and no recipients', async () => {
    const id = await createField(app, 'Copied')
    const folder = (await app.post('/v1/folders', { name: 'Copies' })).body.data.id
    const { body } = await create({
      name: 'Original',
      draft_content: stack(field(id)),
      folder_id: folder,
      priority: 0,
    })
    const path = `/v1/signatures/${body.data.id}`
    await app.patch(`${path}/variants/internal`, {
      variant: {
        draft_content: stack(field(id)),
        activated: true,
        hidden: true,
        show_marketing_campaigns: false,
      },
    })
    await app.post(`${path}/variants/internal/publish`)
    await app.patch(`${path}/variants/internal`, { variant: { draft_content: null } })
    const original = (await app.post(`${path}/publish`)).body.data
    await app.patch(path, { draft_content: null })
    const copied = await app.post(`${path}/duplicate`)
    expect(copied.status).toBe(201)
    expect(copied.headers.location).toBe(`/v1/signatures/${copied.body.data.id}`)
    expect(copied.body.data).toMatchObject({
      name: 'Original (Copy)',
      folder_id: folder,
      content: null,
      draft_content: original.content,
      last_published_at: null,
      signature_installation_activated: false,
      has_unpublished_changes: true,
    })
    expect(copied.body.data.priority).toBeGreaterThan(0)
    expect(copied.body.data.id).not.toBe(original.id)
    const [reply, internal] = (await app.get(`${copied.headers.location}/variants`)).body.data
    expect(reply.exists).toBe(false)
    const originalVariant = (await app.get(`${path}/variants/internal`)).body.data
    expect(internal).toMatchObject({
      activated: true,
      hidden: true,
      show_marketing_campaigns: false,
      content: null,
      draft_content: originalVariant.content,
      last_published_at: null,
    })
    expect(internal.id).not.toBe(originalVariant.id)
    expect(await referencesOf(copied.body.data.id)).toEqual([`signature ${id}`, `variant ${id}`])
    expect((await app.get(`${copied.headers.location}/versions`)).body.data).toEqual([])
  })

  it('takes the name and folder of the request', async () => {
    const { body } = await create({ name: '😀'.repeat(200) })
    const path = `/v1/signatures/${body.data.id}/duplicate`
    expect((await app.post(path)).body.data.name).toBe(`${'😀'.repeat(193)} (Copy)`)
    const folder = (await app.post('/v1/folders', { name: 'Elsewhere' })).body.data.id
    expect((await app.post(path, { name: 'Mine', folder_id: folder })).body.data).toMatchObject({
      name: 'Mine',
      folder_id: folder,
    })
    expect((await app.post(path, { signature: { name: 'Wrapped' } })).body.data.name).toBe('Wrapped')
    expect(fieldErrors(await app.post(path, { folder_id: unknownId }))).toEqual({
      folder_id: 'unknown_reference',
    })
    expect(fieldErrors(await app.post(path, { name: '' }))).toEqual({ name: 'blank' })
    expect(fieldErrors(await app.post(path, { name: '', folder_id: unknownId }))).toEqual({
      name: 'blank',
      folder_id: 'unknown_reference',
    })
    expect(fieldErrors(await app.post(path, { priority: 1 }))).toEqual({ priority: 'unknown_property' })
    expect((await app.post(`/v1/signatures/${unknownId}/duplicate`)).status).toBe(404)
  })
})
