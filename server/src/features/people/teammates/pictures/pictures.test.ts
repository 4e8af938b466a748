import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { addMember } from '#features/workspace/accounts/index.ts'
import { createKey } from '#features/workspace/api-keys/index.ts'
import { sql } from '#kernel/db/db.ts'
import type { PublicAnswer } from '#platform/public-fetch.ts'
import { type Answer, fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { runScheduled } from '#test/support/jobs.ts'
import { fetchFile, pixels, solidPicture, svg, upload } from '#test/support/pictures.ts'
import { createSignature, stack } from '#test/support/signatures.ts'
import { createTeammate, type FieldIds, fieldIds, setValues, unknownId } from '#test/support/world.ts'

/** Answers of the stand-in of the internet, by address. */
const web = new Map<string, Buffer | PublicAnswer>()
const requests: string[] = []

let app: TestApp
let fields: FieldIds
beforeAll(async () => {
  app = await testApp({
    async fetchPublic(url) {
      requests.push(url)
      const answer = web.get(url) ?? { ok: false, problem: 'is not an address on the public internet' }
      if (!Buffer.isBuffer(answer)) return answer
      return { ok: true, status: 200, url, bytes: answer, retryAfter: undefined }
    },
  })
  fields = await fieldIds(app)
})

let n = 0
const colour = () => `#${(0x300000 + ++n * 977).toString(16)}`
const squarePng = () => solidPicture(300, 300, colour()).png().toBuffer()
/** A wide picture, empty but for a face on its right side. */
const wide = () =>
  sharp(
    svg(
      'width="600" height="200"',
      `<rect width="600" height="200" fill="#eef0ff"/><circle cx="490" cy="100" r="60" fill="#e0a080"/><circle cx="470" cy="90" r="8"/><circle cx="510" cy="90" r="8"/><rect width="1" height="1" fill="${colour()}"/>`,
    ),
  )
    .png()
    .toBuffer()
const skin = [0xe0, 0xa0, 0x80, 255]

const pathOf = (id: string, fieldId: string = fields.profile_picture) =>
  `/v1/teammates/${id}/images/${fieldId}`
const put = (id: string, image: object, sent = {}) =>
  app.call('PUT', pathOf(id), { body: { image }, ...sent })
const file = (bytes: Buffer) => ({ file_base64: bytes.toString('base64'), filename: 'ada.png' })
const pictureIn = ({ body }: Answer) =>
  body.data.smart_fields.find(
    (item: { smart_field_id: string }) => item.smart_field_id === fields.profile_picture,
  ) as { value: string | null; asset_id: string | null }
const setPicture = (id: string, value: string | null) =>
  setValues(app, id, { [fields.profile_picture]: value })
const createAsset = async (bytes: Buffer, key = app.key) => (await upload(app, bytes, {}, { key })).body.data
const drawn = async (url: string | null) => pixels((await fetchFile(app, url ?? '')).bytes)

describe('a picture', () => {
  it('is set and removed by the key of its field', async () => {
    const { id } = await createTeammate(app)
    const at = pathOf(id, 'profile_picture')
    const answer = await app.call('PUT', at, { body: { image: file(await squarePng()) } })
    expect(answer.status).toBe(200)
    expect(pictureIn(answer).asset_id).not.toBeNull()
    expect((await app.call('DELETE', at)).status).toBe(204)
    expect(pictureIn(await app.get(`/v1/teammates/${id}`)).asset_id).toBeNull()
    const image = file(await squarePng())
    for (const [key, status] of [
      ['no_such_field', 404],
      ['first%20name', 404],
      ['first_name', 422],
    ] as const)
      expect((await app.call('PUT', pathOf(id, key), { body: { image } })).status, key).toBe(status)
  })
})

describe('the value of an image field', () => {
  it('is set by the id of an asset, and shown as the address of the picture', async () => {
    const asset = await createAsset(await squarePng())
    const teammate = {
      email: 'by.asset@example.com',
      smart_fields: [{ smart_field: 'profile_picture', value: asset.id.toUpperCase() }],
    }
    const created = await app.post('/v1/teammates', { teammate })
    expect(created.status).toBe(201)
    const { value, asset_id } = pictureIn(created)
    expect(asset_id).toBe(asset.id)
    expect(value).toMatch(
      /^http:\/\/localhost:3000\/files\/[\w-]{22}\/[\w-]{22}\/256x256-square-1x-[\w-]{12}\.png$/,
    )
    const { width, height } = await drawn(value)
    expect([width, height]).toEqual([256, 256])
    const listed = await app.get('/v1/teammates?limit=1')
    expect(listed.body.data[0]).toEqual(created.body.data)
    expect((await app.get(`/v1/assets/${asset.id}`)).body.data.in_use).toBe(true)
  })

  it('has no asset where nothing is set, and other fields have none at all', async () => {
    const { id } = await createTeammate(app)
    const { smart_fields } = (await app.get(`/v1/teammates/${id}`)).body.data
    expect(smart_fields.filter((item: object) => 'asset_id' in item)).toEqual([
      { smart_field_id: fields.profile_picture, label: 'Profile picture', value: null, asset_id: null },
    ])
  })

  it('is fetched from an https address, once for the same picture', async () => {
    const bytes = await squarePng()
    web.set('https://photos.example.com/ada.png', bytes)
    web.set('https://photos.example.com/again.png', bytes)
    const { id } = await createTeammate(app)
    const answer = await setPicture(id, 'https://photos.example.com/ada.png')
    expect(answer.status).toBe(200)
    const { asset_id } = pictureIn(answer)
    const asset = (await app.get(`/v1/assets/${asset_id}`)).body.data
    expect(asset).toMatchObject({ role: 'profile_picture', filename: 'ada.png', width: 300 })
    expect(pictureIn(await setPicture(id, 'https://photos.example.com/again.png')).asset_id).toBe(asset_id)
  })

  it('is fetched once for requests with the same Idempotency-Key', async () => {
    web.set('https://photos.example.com/once.png', await squarePng())
    const smart_fields = [{ smart_field: 'profile_picture', value: 'https://photos.example.com/once.png' }]
    const send = () =>
      app.post(
        '/v1/teammates',
        { teammate: { email: 'once@example.com', smart_fields } },
        { headers: { 'idempotency-key': 'once' } },
      )
    const before = requests.length
    const [first, second] = [await send(), await send()]
    expect([first.status, second.text]).toEqual([201, first.text])
    expect(requests.length - before).toBe(1)
  })

  it('is cleared by null, and the image stays in the library', async () => {
    const asset = await createAsset(await squarePng())
    const { id } = await createTeammate(app, { values: { [fields.profile_picture]: asset.id } })
    expect(pictureIn(await setPicture(id, null))).toMatchObject({ value: null, asset_id: null })
    expect((await app.get(`/v1/assets/${asset.id}`)).body.data.in_use).toBe(false)
  })

  it('can be sent back as it was read, and keeps its crop', async () => {
    const { id } = await createTeammate(app)
    const before = await put(id, { ...file(await wide()), crop: { x: 0, y: 0.25, width: 0.25, height: 0.5 } })
    const { value, asset_id } = pictureIn(before)
    expect(pictureIn(await setPicture(id, value))).toEqual(pictureIn(before))
    expect(pictureIn(await setPicture(id, asset_id))).toEqual(pictureIn(before))
  })

  it.each<[string, string | (() => Promise<string>), string]>([
    ['a text', 'Ada', 'invalid'],
    ['an address without https', 'http://photos.example.com/ada.png', 'invalid'],
    ['an unknown asset', unknownId, 'unknown_reference'],
    [
      'an asset of another workspace',
      async () => (await createAsset(await squarePng(), app.other.key)).id,
      'unknown_reference',
    ],
    ['an address that is not public', 'https://intranet.example.com/ada.png', 'invalid'],
    ['a page instead of a picture', 'https://photos.example.com/page.html', 'invalid'],
  ])('is refused for %s, and nothing is written', async (_, sent, code) => {
    web.set('https://photos.example.com/page.html', Buffer.from('<html></html>'))
    const value = typeof sent === 'string' ? sent : await sent()
    const { id } = await createTeammate(app)
    const smart_fields = [
      { smart_field: 'first_name', value: 'Ada' },
      { smart_field: 'profile_picture', value },
    ]
    const answer = await app.patch(`/v1/teammates/${id}`, { teammate: { smart_fields } })
    expect([answer.status, fieldErrors(answer)]).toEqual([422, { 'smart_fields[1].value': code }])
    const { body } = await app.get(`/v1/teammates/${id}`)
    expect(body.data.smart_fields[0].value).toBeNull()
  })

  it('is not fetched when another value of the request is refused', async () => {
    const before = requests.length
    const smart_fields = [
      { smart_field: 'profile_picture', value: 'https://photos.example.com/ada.png' },
      { smart_field: 'work_phone', value: 'not a phone' },
    ]
    const answer = await app.post('/v1/teammates', { teammate: { email: 'bad@example.com', smart_fields } })
    expect(fieldErrors(answer)).toEqual({ 'smart_fields[1].value': 'invalid' })
    expect(requests.length).toBe(before)
  })

  it('of a field that a directory syncs is ignored, and named', async () => {
    const { id } = await createTeammate(app)
    const asset = await createAsset(await squarePng())
    const mark = (attribute: string | null) =>
      app.db.query(
        sql`update smart_fields set integration_attribute = ${attribute} where workspace_id = ${app.id} and id = ${fields.profile_picture}`,
      )
    await mark('thumbnailPhoto')
    const ignored = (field: string) => [{ field, code: 'directory_managed' }]
    const patched = await setPicture(id, asset.id)
    expect([patched.status, patched.body.ignored]).toEqual([200, ignored('smart_fields[0]')])
    expect(pictureIn(patched).value).toBeNull()
    const sent = await put(id, { asset_id: asset.id })
    expect([sent.status, sent.body.ignored, pictureIn(sent).value]).toEqual([200, ignored('image'), null])
    const teammates = [
      { email: 'row@example.com' },
      { email: 'synced@example.com', smart_fields: [{ smart_field: 'profile_picture', value: asset.id }] },
    ]
    const imported = await app.post('/v1/teammates/import', { teammates })
    expect(imported.body).toEqual({
      data: { created: 2, updated: 0, failed: [] },
      ignored: ignored('teammates[1].smart_fields[0]'),
    })
    expect((await app.del(pathOf(id))).body.error.code).toBe('directory_managed')
    await mark(null)
  })
})

describe('the picture of a teammate', () => {
  it('is set by a file, and removed again', async () => {
    const { id } = await createTeammate(app)
    const answer = await put(id, file(await squarePng()))
    expect(answer.status).toBe(200)
    expect(answer.headers.etag).toBe((await app.get(`/v1/teammates/${id}`)).headers.etag)
    const asset = (await app.get(`/v1/assets/${pictureIn(answer).asset_id}`)).body.data
    expect(asset).toMatchObject({ role: 'profile_picture', name: 'ada', filename: 'ada.png' })
    const removed = await app.del(pathOf(id))
    expect([removed.status, removed.text]).toEqual([204, ''])
    expect(pictureIn(await app.get(`/v1/teammates/${id}`)).value).toBeNull()
    expect((await app.del(pathOf(id))).status).toBe(204)
  })

  it('is set by an address or by an asset', async () => {
    web.set('http://photos.example.com/bob.png', await squarePng())
    const { id } = await createTeammate(app)
    const fetched = await put(id, { source_url: 'http://photos.example.com/bob.png' })
    expect((await app.get(`/v1/assets/${pictureIn(fetched).asset_id}`)).body.data.filename).toBe('bob.png')
    const asset = await createAsset(await squarePng())
    expect(pictureIn(await put(id, { asset_id: asset.id })).asset_id).toBe(asset.id)
  })

  it('is cut around what people look at, unless a crop is given', async () => {
    const { id } = await createTeammate(app)
    const around = await drawn(pictureIn(await put(id, file(await wide()))).value)
    expect([around.width, around.height]).toEqual([200, 200]) // never enlarged
    expect(around.at(100, 120)).toEqual(skin)
    const left = await drawn(
      pictureIn(await put(id, { ...file(await wide()), crop: { x: 0, y: 0, width: 1 / 3, height: 1 } }))
        .value,
    )
    expect(left.at(100, 120)).toEqual([0xee, 0xf0, 0xff, 255])
    const high = await drawn(
      pictureIn(await put(id, { ...file(await wide()), crop: { x: 0.6, y: 0, width: 0.1, height: 1 } }))
        .value,
    )
    expect([high.width, high.height]).toEqual([60, 200])
  })

  it('needs exactly one source, and a crop inside the picture', async () => {
    const { id } = await createTeammate(app)
    const problems = async (image: object) => fieldErrors(await put(id, image))
    expect(await problems({})).toEqual({ image: 'missing' })
    expect(await problems({ asset_id: unknownId, source_url: 'https://example.com/a.png' })).toEqual({
      asset_id: 'invalid',
    })
    expect(await problems({ asset_id: unknownId })).toEqual({ asset_id: 'unknown_reference' })
    expect(await problems({ file_base64: 'AAAA' })).toEqual({ filename: 'missing' })
    expect(await problems({ file_base64: 'AAAA', filename: 'x.png' })).toEqual({ file_base64: 'invalid' })
    const crop = { x: 0.5, y: -1, width: 0.6, height: 0 }
    expect(await problems({ asset_id: unknownId, crop })).toEqual({
      'crop.width': 'out_of_range',
      'crop.y': 'out_of_range',
      'crop.height': 'out_of_range',
    })
  })

  it('belongs to an image field of a teammate of the workspace', async () => {
    const { id } = await createTeammate(app)
    const asset = await createAsset(await squarePng())
    const body = { image: { asset_id: asset.id } }
    const wrongKind = await app.call('PUT', pathOf(id, fields.first_name), { body })
    expect([wrongKind.status, fieldErrors(wrongKind)]).toEqual([422, { smart_field_id: 'invalid' }])
    for (const path of [pathOf(unknownId), pathOf(id, unknownId)]) {
      expect((await app.call('PUT', path, { body })).status).toBe(404)
      expect((await app.del(path)).status).toBe(404)
    }
    expect((await put(id, body.image, { key: app.other.key })).status).toBe(404)
    const foreign = await createAsset(await squarePng(), app.other.key)
    expect(fieldErrors(await put(id, { asset_id: foreign.id }))).toEqual({ asset_id: 'unknown_reference' })
  })

  it('is changed by members only for themselves', async () => {
    const [own, other] = [await createTeammate(app, { email: 'Me@example.com' }), await createTeammate(app)]
    const memberId = await addMember(app.db, app.id, { name: 'Me', email: 'me@example.com', role: 'member' })
    const { key } = await createKey(app.db, app.by, memberId, { name: 'me', scopes: ['*'] })
    const image = file(await squarePng())
    await app.patch(`/v1/smart_fields/${fields.profile_picture}`, { editable_by_owner: true })
    expect((await put(own.id, image, { key })).status).toBe(200)
    const before = requests.length
    const refused = [
      await put(other.id, { source_url: 'https://photos.example.com/ada.png' }, { key }),
      await app.del(pathOf(other.id), { key }),
    ]
    for (const answer of refused) expect(answer.body.error.code).toBe('insufficient_role')
    expect(requests.length).toBe(before)
    expect((await app.del(pathOf(own.id), { key })).status).toBe(204)
  })

  it('is not overwritten by a client that has an older version of the teammate', async () => {
    const { id } = await createTeammate(app)
    const { etag } = (await app.get(`/v1/teammates/${id}`)).headers
    const headers = { 'if-match': etag! }
    const asset = await createAsset(await squarePng())
    expect((await put(id, { asset_id: asset.id }, { headers })).status).toBe(200)
    for (const stale of [
      await put(id, { asset_id: asset.id }, { headers }),
      await app.del(pathOf(id), { headers }),
    ])
      expect([stale.status, stale.body.error.code]).toEqual([412, 'stale_resource'])
  })

  it('goes on being shown when its asset is deleted, until it is removed', async () => {
    const { id } = await createTeammate(app)
    const { value, asset_id } = pictureIn(await put(id, file(await squarePng())))
    expect((await app.del(`/v1/assets/${asset_id}`)).status).toBe(204)
    await runScheduled(app, 'assets.sweep')
    expect(pictureIn(await app.get(`/v1/teammates/${id}`)).value).toBe(value)
    expect((await fetchFile(app, value!)).status).toBe(200)
    expect((await setPicture(id, asset_id)).status).toBe(422)
    await setPicture(id, null)
    expect((await fetchFile(app, value!)).status).toBe(404)
  })

  it('leaves no trace in searches, and counts as a value', async () => {
    const { id, email } = await createTeammate(app)
    const missing = async () => {
      const { body } = await app.get(
        `/v1/teammates?missing_smart_field_id=${fields.profile_picture}&search=${email}`,
      )
      return body.pagination.total_count
    }
    expect(await missing()).toBe(1)
    const { asset_id } = pictureIn(await put(id, file(await squarePng())))
    expect(await missing()).toBe(0)
    const search = async (text: string) =>
      (await app.get(`/v1/teammates?search=${encodeURIComponent(text)}`)).body.data
    expect(await search(asset_id!)).toEqual([])
    const withAsset = `/v1/teammates?smart_field_id=${fields.profile_picture}&smart_field_value=${asset_id}`
    expect((await app.get(withAsset)).body.data.map((teammate: { id: string }) => teammate.id)).toEqual([id])
  })
})

describe('a signature', () => {
  const previewOf = async (content: object, emailId: string) =>
    (await app.post('/v1/content/preview', { content, email_id: emailId })).body.data
  const image = (more: object = {}) =>
    stack({ type: 'image', smartFieldUuid: fields.profile_picture, alt: 'Ada', ...more })
  const sourceIn = (html: string) => /<img src="([^"]+)"/.exec(html)?.[1]

  it('shows the picture cut and shaped for its place', async () => {
    const { id, emailId } = await createTeammate(app)
    await put(id, file(await wide()))
    const { html } = await previewOf(image({ width: 72, height: 72, shape: 'circle' }), emailId)
    const source = sourceIn(html)
    expect(source).toMatch(/\/72x72-circle-2x-crop\d+_0_3333_10000-[\w-]{12}\.png$/)
    const circle = await drawn(source!)
    expect([circle.width, circle.height]).toEqual([144, 144])
    expect(circle.at(2, 2)[3]).toBe(0)
    expect(circle.at(72, 86)).toEqual(skin)
    const natural = await previewOf(image(), emailId)
    expect(sourceIn(natural.html)).toMatch(/\/120x120-square-2x-crop/)
  })

  it('shows nothing without a picture, and the fallback of the field as it is', async () => {
    const { emailId } = await createTeammate(app)
    expect((await previewOf(image(), emailId)).html).not.toContain('<img')
    const path = `/v1/smart_fields/${fields.profile_picture}`
    await app.patch(path, { smart_field: { fallback: 'https://cdn.example.com/nobody.png' } })
    const { html } = await previewOf(image(), emailId)
    await app.patch(path, { smart_field: { fallback: null } })
    expect(sourceIn(html)).toBe('https://cdn.example.com/nobody.png')
  })

  it('has the address of the picture in texts and links, and nothing that is secret', async () => {
    const { id, emailId } = await createTeammate(app)
    const { asset_id } = pictureIn(await put(id, file(await squarePng())))
    const smartFieldUuid = fields.profile_picture
    const content = stack(
      { type: 'text', tokens: [{ smartFieldUuid }] },
      { type: 'button', tokens: [{ value: 'Photo' }], href: { smartFieldUuid } },
      {
        type: 'button',
        tokens: [{ value: 'Card' }],
        href: { text: 'https://example.com/', queryParams: [{ key: 'p', values: [{ smartFieldUuid }] }] },
      },
    )
    const { html, text } = await previewOf(content, emailId)
    const [stored] = await app.db.query<{ secret: string; token: string }>(
      sql`select encode(rendition_secret, 'hex') as secret, token from assets where id = ${asset_id}`,
    )
    expect(text).toContain(`/${stored!.token}`)
    for (const output of [html, text]) {
      expect(output).not.toContain(stored!.secret)
      expect(output).not.toContain('portrait ')
    }
  })

  it('is chosen by rules that ask for a picture', async () => {
    const { id, emailId } = await createTeammate(app)
    const { body } = await createSignature(app, { draft_content: image() })
    const rules = { conditions: [[{ smart_field_id: fields.profile_picture, operator: 'is_set' }]] }
    await app.call('PUT', `/v1/signatures/${body.data.id}/recipient_rules`, { body: rules })
    const recipients = async () =>
      (await app.get(`/v1/signatures/${body.data.id}/emails?limit=100`)).body.data.map(
        (email: { id: string }) => email.id,
      )
    expect(await recipients()).not.toContain(emailId)
    await put(id, file(await squarePng()))
    expect(await recipients()).toContain(emailId)
    await app.del(pathOf(id))
    expect(await recipients()).not.toContain(emailId)
  })
})
