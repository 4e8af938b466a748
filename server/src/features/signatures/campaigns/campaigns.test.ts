import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { createSignature, field, stack, text } from '#test/support/signatures.ts'
import { createCampaign, createField, createTeammate, fieldIds } from '#test/support/world.ts'

let app: TestApp
let clock = new Date('2026-06-01T12:00:00Z')
const base = '/v1/marketing_campaigns'

beforeAll(async () => {
  app = await testApp({ now: () => clock, draws: true })
})
beforeEach(() => {
  clock = new Date('2026-06-01T12:00:00Z')
})

const create = (campaign: object = {}) =>
  app.post(base, { marketing_campaign: { name: 'Fair', ...campaign } })
const patch = (path: string, campaign: object) => app.patch(path, { marketing_campaign: campaign })
const statusOf = async (path: string): Promise<string> => (await app.get(path)).body.data.status

describe('a campaign', () => {
  it('is created as a draft with defaults', async () => {
    const { status, body, headers } = await create()
    expect([status, headers.location]).toEqual([201, `${base}/${body.data.id}`])
    expect(body.data).toMatchObject({
      name: 'Fair',
      status: 'draft',
      send_email: false,
      content: null,
      variants: [],
      smart_fields_conditions: [],
      signature_template_ids: [],
      start_time: null,
      end_time: null,
      time_zone: 'UTC',
    })
    expect((await app.get(headers.location!)).body.data).toEqual(body.data)
  })

  it('stores all fields, and times as UTC instants', async () => {
    const smart_field_id = await createField(app, 'Region')
    const signature = (await createSignature(app)).body.data.id
    const { status, body } = await create({
      start_time: '2026-07-01T09:00',
      end_time: '2026-08-01T00:00:00+02:00',
      time_zone: 'Europe/Berlin',
      send_email: true,
      content: stack(text('Hello')),
      smart_fields_conditions: [[{ smart_field_id, values: ['EMEA'] }]],
      signature_template_ids: [signature.toUpperCase()],
    })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      start_time: '2026-07-01T07:00:00.000Z',
      end_time: '2026-07-31T22:00:00.000Z',
      time_zone: 'Europe/Berlin',
      send_email: true,
      smart_fields_conditions: [[{ smart_field_id, values: ['EMEA'] }]],
      signature_template_ids: [signature],
    })
    expect(body.data.content.children[0].id).toBeDefined()
    const deletion = await app.del(`/v1/smart_fields/${smart_field_id}`)
    expect([deletion.status, deletion.body.error.code]).toEqual([409, 'smart_field_in_use'])
    expect(deletion.body.error.message).toContain('campaign “Fair”')
  })

  it('is refused with all problems listed', async () => {
    const unknownId = randomUUID()
    const answer = await create({
      name: ' ',
      start_time: '2026-13-01T00:00',
      end_time: 5,
      time_zone: 'Mars/Olympus',
      content: stack({ type: 'marketing' }),
    })
    expect(answer.status).toBe(422)
    expect(fieldErrors(answer)).toEqual({
      name: 'blank',
      start_time: 'invalid',
      end_time: 'invalid_type',
      time_zone: 'invalid',
      'content.children[0].type': 'not_allowed',
    })
    expect(
      fieldErrors(
        await create({
          start_time: '2026-13-01T00:00',
          end_time: 'soon',
          content: stack({ type: 'marketing' }),
          smart_fields_conditions: [[{ smart_field_id: unknownId, values: ['x'] }]],
          signature_template_ids: [unknownId],
        }),
      ),
    ).toEqual({
      start_time: 'invalid',
      end_time: 'invalid',
      'content.children[0].type': 'not_allowed',
      'smart_fields_conditions[0][0].smart_field_id': 'unknown_reference',
      'signature_template_ids[0]': 'unknown_reference',
    })
    expect(fieldErrors(await create({ time_zone: 'Mars/Olympus' }))).toEqual({ time_zone: 'invalid' })
    for (const start_time of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-12:00'])
      expect(fieldErrors(await create({ start_time }))).toEqual({ start_time: 'invalid' })
    expect(fieldErrors(await create({ time_zone: 'Asia/Tokyo', end_time: '0001-01-01T00:00' }))).toEqual({
      end_time: 'invalid',
    })
    const response = await app.post(base, { name: 'Fair' })
    expect([response.status, fieldErrors(response)]).toEqual([422, { marketing_campaign: 'missing' }])
    expect(
      fieldErrors(await create({ start_time: '2026-01-02T00:00', end_time: '2026-01-02T00:00' })),
    ).toEqual({
      end_time: 'invalid',
    })
    const path = await createCampaign(app, { start_time: '2026-07-01T00:00' })
    expect(fieldErrors(await patch(path, { end_time: '2026-06-30T00:00Z' }))).toEqual({ end_time: 'invalid' })
    expect((await patch(path, { status: 'active' })).status).toBe(422)
  })

  it('is refused with all problems listed, also where some fields have the wrong type', async () => {
    const wrong = {
      name: 7,
      colour: 'red',
      start_time: 'tomorrow',
      end_time: '2026-12-01T09:00:00Z',
      content: stack({ ...text('x'), colour: 1 } as never),
      smart_fields_conditions: [[{ smart_field: 'nothing', values: ['a'] }]],
      signature_template_ids: [randomUUID()],
    }
    const expected = {
      name: 'invalid_type',
      colour: 'unknown_property',
      start_time: 'invalid',
      'smart_fields_conditions[0][0].smart_field': 'unknown_reference',
      'signature_template_ids[0]': 'unknown_reference',
    }
    const path = (await create()).headers.location!
    for (const answer of [await create(wrong), await patch(path, wrong)]) {
      expect([answer.status, fieldErrors(answer)]).toMatchObject([422, expected])
      expect(Object.keys(fieldErrors(answer)).some(name => name.startsWith('content'))).toBe(true)
    }
  })

  it('is refused with unknown references also beside mistakes in the same list', async () => {
    const wrong = {
      smart_fields_conditions: [
        [
          { smart_field: 'nothing', values: [7] },
          { smart_field: 5, values: ['a'] },
          { smart_field: 'first_name', values: ['a'] },
        ],
        'no group',
        [{ smart_field_id: randomUUID(), values: ['a'] }, null],
      ],
      signature_template_ids: ['zz', randomUUID(), 7],
    }
    const expected = {
      'smart_fields_conditions[0][0].values[0]': 'invalid_type',
      'smart_fields_conditions[0][0].smart_field': 'unknown_reference',
      'smart_fields_conditions[0][1].smart_field': 'invalid_type',
      'smart_fields_conditions[1]': 'invalid_type',
      'smart_fields_conditions[2][0].smart_field_id': 'unknown_reference',
      'smart_fields_conditions[2][1]': 'invalid_type',
      'signature_template_ids[0]': 'invalid',
      'signature_template_ids[1]': 'unknown_reference',
      'signature_template_ids[2]': 'invalid_type',
    }
    const path = (await create()).headers.location!
    for (const answer of [await create(wrong as never), await patch(path, wrong)])
      expect([answer.status, fieldErrors(answer)]).toEqual([422, expected])
  })

  it('names the fields of its conditions by key, and is answered with their ids', async () => {
    const { first_name: id } = await fieldIds(app)
    const smart_fields_conditions = [[{ smart_field: 'first_name', values: ['Ada'] }]]
    const { body } = await create({ smart_fields_conditions })
    expect(body.data.smart_fields_conditions).toMatchObject([[{ smart_field_id: id, values: ['Ada'] }]])
    expect(body.data.smart_fields_conditions[0][0]).not.toHaveProperty('smart_field')
    const both = [[{ smart_field: 'first_name', smart_field_id: id, values: ['Ada'] }]]
    expect(fieldErrors(await create({ smart_fields_conditions: both }))).toEqual({
      'smart_fields_conditions[0][0].smart_field': 'invalid',
    })
  })

  it('is listed newest first, optionally filtered by status', async () => {
    const path = await createCampaign(app)
    await app.post(`${path}/schedule`)
    const firstPage = (await app.get(`${base}?limit=2`)).body
    expect(firstPage.data[0].id).toBe(path.split('/').at(-1))
    const active = (await app.get(`${base}?status=active`)).body
    expect(active.data.map((campaign: { status: string }) => campaign.status)).toEqual(['active'])
    expect(fieldErrors(await app.get(`${base}?status=live`))).toEqual({ status: 'not_allowed' })
  })

  it('is changed field by field, with local times in its time zone', async () => {
    const path = await createCampaign(app, {
      content: stack(text('One')),
      time_zone: 'America/New_York',
      send_email: true,
    })
    const { body } = await patch(path, { start_time: '2026-07-01T09:00' })
    expect(body.data).toMatchObject({
      name: 'Fair',
      send_email: true,
      start_time: '2026-07-01T13:00:00.000Z',
    })
    expect(body.data.content.children).toHaveLength(1)
    expect((await patch(path, { content: null, start_time: null })).body.data).toMatchObject({
      content: null,
      start_time: null,
    })
    const unchanged = await app.get(path)
    expect((await patch(path, {})).body.data).toEqual(unchanged.body.data)
  })

  it('is deleted, and all requests for it give 404', async () => {
    const path = await createCampaign(app)
    expect((await app.del(path)).status).toBe(204)
    expect((await app.get(path)).status).toBe(404)
    expect((await app.del(path)).status).toBe(404)
    for (const action of ['schedule', 'pause', 'resume', 'end'])
      expect((await app.post(`${path}/${action}`)).status).toBe(404)
  })
})

describe('campaign states', () => {
  const bringTo: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
    draft: async () => undefined,
    scheduled: path => app.post(`${path}/schedule`),
    active: async path => {
      await patch(path, { start_time: null })
      await app.post(`${path}/schedule`)
    },
    paused: async path => {
      await app.post(`${path}/schedule`)
      await app.post(`${path}/pause`)
    },
    ended: async path => {
      await app.post(`${path}/schedule`)
      await patch(path, { start_time: '2026-05-01T00:00', end_time: '2026-05-02T00:00' })
    },
  }
  const allowed = {
    draft: { schedule: 'scheduled', change: 'draft' },
    scheduled: { pause: 'paused', end: 'ended', change: 'scheduled' },
    active: { pause: 'paused', end: 'ended', change: 'active' },
    paused: { schedule: 'scheduled', resume: 'active', end: 'ended', change: 'paused' },
    ended: {},
  } as const

  for (const [from, actions] of Object.entries(allowed))
    for (const action of ['change', 'schedule', 'pause', 'resume', 'end'])
      it(`${from}: ${action} is ${action in actions ? 'allowed' : 'refused'}`, async () => {
        const path = await createCampaign(app, { start_time: '2026-07-01T00:00' })
        await bringTo[from]?.(path)
        expect(await statusOf(path)).toBe(from)
        const answer = await (action === 'change'
          ? patch(path, { name: 'Other' })
          : app.post(`${path}/${action}`))
        const to = (actions as Record<string, string>)[action]
        if (to) {
          expect([answer.status, answer.body.data?.status]).toEqual([200, to])
          return
        }
        expect([answer.status, answer.body.error.code]).toEqual([409, 'campaign_state'])
        const names = Object.keys(actions).sort()
        const match = /is (\w+): it cannot be \w+.*Allowed now: (.*)\.$/.exec(answer.body.error.message)
        expect(match?.[1]).toBe(from)
        expect(match?.[2]?.split(', ').sort()).toEqual([...names, 'delete'].sort())
        expect(await statusOf(path)).toBe(from)
      })

  it('refuse schedule and resume after the end time', async () => {
    const path = await createCampaign(app, { start_time: '2026-05-01T00:00', end_time: '2026-05-02T00:00' })
    const answer = await app.post(`${path}/schedule`)
    expect([answer.status, answer.body.error.code]).toEqual([409, 'campaign_state'])
    expect(answer.body.error.message).toContain('end_time')
    await patch(path, { end_time: '2026-06-02T00:00' })
    expect((await app.post(`${path}/schedule`)).body.data.status).toBe('active')
    await app.post(`${path}/pause`)
    clock = new Date('2026-06-03T00:00:00Z')
    expect((await app.post(`${path}/resume`)).status).toBe(409)
    expect(await statusOf(path)).toBe('paused')
  })

  it('follow changed start and end times', async () => {
    const path = await createCampaign(app, { start_time: '2026-07-01T00:00' })
    await app.post(`${path}/schedule`)
    expect((await patch(path, { start_time: '2026-05-31T00:00' })).body.data.status).toBe('active')
    expect((await patch(path, { start_time: '2026-07-01T00:00' })).body.data.status).toBe('scheduled')
    expect((await patch(path, { start_time: null })).body.data.status).toBe('active')
    expect((await patch(path, { end_time: '2026-06-01T11:59' })).body.data.status).toBe('ended')
  })

  it('do not change when the same time is sent again', async () => {
    const path = await createCampaign(app, { start_time: '2026-07-01T00:00' })
    await app.post(`${path}/schedule`)
    await app.post(`${path}/pause`)
    expect((await app.post(`${path}/resume`)).body.data.status).toBe('active')
    const unchanged = await patch(path, { name: 'Same', start_time: '2026-07-01T00:00' })
    expect(unchanged.body.data.status).toBe('active')
  })

  it('are up to date even if the transition job did not run', async () => {
    const path = await createCampaign(app, { start_time: '2026-07-01T00:00', end_time: '2026-07-02T00:00' })
    await app.post(`${path}/schedule`)
    clock = new Date('2026-07-01T01:00:00Z')
    expect((await app.post(`${path}/pause`)).body.data.status).toBe('paused')
    await app.post(`${path}/resume`)
    clock = new Date('2026-07-02T00:00:00Z')
    const lateResponse = await app.post(`${path}/pause`)
    expect([lateResponse.status, lateResponse.body.error.message]).toEqual([
      409,
      expect.stringContaining('is ended'),
    ])
  })
})

describe('a campaign whose signatures or pictures are deleted', () => {
  it('targets no address after its only signature is deleted, until new ones are set', async () => {
    const newSignature = async () => (await createSignature(app)).body.data.id as string
    const ids = [await newSignature(), await newSignature()]
    const draftPath = await createCampaign(app, { signature_template_ids: [ids[0]] })
    const runningPath = await createCampaign(app, { signature_template_ids: [ids[0]] })
    const pathWithBoth = await createCampaign(app, { signature_template_ids: ids })
    await app.post(`${runningPath}/schedule`)
    await app.del(`/v1/signatures/${ids[0]}`)
    expect([await statusOf(draftPath), await statusOf(runningPath)]).toEqual(['draft', 'paused'])
    for (const [path, action] of [
      [draftPath, 'schedule'],
      [runningPath, 'resume'],
      [runningPath, 'schedule'],
    ]) {
      const answer = await app.post(`${path}/${action}`)
      expect([answer.status, answer.body.error?.code]).toEqual([409, 'campaign_state'])
      expect(answer.body.error.message).toContain('signature_template_ids')
    }
    expect((await app.get(`${draftPath}/audience`)).body.pagination.total_count).toBe(0)
    expect((await app.post(`${pathWithBoth}/schedule`)).status).toBe(200)
    await patch(draftPath, { name: 'Still lost' })
    expect((await app.post(`${draftPath}/schedule`)).status).toBe(409)
    await patch(draftPath, { signature_template_ids: [] })
    expect((await app.post(`${draftPath}/schedule`)).status).toBe(200)
  })

  it('never targets all addresses when its signature is deleted concurrently', async () => {
    for (let round = 0; round < 12; round++) {
      const ids: string[] = []
      for (let n = 0; n < 2; n++) ids.push((await createSignature(app)).body.data.id)
      const path = await createCampaign(app, { signature_template_ids: ids })
      await app.post(`${path}/schedule`)
      await Promise.all([
        patch(path, { signature_template_ids: [ids[0]] }),
        app.del(`/v1/signatures/${ids[0]}`),
      ])
      const { status, signature_template_ids } = (await app.get(path)).body.data
      expect([status, signature_template_ids.length], `round ${round}`).toEqual(
        signature_template_ids.length === 0 ? ['paused', 0] : ['active', 1],
      )
    }
  })

  it('can be changed after its picture was deleted', async () => {
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const asset = await app.post('/v1/assets', {
      asset: { name: 'Dot', filename: 'dot.png', file_base64: png },
    })
    const image = { type: 'image', assetUuid: asset.body.data.id, alt: 'Dot', width: 10, height: 10 }
    const path = await createCampaign(app, { content: stack(image) })
    await app.del(`/v1/assets/${asset.body.data.id}`)
    const answer = await patch(path, { name: 'Renamed' })
    expect([answer.status, answer.body.data?.name]).toEqual([200, 'Renamed'])
    expect(fieldErrors(await patch(path, { content: stack(image) }))).toEqual({
      'content.children[0].assetUuid': 'unknown_reference',
    })
  })
})

describe('campaign variants', () => {
  const twoVariants = [
    { name: 'A', content: stack(text('Banner A')) },
    { name: 'B', content: stack(text('Banner B')), weight: 3 },
  ]

  it('are stored with an id and a weight', async () => {
    const path = await createCampaign(app, { variants: twoVariants })
    const { variants } = (await app.get(path)).body.data
    expect(variants).toMatchObject([
      { name: 'A', weight: 1 },
      { name: 'B', weight: 3 },
    ])
    const renamed = [{ ...variants[0], name: 'First' }, { name: 'New' }]
    const after = (await patch(path, { variants: renamed })).body.data.variants
    expect(after[0].id).toBe(variants[0].id)
    expect(after[1]).toMatchObject({ name: 'New', content: null, weight: 1 })
  })

  it('are refused with invalid ids, contents or weights', async () => {
    const id = randomUUID()
    expect(
      fieldErrors(
        await create({
          variants: [
            { id, name: 'A', weight: 0 },
            { id, name: 'B', weight: 0, content: stack({ type: 'nonsense' }) },
          ],
        }),
      ),
    ).toEqual({
      'variants[1].id': 'duplicate',
      'variants[1].content.children[0].type': 'not_allowed',
      variants: 'invalid',
    })
    expect(fieldErrors(await create({ variants: [{ weight: -1 }] }))).toMatchObject({
      'variants[0].weight': 'out_of_range',
      'variants[0].name': 'missing',
    })
  })
})

describe('the campaign preview', () => {
  it('shows the banner with placeholders or for an address', async () => {
    const { first_name } = await fieldIds(app)
    const path = await createCampaign(app, { content: stack(field(first_name)) })
    const preview = (await app.get(`${path}/preview`)).body.data
    expect(preview).toMatchObject({ text: 'Alex', warnings: [], variants: [] })
    expect(preview.bytes).toBe(Buffer.byteLength(preview.html))
    const { emailId } = await createTeammate(app, { values: { [first_name]: 'Grace' } })
    expect((await app.get(`${path}/preview?email_id=${emailId}`)).body.data.text).toBe('Grace')
    expect(fieldErrors(await app.get(`${path}/preview?email_id=${randomUUID()}`))).toEqual({
      email_id: 'unknown_reference',
    })
    const picture = await app.get(`${path}/preview.png`)
    expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/png'])
  })

  it('warns when the campaign has no content or mail is not configured', async () => {
    const path = await createCampaign(app, { send_email: true })
    const { html, warnings } = (await app.get(`${path}/preview`)).body.data
    expect(html).toBe('')
    expect(warnings.map((warning: { code: string }) => warning.code)).toEqual([
      'no_content',
      'mail_unavailable',
    ])
  })

  it('shows all variants', async () => {
    const variants = [
      { name: 'A', content: stack(text('Banner A')) },
      { name: 'B', content: stack(text('Banner B')) },
    ]
    const path = await createCampaign(app, { variants })
    const { text: plainText, variants: previews } = (await app.get(`${path}/preview`)).body.data
    expect(plainText).toBe('Banner A')
    expect(previews.map((preview: { name: string; text: string }) => [preview.name, preview.text])).toEqual([
      ['A', 'Banner A'],
      ['B', 'Banner B'],
    ])
    expect((await app.get(`${path}/preview.png?variant_id=${previews[1].id}`)).status).toBe(200)
    expect(fieldErrors(await app.get(`${path}/preview.png?variant_id=${randomUUID()}`))).toEqual({
      variant_id: 'unknown_reference',
    })
  })
})
