// The editor renders in the browser, from answers of the API. Its parts run here against the real app: what they render
// must be what the service renders, byte for byte.
import { type Content, fillIds } from '@signoff/render'
import { beforeAll, describe, expect, it } from 'vitest'
import { bannerHook, type CampaignChoice, shownCampaigns } from '../../web/src/editor/rendering/banners.ts'
import { draw } from '../../web/src/editor/rendering/draw.ts'
import { blockMarks } from '../../web/src/editor/rendering/marks.ts'
import { PictureCache } from '../../web/src/editor/rendering/picture-cache.ts'
import { personOf, pictureHooks } from '../../web/src/editor/rendering/picture-hooks.ts'
import { namedIn, surroundingsFrom } from '../../web/src/editor/rendering/surroundings.ts'
import { newId } from '../../web/src/records/content/ids.ts'
import { fieldErrors, type TestApp } from './support/app.ts'
import { demoApp } from './support/demo.ts'
import { stack } from './support/signatures.ts'
import { createField, createTeammate, fieldIds, setValues, unknownId } from './support/world.ts'

let app: TestApp
let cache: PictureCache
beforeAll(async () => {
  app = await demoApp()
  cache = new PictureCache(async (email_id, pictures) => {
    const { status, body } = await app.post('/v1/content/pictures', { email_id, pictures })
    expect(status, JSON.stringify(body)).toBe(200)
    return body.data
  })
})

const data = async (path: string) => (await app.get(path)).body.data

const answers = new Map<string, ReturnType<typeof data>>()
/** Reads each address once. */
function readOnce(path: string): ReturnType<typeof data> {
  const answer = answers.get(path) ?? data(path)
  answers.set(path, answer)
  return answer
}

async function loaded(path: string, ids: readonly string[]) {
  const records = await Promise.all(ids.map(id => readOnce(`${path}/${id}`)))
  return new Map(ids.map((id, index) => [id, records[index] ?? null]))
}

/** As the canvas of the editor does it, without React. The comments are the marks of its blocks. */
async function renderedByClient(
  content: Content,
  emailId: string | null,
  choice: CampaignChoice = 'running',
) {
  const rendered = await readOnce(`/v1/content/person${emailId ? `?email_id=${emailId}` : ''}`)
  const { campaigns: named } = namedIn(content)
  const running = rendered.running_campaigns
  const campaigns = await loaded('/v1/marketing_campaigns', [
    ...new Set([...named, ...shownCampaigns(choice, running, named)]),
  ])
  const banners = [...campaigns.values()].flatMap(campaign =>
    campaign
      ? [campaign.content, ...campaign.variants.map((variant: { content: Content }) => variant.content)]
      : [],
  )
  const { surroundings: pictures, card } = pictureHooks(cache, emailId)
  const surroundings = surroundingsFrom(
    {
      fields: await readOnce('/v1/smart_fields?limit=100'),
      assets: await loaded('/v1/assets', namedIn(content, ...banners).assets),
      campaigns,
      ownAddress: rendered.own_address,
    },
    pictures,
  )
  const marked = { ...surroundings, mark: blockMarks }
  const canvas = () =>
    draw({
      tree: fillIds(content, newId),
      person: personOf(rendered),
      surroundings: marked,
      hooks: { ...card, campaign: bannerHook(choice, running, campaigns, marked) },
    })
  canvas()
  await expect.poll(() => [canvas(), cache.isIncomplete][1]).toBe(false)
  const { html, text } = canvas()
  return { html: html.replaceAll(/<!--.*?-->/g, ''), text }
}

/** Two people of the demo, one of them with a picture. */
async function twoPeople(): Promise<readonly string[]> {
  const { profile_picture } = await fieldIds(app)
  const emails: { id: string; teammate_id: string }[] = await readOnce('/v1/emails?limit=100')
  const answers = await Promise.all(
    emails.slice(0, 30).map(({ id }) => readOnce(`/v1/content/person?email_id=${id}`)),
  )
  const hasPicture = (answer: { values: { smart_field_id: string; has_picture: boolean }[] }) =>
    answer.values.find(value => value.smart_field_id === profile_picture)?.has_picture
  const [withPicture, without] = [answers.find(hasPicture), answers.find(answer => !hasPicture(answer))]
  return [withPicture.email_id, (without ?? answers.at(-1)).email_id]
}

describe('content that a client renders from the answers of the API', () => {
  it('is what the service renders, for every template and signature, for people and placeholders', {
    tags: ['deep'],
  }, async () => {
    const templates: { content: Content }[] = await data('/v1/templates?limit=100')
    const signatures: { id: string }[] = await data('/v1/signatures?limit=100')
    const drafts = await Promise.all(signatures.map(({ id }) => data(`/v1/signatures/${id}`)))
    const contents: Content[] = [
      ...templates.map(({ content }) => content),
      ...drafts.map(({ draft_content, content }) => draft_content ?? content).filter(Boolean),
    ]
    expect([templates.length, contents.length]).toEqual([24, 24 + signatures.length])
    for (const email_id of [...(await twoPeople()), undefined])
      for (const content of contents) {
        const { status, body } = await app.post('/v1/content/preview', {
          content,
          ...(email_id && { email_id }),
        })
        expect(status).toBe(200)
        const { html, text } = await renderedByClient(content, email_id ?? null)
        expect({ html, text }).toEqual({ html: body.data.html, text: body.data.text })
      }
  })

  it('has every kind of picture, and the banner of a chosen campaign', async () => {
    const { profile_picture, first_name } = await fieldIds(app)
    const [asset] = await data('/v1/assets?limit=1')
    const [campaign] = await data('/v1/marketing_campaigns?limit=1')
    const card = { vcard: true } as const
    const content = stack(
      {
        type: 'image',
        alt: 'Logo',
        assetUuid: asset.id.toUpperCase(),
        height: 40.5,
        shape: 'circle',
        halo: true,
      },
      {
        type: 'image',
        alt: '',
        smartFieldUuid: profile_picture,
        crop: { x: 0.1, y: 0, width: 0.5, height: 1 },
      },
      { type: 'image', alt: '', smartFieldUuid: profile_picture, width: 0, href: card },
      { type: 'icon', name: 'x-twitter', size: 2000, backgroundColor: 'navy', shape: 'rounded' },
      { type: 'qrCode', content: 'vcard', color: 'rgb(1, 2, 3)' },
      { type: 'qrCode', content: 'href', href: { text: 'tel:+49 40 1' }, size: 33.4 },
      {
        type: 'text',
        tokens: [{ smartFieldUuid: first_name, href: card }, { smartFieldUuid: profile_picture }],
      },
      { type: 'marketing' },
    ) as Content
    const [emailId] = await twoPeople()
    for (const email_id of [emailId, undefined]) {
      const query = `campaign=${campaign.id}`
      const { body } = await app.post(`/v1/content/preview?${query}`, {
        content,
        ...(email_id && { email_id }),
      })
      expect((await renderedByClient(content, email_id ?? null, campaign.id)).html).toBe(body.data.html)
    }
  })
})

describe('addresses of pictures', () => {
  const pictures = (body: object, key = app.key) => app.post('/v1/content/pictures', body, { key })
  const box = { width: 20, height: 20, shape: 'square' }

  it('are null for what does not exist or is not of the workspace', async () => {
    const [asset] = await data('/v1/assets?limit=1')
    const { profile_picture } = await fieldIds(app)
    const [emailId = ''] = await twoPeople()
    const requests = [
      { kind: 'asset', asset_id: asset.id, box },
      { kind: 'person', smart_field_id: profile_picture, box: { shape: 'square' } },
      { kind: 'contact_card' },
      { kind: 'qr_code', code: { content: 'vcard', size: 50, color: '#000000' } },
    ]
    const own = await pictures({ email_id: emailId, pictures: requests })
    expect(own.body.data.every((picture: unknown) => picture !== null)).toBe(true)
    expect(own.text).not.toContain('portrait')
    const foreign = await pictures({ email_id: emailId, pictures: requests }, app.other.key)
    expect(foreign.body.data).toEqual([null, null, null, null])
    const odd = await pictures({
      pictures: [
        { kind: 'asset', asset_id: unknownId, box },
        { kind: 'person', smart_field_id: unknownId, box: { shape: 'circle' } },
        {
          kind: 'qr_code',
          code: { content: 'href', url: 'javascript:alert(1)', size: 50, color: '#000000' },
        },
        {
          kind: 'qr_code',
          code: { content: 'href', url: `https://a.example/${'x'.repeat(600)}`, size: 50, color: '#000000' },
        },
      ],
    })
    expect(odd.body.data).toEqual([null, null, null, null])
  })

  it('need requests that name what their kind needs, and not more than 200', async () => {
    const answer = await pictures({
      email_id: 'x',
      pictures: [
        { kind: 'asset', asset_id: unknownId, box: { shape: 'square', width: 1 }, icon: null },
        {
          kind: 'icon',
          icon: { name: 'nothing', size: 0, color: 'red', backgroundColor: null, shape: 'oval' },
        },
        { kind: 'qr_code', code: { content: 'href', size: 50, color: '#000000' } },
        { kind: 'person' },
        { kind: 'photo' },
      ],
    })
    expect([answer.status, fieldErrors(answer)]).toEqual([
      422,
      {
        email_id: 'invalid',
        'pictures[0].box.height': 'missing',
        'pictures[0].icon': expect.any(String),
        'pictures[1].icon.name': 'not_allowed',
        'pictures[1].icon.size': 'out_of_range',
        'pictures[1].icon.color': 'invalid',
        'pictures[1].icon.shape': 'not_allowed',
        'pictures[2].code.url': 'missing',
        'pictures[3].smart_field_id': 'missing',
        'pictures[3].box': 'missing',
        'pictures[4].kind': 'not_allowed',
      },
    ])
    const many = Array.from({ length: 201 }, () => ({ kind: 'contact_card' }))
    expect(fieldErrors(await pictures({ pictures: many }))).toEqual({ pictures: 'too_many' })
    expect(fieldErrors(await pictures({ pictures: [] }))).toEqual({ pictures: 'too_short' })
  })
})

describe('the values of a person', () => {
  const valuesOf = (answer: { values: { smart_field_id: string; value: string | null }[] }) =>
    Object.fromEntries(answer.values.map(({ smart_field_id, value }) => [smart_field_id, value]))

  it('can be the longest of the active people', async () => {
    const { first_name, last_name, email, profile_picture } = await fieldIds(app)
    const unused = await createField(app, 'Unused')
    const longest = `${'x'.repeat(61)}@long.example.com`
    const active = await createTeammate(app, { email: longest, values: { [first_name]: 'A'.repeat(80) } })
    const gone = await createTeammate(app, { values: { [last_name]: 'B'.repeat(90) } })
    await app.del(`/v1/teammates/${gone.id}`)
    await setValues(app, active.id, { [last_name]: 'C'.repeat(70) })
    const sample = await data('/v1/content/person?sample=longest')
    expect(sample).toMatchObject({ email_id: null, address: null })
    expect(valuesOf(sample)).toMatchObject({
      [first_name]: 'A'.repeat(80),
      [last_name]: 'C'.repeat(70),
      [email]: longest,
      [unused]: null,
      [profile_picture]: expect.stringContaining('/icons/user-'),
    })
  })

  it('are those of one address or of one sample, of this workspace', async () => {
    const [emailId] = await twoPeople()
    const person = await app.get(`/v1/content/person?email_id=${emailId}`)
    const { email, profile_picture } = await fieldIds(app)
    expect(valuesOf(person.body.data)).toMatchObject({
      [email]: person.body.data.address,
      [profile_picture]: null,
    })
    expect(person.text).not.toContain('portrait ')
    for (const key of [app.other.key, app.key]) {
      const id = key === app.key ? unknownId : emailId
      expect((await app.get(`/v1/content/person?email_id=${id}`, { key })).status).toBe(404)
    }
    expect(fieldErrors(await app.get(`/v1/content/person?email_id=${emailId}&sample=longest`))).toEqual({
      sample: 'invalid',
    })
    expect(await data('/v1/content/person')).toEqual(await data('/v1/content/person?sample=placeholder'))
  })
})
