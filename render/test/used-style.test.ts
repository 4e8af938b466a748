import { describe, expect, it } from 'vitest'
import { type Content, compile, usesStyle } from '../src/index.ts'
import { cardHooks, surroundings } from './support/surroundings.ts'

const text = { type: 'text', tokens: [{ value: 'Words' }] }
const label = { type: 'listItemLabel', icon: 'phone' }
const item = { type: 'listItem', children: [label, text] }
const link = { type: 'socialListItem', name: 'globe', href: { text: 'https://example.com' } }
const inList = (child: object) => ({ type: 'list', children: [child, item] })

/** Each block with the place where it is drawn. */
const samples: readonly (readonly [block: object, around: (block: object) => object])[] = [
  [{ type: 'stack', children: [text, text] }, block => block],
  [text, block => block],
  [{ type: 'image', assetUuid: 'logo', width: 100 }, block => block],
  [{ type: 'icon', name: 'star' }, block => block],
  [{ type: 'button', tokens: [{ value: 'Go' }], href: { text: 'https://example.com' } }, block => block],
  [{ type: 'divider' }, block => block],
  [{ type: 'divider', blockStyle: { width: 50 } }, block => block],
  [{ type: 'qrCode', content: 'href', href: { text: 'https://example.com' } }, block => block],
  [{ type: 'marketing' }, block => block],
  [{ type: 'list', children: [item, item] }, block => block],
  [item, inList],
  [{ ...item, children: [label, text, text] }, inList],
  [label, block => inList({ ...item, children: [block, text] })],
  [{ type: 'socialList', children: [link, link] }, block => block],
  [link, block => ({ type: 'socialList', children: [block, link] })],
]
const values = {
  marginTop: 5,
  marginRight: 5,
  marginBottom: 5,
  marginLeft: 5,
  paddingTop: 5,
  paddingRight: 5,
  paddingBottom: 5,
  paddingLeft: 5,
  backgroundColor: '#ffee00',
  gap: 23,
  width: 210,
  align: 'right',
  borderColor: '#ff0000',
  borderWidth: 3,
  borderRadius: 7,
} as const

const banner = {
  id: 'campaign',
  template: compile({ type: 'stack', children: [text] } as Content, surroundings()),
}
const drawn = (block: object): string => {
  const tree = { type: 'stack', children: [text, block] } as Content
  return compile(tree, surroundings()).render({}, { campaign: () => banner, ...cardHooks }).html
}

describe('the styles of a block', () => {
  it.each(samples)('are in use exactly when they change what %j looks like', (block, around) => {
    const { blockStyle = {}, ...rest } = block as { type: string; blockStyle?: object }
    const wrong = Object.entries(values).filter(([key, value]) => {
      if (key.startsWith('border') && rest.type !== 'stack') return false
      // The cell has an alignment then, but the line fills it.
      if (rest.type === 'divider' && key === 'align' && !('width' in blockStyle)) return false
      const styled = { ...rest, blockStyle: { ...blockStyle, [key]: value } }
      const isChanged = drawn(around(styled)) !== drawn(around(block))
      return isChanged !== usesStyle(block as { type: string }, key)
    })
    expect(wrong.map(([key]) => key)).toEqual([])
  })
})
