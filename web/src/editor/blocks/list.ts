// A list of contacts, its lines and their labels.
import { contrastBounds, papersBehind } from '@signoff/render'
import { childrenOf, withChildren } from '#records/content/block.ts'
import { newId } from '#records/content/ids.ts'
import {
  type BlockDescriptor,
  type BlockOf,
  defaultAccent,
  type NewBlockData,
  spaceAbove,
} from './descriptor.ts'
import { isHollow, quietLine, shownTokens } from './placeholder.ts'
import { fieldToken } from './tokens.ts'

const contactFields = [
  ['work_phone', 'phone'],
  ['mobile_phone', 'mobile-screen'],
  ['email', 'envelope'],
  ['website', 'globe'],
] as const

const contactItems = ({ brand, fields }: NewBlockData) =>
  contactFields.flatMap(([key, icon]) => {
    const field = fields.find(each => each.key === key)
    if (!field) return []
    const color = brand?.colors.primary ?? defaultAccent
    const label = { type: 'listItemLabel' as const, id: newId(), icon, color }
    const text = { type: 'text' as const, id: newId(), tokens: [fieldToken(field, brand)] }
    return [{ type: 'listItem' as const, id: newId(), children: [label, text] }]
  })

export const list: BlockDescriptor<BlockOf<'list'>> = {
  label: { en: 'List', de: 'Liste' },
  icon: 'list',
  offers: [
    {
      label: { en: 'Contacts', de: 'Kontakte' },
      icon: 'list',
      lack: 'noField',
      make(data) {
        const children = contactItems(data)
        return children.length > 0 ? { type: 'list', id: newId(), ...spaceAbove, children } : null
      },
    },
  ],
  placeholder: (block, { dropHere }) =>
    isHollow(block)
      ? withChildren(block, [...childrenOf(block), { type: 'listItem', children: [quietLine(dropHere)] }])
      : block,
  standards: ({ direction }) => ({ iconSize: 16, gap: direction === 'row' ? 16 : 4 }),
}

export const listItem: BlockDescriptor<BlockOf<'listItem'>> = {
  label: { en: 'List item', de: 'Listenpunkt' },
  icon: 'dot',
  offers: [
    {
      label: { en: 'Contact line', de: 'Kontaktzeile' },
      icon: 'dot',
      lack: 'noField',
      make: data => contactItems(data)[0] ?? null,
    },
  ],
  /** Called like its words: all lines would have the same name otherwise. */
  nameOf({ children }, { words }) {
    const text = children.find(({ type }) => type === 'text')
    return text ? text.displayName?.trim() || words(text.tokens ?? []) : ''
  },
  placeholder: (block, { dropHere }) =>
    childrenOf(block).some(({ type, visible }) => type === 'text' && visible !== false)
      ? block
      : withChildren(block, [...childrenOf(block), quietLine(dropHere)]),
  isPart: true,
}

export const listItemLabel: BlockDescriptor<BlockOf<'listItemLabel'>> = {
  label: { en: 'Label', de: 'Beschriftung' },
  icon: 'tag',
  offers: [],
  placeholder: (block, messages) =>
    block.tokens ? { ...block, tokens: shownTokens(block.tokens, messages) } : block,
  contrast: { color: (_, surface) => papersBehind(surface, contrastBounds.text) },
  isPart: true,
}
