// Random changes of Entra, in rounds of deltas with parts, repetitions, resets, failures and crashes. After each run that
// ended, people, values, groups, members and recipients are those of Entra.
// @module-tag random
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { Chooser, type DirectoryState, directoryState } from '#test/support/directories/directory-state.ts'
import { type Microsoft, startMicrosoft } from '#test/support/directories/microsoft.ts'
import type { EntraUser } from '#test/support/directories/microsoft-directory.ts'
import { addEntraGroup, addEntraUser, connectMicrosoft } from '#test/support/directories/microsoft-people.ts'
import { runJob } from '#test/support/jobs.ts'
import { runs } from '#test/support/runs.ts'
import { createSignature } from '#test/support/signatures.ts'

/** SIGNOFF_TEST_SEED=random tries other changes. */
const modelSeed = process.env.SIGNOFF_TEST_SEED === 'random' ? Date.now() : 23
let app: TestApp
let microsoft: Microsoft
let integrationId = ''
let usedGroup = ''
const signatures = { rule: '', group: '' }

const users = () => [...microsoft.directory.users.values()]
const groups = () => [...microsoft.directory.groups.values()]
const synced = new Set<string>()
const deleted = new Map<string, EntraUser>()
let made = 0
const freshName = () => `n${++made}`
const isPerson = ({ userType, primary }: EntraUser) => userType !== 'Guest' && primary !== null
const isTaken = (address: string) =>
  users().some(({ primary, aliases }) => primary === address || aliases.includes(address))

beforeAll(async () => {
  app = await testApp()
  microsoft = await startMicrosoft()
  const { directory } = microsoft
  directory.pageSize = 12
  directory.membersPerRecord = 5
  integrationId = await connectMicrosoft(app, microsoft, { grace_days: 0 })
  for (let n = 0; n < 40; n++) addEntraUser(microsoft, `first${n}`)
  usedGroup = addEntraGroup(microsoft, 'used').id
  await syncAndApprove()
  const entities = (await app.get('/v1/integration_entities?limit=100')).body.data
  const used = entities.find(({ name }: { name: string }) => name === 'used').id
  const fields = (await app.get('/v1/smart_fields?limit=100')).body.data
  const department = fields.find(({ key }: { key: string }) => key === 'department').id
  signatures.rule = (await createSignature(app)).body.data.id
  signatures.group = (await createSignature(app)).body.data.id
  const conditions = [[{ smart_field_id: department, values: ['Sales'] }]]
  await app.call('PUT', `/v1/signatures/${signatures.rule}/recipient_rules`, { body: { conditions } })
  const entityIds = { integration_entity_ids: [used] }
  await app.post(`/v1/signatures/${signatures.group}/integration_entities`, entityIds)
})

type Edit = (choose: Chooser, user: EntraUser) => void
const edits: readonly Edit[] = [
  () => addEntraUser(microsoft, freshName()),
  () => addEntraUser(microsoft, freshName()),
  () => addEntraUser(microsoft, freshName(), {}, { jobTitle: null, businessPhones: [] }),
  (choose, { values }) => {
    values.jobTitle = choose.of(['Title 1', 'Title 2', 'Title 3', null]) ?? null
  },
  (choose, { values }) => {
    values.department = choose.of(['Sales', 'Law', 'Engineering', null]) ?? null
  },
  (choose, { values }) => {
    values.businessPhones = choose.of([['+49 30 1'], ['+49 30 222'], ['n/a'], []]) ?? []
  },
  (_, user) => {
    if (user.primary !== null) user.aliases.push(user.primary)
    user.primary = `${freshName()}@example.com`
  },
  (_, user) => void (user.primary !== null && user.aliases.push(`${freshName()}@example.com`)),
  (choose, user) => user.aliases.splice(choose.below(user.aliases.length), 1),
  // An alias moves to another person, or becomes the primary address.
  (choose, user) => {
    const other = choose.of(users().filter(isPerson))
    const [alias] = user.aliases.splice(0, 1)
    if (alias) other?.aliases.push(alias)
  },
  (_, user) => {
    const [alias] = user.aliases.splice(0, 1)
    if (!alias || user.primary === null) return
    user.aliases.push(user.primary)
    user.primary = alias
  },
  (choose, user) => {
    const other = choose.of(users().filter(isPerson))
    if (other && isPerson(user)) [user.primary, other.primary] = [other.primary, user.primary]
  },
  // A person whom a run has never seen is not disabled: it would depend on the pages that a failed run has read.
  (_, user) => {
    if (synced.has(user.id) && isPerson(user)) user.accountEnabled = !user.accountEnabled
  },
  // Mailboxes come and go, and so do guests.
  (choose, user) => {
    if (user.accountEnabled) user.userType = choose.of(['Guest', 'Member', null]) ?? null
  },
  (_, user) => {
    if (!user.accountEnabled) return
    user.primary = user.primary === null ? `${freshName()}@example.com` : null
    user.aliases = []
  },
  (_, user) => {
    microsoft.directory.users.delete(user.id)
    synced.delete(user.id)
    deleted.set(user.id, user)
  },
  choose => {
    const back = choose.of([...deleted.values()])
    if (!back || [back.primary ?? '', ...back.aliases].some(isTaken)) return
    deleted.delete(back.id)
    back.accountEnabled = true
    microsoft.directory.users.set(back.id, back)
  },
  // Deleted for ever, and created again with the same address.
  (_, user) => {
    if (!user.accountEnabled || !isPerson(user)) return
    microsoft.directory.users.delete(user.id)
    for (const group of groups()) group.members.delete(user.id)
    addEntraUser(microsoft, freshName(), { primary: user.primary, aliases: [...user.aliases] })
  },
  () => void (groups().length < 10 && addEntraGroup(microsoft, freshName(), ['device 1'])),
  choose => {
    const group = choose.of(groups())
    if (group && group.id !== usedGroup) group.displayName = freshName()
  },
  choose => {
    const group = choose.of(groups())
    if (group && group.id !== usedGroup) microsoft.directory.groups.delete(group.id)
  },
  (choose, user) => choose.of(groups())?.members.add(user.id),
  (choose, user) => choose.of(groups())?.members.add(user.id),
  (choose, user) =>
    microsoft.directory.groups.get(usedGroup)?.members[choose.below(3) === 0 ? 'delete' : 'add'](user.id),
  (choose, user) => choose.of(groups())?.members.delete(user.id),
  choose => choose.of(groups())?.members.add(choose.of(groups())?.id ?? ''),
  choose => choose.of(groups())?.members.delete(choose.of(groups())?.id ?? ''),
]

/** The users of a group, through groups inside it, and also through circles. */
function usersOf(groupId: string, visited = new Set<string>()): Set<string> {
  if (visited.has(groupId)) return new Set()
  visited.add(groupId)
  const members = new Set<string>()
  for (const member of microsoft.directory.groups.get(groupId)?.members ?? [])
    if (microsoft.directory.users.has(member)) members.add(member)
    else for (const id of usersOf(member, visited)) members.add(id)
  return members
}

const sorted = <T>(list: Iterable<T>): T[] => [...list].sort()

/** Everything that the service should have. */
function expected(): DirectoryState {
  const people = users().filter(isPerson)
  const addressesOf = (chosen: readonly EntraUser[]) =>
    sorted(chosen.flatMap(({ primary, aliases }) => [primary ?? '', ...aliases]))
  const membersOf = (groupId: string) => {
    const members = usersOf(groupId)
    return people.filter(({ id }) => members.has(id))
  }
  return {
    people: Object.fromEntries(
      people.map(({ primary, aliases, accountEnabled, values }) => {
        const [phone = null] = values.businessPhones as string[]
        const { jobTitle: title, department } = values
        const row = { aliases: sorted(aliases), active: accountEnabled, title, department }
        return [primary, { ...row, phone: phone === 'n/a' ? null : phone }]
      }),
    ),
    entities: Object.fromEntries(
      groups().map(({ id, displayName }) => [
        displayName,
        sorted(membersOf(id).map(({ primary }) => primary ?? '')),
      ]),
    ),
    recipients: {
      rule: addressesOf(people.filter(({ values }) => values.department === 'Sales')),
      group: addressesOf(membersOf(usedGroup)),
    },
  }
}

/** Runs only the job of the directory: what it enqueues is not needed here. Returns the run. */
async function readDirectory() {
  const started = await app.post('/v1/teammates/sync', {})
  await runJob(app, 'directories.sync', { integration_id: integrationId })
  return (await app.get(`/v1/sync_runs/${started.body.data.id}`)).body.data
}

/** Reads until the end, and lets people leave where that needs an approval. Returns the kind of the run. */
async function syncAndApprove(): Promise<string> {
  const { status, error_message, kind } = await readDirectory()
  expect([status, error_message]).toEqual([expect.stringMatching(/succeeded|held/), null])
  const held = (await app.get(`/v1/integrations/${integrationId}`)).body.data.held_run_id
  if (held !== null) {
    expect((await app.post(`/v1/sync_runs/${held}/approve`)).status).toBe(200)
    await runJob(app, 'directories.approve', { integration_id: integrationId, run_id: held })
    // Addresses of people who have left are free now.
    await readDirectory()
  }
  return kind
}

type Failure = 'none' | 'refused' | 'crash' | 'gone' | 'expired' | 'forgotten'

/** A run that fails at some request, or whose process is lost at some page: then the job runs again. */
async function syncWithFailure(failure: Failure, at: number): Promise<void> {
  const { directory } = microsoft
  let requests = 0
  const isTurn = () => ++requests === at
  if (failure === 'forgotten') directory.forgetLinks()
  if (failure === 'refused') directory.behavior = () => (isTurn() ? 'not allowed' : 'well')
  if (failure === 'gone' || failure === 'expired')
    directory.behavior = (_, query) =>
      query.size > 0 && !query.has('$select') && isTurn() ? failure : 'well'
  await app.post('/v1/teammates/sync', {})
  if (failure === 'crash') {
    const source = app.parts.directories.get('microsoft_365')
    const read = async function* (...args: Parameters<NonNullable<typeof source>['read']>) {
      for await (const page of source?.read(...args) ?? []) {
        if (isTurn()) throw new Error('the process is lost')
        yield page
      }
    }
    const directories = new Map([['microsoft_365', { ...source, read }]])
    const lost = { ...app, parts: { ...app.parts, directories: directories as never } }
    await runJob(lost, 'directories.sync', { integration_id: integrationId }).catch(error =>
      expect(error.message).toBe('the process is lost'),
    )
  }
  await runJob(app, 'directories.sync', { integration_id: integrationId })
  directory.behavior = () => 'well'
}

describe('Entra', () => {
  it('is followed by deltas through hundreds of changes, resets, failures and crashes', async () => {
    const round = fc.record({
      numbers: fc.array(fc.nat({ max: 1_000_000 }), { minLength: 600, maxLength: 600 }),
      failure: fc.constantFrom<Failure>(
        'none',
        'none',
        'refused',
        'crash',
        'crash',
        'gone',
        'expired',
        'forgotten',
      ),
      at: fc.integer({ min: 1, max: 12 }),
    })
    const kinds = new Set<string>()
    for (const { numbers, failure, at } of fc.sample(round, { numRuns: runs(5), seed: modelSeed })) {
      const choose = new Chooser(numbers)
      const untidy = new Chooser([...numbers].reverse())
      microsoft.directory.chance = probability => untidy.below(1_000) < probability * 1_000
      for (let n = 0; n < 120; n++) {
        const user = choose.of(users())
        if (user) edits[choose.below(edits.length)]?.(choose, user)
      }
      if (failure !== 'none') await syncWithFailure(failure, at)
      kinds.add(await syncAndApprove())
      synced.clear()
      for (const user of users()) if (isPerson(user)) synced.add(user.id)
      expect(await directoryState(app, signatures)).toEqual(expected())
    }
    expect([microsoft.directory.faults, kinds.has('delta')]).toEqual([[], true])
    expect(
      await app.db.query(sql`select from directory_people where problems @> '[{"kind": "conflict"}]'`),
    ).toEqual([])
  })
})
