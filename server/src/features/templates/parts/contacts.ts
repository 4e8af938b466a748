// Contact data in the forms that templates use: rows with icons, rows with letters, and one line that breaks by itself.
import type { Block, IconName } from '@signoff/render'
import type { FieldKey, Kit } from '../design.ts'
import { shownAddress, webHref } from './links.ts'
import { fieldToken, line, styleOf, type TextLine, type TextPart, type WordLook, wordsToken } from './text.ts'

type List = Extract<Block, { type: 'list' }>
type ListItem = NonNullable<List['children']>[number]

/** A row of contact data: from a smart field, or from the brand. */
export type ContactKey = Extract<FieldKey, 'work_phone' | 'mobile_phone' | 'email'> | 'website' | 'address'

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
export function contactToken(
  kit: Kit,
  key: ContactKey,
  look: WordLook = {},
  affixes: Pick<TextPart, 'prefix' | 'suffix'> = {},
): TextPart | null {
  const style = { color: kit.palette.contact, ...look }
  if (key === 'address') return kit.address === null ? null : wordsToken(kit, kit.address, style, affixes)
  if (key !== 'website') return fieldToken(kit, key, style, affixes)
  if (kit.website === null) return null
  const href = webHref(kit.website)
  return wordsToken(
    kit,
    shownAddress(kit.website),
    { color: kit.palette.link, ...look },
    { ...affixes, href },
  )
}

export interface ContactsLook extends WordLook {
  readonly keys?: readonly ContactKey[]
  readonly gap?: number
  readonly iconColor?: string
}

type Label = Extract<ListItem['children'][number], { type: 'listItemLabel' }>

/** Null when the brand has none of the values. */
function rows(
  kit: Kit,
  { keys = allContacts, gap = 4, iconColor: _, ...look }: ContactsLook,
  labelOf: (key: ContactKey) => Omit<Label, 'type'>,
): List | null {
  const items = keys.flatMap((key): ListItem[] => {
    const token = contactToken(kit, key, look)
    if (token === null) return []
    const text: TextLine = line(contacts[key].name, token)
    return [{ type: 'listItem', children: [{ type: 'listItemLabel', ...labelOf(key) }, text] }]
  })
  if (items.length === 0) return null
  return {
    type: 'list',
    displayName: 'Contact data',
    direction: 'column',
    iconSize: 14,
    blockStyle: { gap },
    children: items,
  }
}

export const iconRows = (kit: Kit, look: ContactsLook = {}): List | null =>
  rows(kit, look, key => ({ icon: contacts[key].icon, color: look.iconColor ?? kit.palette.accent }))

/** `T`, `M` and `E` before the values, or the words that are given. */
export const letterRows = (
  kit: Kit,
  look: ContactsLook = {},
  words: Partial<Record<ContactKey, string>> = {},
): List | null => {
  const { size, font } = look
  const style = styleOf(kit, { ...(size && { size }), font, bold: true, color: kit.palette.accent })
  return rows(kit, look, key => ({
    tokens: [{ type: 'textToken', value: words[key] ?? contacts[key].letter, textStyle: style }],
  }))
}

/** An em space cannot be seen at the end of a line: a missing value leaves no separator behind. */
const space = '\u2003'

/** All values in one line, which breaks where the mail is narrow. */
export function contactLine(
  kit: Kit,
  keys: readonly ContactKey[],
  look: WordLook & { readonly letters?: boolean } = {},
): TextLine {
  const { letters = false, ...style } = look
  const tokens = keys.flatMap((key, n) => {
    const prefix = letters ? { prefix: `${contacts[key].letter}\u00a0` } : {}
    const suffix = n < keys.length - 1 ? { suffix: space } : {}
    return contactToken(kit, key, style, { ...prefix, ...suffix }) ?? []
  })
  return line('Contact data', ...tokens)
}

/** Values of the brand in one line; null when it has none of them. */
export const brandLine = (
  kit: Kit,
  keys: readonly ('website' | 'address')[],
  look: WordLook = {},
): TextLine | null => (keys.some(key => kit[key] !== null) ? contactLine(kit, keys, look) : null)
