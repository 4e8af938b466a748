// The main menu: areas that the person can use.
import type { Me } from '@signoff/sdk'
import type { Area } from '#records/area.ts'
import type { Language } from '#texts/languages.ts'
import type { IconName } from '#ui/base/icon.tsx'

/** Every `pages/<area>/area.ts`. */
export const areas: readonly Area[] = Object.values(
  import.meta.glob<Area>('../pages/*/area.ts', { eager: true, import: 'default' }),
)

interface NavigationEntry {
  readonly id: Area['id']
  readonly to: string
  readonly name: Readonly<Record<Language, string>>
  readonly icon: IconName
}

/** Groups of entries, which are separated by a gap. */
export function navigationOf(
  from: readonly Area[],
  { scopes, member }: Pick<Me, 'scopes' | 'member'>,
): readonly (readonly NavigationEntry[])[] {
  const entries = from.flatMap(({ id, menu, pages, ...area }) => {
    const needs = menu?.needs ?? area.needs
    if (!menu || menu.hiddenFor?.includes(member.role)) return []
    if (needs !== undefined && !scopes.includes(needs)) return []
    return [{ ...menu, id, to: Object.keys(pages)[0] ?? '/' }]
  })
  const groups = Map.groupBy(
    entries.sort((a, b) => a.group - b.group || a.order - b.order),
    ({ group }) => group,
  )
  return [...groups.values()]
}

export const visibleNavigation = (me: Me) => navigationOf(areas, me)
