import type { Content } from '@signoff/render'
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { solidPicture, upload } from '#test/support/pictures.ts'
import { createSignature, field, stack, text } from '#test/support/signatures.ts'
import { type FieldIds, fieldIds } from '#test/support/world.ts'
import { lowContrast } from './codes/contrast.ts'
import { isPublicAddress, linkWithoutTarget } from './codes/links.ts'
import { notMobile } from './codes/widths.ts'
import type { CheckInputs } from './problems.ts'
import type { FoundProblem as Problem } from './rules.ts'
import { visibleBlocks } from './tree.ts'

const publicUrl = 'https://sign.acme.com'
let app: TestApp
let fields: FieldIds
let logo: { id: string; url: string }
beforeAll(async () => {
  app = await testApp({ env: { SIGNOFF_PUBLIC_URL: publicUrl } })
  fields = await fieldIds(app)
  logo = (await upload(app, await solidPicture(800, 200).png().toBuffer())).body.data
})

async function problemsIn(draft_content: object): Promise<Problem[]> {
  const { body } = await createSignature(app, { draft_content })
  return (await app.get(`/v1/signatures/${body.data.id}/check`)).body.data.problems
}

const styled = (value: string, textStyle: object, blockStyle: object = {}) => ({
  type: 'text',
  tokens: [{ value, textStyle }],
  blockStyle,
})
const link = (href: object) => ({ type: 'text', tokens: [{ value: 'More', href }] })
const image = (more: object) => ({ type: 'image', alt: 'Logo', width: 100, height: 25, ...more })
const row = (more: object, ...children: object[]) => ({ type: 'stack', direction: 'row', children, ...more })
const column = (width: number) => ({ ...text('Column'), blockStyle: { width } })
const socialIcons = (count: number) => ({
  type: 'socialList',
  children: Array.from({ length: count }, () => ({
    type: 'socialListItem',
    name: 'linkedin-in',
    href: { text: 'https://linkedin.com' },
  })),
})
const longText = (words: number) => text('word '.repeat(words))

type Case = readonly [what: string, content: () => object]

/** Content that has the problem, and similar content that has not, by code. */
const cases: Readonly<
  Record<string, { readonly positives: readonly Case[]; readonly silent: readonly Case[] }>
> = {
  nothing_to_show: {
    positives: [
      ['no blocks', () => stack()],
      ['hidden blocks', () => stack({ ...text('x'), visible: false })],
      ['an empty text', () => stack(text(''))],
      ['a blank text', () => stack(text('   '))],
      ['a text of invisible characters', () => stack(text('\u200b\u00a0'))],
      ['a lone divider', () => stack({ type: 'divider' })],
      ['a divider in a row', () => stack(row({}, { type: 'divider' }, text(' ')))],
      [
        'a button without a label',
        () => stack({ type: 'button', tokens: [], href: { text: 'https://a.com' } }),
      ],
    ],
    silent: [
      ['a text', () => stack(text('x'))],
      ['a text with a divider', () => stack({ type: 'divider' }, text('&nbsp;'))],
      ['an image', () => stack(image({ assetUuid: logo.id, alt: '' }))],
      ['a QR code', () => stack({ type: 'qrCode', content: 'vcard' })],
      [
        'a button to the contact card',
        () => stack({ type: 'button', tokens: [{ value: 'Save' }], href: { vcard: true } }),
      ],
      ['a smart field, while there are no recipients', () => stack(field(fields.job_title))],
      ['a banner, which a campaign can fill at any time', () => stack({ type: 'marketing' })],
    ],
  },
  low_contrast: {
    positives: [
      ['light text on white', () => stack(styled('x', { color: '#aaaaaa' }))],
      ['text that passes 3 and not 4.5', () => stack(styled('x', { color: '#2f80ed' }))],
      [
        'text near its own background',
        () => stack(styled('x', { color: '#777' }, { backgroundColor: '#888' })),
      ],
      [
        'text without a colour on a dark background',
        () => stack(styled('x', {}, { backgroundColor: '#111' })),
      ],
      [
        'text near the background of a block around it',
        () => ({
          ...stack(stack(styled('x', { color: '#222' }))),
          blockStyle: { backgroundColor: '#000' },
        }),
      ],
      [
        'a light label on a light button',
        () =>
          stack({
            type: 'button',
            backgroundColor: '#ffee88',
            tokens: [{ value: 'Go' }],
            href: { text: 'https://a.com' },
          }),
      ],
      ['an icon that is nearly white', () => stack({ type: 'icon', name: 'phone', color: '#eee' })],
      ['social icons that are nearly white', () => stack({ ...socialIcons(1), color: '#eee' })],
      ['black text, in dark mode', () => stack(styled('x', { color: '#000000' }))],
    ],
    silent: [
      ['text without a colour', () => stack(text('x'))],
      ['large text that passes 3', () => stack(styled('x', { color: '#2f80ed', fontSize: 18 }))],
      ['white on dark', () => stack(styled('x', { color: '#fff' }, { backgroundColor: '#0f172a' }))],
      ['a link and a button without colours', () => stack(link({ text: 'https://a.com' }))],
      [
        'a button without colours',
        () => stack({ type: 'button', tokens: [{ value: 'Go' }], href: { text: 'https://a.com' } }),
      ],
      [
        'a white icon on a disc',
        () => stack({ type: 'icon', name: 'phone', color: '#fff', backgroundColor: '#123' }),
      ],
      ['a hidden text', () => stack(text('x'), { ...styled('x', { color: '#fff' }), visible: false })],
      ['a grey that is readable on white and on dark', () => stack(styled('x', { color: '#737373' }))],
    ],
  },
  text_too_small: {
    positives: [
      ['8 px', () => stack(styled('x', { fontSize: 8 }))],
      [
        'a small label in a list',
        () =>
          stack({
            type: 'list',
            children: [{ type: 'listItem', children: [styled('x', { fontSize: 8.5 })] }],
          }),
      ],
    ],
    silent: [
      ['9 px', () => stack(styled('x', { fontSize: 9 }))],
      [
        'a small token without text',
        () => stack({ type: 'text', tokens: [{ value: 'x' }, { value: '', textStyle: { fontSize: 6 } }] }),
      ],
    ],
  },
  unsupported_image: {
    positives: [
      ['SVG', () => stack(image({ src: 'https://cdn.acme.com/Logo.SVG' }))],
      ['WebP with a query', () => stack(image({ src: 'https://cdn.acme.com/logo.webp?v=2' }))],
      ['SVG with a query', () => stack(image({ src: 'https://cdn.acme.com/logo.svg?x' }))],
      ['WebP as the format', () => stack(image({ src: 'https://cdn.acme.com/logo?format=WebP' }))],
      ['WebP by fm', () => stack(image({ src: 'https://cdn.acme.com/logo.png?w=9&fm=webp' }))],
      ['a media type', () => stack(image({ src: 'https://cdn.acme.com/logo?format=image/svg%2Bxml' }))],
    ],
    silent: [
      ['PNG', () => stack(image({ src: 'https://cdn.acme.com/logo.png?from=logo.svg' }))],
      ['an asset', () => stack(image({ assetUuid: logo.id }))],
      ['an SVG that is asked for as PNG', () => stack(image({ src: 'https://a.com/logo.svg?fm=png' }))],
      ['a format that names no type', () => stack(image({ src: 'https://a.com/logo.png?format=small' }))],
    ],
  },
  literal_placeholder: {
    positives: [
      ['a text', () => stack(text('Hi {{first_name}}'))],
      ['an alternative text', () => stack(image({ assetUuid: logo.id, alt: '{{ name }}' }))],
      [
        'a query parameter',
        () =>
          stack(link({ text: 'https://a.com', queryParams: [{ key: 'q', values: [{ text: '{{id}}' }] }] })),
      ],
    ],
    silent: [
      ['single braces', () => stack(text('Set {a, b}'))],
      ['braces that do not close', () => stack(text('{{ and }'))],
      ['a smart field', () => stack(field(fields.first_name))],
    ],
  },
  too_long: {
    positives: [['9,000 characters', () => stack(longText(1_000), longText(800))]],
    silent: [['a page of text', () => stack(longText(900))]],
  },
  image_oversized: {
    positives: [
      ['the original of an asset by its address', () => stack(image({ src: logo.url }))],
      ['the same with only a height', () => stack(image({ src: logo.url, width: undefined, height: 40 }))],
    ],
    silent: [
      ['the asset itself, which is served in a fitting size', () => stack(image({ assetUuid: logo.id }))],
      ['an original at half its size', () => stack(image({ src: logo.url, width: 400, height: 100 }))],
      ['a picture elsewhere', () => stack(image({ src: 'https://cdn.acme.com/logo.png' }))],
    ],
  },
  link_without_target: {
    positives: [
      ['a text', () => stack(link({}))],
      ['an empty address', () => stack(link({ text: '' }))],
      ['a button', () => stack(text('x'), { type: 'button', tokens: [{ value: 'Go' }], href: {} })],
      ['an image', () => stack(image({ assetUuid: logo.id, href: {} }))],
    ],
    silent: [
      ['an address', () => stack(link({ text: 'https://a.com' }))],
      ['a smart field', () => stack(link({ smartFieldUuid: fields.calendar_link }))],
      ['a text without a link', () => stack(text('x'))],
    ],
  },
  missing_alt: {
    positives: [
      ['an image', () => stack({ type: 'image', assetUuid: logo.id })],
      [
        'a linked image with an empty text',
        () => stack(image({ assetUuid: logo.id, alt: ' ', href: { text: 'https://a.com' } })),
      ],
      [
        'a linked icon whose text is removed',
        () => stack({ type: 'icon', name: 'phone', alt: '', href: { text: 'tel:+1555' } }),
      ],
    ],
    silent: [
      ['an image with a text', () => stack(image({ assetUuid: logo.id }))],
      ['decoration', () => stack(image({ assetUuid: logo.id, alt: '' }))],
      [
        'an icon, which names itself',
        () => stack({ type: 'icon', name: 'phone', href: { text: 'tel:+1555' } }),
      ],
    ],
  },
  not_mobile: {
    positives: [
      ['two columns of 200 px', () => stack(row({}, column(200), column(200)))],
      ['columns and a gap', () => stack(row({ blockStyle: { gap: 80 } }, column(140), column(140)))],
      ['a row at the root', () => row({}, column(200), column(200))],
      ['many icons', () => stack(socialIcons(12))],
      ['a wide block in a column', () => stack(stack(column(400)))],
    ],
    silent: [
      ['columns that fit', () => stack(row({}, column(160), column(160)))],
      ['a text, which breaks into lines', () => stack(row({}, longText(100), longText(100)))],
      ['a banner alone', () => stack(image({ assetUuid: logo.id, width: 600, height: 150 }))],
      ['some icons', () => stack(socialIcons(8))],
      ['a hidden column', () => stack(row({}, column(200), { ...column(200), visible: false }))],
      ['the width of the whole', () => ({ ...stack(text('x')), blockStyle: { width: 600 } })],
    ],
  },
}

describe.each(Object.entries(cases))('%s', (code, { positives, silent }) => {
  it.each(positives)('is found: %s', async (_what, content) => {
    const problems = await problemsIn(content())
    expect(problems.map(problem => problem.code)).toContain(code)
  })

  it.each(silent)('is not found: %s', async (_what, content) => {
    const problems = await problemsIn(content())
    expect(problems.filter(problem => problem.code === code)).toEqual([])
  })
})

describe('unreachable_address', () => {
  it.each([
    ['http://localhost:3000', false],
    ['http://10.1.2.3', false],
    ['http://[::1]:80', false],
    ['http://[fd00::1]', false],
    ['http://mail', false],
    ['https://signoff.local.', false],
    ['', false],
    ['https://sign.acme.com', true],
    ['https://8.8.8.8', true],
  ])('takes %s as public: %s', (address, expected) => {
    expect(isPublicAddress(address)).toBe(expected)
  })

  it('is found where pictures and tracked links lead to this service, and names their blocks', async () => {
    const local = await testApp({ connection: app.connection })
    const problemsOf = async (...blocks: object[]): Promise<Problem[]> => {
      const { body } = await createSignature(local, { draft_content: stack(...blocks) })
      return (await local.get(`/v1/signatures/${body.data.id}/check`)).body.data.problems
    }
    const icon = { type: 'icon', name: 'phone' }
    const [problem] = await problemsOf(text('Plain'), link({ text: 'https://a.com' }), icon)
    expect(problem).toMatchObject({ code: 'unreachable_address', severity: 'warning' })
    expect(problem?.blocks.map(block => block.name)).toEqual(['More', 'Phone icon'])
    expect(problem?.message).toContain(local.config.publicUrl)
    const namesOf = async (...blocks: object[]) => {
      const finding = (await problemsOf(...blocks)).find(({ code }) => code === 'unreachable_address')
      return finding?.blocks.map(block => block.path.slice('draft_content.'.length))
    }
    const { profile_picture: smartFieldUuid } = await fieldIds(local)
    const portrait = { type: 'image', smartFieldUuid, alt: 'Portrait' }
    expect(await namesOf(text('x'), portrait)).toEqual(['children[1]'])
    expect(await namesOf(text('x'), { type: 'marketing' })).toEqual(['children[1]'])
    expect(await namesOf(text('www.acme.com'))).toEqual(['children[0]'])
    expect(await namesOf(text('Only a pixel'))).toBeUndefined()
    expect(await namesOf()).toBeUndefined()
    expect(await namesOf(link({ text: 'mailto:ada@acme.com' }))).toBeUndefined()
    expect(await namesOf(image({ src: 'https://cdn.acme.com/logo.png' }))).toBeUndefined()
    await local.db.query(sql`update workspaces set tracking_enabled = false where id = ${local.id}`)
    expect(await problemsOf(text('Plain'), link({ text: 'https://a.com' }))).toEqual([])
    expect(await namesOf(text('Hello'))).toBeUndefined()
    expect(await namesOf(icon, portrait, { type: 'marketing' })).toHaveLength(3)
    expect(await namesOf(link({ vcard: true }))).toEqual(['children[0]'])
  })

  it('is not found for a public address', async () => {
    expect(await problemsIn(stack({ type: 'icon', name: 'phone' }))).toEqual([])
  })
})

describe('fields of content that the schema may not have yet', () => {
  /** The blocks alone: these rules read nothing else. */
  const inputsWith = (content: object) =>
    ({ blocks: visibleBlocks(content as Content, 'draft_content') }) as unknown as CheckInputs

  it('a row that wraps fits on a phone', () => {
    const columns = [column(200), column(200)]
    expect(notMobile(inputsWith(stack(row({}, ...columns))))).toHaveLength(1)
    expect(notMobile(inputsWith(stack(row({ wrap: true }, ...columns))))).toEqual([])
  })

  it('a link to the contact card has a target', () => {
    expect(linkWithoutTarget(inputsWith(stack(link({ vcard: true }))))).toEqual([])
  })

  it('an outline button is judged by its label on the background behind it', () => {
    const outline = { type: 'button', variant: 'outline', tokens: [{ value: 'Go' }], href: {} }
    const codesOf = (color: string) => lowContrast(inputsWith(stack({ ...outline, color })))
    expect(codesOf('#ffee88').map(({ severity }) => severity)).toEqual(['warning'])
    expect(codesOf('#737373')).toEqual([])
  })
})
