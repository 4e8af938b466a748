import { describe, expect, it } from 'vitest'
import { type Block, compile, contrast, parseColor, type RenderHooks } from '../src/index.ts'
import { surroundings } from './support/surroundings.ts'

const warningsOf = (block: Block | readonly Block[], fill: RenderHooks = {}) =>
  compile({ type: 'stack', children: Array.isArray(block) ? block : [block as Block] }, surroundings())
    .render({ first_name: 'Ada' }, fill)
    .warnings.map(({ code, id }) => (id === null ? code : `${code} ${id}`))
const text = (color: string, backgroundColor?: string): Block => ({
  type: 'text',
  tokens: [{ id: 't', value: 'x', textStyle: { color } }],
  ...(backgroundColor && { blockStyle: { backgroundColor } }),
})
const image = { type: 'image', id: 'i', assetUuid: 'logo', alt: 'Logo' } as const

describe('a warning is given of', () => {
  it.each<[string, Block, string[]]>([
    ['text that is too light on white', text('#eeeeee'), ['low_contrast t']],
    ['text that is too dark for dark mode', text('#222222'), ['low_contrast t']],
    ['text close to its own background', text('#777777', '#888888'), ['low_contrast t']],
    ['an image wider than 600 px', { ...image, width: 700 }, ['image_too_wide i']],
    ['an image far larger than shown', { ...image, assetUuid: 'banner', width: 100 }, ['image_oversized i']],
    ['an image without alternative text', { type: 'image', id: 'i', assetUuid: 'logo' }, ['missing_alt i']],
    [
      'a linked image without alternative text',
      { ...image, alt: '', href: { text: 'https://a.example' } },
      ['missing_alt i'],
    ],
    [
      'an image from elsewhere without a size',
      { type: 'image', id: 'i', src: 'https://a.example/x.png', alt: 'x' },
      ['image_size_unknown i'],
    ],
    [
      'a label icon that cannot be seen',
      {
        type: 'list',
        children: [
          {
            type: 'listItem',
            children: [
              { type: 'listItemLabel', id: 'l', icon: 'phone', color: '#fff' },
              { type: 'text', tokens: [{ value: 'x' }] },
            ],
          },
        ],
      },
      ['low_contrast l'],
    ],
    ['a GIF over 1 MB', { ...image, assetUuid: 'party' }, ['gif_too_large i']],
    [
      'a link without a target',
      { type: 'text', tokens: [{ id: 't', value: 'x', href: {} }] },
      ['missing_target t'],
    ],
    [
      'a smart field that is gone',
      { type: 'text', tokens: [{ id: 't', smartFieldUuid: 'gone' }] },
      ['unknown_reference t'],
    ],
    ['an asset that is gone', { ...image, assetUuid: 'gone' }, ['unknown_reference i']],
    [
      'a campaign that is gone',
      { type: 'marketing', id: 'm', campaignUuid: 'gone' },
      ['unknown_reference m'],
    ],
    [
      'a signature over 8,000 characters',
      { type: 'text', tokens: [{ value: 'long '.repeat(1_700) }] },
      ['too_long'],
    ],
  ])('%s', (_name, block, expected) => {
    expect(warningsOf(block)).toEqual(expected)
  })

  it('a signature wider than 600 px', () => {
    const { warnings } = compile({ id: 'root', type: 'stack', blockStyle: { width: 601 } }, surroundings())
    expect(warnings).toMatchObject([{ code: 'too_wide', id: 'root' }])
  })

  it('a white icon, and a link in the colour of its background', () => {
    expect(warningsOf({ type: 'icon', id: 'i', name: 'phone', color: '#fff' })).toEqual(['low_contrast i'])
    const link: Block = {
      type: 'text',
      tokens: [{ id: 't', value: 'x', href: { text: 'https://a.example' }, textStyle: { color: '#2f80ed' } }],
      blockStyle: { backgroundColor: '#2f80ed' },
    }
    expect(warningsOf(link)).toEqual(['low_contrast t'])
  })

  it('a problem in one of several banners', () => {
    const bad = compile({ type: 'stack', children: [text('#eeeeee')] }, surroundings())
    const good = compile({ type: 'stack', children: [text('#667085')] }, surroundings())
    const campaign = (named?: string) => ({ id: named ?? 'c', template: named ? good : bad })
    expect(
      warningsOf([{ type: 'marketing' }, { type: 'marketing', campaignUuid: 'campaign' }], { campaign }),
    ).toEqual(['low_contrast t'])
  })

  it('a problem in a banner, but only when the banner is shown', () => {
    const template = compile({ type: 'stack', children: [text('#eeeeee')] }, surroundings())
    expect(warningsOf({ type: 'marketing' }, { campaign: () => ({ id: 'c', template }) })).toEqual([
      'low_contrast t',
    ])
    expect(warningsOf({ type: 'marketing' })).toEqual([])
  })
})

describe('no warning is given of', () => {
  it.each<[string, Block]>([
    ['a colour that is readable on white and on dark', text('#667085')],
    ['a wide asset that is shown at 600 px', { ...image, assetUuid: 'banner' }],
    ['white on a dark background', text('#ffffff', '#0f172a')],
    ['an image that is decoration', { ...image, alt: '' }],
    [
      'a link to a smart field that is empty for this person',
      {
        type: 'socialList',
        children: [{ type: 'socialListItem', name: 'link', href: { smartFieldUuid: 'website' } }],
      },
    ],
    ['text without a colour', { type: 'text', tokens: [{ value: 'x' }] }],
  ])('%s', (_name, block) => {
    expect(warningsOf(block)).toEqual([])
  })
})

describe('a colour', () => {
  it.each([
    ['#AbC', '#aabbcc'],
    ['#ABCDEF', '#abcdef'],
    [' rgb(255,0, 10) ', '#ff000a'],
    ['rgb(1 2 3)', '#010203'],
    ['Tomato', '#ff6347'],
    ['transparent', null],
    ['#abcd', undefined],
    ['rgb(256,0,0)', undefined],
    ['rgba(0,0,0,.5)', undefined],
    ['constructor', undefined],
    ['url(#)', undefined],
    ['', undefined],
  ])('%j is read as %j', (given, expected) => {
    expect(parseColor(given)).toBe(expected)
  })

  it('has a contrast from 1 to 21 with another colour', () => {
    expect(contrast('#ffffff', '#000000')).toBeCloseTo(21)
    expect(contrast('#808080', '#808080')).toBe(1)
  })
})
