// A directory as the test knows it, which it also writes into a real server.
import { Attribute, Change, type Client } from 'ldapts'
import type { DirectoryState } from './directory-state.ts'
import { reader, suffix } from './slapd.ts'

export interface ModelUnit {
  name: string
  parent: ModelUnit | null
}

export interface ModelPerson {
  uid: string
  unit: ModelUnit
  /** The first one is the primary address. */
  mail: string[]
  title: string | null
  department: string
  phone: string | null
  isDisabled: boolean
}

export interface ModelGroup {
  name: string
  readonly members: Set<ModelPerson | ModelGroup>
}

const sorted = (list: Iterable<string>): string[] => [...list].sort()
const isGroup = (member: ModelPerson | ModelGroup): member is ModelGroup => 'members' in member
const escaped = (value: string): string => value.replaceAll(/[,+"\\<>;=#]/g, '\\$&')

export class LdapModel {
  readonly #client: Client
  readonly people = new Set<ModelPerson>()
  readonly units = new Set<ModelUnit>()
  readonly groups = new Set<ModelGroup>()

  constructor(client: Client) {
    this.#client = client
  }

  unitDn(unit: ModelUnit): string {
    return `ou=${escaped(unit.name)},${unit.parent ? this.unitDn(unit.parent) : suffix}`
  }
  dn(entry: ModelPerson | ModelGroup): string {
    return isGroup(entry)
      ? `cn=${escaped(entry.name)},${suffix}`
      : `uid=${escaped(entry.uid)},${this.unitDn(entry.unit)}`
  }
  path(unit: ModelUnit): string {
    return `${unit.parent ? this.path(unit.parent) : ''}/${unit.name}`
  }

  async addUnit(unit: ModelUnit): Promise<void> {
    await this.#client.add(this.unitDn(unit), { objectClass: 'organizationalUnit', ou: unit.name })
    this.units.add(unit)
  }

  /** Renames it, or moves it, with everything in it. */
  async moveUnit(unit: ModelUnit, name: string, parent: ModelUnit | null): Promise<void> {
    const from = this.unitDn(unit)
    Object.assign(unit, { name, parent })
    await this.#client.modifyDN(from, this.unitDn(unit))
  }

  async deleteUnit(unit: ModelUnit): Promise<void> {
    await this.#client.del(this.unitDn(unit))
    this.units.delete(unit)
  }

  async addPerson(uid: string, unit: ModelUnit, more: Partial<ModelPerson> = {}): Promise<void> {
    const usual = { mail: [`${uid.toLowerCase()}@example.com`], title: 'Engineer', phone: '+49 30 1' }
    const person = { uid, unit, department: 'Law', isDisabled: false, ...usual, ...more }
    await this.#client.add(this.dn(person), {
      objectClass: 'inetOrgPerson',
      uid,
      cn: uid,
      sn: 'Example',
      ...Object.fromEntries(Object.entries(this.#values(person)).filter(([, values]) => values.length > 0)),
    })
    this.people.add(person)
  }

  #values({ mail, title, department, phone, isDisabled }: ModelPerson): Record<string, string[]> {
    return {
      mail,
      title: title === null ? [] : [title],
      departmentNumber: [department],
      telephoneNumber: phone === null ? [] : [phone],
      employeeType: [isDisabled ? 'left' : 'staff'],
    }
  }

  async savePerson(person: ModelPerson): Promise<void> {
    const changes = Object.entries(this.#values(person)).map(
      ([type, values]) =>
        new Change({ operation: 'replace', modification: new Attribute({ type, values: [...values] }) }),
    )
    await this.#client.modify(this.dn(person), changes)
  }

  async movePerson(person: ModelPerson, uid: string, unit: ModelUnit): Promise<void> {
    const from = this.dn(person)
    Object.assign(person, { uid, unit })
    await this.#client.modifyDN(from, this.dn(person))
  }

  async deletePerson(person: ModelPerson): Promise<void> {
    await this.#client.del(this.dn(person))
    this.people.delete(person)
    for (const { members } of this.groups) members.delete(person)
  }

  /** A groupOfNames is never empty: the account that reads is in all of them. */
  async addGroup(name: string): Promise<ModelGroup> {
    const group: ModelGroup = { name, members: new Set() }
    await this.#client.add(this.dn(group), { objectClass: 'groupOfNames', cn: name, member: reader.dn })
    this.groups.add(group)
    return group
  }

  async renameGroup(group: ModelGroup, name: string): Promise<void> {
    const from = this.dn(group)
    group.name = name
    await this.#client.modifyDN(from, this.dn(group))
  }

  async deleteGroup(group: ModelGroup): Promise<void> {
    await this.#client.del(this.dn(group))
    this.groups.delete(group)
    for (const { members } of this.groups) members.delete(group)
  }

  /** Names of members follow renames: servers with referential integrity do that themselves. */
  async saveMembers(): Promise<void> {
    for (const group of this.groups) {
      const values = [reader.dn, ...[...group.members].map(member => this.dn(member))]
      const modification = new Attribute({ type: 'member', values })
      await this.#client.modify(this.dn(group), new Change({ operation: 'replace', modification }))
    }
  }

  #peopleOf(group: ModelGroup, visited = new Set<ModelGroup>()): Set<ModelPerson> {
    visited.add(group)
    const people = new Set<ModelPerson>()
    for (const member of group.members)
      if (!isGroup(member)) people.add(member)
      else if (!visited.has(member)) for (const person of this.#peopleOf(member, visited)) people.add(person)
    return people
  }

  #isIn(person: ModelPerson, unit: ModelUnit): boolean {
    for (let at: ModelUnit | null = person.unit; at; at = at.parent) if (at === unit) return true
    return false
  }

  /** The state that the service should have. The first signature is for Sales, the second for the group. */
  expected(used: ModelGroup): DirectoryState {
    const people = [...this.people]
    const primary = ({ mail }: ModelPerson) => mail[0] ?? ''
    const addresses = (chosen: readonly ModelPerson[]) => sorted(chosen.flatMap(({ mail }) => mail))
    const entities = [
      ...[...this.units].map(
        unit => [this.path(unit), people.filter(person => this.#isIn(person, unit)).map(primary)] as const,
      ),
      ...[...this.groups].map(group => [group.name, [...this.#peopleOf(group)].map(primary)] as const),
    ]
    return {
      people: Object.fromEntries(
        people.map(({ mail: [address = '', ...aliases], title, department, phone, isDisabled }) => [
          address,
          {
            aliases: sorted(aliases),
            active: !isDisabled,
            title,
            department,
            phone: phone === 'n/a' ? null : phone,
          },
        ]),
      ),
      entities: Object.fromEntries(entities.map(([name, members]) => [name, sorted(members)])),
      recipients: {
        rule: addresses(people.filter(({ department }) => department === 'Sales')),
        group: addresses([...this.#peopleOf(used)]),
      },
    }
  }
}
