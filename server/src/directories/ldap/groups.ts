// Groups with their direct members, and org units.
import { setImmediate } from 'node:timers/promises'
import { type BerWriter, Control, type Filter, BerWriter as Writer } from 'ldapts'
import type { DirectoryGroup, DirectoryMembership, DirectoryPage } from '#features/directories/index.ts'
import { dnKey, keysUpwards, orgUnitPath, readExtendedDn } from './dn.ts'
import { entryText, entryTexts, idOf, type LdapEntry } from './entry.ts'
import { LdapError } from './errors.ts'
import type { LdapSession } from './session.ts'
import { type LdapSettings, namesGuids } from './settings.ts'

/** Groups in one answer: each can have thousands of members. */
const groupsPerPage = 100

/** Active Directory adds the ids to names of entries. */
class ExtendedDnControl extends Control {
  constructor() {
    super('1.2.840.113556.1.4.529', { critical: true })
  }
  override writeControl(writer: BerWriter): void {
    const value = new Writer()
    value.startSequence()
    value.writeInt(1)
    value.endSequence()
    writer.writeBuffer(value.buffer, 0x04)
  }
}

/** Ids of people and groups by what the members of groups name: entries, and user names. */
export class KnownEntries {
  readonly #byDn = new Map<string, string>()
  readonly #byUserName = new Map<string, string>()

  add(entry: LdapEntry, id: string, userName: string): void {
    this.#byDn.set(dnKey(entry.dn), id)
    if (userName !== '') this.#byUserName.set(userName.toLowerCase(), id)
  }

  /** Undefined for members that are not read, such as computers. */
  idOfMember(value: string): string | undefined {
    const { guid, dn } = readExtendedDn(value)
    // A member of groupOfUniqueNames can end with a number: `cn=Ada,dc=example#'01'B`.
    return (
      guid ?? this.#byDn.get(dnKey(dn.replace(/#'[01]*'B$/, ''))) ?? this.#byUserName.get(value.toLowerCase())
    )
  }
}

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
        const id = idOf({ dn, values }, idAttribute)
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
  known: KnownEntries,
): AsyncGenerator<DirectoryGroup[]> {
  const { idAttribute, groupNameAttribute, pageSize } = settings
  const search = { filter, attributes: [idAttribute, groupNameAttribute], pageSize }
  for (const base of bases)
    for await (const page of session.pages({ ...search, base }))
      yield page.flatMap(entry => {
        const externalId = idOf(entry, idAttribute)
        if (externalId === undefined) return []
        known.add(entry, externalId, '')
        return {
          externalId,
          name: entryText(entry, groupNameAttribute) || entry.dn,
          subKind: 'group' as const,
        }
      })
}

const rangePattern = /;range=(\d+)-(\d+|\*)$/

/** The part of a long list that an entry shows; `next` is where the rest begins. */
export function rangeIn(
  entry: LdapEntry,
  attribute: string,
): { readonly values: readonly string[]; readonly next: number | null } {
  const prefix = `${attribute.toLowerCase()};range=`
  const ranged = [...entry.values.keys()].find(name => name.startsWith(prefix))
  if (ranged === undefined) return { values: entryTexts(entry, attribute), next: null }
  const [, , end = '*'] = rangePattern.exec(ranged) ?? []
  return { values: entryTexts(entry, ranged), next: end === '*' ? null : Number(end) + 1 }
}

/** Active Directory shows 1,500 members of a group at once. Undefined when the group was deleted meanwhile. */
async function allValues(
  session: LdapSession,
  entry: LdapEntry,
  attribute: string,
  controls: readonly Control[],
): Promise<string[] | undefined> {
  const { values, next } = rangeIn(entry, attribute)
  const all = [...values]
  const base = readExtendedDn(entry.dn).dn
  for (let from = next; from !== null; ) {
    const more = await session.entry({ base, attributes: [`${attribute};range=${from}-*`], controls })
    if (!more) return undefined
    const part = rangeIn(more, attribute)
    if (part.next !== null && part.next <= from)
      throw new LdapError('invalid_answer', `The server repeats members of “${base}”.`, 'Try again.')
    all.push(...part.values)
    from = part.next
  }
  return all
}

/** The ids of the direct members; undefined when the group was deleted meanwhile. */
async function memberIds(
  session: LdapSession,
  entry: LdapEntry,
  memberAttributes: readonly string[],
  known: KnownEntries,
  controls: readonly Control[],
): Promise<Set<string> | undefined> {
  const ids = new Set<string>()
  for (const attribute of memberAttributes) {
    const values = await allValues(session, entry, attribute, controls)
    if (!values) return undefined
    for (const [n, value] of values.entries()) {
      const id = known.idOfMember(value)
      if (id !== undefined) ids.add(id)
      // Requests are answered in between: a group can have all people of a company.
      if (n % 2_000 === 1_999) await setImmediate()
    }
  }
  return ids
}

export async function* readMembers(
  session: LdapSession,
  settings: LdapSettings,
  bases: readonly string[],
  filter: Filter,
  known: KnownEntries,
  isFull: boolean,
): AsyncGenerator<DirectoryPage> {
  const { idAttribute, memberAttributes, pageSize } = settings
  const controls = namesGuids(settings) ? [new ExtendedDnControl()] : []
  const search = {
    filter,
    attributes: [idAttribute, ...memberAttributes],
    pageSize: Math.min(pageSize, groupsPerPage),
    controls,
  }
  for (const base of bases)
    for await (const page of session.pages({ ...search, base })) {
      const memberships: DirectoryMembership[] = []
      for (const entry of page) {
        const group = idOf(entry, idAttribute)
        const ids = group && (await memberIds(session, entry, memberAttributes, known, controls))
        if (ids) memberships.push({ group, add: [...ids], remove: [], isComplete: true })
      }
      yield { memberships, isFull }
    }
}
