// The direct members of groups.
import { setImmediate } from 'node:timers/promises'
import { type BerWriter, Control, type Filter, BerWriter as Writer } from 'ldapts'
import type { DirectoryMembership, DirectoryPage } from '#features/people/directories/index.ts'
import { dnKey, readExtendedDn } from './dn.ts'
import { entryId, entryTexts, type LdapEntry } from './entry.ts'
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

/** Members that are looked up because their names are unknown; the others of a run are not in the directory. */
const maxLookups = 200

/** Ids of people and groups by what the members of groups name: entries, and user names. */
export class KnownEntries {
  readonly #settings: LdapSettings
  readonly #byDn = new Map<string, string>()
  readonly #byUserName = new Map<string, string>()
  readonly #ids = new Set<string>()
  #lookups = 0

  constructor(settings: LdapSettings) {
    this.#settings = settings
  }

  add(entry: LdapEntry, id: string, userName: string): void {
    this.#ids.add(id)
    if (!namesGuids(this.#settings)) this.#byDn.set(dnKey(entry.dn), id)
    if (userName !== '') this.#byUserName.set(userName.toLowerCase(), id)
  }

  /** Undefined for members that are not read, such as computers. */
  async idOfMember(value: string, session: LdapSession): Promise<string | undefined> {
    const { guid, dn } = readExtendedDn(value)
    if (guid !== null && namesGuids(this.#settings)) return guid
    // A member of groupOfUniqueNames can end with a number: `cn=Ada,dc=example#'01'B`.
    const name = dn.replace(/#'[01]*'B$/, '')
    return (
      this.#byDn.get(dnKey(name)) ?? this.#byUserName.get(value.toLowerCase()) ?? this.#lookUp(name, session)
    )
  }

  /** An entry that was renamed after this run has read it. */
  async #lookUp(name: string, session: LdapSession): Promise<string | undefined> {
    if (!name.includes('=') || ++this.#lookups > maxLookups) return undefined
    const { idAttribute } = this.#settings
    const entry = await session.entryIfAllowed(name, [idAttribute])
    const id = entry && entryId(entry, idAttribute)
    return id !== undefined && this.#ids.has(id) ? id : undefined
  }
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
  entryIds: KnownEntries,
  controls: readonly Control[],
): Promise<Set<string> | undefined> {
  const ids = new Set<string>()
  for (const attribute of memberAttributes) {
    const values = await allValues(session, entry, attribute, controls)
    if (!values) return undefined
    for (const [n, value] of values.entries()) {
      const id = await entryIds.idOfMember(value, session)
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
  entryIds: KnownEntries,
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
        const group = entryId(entry, idAttribute)
        const ids = group && (await memberIds(session, entry, memberAttributes, entryIds, controls))
        if (ids) memberships.push({ group, add: [...ids], remove: [], isComplete: true })
      }
      yield { memberships, isFull }
    }
}
