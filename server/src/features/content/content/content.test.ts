import { beforeAll, describe, expect, it } from 'vitest'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { stack } from '#test/support/signatures.ts'
import { createAlias, createTeammate, fieldIds, unknownId } from '#test/support/world.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ draws: true })
})

const text = (token: object) => ({ type: 'text', tokens: [{ type: 'textToken', ...token }] })
const render = (content: unknown, fields: object = {}) =>
  app.post('/v1/content/preview', { content, ...fields })

describe('the content schema', () => {
  it('contains the schema, the enums and an example that is valid content', async () => {
    const { status, body } = await app.get('/v1/content_schema')
    expect(status).toBe(200)
    const { schema, enums, example } = body.data
    expect(schema.$defs.text.required).toContain('tokens')
    expect(enums.iconName.length).toBeGreaterThanOrEqual(60)
    expect(enums.blockType).toContain('marketing')
    const preview = await render(example)
    expect(preview.status).toBe(200)
    expect(preview.body.data.html).toContain('Alex Morgan')
    expect(preview.body.data.warnings).toEqual([])
  })

  it('is readable with every API key', async () => {
    const { body } = await app.post('/v1/api_keys', { name: 'narrow', scopes: ['folders:read'] })
    expect((await app.get('/v1/content_schema', { key: body.data.key })).status).toBe(200)
  })
})

describe('a preview', () => {
  it('shows placeholders without an address', async () => {
    const { first_name, profile_picture } = await fieldIds(app)
    const { status, body } = await render(stack(text({ smartFieldUuid: first_name })))
    expect(status).toBe(200)
    expect(
      (await render(stack({ type: 'image', alt: 'Portrait', smartFieldUuid: profile_picture }))).body.data
        .html,
    ).toContain('/icons/user-')
    expect(body.data).toMatchObject({ text: 'Alex', bytes: Buffer.byteLength(body.data.html), warnings: [] })
  })

  it('shows the values of an address', async () => {
    const { first_name, email } = await fieldIds(app)
    const { id } = await createTeammate(app, { values: { [first_name]: 'Grace <3' } })
    const content = stack(text({ smartFieldUuid: first_name.toUpperCase() }), text({ smartFieldUuid: email }))
    const { body } = await render(content, { email_id: await createAlias(app, id, 'hopper@example.com') })
    expect(body.data.text).toBe('Grace <3\nhopper@example.com')
    expect(body.data.html).toContain('Grace &lt;3')
    expect(fieldErrors(await render(content, { email_id: unknownId }))).toEqual({
      email_id: 'unknown_reference',
    })
  })

  it('shows assets and icons from this service', async () => {
    const dot =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
    const asset = await app.post('/v1/assets', { asset: { file_base64: dot, filename: 'dot.png' } })
    expect(asset.status).toBe(201)
    const { body } = await render(
      stack(
        { type: 'image', assetUuid: asset.body.data.id, alt: 'Dot', width: 40, height: 40, shape: 'circle' },
        { type: 'icon', name: 'phone' },
      ),
    )
    const [picture, icon] = [...body.data.html.matchAll(/src="([^"]+)"/g)].map(
      ([, src]) => new URL(src as string),
    )
    for (const address of [picture, icon]) {
      const answer = await app.get(address?.pathname ?? '')
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/png'])
    }
  })

  it.each([
    ['a number', 7, { content: 'invalid_type' }],
    [
      'an invalid tree',
      stack({ ...text({ textStyle: { color: 'sky' } }), x: 1 }),
      {
        'content.children[0].x': 'unknown_property',
        'content.children[0].tokens[0].textStyle.color': 'invalid',
      },
    ],
    [
      'unknown references',
      stack(
        text({ smartFieldUuid: unknownId }),
        { type: 'image', assetUuid: unknownId },
        { type: 'marketing', campaignUuid: 'x' },
      ),
      {
        'content.children[0].tokens[0].smartFieldUuid': 'unknown_reference',
        'content.children[1].assetUuid': 'unknown_reference',
        'content.children[2].campaignUuid': 'unknown_reference',
      },
    ],
  ])('of %s is refused with the names of the fields', async (_name, content, expected) => {
    const answer = await render(content)
    expect(answer.status).toBe(422)
    expect(fieldErrors(answer)).toEqual(expected)
  })

  it('cannot use smart fields of another workspace', async () => {
    const otherFieldId = (await fieldIds(app, app.other.key)).first_name
    expect(fieldErrors(await render(stack(text({ smartFieldUuid: otherFieldId }))))).toEqual({
      'content.children[0].tokens[0].smartFieldUuid': 'unknown_reference',
    })
  })

  it('of a very deep tree is refused without a crash', async () => {
    const deep = `${'{"type":"stack","children":['.repeat(5_000)}${']}'.repeat(5_000)}`
    const answer = await app.call('POST', '/v1/content/preview', { payload: `{"content":${deep}}` })
    expect(answer.status).toBe(422)
  })
})

describe('a preview as picture', () => {
  it('has themes and widths', async () => {
    const content = stack(text({ value: 'Hello' }), { type: 'icon', name: 'phone' })
    const sizes: number[] = []
    for (const query of ['', '?theme=dark', '?width=phone']) {
      const answer = await app.post(`/v1/content/preview.png${query}`, { content })
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/png'])
      sizes.push(answer.bytes.readUInt32BE(16))
    }
    expect(sizes).toEqual([1400, 1400, 750])
    expect(fieldErrors(await app.post('/v1/content/preview.png?theme=blue', { content }))).toEqual({
      theme: 'not_allowed',
    })
  })
})
