import { beforeAll, describe, expect, it } from 'vitest'
import { addMember } from '#features/workspace/accounts/index.ts'
import { createKey } from '#features/workspace/api-keys/index.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { fetchFile, solidPicture, upload } from '#test/support/pictures.ts'
import { unknownId } from '#test/support/world.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

const path = '/v1/workspace/brand'

const uploadLogo = async () => {
  const bytes = await solidPicture(320, 96).png().toBuffer()
  return (await upload(app, bytes, { role: 'company_logo' })).body.data
}

describe('the brand', () => {
  it('is empty at first', async () => {
    const { status, body, headers } = await app.get(path, { key: app.other.key })
    expect(status).toBe(200)
    expect(body.data).toEqual({
      logo_asset_id: null,
      colors: { primary: null, text: null, muted: null, link: null },
      font_family: null,
      website: null,
      address: null,
      social: [],
      legal: null,
      updated_at: null,
    })
    expect(headers.etag).toMatch(/^"/)
  })

  it('keeps what is sent, changes only that, and clears with null', async () => {
    const social = [{ name: 'linkedin-in', href: 'https://www.linkedin.com/company/northbean' }]
    const first = await app.patch(path, {
      brand: { colors: { primary: '#2f5d50', link: 'teal' }, website: 'northbean.example', social },
    })
    expect(first.status).toBe(200)
    expect(first.body.data).toMatchObject({
      colors: { primary: '#2f5d50', text: null, muted: null, link: 'teal' },
      website: 'northbean.example',
      social,
    })
    const second = await app.patch(path, {
      colors: { link: null, text: 'rgb(20, 30, 40)' },
      social: [],
      font_family: 'Georgia',
      address: '12 Harbour Street',
      legal: 'Northbean GmbH',
    })
    expect(second.body.data).toMatchObject({
      colors: { primary: '#2f5d50', text: 'rgb(20, 30, 40)', muted: null, link: null },
      website: 'northbean.example',
      social: [],
      font_family: 'Georgia',
      address: '12 Harbour Street',
      legal: 'Northbean GmbH',
    })
    expect((await app.get(path)).body).toEqual(second.body)
    const cleared = await app.patch(path, { website: null, address: null, legal: null, font_family: null })
    expect(cleared.body.data).toMatchObject({ website: null, address: null, legal: null, font_family: null })
  })

  it('changes nothing for an empty PATCH', async () => {
    const before = await app.get(path)
    expect((await app.patch(path, {})).body).toEqual(before.body)
  })

  it('cannot be overwritten with an old version', async () => {
    const { headers } = await app.get(path)
    await app.patch(path, { address: 'Somewhere new' })
    const stale = await app.patch(path, { address: 'Old' }, { headers: { 'if-match': headers.etag! } })
    expect([stale.status, stale.body.error.code]).toEqual([412, 'stale_resource'])
    expect((await app.get(path)).body.data.address).toBe('Somewhere new')
  })

  it('is in the audit log', async () => {
    await app.patch(path, { legal: 'Audited' })
    const { body } = await app.get('/v1/audit_log?limit=1')
    expect(body.data[0]).toMatchObject({
      action: 'brand.updated',
      resource_type: 'brand',
      resource_id: app.id,
    })
  })

  it.each([
    [{ colour: 'red' }, { colour: 'unknown_property' }],
    [
      { colors: { primary: 'nonsense', accent: '#fff' } },
      { 'colors.accent': 'unknown_property', 'colors.primary': 'invalid' },
    ],
    [{ colors: { text: 'transparent' } }, { 'colors.text': 'invalid' }],
    [{ colors: null }, { colors: 'invalid_type' }],
    [{ font_family: 'Comic Sans' }, { font_family: 'not_allowed' }],
    [{ website: 'javascript:alert(1)' }, { website: 'invalid' }],
    [{ website: 'mailto:a@b.example' }, { website: 'invalid' }],
    [{ website: `https://a.example/${'x'.repeat(500)}` }, { website: 'too_long' }],
    [{ address: ' ' }, { address: 'blank' }],
    [{ legal: 'x'.repeat(5_001) }, { legal: 'too_long' }],
    [{ social: [{ name: 'linkedin-in' }] }, { 'social[0].href': 'missing' }],
    [
      { social: [{ name: 'myspace', href: 'file:///etc/passwd' }] },
      { 'social[0].name': 'not_allowed', 'social[0].href': 'invalid' },
    ],
    [
      { social: Array.from({ length: 9 }, () => ({ name: 'x-twitter', href: 'https://x.com/a' })) },
      { social: 'too_many' },
    ],
    [{ logo_asset_id: 'logo' }, { logo_asset_id: 'invalid' }],
    [{ logo_asset_id: unknownId }, { logo_asset_id: 'unknown_reference' }],
  ])('refuses %j', async (body, expected) => {
    const before = await app.get(path)
    const answer = await app.patch(path, body)
    expect(answer.status).toBe(422)
    expect(fieldErrors(answer)).toEqual(expected)
    expect((await app.get(path)).body).toEqual(before.body)
  })
})

describe('the logo of the brand', () => {
  it('is in use: its file is served even after the asset is deleted', async () => {
    const logo = await uploadLogo()
    const changed = await app.patch(path, { logo_asset_id: logo.id.toUpperCase() })
    expect(changed.body.data.logo_asset_id).toBe(logo.id)
    expect((await app.get(`/v1/assets/${logo.id}`)).body.data.in_use).toBe(true)
    expect((await app.del(`/v1/assets/${logo.id}`)).status).toBe(204)
    expect((await fetchFile(app, logo.url)).status).toBe(200)
    expect((await app.patch(path, { address: 'New' })).body.data.logo_asset_id).toBe(logo.id)
    await app.patch(path, { logo_asset_id: null })
    expect((await fetchFile(app, logo.url)).status).toBe(404)
    expect(fieldErrors(await app.patch(path, { logo_asset_id: logo.id }))).toEqual({
      logo_asset_id: 'unknown_reference',
    })
  })

  it('cannot be an asset of another workspace', async () => {
    const logo = await uploadLogo()
    const answer = await app.patch(path, { logo_asset_id: logo.id }, { key: app.other.key })
    expect(fieldErrors(answer)).toEqual({ logo_asset_id: 'unknown_reference' })
  })
})

it('managers can read the brand, and not change it', async () => {
  const member = { name: 'Manager', email: 'manager@example.com', role: 'manager' } as const
  const memberId = await addMember(app.db, app.id, member)
  const { key } = await createKey(app.db, app.by, memberId, { name: 'Manager', scopes: ['*'] })
  expect((await app.get(path, { key })).status).toBe(200)
  const refused = await app.patch(path, { legal: 'x' }, { key })
  expect([refused.status, refused.body.error.code]).toEqual([403, 'insufficient_role'])
})
