// The entries of the menu at the cursor, filtered by what was typed.
import type { SmartField } from '@signoff/sdk'
import { fieldsForText } from '../inputs/inspector-data.ts'
import type { EditorIconName } from '../kit/editor-outlines.ts'
import type { MenuKind } from './menu-state.ts'

export type MenuAction = { readonly fieldId: string } | 'lineBreak' | 'link'

export interface TextMenuEntry {
  readonly id: string
  readonly label: string
  readonly hint: string
  readonly icon: EditorIconName
  readonly action: MenuAction
}

interface MenuOptions {
  readonly kind: MenuKind
  readonly fields: readonly Pick<SmartField, 'id' | 'label' | 'kind'>[]
  /** Inside a button, words have no links of their own. */
  readonly hasLinks: boolean
  readonly messages: Readonly<Record<'field' | 'lineBreak' | 'link', string>>
}

export function menuEntries({ kind, fields, hasLinks, messages }: MenuOptions): readonly TextMenuEntry[] {
  const fieldEntries = fieldsForText(fields).map(
    ({ id, label }): TextMenuEntry => ({
      id,
      label,
      hint: messages.field,
      icon: 'braces',
      action: { fieldId: id },
    }),
  )
  if (kind === 'field') return fieldEntries
  const link: TextMenuEntry = { id: 'link', label: messages.link, hint: '', icon: 'link', action: 'link' }
  return [
    ...(hasLinks ? [link] : []),
    { id: 'lineBreak', label: messages.lineBreak, hint: '', icon: 'corner-down-left', action: 'lineBreak' },
    ...fieldEntries,
  ]
}

/** Without case and accents: `tele` finds `Téléphone`. */
const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** Entries that begin with the query come first, then those with a word that begins with it, then the others. */
export function matchingEntries<Entry extends { readonly label: string }>(
  entries: readonly Entry[],
  query: string,
): readonly Entry[] {
  const search = plain(query).trimStart()
  if (search === '') return entries
  const rank = (label: string): number => {
    if (label.startsWith(search)) return 0
    if (label.includes(` ${search}`)) return 1
    return label.includes(search) ? 2 : 3
  }
  const ranked = entries.map(entry => ({ entry, rank: rank(plain(entry.label)) }))
  return [0, 1, 2].flatMap(rank =>
    ranked.filter(candidate => candidate.rank === rank).map(({ entry }) => entry),
  )
}
