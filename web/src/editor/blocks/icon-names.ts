// The icons by the words that people search for. The texts have a name and further words for each symbol, in the
// language of the person; networks have the same name everywhere.
import {
  type IconName,
  iconLabel,
  iconNames,
  isBrand,
  networkOfAddress,
  type SocialListItem,
} from '@signoff/render'
import { useCallback } from 'react'
import { useTranslations } from 'use-intl'

interface NamedIcon {
  readonly id: IconName
  readonly label: string
  /** In lower case, also for the search. */
  readonly words: string
}

type SymbolName = Parameters<ReturnType<typeof useTranslations<'editor.icons'>>>[0]

/** The symbols that lead to a place of the company, beside the networks. */
const linkSymbols: readonly IconName[] = [
  'globe',
  'link',
  'envelope',
  'phone',
  'calendar-check',
  'location-dot',
]

/** Signs for phone and place are wanted more often than networks, which have a block of their own. */
export const symbolsFirst: readonly IconName[] = [
  ...iconNames.filter(name => !isBrand(name)),
  ...iconNames.filter(isBrand),
]

export const socialNames: readonly IconName[] = [...iconNames.filter(isBrand), ...linkSymbols]

export function useIconName(): (name: IconName) => string {
  const t = useTranslations('editor.icons')
  return useCallback(
    name => (isBrand(name) ? iconLabel(name) : (t(name as SymbolName).split(',')[0] ?? name)),
    [t],
  )
}

export function useNamedIcons(names: readonly IconName[]): readonly NamedIcon[] {
  const t = useTranslations('editor.icons')
  const nameOf = useIconName()
  return names.map(id => {
    const own = isBrand(id) ? iconLabel(id) : t(id as SymbolName)
    return { id, label: nameOf(id), words: `${own} ${id.replaceAll('-', ' ')}`.toLowerCase() }
  })
}

/** Those whose words begin with every typed word. */
export function foundIcons(icons: readonly NamedIcon[], search: string): readonly NamedIcon[] {
  const typed = search.toLowerCase().split(/\s+/).filter(Boolean)
  return icons.filter(({ words }) =>
    typed.every(part => words.split(/[\s,]+/).some(word => word.startsWith(part))),
  )
}

/** The changes of a link with a new address: its network too, where the address names it. The parameters stay. */
export function withAddress({ href, name }: SocialListItem, text: string) {
  const parameters = href.queryParams ? { queryParams: href.queryParams } : {}
  return { href: { text, ...parameters }, name: networkOfAddress(text) ?? name }
}
