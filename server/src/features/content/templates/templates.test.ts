import { beforeAll, describe, expect, it } from 'vitest'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { pixels, solidPicture, upload } from '#test/support/pictures.ts'
import { createSignature, withoutIds } from '#test/support/signatures.ts'
import { fieldIds } from '#test/support/world.ts'
import { templateCategories } from './design.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ draws: true })
})

interface Listed {
  readonly id: string
  readonly category: string
  readonly content: object
  readonly fields: string[]
  readonly thumbnail_url: string
}

const listTemplates = async (key = app.key): Promise<Listed[]> =>
  (await app.get('/v1/templates?limit=100', { key })).body.data

describe('the gallery', () => {
  it('has at least 18 templates, in every category', async () => {
    const { body } = await app.get('/v1/templates')
    expect(body.data.length).toBeGreaterThanOrEqual(18)
    expect(body.pagination.total_count).toBe(body.data.length)
    expect(new Set(body.data.map((template: Listed) => template.category))).toEqual(
      new Set(templateCategories),
    )
    expect(new Set(body.data.map((template: Listed) => template.id)).size).toBe(body.data.length)
  })

  it('is listed in pages', async () => {
    const all = await listTemplates()
    const { body } = await app.get('/v1/templates?page=2&limit=5')
    expect(body.data).toEqual(all.slice(5, 10))
    expect(body.pagination).toMatchObject({ page: 2, limit: 5, total_count: all.length, has_more: true })
    expect((await app.get('/v1/templates?page=900000&limit=100')).body.data).toEqual([])
  })

  it('answers one template by its slug, and 404 for another word', async () => {
    const [first] = await listTemplates()
    const answer = await app.get(`/v1/templates/${first!.id}`)
    expect(answer.body.data).toEqual(first)
    expect(answer.headers.etag).toMatch(/^"/)
    for (const id of ['nothing', '__proto__', '%00', `${first!.id}x`])
      expect((await app.get(`/v1/templates/${id}`)).body.error.code, id).toBe('not_found')
  })

  it('names the smart fields of each template by their labels', async () => {
    const { body } = await app.get('/v1/templates/corporate-classic')
    expect(body.data.fields).toEqual(
      expect.arrayContaining(['First name', 'Last name', 'Job title', 'Email', 'Profile picture']),
    )
    const ids = await fieldIds(app)
    expect(JSON.stringify(body.data.content)).toContain(ids.first_name)
  })

  it('is accepted as content, and warns of nothing', async () => {
    for (const { id, content } of await listTemplates()) {
      const { status, body } = await app.post('/v1/content/preview', { content })
      expect([status, body.data?.warnings], id).toEqual([200, []])
      expect(body.data.bytes, id).toBeLessThanOrEqual(6_000)
    }
  })
})

describe('a template filled with a brand that is not saved', () => {
  it('shows the values that were sent, and stores nothing', async () => {
    const path = '/v1/templates/corporate-accent-bar'
    const before = (await app.get(path)).body.data
    const brand = { colors: { primary: '#b3005e' }, font_family: 'Verdana' }
    const { status, body } = await app.post(`${path}/fill`, { brand })
    expect(status).toBe(200)
    expect(JSON.stringify(body.data.content)).toContain('#b3005e')
    expect(JSON.stringify(body.data.content)).toContain('Verdana')
    expect((await app.get(path)).body.data).toEqual(before)
    expect((await app.post(`${path}/fill`, {})).body.data).toEqual(before)
  })

  it('names a colour that cannot be drawn', async () => {
    const answer = await app.post('/v1/templates/corporate-classic/fill', { colors: { primary: 'nothing' } })
    expect(fieldErrors(answer)).toEqual({ 'colors.primary': 'invalid' })
    expect((await app.post('/v1/templates/nothing/fill', {})).status).toBe(404)
  })
})

describe('a signature created from a template', () => {
  it('has the template as its draft', async () => {
    const [template] = await listTemplates()
    const { status, body } = await createSignature(app, { template_id: template!.id })
    expect(status).toBe(201)
    expect(withoutIds(body.data.draft_content)).toEqual(template!.content)
    expect(body.data.content).toBeNull()
    const preview = await app.get(`/v1/signatures/${body.data.id}/preview?source=draft`)
    expect(preview.body.data.html).toContain('Alex')
  })

  it('is filled with the brand', async () => {
    const logo = await upload(app, await solidPicture(320, 96).png().toBuffer(), { role: 'company_logo' })
    await app.patch('/v1/workspace/brand', {
      logo_asset_id: logo.body.data.id,
      colors: { primary: '#8a1c4a' },
      font_family: 'Verdana',
      website: 'https://www.northbean.example',
      address: '12 Harbour Street, Hamburg',
      social: [{ name: 'mastodon', href: 'https://social.example/@northbean' }],
      legal: 'Northbean Coffee GmbH',
    })
    const { body } = await createSignature(app, { template_id: 'corporate-letterhead' })
    const draft = JSON.stringify(body.data.draft_content)
    const values = [logo.body.data.id, 'Verdana', 'northbean.example', '12 Harbour Street', 'Coffee GmbH']
    for (const value of values) expect(draft).toContain(value)
    const profile = JSON.stringify((await app.get('/v1/templates/creative-portrait-top')).body.data.content)
    for (const value of ['#8a1c4a', 'https://social.example/@northbean']) expect(profile).toContain(value)
    expect((await app.get(`/v1/assets/${logo.body.data.id}`)).body.data.signature_template_count).toBe(1)
    const foreign = JSON.stringify(await listTemplates(app.other.key))
    expect(foreign).not.toContain('northbean')
  })

  it('keeps the logo of the brand even when the asset was deleted', async () => {
    const logo = await upload(app, await solidPicture(300, 90).png().toBuffer(), { role: 'company_logo' })
    const { id } = logo.body.data
    await app.patch('/v1/workspace/brand', { logo_asset_id: id })
    await app.del(`/v1/assets/${id}`)
    const { status, body } = await createSignature(app, { template_id: 'corporate-letterhead' })
    expect(status).toBe(201)
    expect(JSON.stringify(body.data.draft_content)).toContain(id)
  })

  it.each([
    [{ template_id: 'nothing' }, { template_id: 'unknown_reference' }],
    [{ template_id: '' }, { template_id: 'blank' }],
    [{ template_id: null }, { template_id: 'invalid_type' }],
    [{ template_id: 'corporate-classic', draft_content: { type: 'stack' } }, { template_id: 'invalid' }],
    [{ template_id: 'corporate-classic', draft_content: null }, { template_id: 'invalid' }],
  ])('is refused with %j', async (input, expected) => {
    const answer = await createSignature(app, input)
    expect(answer.status).toBe(422)
    expect(fieldErrors(answer)).toEqual(expected)
  })

  it('cannot get a template later', async () => {
    const { body } = await createSignature(app)
    const answer = await app.patch(`/v1/signatures/${body.data.id}`, { template_id: 'corporate-classic' })
    expect(fieldErrors(answer)).toEqual({ template_id: 'unknown_property' })
  })
})

describe('thumbnails', () => {
  it('are public pictures that clients can cache', async () => {
    const [template] = await listTemplates()
    const path = new URL(template!.thumbnail_url).pathname
    const answer = await app.get(path, { key: null })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('image/png')
    expect(answer.headers['cache-control']).toContain('immutable')
    const { width, height, at } = await pixels(answer.bytes)
    expect(width).toBe(1_024)
    expect(height).toBeGreaterThan(60)
    expect(at(0, 0)).toEqual([255, 255, 255, 255])
    expect(answer.bytes.length).toBeLessThan(60_000)
    const again = await app.get(path, { key: null, headers: { 'if-none-match': answer.headers.etag! } })
    expect(again.status).toBe(304)
  })

  it('of unknown names do not exist', async () => {
    const [template] = await listTemplates()
    for (const file of ['x.png', `${template!.id}-000000000000.png`, 'toString', '..%2f..%2fetc'])
      expect((await app.get(`/templates/${file}`, { key: null })).status, file).toBe(404)
  })

  it('need a browser: without one they answer 501', async () => {
    const plain = await testApp({ env: { SIGNOFF_CHROMIUM: '/bin/false' } })
    const { body } = await plain.get('/v1/templates?limit=1')
    const answer = await plain.get(new URL(body.data[0].thumbnail_url).pathname, { key: null })
    expect([answer.status, answer.body.error.code]).toEqual([501, 'preview_unavailable'])
  })
})
