import { beforeAll, describe, expect, it } from 'vitest'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { solidPicture, upload } from '#test/support/pictures.ts'
import { createSignature, field, stack, text } from '#test/support/signatures.ts'
import {
  assign,
  createField,
  createTeammate,
  type FieldIds,
  fieldIds,
  setValues,
  unknownId,
} from '#test/support/world.ts'
import type { FoundProblem } from './rules.ts'

let app: TestApp
let fields: FieldIds
beforeAll(async () => {
  app = await testApp({ env: { SIGNOFF_PUBLIC_URL: 'https://sign.acme.com' } })
  fields = await fieldIds(app)
})

const create = async (...blocks: object[]): Promise<string> =>
  (await createSignature(app, { draft_content: stack(...blocks) })).body.data.id
const check = async (id: string, query = ''): Promise<{ recipients: number; problems: FoundProblem[] }> =>
  (await app.get(`/v1/signatures/${id}/check${query}`)).body.data
const publish = (id: string, body?: object) => app.post(`/v1/signatures/${id}/publish`, body)
const codesIn = (problems: readonly FoundProblem[]) => problems.map(problem => problem.code)
const grey = (value: string, color = '#aaaaaa') => ({
  type: 'text',
  tokens: [{ value, textStyle: { color } }],
})

describe('a check', () => {
  it('is of the draft, and of the published content where there is no draft', async () => {
    const id = await create(grey('Pale'))
    expect((await check(id)).problems[0]?.blocks[0]?.path).toBe('draft_content.children[0]')
    await publish(id)
    await app.patch(`/v1/signatures/${id}`, { draft_content: null })
    expect((await check(id)).problems[0]?.blocks[0]?.path).toBe('content.children[0]')
    await app.patch(`/v1/signatures/${id}`, { draft_content: stack(text('Dark')) })
    expect((await check(id)).problems).toEqual([])
  })

  it('of a signature without any content finds that it shows nothing', async () => {
    const { id } = (await createSignature(app)).body.data
    expect(await check(id)).toEqual({
      recipients: 0,
      problems: [
        {
          code: 'nothing_to_show',
          severity: 'error',
          message: 'The signature is empty.',
          blocks: [],
          recipients_affected: 0,
        },
      ],
    })
  })

  it('is 404 for an unknown signature and for one of another workspace', async () => {
    const id = await create(text('x'))
    expect((await app.get(`/v1/signatures/${id}/check`, { key: app.other.key })).status).toBe(404)
    expect((await app.get(`/v1/signatures/${unknownId}/check`)).status).toBe(404)
    const wrong = await app.get(`/v1/signatures/${id}/check?variant=forward`)
    expect([wrong.status, fieldErrors(wrong)]).toEqual([422, { variant: 'not_allowed' }])
  })

  it('changes nothing', async () => {
    const id = await create(text('x'))
    const before = (await app.get(`/v1/signatures/${id}`)).text
    await check(id)
    expect((await app.get(`/v1/signatures/${id}`)).text).toBe(before)
  })
})

describe('problems', () => {
  it('are one per cause: nine texts in one colour are one problem', async () => {
    const nine = Array.from({ length: 9 }, (_, n) => grey(`Line ${n}`))
    const { problems } = await check(
      await create(...nine, grey('Other', '#bbbbbb'), grey('Same', 'rgb(170,170,170)')),
    )
    const pale = problems.filter(({ severity }) => severity === 'warning')
    expect(pale.map(({ blocks }) => blocks.length)).toEqual([10, 1])
    expect(pale[0]?.message).toBe('#aaaaaa on #ffffff has a contrast of 2.3; it needs 4.5 to be readable.')
    expect(pale[0]?.blocks[8]).toMatchObject({ name: 'Line 8', path: 'draft_content.children[8]' })
  })

  it('judge small and large text of one colour by their own bounds', async () => {
    const large = { type: 'text', tokens: [{ value: 'L', textStyle: { color: '#aaaaaa', fontSize: 24 } }] }
    for (const blocks of [
      [large, grey('S')],
      [grey('S'), large],
    ]) {
      const { problems } = await check(await create(...blocks))
      const findings = problems.map(problem => [
        /needs ([\d.]+)/.exec(problem.message)?.[1],
        problem.blocks.map(({ name }) => name),
      ])
      expect(findings.toSorted()).toEqual([
        ['3', ['L']],
        ['4.5', ['S']],
      ])
    }
  })

  it('name a block once, even where several of its tokens are concerned', async () => {
    const tokens = ['a', 'b', 'c'].map(value => ({ value, textStyle: { fontSize: 7 } }))
    const { problems } = await check(await create({ type: 'text', tokens }))
    expect(problems).toMatchObject([{ code: 'text_too_small', blocks: [{ name: 'abc' }] }])
  })

  it('list the most severe first', async () => {
    const black = grey('Black', '#000000')
    const { problems } = await check(
      await create(black, { type: 'text', tokens: [{ value: 'x', href: {} }] }),
    )
    expect(problems.map(({ severity }) => severity)).toEqual(['warning', 'note'])
  })

  it('are at most 100', async () => {
    const colors = Array.from(
      { length: 150 },
      (_, n) => `rgb(${200 + (n % 50)},${200 + Math.floor(n / 50)},200)`,
    )
    expect((await check(await create(...colors.map(color => grey('x', color))))).problems).toHaveLength(100)
  })
})

describe('the name of a block', () => {
  const href = { text: '' }
  const nameOf = async (block: object) => {
    const { problems } = await check(await create(text('First'), block))
    return problems.find(problem => problem.code === 'link_without_target')?.blocks[0]?.name
  }

  it.each<[object, string]>([
    [{ type: 'text', displayName: 'Greeting', tokens: [{ value: 'x', href }] }, 'Greeting'],
    [{ type: 'text', displayName: unknownId, tokens: [{ value: 'Hello', href }] }, 'Hello'],
    [
      { type: 'text', tokens: [{ value: `${'long '.repeat(20)}`, href }] },
      'long long long long long long long long…',
    ],
    [{ type: 'text', tokens: [{ value: 'Line\none', href }] }, 'Line one'],
    [{ type: 'text', tokens: [{ value: unknownId, href }] }, `Text ${unknownId}`],
    [{ type: 'image', src: 'https://cdn.acme.com/a/team.png?v=1', alt: 'x', href }, 'Image team.png'],
    [{ type: 'icon', name: 'linkedin-in', href }, 'LinkedIn icon'],
    [{ type: 'button', tokens: [{ value: 'Book a meeting' }], href }, 'Button Book a meeting'],
    [{ type: 'socialList', children: [{ type: 'socialListItem', name: 'github', href }] }, 'GitHub icon'],
  ])('is right for %j', async (block, expected) => {
    expect(await nameOf(block)).toBe(expected)
  })

  it('is the label of its smart field, or the file of its asset', async () => {
    const { id: assetUuid } = (
      await upload(app, await solidPicture(40, 20).png().toBuffer(), { filename: 'logo.png' })
    ).body.data
    expect(await nameOf({ type: 'image', assetUuid, alt: 'x', href })).toBe('Image logo.png')
    expect(await nameOf({ type: 'image', smartFieldUuid: fields.profile_picture, alt: 'x', href })).toBe(
      'Image Profile picture',
    )
    const tokens = [
      { smartFieldUuid: fields.first_name, href },
      { value: ' ' },
      { smartFieldUuid: fields.last_name },
    ]
    expect(await nameOf({ type: 'text', tokens })).toBe('First name Last name')
  })

  it('of a row is that of the first block inside it', async () => {
    const wide = { type: 'text', tokens: [{ value: 'Ada' }], blockStyle: { width: 200 } }
    const row = { type: 'stack', direction: 'row', children: [wide, wide] }
    expect((await check(await create(row))).problems[0]?.blocks).toMatchObject([{ name: 'Row: Ada' }])
  })
})

describe('missing_values', () => {
  it('counts the recipients without a value, one problem for each field', async () => {
    const people = []
    for (const values of [{ [fields.job_title]: 'Chef' }, {}, {}])
      people.push(await createTeammate(app, { values }))
    const link = { type: 'text', tokens: [{ value: 'Meet', href: { smartFieldUuid: fields.calendar_link } }] }
    const id = await create(text('Fixed'), field(fields.job_title), field(fields.job_title), link)
    expect((await check(id)).problems).toEqual([])
    await assign(app, id, ...people.map(person => person.emailId))
    const { recipients, problems } = await check(id)
    expect(recipients).toBe(3)
    expect(problems).toMatchObject([
      {
        code: 'missing_values',
        severity: 'warning',
        message: 'Job title: 2 of 3 recipients have none.',
        smart_field: 'Job title',
        blocks: [{ name: 'Job title' }, { name: 'Job title' }],
        recipients_affected: 2,
      },
      {
        message: 'Calendar link: 3 of 3 recipients have none.',
        blocks: [{ name: 'Meet' }],
        recipients_affected: 3,
      },
    ])
    await setValues(app, people[1]!.id, { [fields.job_title]: 'Cook' })
    expect((await check(id)).problems[0]?.message).toBe('Job title: 1 of 3 recipients has none.')
  })

  it('is not found where a fallback is shown, nor for the address', async () => {
    const { emailId } = await createTeammate(app)
    const office = await createField(app, 'Office')
    const href = { smartFieldUuid: fields.calendar_link, text: 'https://acme.com' }
    const id = await create(
      { type: 'text', tokens: [{ smartFieldUuid: fields.department, fallback: 'Acme' }] },
      { type: 'text', tokens: [{ value: 'Meet', href }] },
      field(fields.email),
      field(office),
    )
    await assign(app, id, emailId)
    expect((await check(id)).problems).toMatchObject([{ message: 'Office: 1 of 1 recipients has none.' }])
    await app.patch(`/v1/smart_fields/${office}`, { fallback: 'Berlin' })
    expect((await check(id)).problems).toEqual([])
  })
})

describe('kept', () => {
  it('counts the recipients whose live signature comes first; it is left out when the checked one does', async () => {
    const people = []
    for (let n = 0; n < 3; n += 1) people.push((await createTeammate(app)).emailId)
    const [first = '', second = '', third = ''] = people
    const early = await create(text('Early'))
    const middle = await create(text('Middle'))
    const late = await create(text('Late'))
    await assign(app, early, first)
    await assign(app, middle, first, second)
    await assign(app, late, first, second, third)
    expect(await check(late)).not.toHaveProperty('kept')
    await publish(early)
    await publish(middle)
    expect(await check(late)).toMatchObject({
      recipients: 3,
      kept: [
        { signature_id: early, recipients: 1 },
        { signature_id: middle, recipients: 1 },
      ],
    })
    expect(await check(early)).not.toHaveProperty('kept')
    await app.patch(`/v1/signatures/${late}`, { priority: 0 })
    await app.patch(`/v1/signatures/${early}`, { priority: 5 })
    await app.patch(`/v1/signatures/${middle}`, { priority: 5 })
    expect(await check(late)).not.toHaveProperty('kept')
  })
})

describe('too_long', () => {
  it('counts the recipients whose values make it too long', async () => {
    const long = await createTeammate(app, { values: { [fields.company]: 'Very '.repeat(900) } })
    const short = await createTeammate(app, { values: { [fields.company]: 'Acme' } })
    const id = await create(text('word '.repeat(700)), field(fields.company))
    await assign(app, id, short.emailId)
    expect(codesIn((await check(id)).problems)).toEqual([])
    await assign(app, id, long.emailId)
    expect((await check(id)).problems).toMatchObject([{ code: 'too_long', recipients_affected: 1 }])
    await app.patch(`/v1/signatures/${id}`, {
      draft_content: stack(text('word '.repeat(990)), text('word '.repeat(800))),
    })
    expect((await check(id)).problems).toMatchObject([{ code: 'too_long', recipients_affected: 2 }])
  })
})

describe('variants', () => {
  it('that are published and off are found, for each of them', async () => {
    const id = await create(text('Main'))
    const variant = `/v1/signatures/${id}/variants`
    for (const kind of ['reply', 'internal']) {
      await app.patch(`${variant}/${kind}`, { variant: { draft_content: stack(grey('Re')) } })
      expect((await check(id)).problems).toEqual([])
    }
    await app.post(`${variant}/reply/publish`)
    expect((await check(id)).problems).toEqual([])
    await app.patch(`${variant}/reply`, { variant: { activated: false } })
    await app.post(`${variant}/internal/publish`, { activated: false })
    expect((await check(id)).problems).toMatchObject([
      { code: 'variant_not_active', severity: 'warning', blocks: [] },
      { code: 'variant_not_active', severity: 'warning', blocks: [] },
    ])
  })

  it('are checked on their own', async () => {
    const id = await create(text('Main'))
    const none = await app.get(`/v1/signatures/${id}/check?variant=reply`)
    expect([none.status, none.body.error.code]).toEqual([409, 'variant_not_created'])
    const path = `/v1/signatures/${id}/variants/reply`
    await app.patch(path, { variant: { draft_content: stack(grey('Re')) } })
    const { problems } = await check(id, '?variant=reply')
    expect(problems).toMatchObject([{ code: 'low_contrast', blocks: [{ name: 'Re' }] }])
    expect((await app.post(`${path}/publish`)).body.warnings).toEqual(problems)
  })
})

describe('a publish', () => {
  it('answers with the problems beside the signature', async () => {
    const id = await create(grey('Pale'))
    const { problems } = await check(id)
    const published = await publish(id)
    expect(published.body).toEqual({
      data: (await app.get(`/v1/signatures/${id}`)).body.data,
      warnings: problems,
    })
    expect(codesIn(problems)).toContain('low_contrast')
    expect((await publish(await create(text('Fine')))).body.warnings).toEqual([])
  })

  it('of content that shows nothing to any recipient is refused, unless it is forced', async () => {
    const { id: teammateId, emailId } = await createTeammate(app)
    const id = await create(field(fields.mobile_phone))
    await assign(app, id, emailId)
    const refused = await publish(id)
    expect([refused.status, refused.body.error.code]).toEqual([422, 'nothing_to_show'])
    expect(fieldErrors(refused)).toEqual({ draft_content: 'nothing_to_show' })
    expect((await publish(id, { force: false })).status).toBe(422)
    expect((await app.get(`/v1/signatures/${id}`)).body.data).toMatchObject({
      content: null,
      signature_installation_activated: false,
    })
    expect((await app.get(`/v1/signatures/${id}/versions`)).body.data).toEqual([])
    const forced = await publish(id, { force: true })
    expect(forced.status).toBe(200)
    expect(forced.body.warnings[0]).toMatchObject({ code: 'nothing_to_show', recipients_affected: 1 })
    await setValues(app, teammateId, { [fields.mobile_phone]: '+1 555 010 0100' })
    expect((await publish(id)).body.warnings).toEqual([])
  })

  it('refuses an unknown property and a wrong type', async () => {
    const id = await create(text('x'))
    expect(fieldErrors(await publish(id, { forced: true }))).toEqual({ forced: 'unknown_property' })
    expect(fieldErrors(await publish(id, { force: 'yes' }))).toEqual({ force: 'invalid_type' })
  })
})
