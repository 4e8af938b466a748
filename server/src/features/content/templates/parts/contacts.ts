// Contact data in the forms that templates use: rows with icons, rows with letters, and one line that breaks by itself.
import type { Block, IconName } from '@signoff/render'
import type { FieldKey, Kit } from '../design.ts'
import { shownAddress, webHref } from './links.ts'
import {
  fieldToken,
  line,
  styleOf,
  type TextLine,
  type TextPart,
  type WordStyle,
  wordsToken,
} from './text.ts'

type List = Extract<Block, { type: 'list' }>
type ListItem = NonNullable<List['children']>[number]

/** A row of contact data: from a smart field, or from the brand. */
type ContactKey = Extract<FieldKey, 'work_phone' | 'mobile_phone' | 'email'> | 'website' | 'address'

const allContacts: readonly ContactKey[] = ['work_phone', 'mobile_phone', 'email', 'website', 'address']

const contacts: Readonly<
  Record<ContactKey, { readonly name: string; readonly icon: IconName; readonly letter: string }>
> = {
  work_phone: { name: 'Work phone', icon: 'phone', letter: 'T' },
  mobile_phone: { name: 'Mobile phone', icon: 'mobile-screen', letter: 'M' },
  email: { name: 'Email', icon: 'envelope', letter: 'E' },
  website: { name: 'Website', icon: 'globe', letter: 'W' },
  address: { name: 'Address', icon: 'location-dot', letter: 'A' },
}

/** Null when the brand has no such value. */
function contactToken(
  kit: Kit,
  key: ContactKey,
  style: WordStyle = {},
  affixes: Pick<TextPart, 'prefix' | 'suffix'> = {},
): TextPart | null {
  const colored = { color: kit.palette.contact, ...style }
  if (key === 'address') return kit.address === null ? null : wordsToken(kit, kit.address, colored, affixes)
  if (key !== 'website') return fieldToken(kit, key, colored, affixes)
  if (kit.website === null) return null
  const href = webHref(kit.website)
  return wordsToken(
    kit,
    shownAddress(kit.website),
    { color: kit.palette.link, ...style },
    { ...affixes, href },
  )
}

interface ContactsStyle extends WordStyle {
  readonly keys?: readonly ContactKey[]
  readonly gap?: number
  readonly iconColor?: string
}

/** Two pixels from the height of a line on each side: for more, the renderer needs a table around each icon. */
const iconSize = 16

type Label = Extract<ListItem['children'][number], { type: 'listItemLabel' }>

/** Null when the brand has none of the values. */
function rows(
  kit: Kit,
  { keys = allContacts, gap = 4, iconColor: _, ...style }: ContactsStyle,
  labelOf: (key: ContactKey) => Omit<Label, 'type'>,
): List | null {
  const items = keys.flatMap((key): ListItem[] => {
    const token = contactToken(kit, key, style)
    if (token === null) return []
    const text: TextLine = line(contacts[key].name, token)
    return [{ type: 'listItem', children: [{ type: 'listItemLabel', ...labelOf(key) }, text] }]
  })
  if (items.length === 0) return null
  return {
    type: 'list',
    displayName: 'Contact data',
    direction: 'column',
    iconSize,
    blockStyle: { gap },
    children: items,
  }
}

export const iconRows = (kit: Kit, style: ContactsStyle = {}): List | null =>
  rows(kit, style, key => ({ icon: contacts[key].icon, color: style.iconColor ?? kit.palette.accent }))

/** `T`, `M` and `E` before the values, or the words that are given. */
export const letterRows = (
  kit: Kit,
  style: ContactsStyle = {},
  words: Partial<Record<ContactKey, string>> = {},
): List | null => {
  const { size, font } = style
  const textStyle = styleOf(kit, { ...(size && { size }), font, bold: true, color: kit.palette.accent })
  return rows(kit, style, key => ({
    tokens: [{ type: 'textToken', value: words[key] ?? contacts[key].letter, textStyle }],
  }))
}

/** Lines of one value have its name: several lines would be called the same. */
const lineName = (keys: readonly ContactKey[]): string => {
  const [only, ...others] = keys
  return only !== undefined && others.length === 0 ? contacts[only].name : 'Contact data'
}

/** Between values with letters. It cannot be seen at the end of a line: a missing value leaves no separator behind. */
const space = '\u2003'
/** Before every value but the first. */
const dot = ' · '

/**
 * All values in one line, which breaks where the mail is narrow. The first is one that is never missing, the address of
 * a person or a value of the brand: a dot stands before each of the others.
 */
export function contactLine(
  kit: Kit,
  [first, ...others]: readonly ['email' | 'website' | 'address', ...ContactKey[]],
  style: WordStyle = {},
): TextLine {
  const tokens = [contactToken(kit, first, style)]
  for (const key of others)
    tokens.push(contactToken(kit, key, style, tokens.some(Boolean) ? { prefix: dot } : {}))
  return line(lineName([first, ...others]), ...tokens.filter(token => token !== null))
}

/** Values in one line, each with its letter: `T` and `M` tell two phone numbers apart. */
export function letterLine(kit: Kit, keys: readonly ContactKey[], style: WordStyle = {}): TextLine {
  const tokens = keys.flatMap((key, n) => {
    const suffix = n < keys.length - 1 ? { suffix: space } : {}
    return contactToken(kit, key, style, { prefix: `${contacts[key].letter}\u00a0`, ...suffix }) ?? []
  })
  return line(lineName(keys), ...tokens)
}

/** A value of the brand in a line of its own; null when it has none. */
export const brandLine = (kit: Kit, key: 'website' | 'address', style: WordStyle = {}): TextLine | null =>
  kit[key] === null ? null : contactLine(kit, [key], style)
