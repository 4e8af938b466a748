// Random requests of an identity provider. After each round people, values, groups, members and recipients are those of a
// model, also of people who were deleted, wait for the end of their grace, or came back.
// @module-tag random
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { connectScim, enterpriseSchema, type ScimProvider } from '#test/support/directories/scim.ts'
import { runJob } from '#test/support/jobs.ts'
import { runs } from '#test/support/runs.ts'
import { createSignature } from '#test/support/signatures.ts'

/** SIGNOFF_TEST_SEED=random tries other requests. */
const modelSeed = process.env.SIGNOFF_TEST_SEED === 'random' ? Date.now() : 23
const requestsPerRound = 32

interface Person {
  readonly userName: string
  address: string
  aliases: string[]
  title: string | null
  department: string | null
  active: boolean
}
interface User extends Person {
  /** Users who were never active are no teammates. */
  isTeammate: boolean
}
/** Deleted; the teammate keeps its place in these groups until the grace ends. */
interface Leaver extends Person {
  readonly groups: Set<string>
}
interface Group {
  name: string
  readonly members: Set<string>
}

let app: TestApp
let scim: ScimProvider
let used = ''
const bySignature = { rule: '', group: '' }
const users = new Map<string, User>()
const leavers = new Map<string, Leaver>()
/** Their grace is over. */
const gone = new Map<string, Person>()
const groups = new Map<string, Group>()

beforeAll(async () => {
  app = await testApp()
  scim = await connectScim(app, app, { grace_days: 0 })
  used = (await scim.post('/Groups', { displayName: 'used' })).body.id
  groups.set(used, { name: 'used', members: new Set() })
  const [entity] = (await app.get('/v1/integration_entities')).body.data
  const { body } = await app.get('/v1/smart_fields?limit=100')
  const department = body.data.find(({ key }: { key: string }) => key === 'department').id
  bySignature.rule = (await createSignature(app)).body.data.id
  bySignature.group = (await createSignature(app)).body.data.id
  const conditions = [[{ smart_field_id: department, values: ['Sales'] }]]
  await app.call('PUT', `/v1/signatures/${bySignature.rule}/recipient_rules`, { body: { conditions } })
  const path = `/v1/signatures/${bySignature.group}/integration_entities`
  await app.post(path, { integration_entity_ids: [entity.id] })
})

/** Chooses by numbers that fast-check makes. */
class Choices {
  readonly #numbers: readonly number[]
  #next = 0
  constructor(numbers: readonly number[]) {
    this.#numbers = numbers
  }
  below(limit: number): number {
    return (this.#numbers[this.#next++ % this.#numbers.length] ?? 0) % Math.max(limit, 1)
  }
  of<T>(list: Iterable<T>): T | undefined {
    const all = [...list]
    return all[this.below(all.length)]
  }
}

let made = 0
const fresh = (prefix = 'n') => `${prefix}${++made}`

const resourceOf = ({ userName, address, aliases, title, department, active }: Person) => ({
  userName,
  externalId: `id of ${userName}`,
  active,
  emails: [
    { value: address, primary: true, type: 'work' },
    ...aliases.map(value => ({ value, type: 'other' })),
  ],
  ...(title !== null && { title }),
  ...(department !== null && { [enterpriseSchema]: { department } }),
})

async function create(person: Person): Promise<void> {
  const { status, body, text } = await scim.post('/Users', resourceOf(person))
  expect(status, text).toBe(201)
  const isTeammate = person.active || leavers.has(person.userName)
  leavers.delete(person.userName)
  gone.delete(person.userName)
  users.set(body.id, { ...person, isTeammate })
}

/** All users of a group, through groups inside it. */
function usersOf(groupId: string, visited = new Set<string>()): Set<string> {
  if (visited.has(groupId)) return new Set()
  visited.add(groupId)
  const members = new Set<string>()
  for (const id of groups.get(groupId)?.members ?? [])
    if (users.has(id)) members.add(id)
    else for (const inner of usersOf(id, visited)) members.add(inner)
  return members
}

type Request = (choose: Choices, id: string, user: User, groupId: string, group: Group) => Promise<unknown>

const patch = (path: string, ...operations: object[]) =>
  scim.patch(path, ...operations).then(({ status, text }) => expect([200, 204], text).toContain(status))

async function setActive(id: string, user: User, active: boolean, value: unknown): Promise<void> {
  await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value })
  user.active = active
  user.isTeammate ||= active
}

const newPerson = (choose: Choices): Person => {
  const name = fresh()
  return {
    userName: `${name}@login.example.com`,
    address: `${name}@example.com`,
    aliases: choose.below(4) === 0 ? [`${name}.alias@example.com`] : [],
    title: choose.of(['Engineer', null, 'Pilot']) ?? null,
    department: choose.of(['Sales', 'Law', null]) ?? null,
    active: choose.below(6) > 0,
  }
}

const requests: readonly Request[] = [
  choose => create(newPerson(choose)),
  choose => create(newPerson(choose)),
  async (choose, id, user) => {
    user.title = choose.of(['A', 'B', 'C']) ?? ''
    await patch(`/Users/${id}`, { op: 'Add', path: 'title', value: user.title })
  },
  async (choose, id, user) => {
    user.department = choose.of(['Sales', 'Law', null]) ?? null
    const path = `${enterpriseSchema}:department`
    if (user.department === null) await patch(`/Users/${id}`, { op: 'remove', path })
    else await patch(`/Users/${id}`, { op: 'replace', value: { [path]: user.department } })
  },
  (_, id, user) => setActive(id, user, !user.active, user.active ? 'False' : 'True'),
  async (_, id, user) => {
    user.address = `${fresh('moved')}@example.com`
    await patch(`/Users/${id}`, { op: 'replace', path: 'emails[type eq "work"].value', value: user.address })
  },
  async (choose, id, user) => {
    user.aliases = choose.below(2) === 0 ? [] : [...user.aliases, `${fresh('alias')}@example.com`]
    const { active: _, ...whole } = resourceOf(user)
    expect((await scim.put(`/Users/${id}`, whole)).status).toBe(200)
  },
  // Refused as a whole.
  async (choose, id) => {
    const other = choose.of([...users].filter(([key, { isTeammate }]) => key !== id && isTeammate))?.[1]
    const mine = users.get(id)
    if (!other || !mine?.active) return
    const value = { title: 'lost', 'emails[primary eq true].value': other.address.toUpperCase() }
    expect((await scim.patch(`/Users/${id}`, { op: 'replace', value })).status).toBe(409)
    expect((await scim.post('/Users', { ...resourceOf(other), title: 'lost' })).status).toBe(409)
  },
  async (_, id, user) => {
    const inGroups = new Set([...groups.keys()].filter(groupId => usersOf(groupId).has(id)))
    expect((await scim.del(`/Users/${id}`)).status).toBe(204)
    users.delete(id)
    for (const { members } of groups.values()) members.delete(id)
    if (user.isTeammate) leavers.set(user.userName, { ...user, groups: inGroups })
  },
  async choose => {
    const back = choose.of([...leavers.values(), ...gone.values()])
    if (back) await create({ ...back, title: choose.of(['Back', null]) ?? null, active: choose.below(4) > 0 })
  },
  async choose => {
    if (choose.below(3) > 0) return
    await runJob(app, 'directories.end_graces', {})
    for (const [name, person] of leavers) gone.set(name, person)
    leavers.clear()
  },
  async (choose, id) => {
    const members = choose.below(2) === 0 ? [] : [id]
    const name = fresh('group ')
    const sent = { displayName: name, members: members.map(value => ({ value })) }
    groups.set((await scim.post('/Groups', sent)).body.id, { name, members: new Set(members) })
  },
  async (_c, _id, _user, groupId, group) => {
    group.name = fresh('renamed ')
    await patch(`/Groups/${groupId}`, { op: 'replace', value: { id: groupId, displayName: group.name } })
  },
  async (_c, _id, _user, groupId) => {
    if (groupId === used) return
    expect((await scim.del(`/Groups/${groupId}`)).status).toBe(204)
    groups.delete(groupId)
    for (const { members } of groups.values()) members.delete(groupId)
    for (const { groups: groupIds } of leavers.values()) groupIds.delete(groupId)
  },
  async (choose, id, _user, groupId, group) => {
    const ids = [id, choose.of(users.keys()) ?? id, choose.of(groups.keys()) ?? id]
    await patch(`/Groups/${groupId}`, { op: 'Add', path: 'members', value: ids.map(value => ({ value })) })
    for (const item of ids) if (item !== groupId) group.members.add(item)
  },
  async (_c, id) => {
    await patch(`/Groups/${used}`, { op: 'add', value: { members: [{ value: id }] } })
    groups.get(used)?.members.add(id)
  },
  async (choose, _id, _user, groupId, group) => {
    const gone = choose.of(group.members)
    if (gone === undefined) return
    const byList = { op: 'Remove', path: 'members', value: [{ value: gone }] }
    const byFilter = { op: 'remove', path: `members[value eq "${gone}"]` }
    await patch(`/Groups/${groupId}`, choose.below(2) === 0 ? byList : byFilter)
    group.members.delete(gone)
  },
  async (choose, id, _user, groupId, group) => {
    const ids = choose.below(3) === 0 ? [] : [id, choose.of(users.keys()) ?? id]
    const sent = { displayName: group.name, members: ids.map(value => ({ value })) }
    expect((await scim.put(`/Groups/${groupId}`, sent)).status).toBe(200)
    group.members.clear()
    for (const item of ids) group.members.add(item)
  },
]

const sorted = <T>(list: Iterable<T>): T[] => [...list].sort()

function expected() {
  const teammates = [...users].filter(([, { isTeammate }]) => isTeammate)
  const people = [...teammates.map(([, user]) => user), ...leavers.values()]
  const inGroup = (groupId: string): Person[] => [
    ...teammates.filter(([id]) => usersOf(groupId).has(id)).map(([, user]) => user),
    ...[...leavers.values()].filter(({ groups }) => groups.has(groupId)),
  ]
  const addressesOf = (chosen: readonly Person[]) =>
    sorted(chosen.flatMap(({ address, aliases }) => [address, ...aliases]))
  return {
    people: Object.fromEntries(
      people.map(({ address, aliases, active, title, department }) => [
        address,
        { aliases: sorted(aliases), active, title, department },
      ]),
    ),
    entities: Object.fromEntries(
      [...groups].map(([id, { name }]) => [name, sorted(inGroup(id).map(({ address }) => address))]),
    ),
    byRule: addressesOf(people.filter(({ department }) => department === 'Sales')),
    byGroup: addressesOf(inGroup(used)),
  }
}

async function actual(): Promise<ReturnType<typeof expected>> {
  const value = (key: string) => sql`(
    select v.value from smart_field_values v join smart_fields f on f.workspace_id = v.workspace_id and f.id = v.smart_field_id
    where v.workspace_id = t.workspace_id and v.teammate_id = t.id and f.key = ${key})`
  const people = await app.db.query<{ address: string; row: object }>(sql`
    select e.address, json_build_object(
      'aliases', array(select a.address from emails a where a.workspace_id = t.workspace_id and a.teammate_id = t.id
        and not a.is_primary and a.deleted_at is null order by a.address collate "C"),
      'active', t.active, 'title', ${value('job_title')}, 'department', ${value('department')}) as row
    from teammates t
    join emails e on e.workspace_id = t.workspace_id and e.teammate_id = t.id and e.is_primary and e.deleted_at is null
    where t.workspace_id = ${app.id} and t.deleted_at is null`)
  const entities = await app.db.query<{ name: string; count: number; members: string[] }>(sql`
    select n.name, n.teammates_count as count, array(
      select e.address from integration_entity_members m
      join emails e on e.workspace_id = m.workspace_id and e.teammate_id = m.teammate_id and e.is_primary
        and e.deleted_at is null
      where m.workspace_id = n.workspace_id and m.entity_id = n.id order by e.address collate "C") as members
    from integration_entities n where n.workspace_id = ${app.id} and not n.is_gone`)
  for (const { count, members } of entities) expect(count).toBe(members.length)
  const recipients = async (signatureId: string) =>
    (
      await app.db.query<{ address: string }>(sql`
        select e.address from recipients r join emails e on e.workspace_id = r.workspace_id and e.id = r.email_id
        where r.workspace_id = ${app.id} and r.signature_id = ${signatureId} order by e.address collate "C"`)
    ).map(({ address }) => address)
  return {
    people: Object.fromEntries(people.map(({ address, row }) => [address, row])) as never,
    entities: Object.fromEntries(entities.map(({ name, members }) => [name, members])) as never,
    byRule: await recipients(bySignature.rule),
    byGroup: await recipients(bySignature.group),
  }
}

describe('random requests', () => {
  it('leave people, values, groups, members and recipients as the provider has them', async () => {
    for (let n = 0; n < 8; n++) await create({ ...newPerson(new Choices([n])), active: true })
    const round = fc.array(fc.nat({ max: 1_000_000 }), { minLength: 300, maxLength: 300 })
    for (const numbers of fc.sample(round, { numRuns: runs(3), seed: modelSeed })) {
      const choose = new Choices(numbers)
      for (let n = 0; n < requestsPerRound; n++) {
        const [id, user] = choose.of(users) ?? []
        const [groupId, group] = choose.of(groups) ?? []
        const request = requests[choose.below(requests.length)]
        if (id && user && groupId && group) await request?.(choose, id, user, groupId, group)
        else await create(newPerson(choose))
        if (n % 8 === 7) expect(await actual()).toEqual(expected())
      }
      for (const [id, { members }] of groups) {
        const listed = (await scim.get(`/Groups/${id}`)).body.members
        expect(listed.map(({ value }: { value: string }) => value)).toEqual(sorted(members))
      }
      expect((await scim.get('/Users?count=0')).body.totalResults).toBe(users.size)
    }
  }, 600_000)
})
