// Org units, and groups without their members.
import type { Filter } from 'ldapts'
import type { DirectoryGroup } from '#features/people/directories/index.ts'
import { dnKey, keysUpwards, orgUnitPath } from './dn.ts'
import { entryId, entryText } from './entry.ts'
import type { KnownEntries } from './members.ts'
import type { LdapSession } from './session.ts'
import type { LdapSettings } from './settings.ts'

export interface OrgUnits {
  readonly groups: readonly DirectoryGroup[]
  /** The org unit that an entry is in: the nearest one above it. */
  readonly of: (dn: string) => string | null
}

export async function readOrgUnits(
  session: LdapSession,
  settings: LdapSettings,
  bases: readonly string[],
  filter: Filter,
): Promise<OrgUnits> {
  const { pageSize, idAttribute } = settings
  const search = { filter, attributes: [idAttribute], pageSize }
  const idByKey = new Map<string, string>()
  const units = new Map<string, string>()
  for (const base of bases)
    for await (const page of session.pages({ ...search, base }))
      for (const { dn, values } of page) {
        const id = entryId({ dn, values }, idAttribute)
        if (id === undefined) continue
        idByKey.set(dnKey(dn), id)
        units.set(id, dn)
      }
  const nearest = (dn: string): string | null => {
    const [, ...above] = keysUpwards(dn)
    return above.map(key => idByKey.get(key)).find(id => id !== undefined) ?? null
  }
  const groups = [...units].map(
    ([externalId, dn]): DirectoryGroup => ({
      externalId,
      name: orgUnitPath(dn) || dn,
      subKind: 'org_unit',
      parentId: nearest(dn),
    }),
  )
  return { groups, of: nearest }
}

/** Names and ids. Members can be groups that come later, so they are read after all groups are known. */
export async function* readGroups(
  session: LdapSession,
  settings: LdapSettings,
  bases: readonly string[],
  filter: Filter,
  entryIds: KnownEntries,
): AsyncGenerator<DirectoryGroup[]> {
  const { idAttribute, groupNameAttribute, pageSize } = settings
  const search = { filter, attributes: [idAttribute, groupNameAttribute], pageSize }
  for (const base of bases)
    for await (const page of session.pages({ ...search, base }))
      yield page.flatMap(entry => {
        const externalId = entryId(entry, idAttribute)
        if (externalId === undefined) return []
        entryIds.add(entry, externalId, '')
        return {
          externalId,
          name: entryText(entry, groupNameAttribute) || entry.dn,
          subKind: 'group' as const,
        }
      })
}
