import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contentSchema, enums, exampleContent, type Problem, validateContent } from '../src/index.ts'
import { content } from './support/trees.ts'

const check = (tree: unknown, isCampaign = false) =>
  validateContent(tree, { field: 'draft_content', isCampaign }).problems
const codesOf = (problems: readonly Problem[]) =>
  Object.fromEntries(problems.map(({ field, code }) => [field, code]))
const stack = (...children: unknown[]) => ({ type: 'stack', children })
const text = (token: object) => ({ type: 'text', tokens: [token] })

const fields = {
  firstName: 'a',
  lastName: 'b',
  jobTitle: 'c',
  company: 'd',
  workPhone: 'e',
  email: 'f',
  calendarLink: 'g',
  profilePicture: 'h',
}

// As it is: other people's validators know no keywords and formats of ours.
const validate = new Ajv2020().compile(contentSchema)

/** Rules that the published schema does not say. */
const notInSchema = new Set(['a label after a text', 'a duplicate id'])

describe('content', () => {
  it.each([
    ['a number instead of a tree', 7, { draft_content: 'invalid_type' }],
    ['an array', [], { draft_content: 'invalid_type' }],
    ['an empty object', {}, { 'draft_content.type': 'missing' }],
    ['a text as root', text({}), { 'draft_content.type': 'not_allowed' }],
    ['an unknown type', stack({ type: 'video' }), { 'draft_content.children[0].type': 'not_allowed' }],
    ['a type that is not a text', stack({ type: 7 }), { 'draft_content.children[0].type': 'invalid_type' }],
    [
      'blocks that are not objects',
      stack('text', null),
      { 'draft_content.children[0]': 'invalid_type', 'draft_content.children[1]': 'invalid_type' },
    ],
    [
      'an unknown key of a block',
      stack({ ...text({}), tokenz: 1 }),
      { 'draft_content.children[0].tokenz': 'unknown_property' },
    ],
    [
      'an unknown key of a token',
      stack(text({ bold: true })),
      { 'draft_content.children[0].tokens[0].bold': 'unknown_property' },
    ],
    [
      'an unknown key of a style',
      stack(text({ textStyle: { weight: 1 } })),
      { 'draft_content.children[0].tokens[0].textStyle.weight': 'unknown_property' },
    ],
    [
      'an invalid colour',
      stack(text({}), { type: 'text', tokens: [{}, {}, { textStyle: { color: 'url(x)' } }] }),
      { 'draft_content.children[1].tokens[2].textStyle.color': 'invalid' },
    ],
    [
      'a size too large',
      stack({ ...text({}), blockStyle: { gap: 2001, marginTop: -1 } }),
      {
        'draft_content.children[0].blockStyle.gap': 'out_of_range',
        'draft_content.children[0].blockStyle.marginTop': 'out_of_range',
      },
    ],
    [
      'a size that is a text',
      stack({ ...text({}), blockStyle: { gap: '4' } }),
      { 'draft_content.children[0].blockStyle.gap': 'invalid_type' },
    ],
    [
      'a font too small',
      stack(text({ textStyle: { fontSize: 5 } })),
      { 'draft_content.children[0].tokens[0].textStyle.fontSize': 'out_of_range' },
    ],
    [
      'a font that is not web-safe',
      stack(text({ textStyle: { fontFamily: 'Comic Sans' } })),
      { 'draft_content.children[0].tokens[0].textStyle.fontFamily': 'not_allowed' },
    ],
    ['a text without tokens', stack({ type: 'text' }), { 'draft_content.children[0].tokens': 'missing' }],
    [
      'a button without tokens and link',
      stack({ type: 'button' }),
      { 'draft_content.children[0]': 'missing' },
    ],
    ['an image without a source', stack({ type: 'image' }), { 'draft_content.children[0]': 'missing' }],
    [
      'an image with two sources',
      stack({ type: 'image', src: 'https://a.example/x', assetUuid: 'x' }),
      { 'draft_content.children[0].src': 'invalid' },
    ],
    [
      'an image over http',
      stack({ type: 'image', src: 'http://a.example/x' }),
      { 'draft_content.children[0].src': 'invalid' },
    ],
    [
      'an unknown icon',
      stack({ type: 'icon', name: 'unicorn' }),
      { 'draft_content.children[0].name': 'not_allowed' },
    ],
    [
      'a link to a script',
      stack(text({ href: { text: 'javascript:alert(1)' } })),
      { 'draft_content.children[0].tokens[0].href.text': 'invalid' },
    ],
    [
      'a link with a password',
      stack(text({ href: { text: 'https://a:b@c.example' } })),
      { 'draft_content.children[0].tokens[0].href.text': 'invalid' },
    ],
    ['an empty id', { ...stack(), id: '' }, { 'draft_content.id': 'blank' }],
    ['a long id', { ...stack(), id: 'x'.repeat(65) }, { 'draft_content.id': 'too_long' }],
    [
      'a duplicate id',
      { ...stack({ ...text({ id: 'a' }), id: 'b' }), id: 'a' },
      { 'draft_content.children[0].tokens[0].id': 'duplicate' },
    ],
    [
      'a smart field token without a field',
      stack(text({ type: 'smartFieldToken' })),
      { 'draft_content.children[0].tokens[0].smartFieldUuid': 'missing' },
    ],
    [
      'a list of texts',
      stack({ type: 'list', children: [text({})] }),
      { 'draft_content.children[0].children[0].type': 'not_allowed' },
    ],
    [
      'an item without a text',
      stack({
        type: 'list',
        children: [{ type: 'listItem', children: [{ type: 'listItemLabel', icon: 'phone' }] }],
      }),
      { 'draft_content.children[0].children[0].children': 'too_short' },
    ],
    [
      'a label after a text',
      stack({
        type: 'list',
        children: [{ type: 'listItem', children: [text({}), { type: 'listItemLabel', icon: 'phone' }] }],
      }),
      { 'draft_content.children[0].children[0].children[1].type': 'not_allowed' },
    ],
    [
      'a label without tokens and icon',
      stack({
        type: 'list',
        children: [{ type: 'listItem', children: [{ type: 'listItemLabel' }, text({})] }],
      }),
      { 'draft_content.children[0].children[0].children[0]': 'missing' },
    ],
    [
      'a label with tokens and icon',
      stack({
        type: 'list',
        children: [
          { type: 'listItem', children: [{ type: 'listItemLabel', icon: 'at', tokens: [] }, text({})] },
        ],
      }),
      { 'draft_content.children[0].children[0].children[0].tokens': 'invalid' },
    ],
    [
      'a direction of writing on an inner stack',
      { ...stack(stack(), { ...stack(), dir: 'rtl' }), dir: 'rtl' },
      { 'draft_content.children[1].dir': 'unknown_property' },
    ],
    ['an unknown direction of writing', { ...stack(), dir: 'up' }, { 'draft_content.dir': 'not_allowed' }],
    [
      'a link to an address and to the contact card',
      stack(text({ href: { vcard: true, text: 'https://a.example' } }), {
        type: 'button',
        tokens: [],
        href: { vcard: false },
      }),
      {
        'draft_content.children[0].tokens[0].href.text': 'invalid',
        'draft_content.children[1].href.vcard': 'invalid',
      },
    ],
    [
      'two labels',
      stack({
        type: 'list',
        children: [
          {
            type: 'listItem',
            children: [
              { type: 'listItemLabel', icon: 'phone' },
              { type: 'listItemLabel', icon: 'at' },
              text({}),
            ],
          },
        ],
      }),
      { 'draft_content.children[0].children[0].children[1].type': 'not_allowed' },
    ],
    [
      'a border on a block that is not a stack',
      stack(
        { ...text({}), blockStyle: { borderColor: '#123456' } },
        { type: 'image', assetUuid: 'x', blockStyle: { borderWidth: 1 } },
        { type: 'list', blockStyle: { borderRadius: 1 } },
      ),
      {
        'draft_content.children[0].blockStyle.borderColor': 'unknown_property',
        'draft_content.children[1].blockStyle.borderWidth': 'unknown_property',
        'draft_content.children[2].blockStyle.borderRadius': 'unknown_property',
      },
    ],
    [
      'a border too wide',
      { ...stack(), blockStyle: { borderWidth: 2_001 } },
      { 'draft_content.blockStyle.borderWidth': 'out_of_range' },
    ],
    [
      'a column that wraps',
      { ...stack({ ...stack(), direction: 'column', wrap: true }), wrap: true },
      { 'draft_content.wrap': 'invalid', 'draft_content.children[0].wrap': 'invalid' },
    ],
    [
      'a halo on a picture of another server',
      stack({ type: 'image', src: 'https://a.example/x', halo: true }),
      { 'draft_content.children[0].halo': 'invalid' },
    ],
    [
      'a cropped picture of another server',
      stack({ type: 'image', src: 'https://a.example/x', crop: { x: 0, y: 0, width: 1, height: 1 } }),
      { 'draft_content.children[0].crop': 'invalid' },
    ],
    [
      'a crop that is empty or leaves the picture',
      stack(
        { type: 'image', assetUuid: 'x', crop: { x: 0, y: 0, width: 0, height: 1 } },
        { type: 'image', assetUuid: 'x', crop: { x: 0.5, y: 0.1, width: 0.6, height: 0.9 } },
        { type: 'image', assetUuid: 'x', crop: { x: -1, y: 0, width: 1 } },
      ),
      {
        'draft_content.children[0].crop.width': 'out_of_range',
        'draft_content.children[1].crop.width': 'out_of_range',
        'draft_content.children[2].crop.x': 'out_of_range',
        'draft_content.children[2].crop.height': 'missing',
      },
    ],
    [
      'a QR code without content, without a link, with a link it does not use, or too large',
      stack(
        { type: 'qrCode' },
        { type: 'qrCode', content: 'href' },
        { type: 'qrCode', content: 'vcard', href: { text: 'https://a.example' } },
        { type: 'qrCode', content: 'vcard', size: 601 },
      ),
      {
        'draft_content.children[0].content': 'missing',
        'draft_content.children[1].href': 'missing',
        'draft_content.children[2].href': 'invalid',
        'draft_content.children[3].size': 'out_of_range',
      },
    ],
    [
      'an unknown variant of a button',
      stack({ type: 'button', tokens: [], href: {}, variant: 'ghost' }),
      { 'draft_content.children[0].variant': 'not_allowed' },
    ],
    [
      'several problems',
      stack({ type: 'divider', color: 'x', thickness: 'y' }, { type: 'nope' }),
      {
        'draft_content.children[0].color': 'invalid',
        'draft_content.children[0].thickness': 'invalid_type',
        'draft_content.children[1].type': 'not_allowed',
      },
    ],
  ])('that is or has %s is refused', (name, tree, expected) => {
    expect(validate(tree), 'the published schema').toBe(notInSchema.has(name))
    expect(codesOf(check(tree))).toEqual(expected)
  })

  it('that is refused gets an answer with the allowed and the missing values', () => {
    expect(check(stack({ type: 'stack', direction: 'diagonal' }))[0]).toMatchObject({
      allowed: ['column', 'row'],
    })
    expect(check(stack({ type: 'button' }))[0]).toMatchObject({ missing: ['tokens', 'href'] })
    expect(check({ type: 'text' })[0]).toMatchObject({ allowed: ['stack'] })
  })

  it('of a campaign must not have query parameters, contact cards or a marketing block', () => {
    const linked = stack(
      text({ href: { text: 'https://a.example', queryParams: [{ key: 'a' }] } }),
      { type: 'marketing' },
      text({ href: { vcard: true } }),
    )
    expect(check(linked)).toEqual([])
    expect(codesOf(check(linked, true))).toEqual({
      'draft_content.children[0].tokens[0].href.queryParams': 'unknown_property',
      'draft_content.children[1].type': 'not_allowed',
      'draft_content.children[2].tokens[0].href.vcard': 'unknown_property',
    })
    expect(check(linked, true).find(problem => problem.allowed)?.allowed).not.toContain('marketing')
  })

  it('is limited in depth, number of blocks and size', () => {
    let deep: object = stack()
    for (let level = 1; level < 12; level++) deep = stack(deep)
    expect(check(deep)).toEqual([])
    expect(codesOf(check(stack(deep)))).toEqual({ [`draft_content${'.children[0]'.repeat(12)}`]: 'too_deep' })
    const many = (count: number) => stack(...Array.from({ length: count - 1 }, () => ({ type: 'divider' })))
    expect(check(many(500))).toEqual([])
    expect(codesOf(check(many(501)))).toEqual({ draft_content: 'too_many' })
    const large = (length: number) =>
      stack(...Array.from({ length }, () => text({ value: 'é'.repeat(4_000) })))
    expect(check(large(32))).toEqual([])
    expect(codesOf(check(large(33)))).toEqual({ draft_content: 'too_long' })
  })

  it('is measured exactly, in bytes of JSON', () => {
    const sized = (tree: object) => new TextEncoder().encode(JSON.stringify(tree)).length
    fc.assert(
      fc.property(content, tree => {
        const limit = 256 * 1024
        const filler = (length: number) => ({
          ...tree,
          children: [...(tree.children ?? []), { type: 'text', tokens: [{ value: 'x'.repeat(length) }] }],
        })
        const room = limit - sized(filler(0))
        const codes = (length: number) =>
          check(filler(length))
            .filter(problem => problem.field === 'draft_content')
            .map(problem => problem.code)
        if (room < 0) return
        expect(codes(room)).toEqual([])
        expect(codes(room + 1)).toEqual(['too_long'])
      }),
      { numRuns: 50 },
    )
  })

  it('of any kind and any depth is validated without a crash', () => {
    let abyss: object = {}
    for (let level = 0; level < 100_000; level++)
      abyss = { type: 'stack', children: [abyss], tokens: [abyss] }
    expect(codesOf(check(abyss))).toEqual({ [`draft_content${'.children[0]'.repeat(12)}`]: 'too_deep' })
    let array: unknown[] = []
    for (let level = 0; level < 100_000; level++) array = [array]
    expect(check({ ...stack(), blockStyle: { gap: array }, children: array }).length).toBeGreaterThan(0)
    fc.assert(
      fc.property(fc.anything(), thing => void check(thing)),
      { numRuns: 2_000 },
    )
    fc.assert(
      fc.property(content, fc.string(), fc.anything(), (tree, key, thing) => {
        const broken = JSON.parse(JSON.stringify(tree), (name, item) => (name === 'tokens' ? thing : item))
        check({ ...broken, [key]: thing })
      }),
      { numRuns: 500 },
    )
  })

  it('gets at most 50 problems', () => {
    expect(check(stack(...Array.from({ length: 80 }, () => ({ type: 'nope' }))))).toHaveLength(50)
  })

  it('is returned with all its references', () => {
    const { references } = validateContent(
      stack(
        { type: 'image', assetUuid: 'asset-1' },
        text({
          smartFieldUuid: 'field-1',
          href: {
            smartFieldUuid: 'field-2',
            queryParams: [{ key: 'k', values: [{ smartFieldUuid: 'field-3' }] }],
          },
        }),
        { type: 'marketing', campaignUuid: 'campaign-1' },
      ),
      { field: 'content' },
    )
    expect(references.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      'asset asset-1',
      'smart_field field-1',
      'smart_field field-2',
      'smart_field field-3',
      'campaign campaign-1',
    ])
    expect(references[3]?.field).toBe(
      'content.children[1].tokens[0].href.queryParams[0].values[0].smartFieldUuid',
    )
  })
})

describe('the published schema', () => {
  it('gives the same result as the validation', () => {
    fc.assert(
      fc.property(content, tree => {
        expect(validate(tree), JSON.stringify(validate.errors)).toBe(true)
      }),
      { numRuns: 300 },
    )
    for (const wrong of [
      {},
      stack({ type: 'video' }),
      stack({ ...text({}), x: 1 }),
      stack(text({ textStyle: { fontSize: 5 } })),
      stack(text({ textStyle: { color: 'url(x)' } })),
      stack(text({ href: { text: 'javascript:alert(1)' } })),
      stack(text({ href: { text: 'https://a.example', vcard: true } })),
      stack({ type: 'image', src: 'http://a.example/x' }),
      stack({ type: 'qrCode', content: 'href' }),
      stack({ ...stack(), dir: 'rtl' }),
    ]) {
      expect(validate(wrong), JSON.stringify(wrong)).toBe(false)
      expect(check(wrong)).not.toEqual([])
    }
  })

  it.each(['blurple', 'rgb(300,2,3)', 'rgb(1,2)', 'rgb(1,2,3,4)', 'rgb(1,,3)', '#12345', 'red blue'])(
    'refuses the colour %s, as the validation does',
    color => {
      const tree = stack(text({ textStyle: { color } }))
      expect(validate(tree)).toBe(false)
      expect(check(tree)).not.toEqual([])
    },
  )

  it.each([
    'hello',
    '//example.com',
    '/about.html',
    'ftp://example.com',
    'https://ada@example.com',
    'mailto:ada',
    'tel:none',
    'ada@example.com',
    'hello.',
  ])('refuses the link %s, as the validation does', link => {
    const tree = stack(text({ href: { text: link } }))
    expect(validate(tree)).toBe(false)
    expect(check(tree)).not.toEqual([])
  })

  it('accepts every colour and link that the validation accepts', () => {
    const colors = ['RED', ' #ABC ', 'rgb(1, 2, 3)', 'RGB(255 0 9)', 'Transparent', 'rebeccapurple']
    const links = [
      '',
      ' ',
      'https://intranet/x',
      'HTTP://LOCALHOST:3000',
      'https://example.com/@ada',
      'example.com',
      'example.com:8080/x',
      'münchen.de/ä?b#c',
      'xn--mnchen-3ya.xn--p1ai',
      'mailto:a@b.example?subject=Hi there',
      'tel:+44 (0)20 7946 0101',
      'SMS:+1555',
    ]
    const trees = [
      ...colors.map(color => stack(text({ textStyle: { color } }))),
      ...links.map(link => stack(text({ href: { text: link } }))),
    ]
    for (const tree of trees) {
      expect(check(tree), JSON.stringify(tree)).toEqual([])
      expect(validate(tree), JSON.stringify(tree)).toBe(true)
    }
  })

  it('accepts the example, which has every type of block and token', () => {
    const example = exampleContent(fields)
    expect(check(example)).toEqual([])
    expect(validate(example)).toBe(true)
    const types = new Set([...JSON.stringify(example).matchAll(/"type":"(\w+)"/g)].map(([, type]) => type))
    for (const type of [...enums.blockType, ...enums.tokenType]) expect(types).toContain(type)
  })

  it('has the long pattern of colors in one place', () => {
    expect(JSON.stringify(contentSchema).match(/\[Cc\]\[Rr\]\[Ii\]\[Mm\]/g)).toHaveLength(1)
  })

  it('lists at least 60 icons', () => {
    expect(enums.iconName.length).toBeGreaterThanOrEqual(60)
  })
})
