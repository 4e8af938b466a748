// Random changes of a real OpenLDAP server, in rounds with cut connections and crashes in the middle. After each run that
// ended, people, values, groups, members and recipients are those of the directory.
// @module-tag random
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { directoryState } from '#test/support/directories/directory-state.ts'
import {
  LdapModel,
  type ModelGroup,
  type ModelPerson,
  type ModelUnit,
} from '#test/support/directories/ldap-model.ts'
import { connectLdap } from '#test/support/directories/ldap-people.ts'
import { hasSlapd, reader, startSlapd, suffix } from '#test/support/directories/slapd.ts'
import { runAllJobs, runJob } from '#test/support/jobs.ts'
import { urlOf } from '#test/support/postgres/postgres.ts'
import { type CuttingProxy, startCuttingProxy } from '#test/support/processes/cutting-proxy.ts'
import { run } from '#test/support/processes/process.ts'
import { runs } from '#test/support/runs.ts'
import { createSignature } from '#test/support/signatures.ts'

const env = { SIGNOFF_SECRET_KEYS: Buffer.alloc(32, 7).toString('base64') }
/** SIGNOFF_TEST_SEED=random tries other changes. */
const modelSeed = process.env.SIGNOFF_TEST_SEED === 'random' ? Date.now() : 23
let app: TestApp
let model: LdapModel
let proxy: CuttingProxy
let integrationId = ''
let used: ModelGroup
const root: ModelUnit = { name: 'People', parent: null }
const signatures = { rule: '', group: '' }

beforeAll(async () => {
  if (!hasSlapd) return
  const slapd = await startSlapd()
  model = new LdapModel(slapd.admin)
  proxy = await startCuttingProxy(slapd.url)
  app = await testApp({ env })
  await model.addUnit(root)
  used = await model.addGroup('used')
  for (let n = 0; n < 60; n++) await model.addPerson(`first${n}`, root)
  integrationId = await connectLdap(app, {
    settings: {
      url: proxy.url,
      start_tls: false,
      preset: 'openldap',
      bind_dn: reader.dn,
      people_bases: [suffix],
      disabled_attribute: 'employeeType',
      disabled_values: ['left'],
      page_size: 10,
      grace_days: 0,
    },
    password: reader.password,
  })
})

/** Chooses by numbers that fast-check makes. */
class Chooser {
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

const synced = new Set<ModelPerson>()
let made = 0
const freshName = () => `N${++made}`
/** Names that need escapes in distinguished names. */
const awkwardName = () => [`Ü${++made}`, `a, b ${++made}`, `x+y=${++made}`, `#${++made}`][made % 4] ?? ''
const unitOf = (choose: Chooser) => choose.of(model.units) ?? root

/** True if `unit` is `outer`, or is inside it. */
const isInside = (unit: ModelUnit | null, outer: ModelUnit): boolean =>
  unit !== null && (unit === outer || isInside(unit.parent, outer))

type Edit = (choose: Chooser, person: ModelPerson) => Promise<unknown> | unknown
const saved = (person: ModelPerson, changes: Partial<ModelPerson>) =>
  model.savePerson(Object.assign(person, changes))

const edits: readonly Edit[] = [
  choose => model.addPerson(awkwardName(), unitOf(choose), { mail: [`n${++made}@example.com`] }),
  choose => model.addPerson(freshName(), unitOf(choose)),
  (choose, person) => saved(person, { title: choose.of(['Chief, Ärzte', 'Title 2', null]) ?? null }),
  (choose, person) => saved(person, { department: choose.of(['Sales', 'Law']) ?? '' }),
  (choose, person) => saved(person, { phone: choose.of(['+49 30 222', 'n/a', null]) ?? null }),
  (_, person) => saved(person, { mail: [`${freshName().toLowerCase()}@example.com`, ...person.mail] }),
  (_, person) => saved(person, { mail: [...person.mail, `${freshName().toLowerCase()}@example.com`] }),
  (choose, person) =>
    person.mail.length > 1 &&
    saved(person, { mail: person.mail.toSpliced(choose.below(person.mail.length), 1) }),
  // An alias moves to another person; two people swap their addresses.
  async (choose, person) => {
    const other = choose.of(model.people)
    if (!other || other === person || person.mail.length < 2) return
    const [alias = ''] = person.mail.slice(-1)
    await saved(person, { mail: person.mail.slice(0, -1) })
    await saved(other, { mail: [...other.mail, alias] })
  },
  async (choose, person) => {
    const other = choose.of(model.people)
    if (!other || other === person) return
    const [mine, theirs] = [person.mail, other.mail]
    await saved(person, { mail: theirs })
    await saved(other, { mail: mine })
  },
  // A person whom a run has never seen is not disabled: it would depend on the pages that a failed run has read.
  (_, person) => synced.has(person) && saved(person, { isDisabled: !person.isDisabled }),
  (_, person) => model.movePerson(person, awkwardName(), person.unit),
  (choose, person) => model.movePerson(person, person.uid, unitOf(choose)),
  (_, person) => model.deletePerson(person),
  // Deleted, and created again with the same addresses: the id is another one.
  async (choose, person) => {
    if (person.isDisabled) return
    await model.deletePerson(person)
    await model.addPerson(freshName(), unitOf(choose), { mail: person.mail })
  },
  choose => model.units.size < 10 && model.addUnit({ name: awkwardName(), parent: unitOf(choose) }),
  choose => {
    const unit = unitOf(choose)
    return unit !== root && model.moveUnit(unit, awkwardName(), unit.parent)
  },
  choose => {
    const [unit, parent] = [unitOf(choose), unitOf(choose)]
    return unit !== root && !isInside(parent, unit) && model.moveUnit(unit, unit.name, parent)
  },
  choose => {
    const unit = unitOf(choose)
    const isEmpty =
      ![...model.people].some(person => person.unit === unit) &&
      ![...model.units].some(child => child.parent === unit)
    return unit !== root && isEmpty && model.deleteUnit(unit)
  },
  () => model.groups.size < 8 && model.addGroup(awkwardName()),
  choose => {
    const group = choose.of(model.groups)
    return group && group !== used && model.deleteGroup(group)
  },
  choose => model.renameGroup(choose.of([...model.groups]) ?? used, awkwardName()),
  (choose, person) => choose.of(model.groups)?.members.add(person),
  (choose, person) => used.members[choose.below(3) === 0 ? 'delete' : 'add'](person),
  (choose, person) => choose.of(model.groups)?.members.delete(person),
  choose => {
    const [group, other] = [choose.of(model.groups), choose.of(model.groups)]
    return group && other && group !== other && group.members.add(other)
  },
  choose => choose.of(model.groups)?.members.delete(choose.of(model.groups) ?? used),
]

const runOf = async (id: string) => (await app.get(`/v1/sync_runs/${id}`)).body.data
const startRun = async (): Promise<string> => (await app.post('/v1/teammates/sync', {})).body.data.id

/** Runs only the job of the directory: what it enqueues is not needed here. Returns the run. */
async function readDirectory() {
  const id = await startRun()
  await runJob(app, 'directories.sync', { integration_id: integrationId })
  return runOf(id)
}

/** Reads until the end, and lets people leave where that needs an approval. */
async function syncAndApprove(): Promise<void> {
  const { status, error_message } = await readDirectory()
  expect([status, error_message]).toEqual([expect.stringMatching(/succeeded|held/), null])
  const held = (await app.get(`/v1/integrations/${integrationId}`)).body.data.held_run_id
  if (held === null) return
  expect((await app.post(`/v1/sync_runs/${held}/approve`)).status).toBe(200)
  await runJob(app, 'directories.approve', { integration_id: integrationId, run_id: held })
  // Addresses of people who have left are free now.
  await readDirectory()
}

/** The connection is cut after some bytes. */
async function syncWithCut(bytes: number): Promise<void> {
  proxy.budget = bytes
  expect(await readDirectory()).toMatchObject({
    status: 'failed',
    error_code: 'unavailable',
    people_missing: 0,
  })
  proxy.budget = Number.POSITIVE_INFINITY
}

/** The process is lost on some page: then the job runs again. */
async function syncWithCrash(page: number): Promise<void> {
  const id = await startRun()
  const source = app.parts.directories.get('ldap')
  let pages = 0
  const crashing = {
    ...source,
    async *read(...args: Parameters<NonNullable<typeof source>['read']>) {
      for await (const answer of source?.read(...args) ?? []) {
        if (++pages > page) throw new Error('the process is lost')
        yield answer
      }
    },
  }
  const parts = { ...app.parts, directories: new Map([['ldap', crashing as never]]) }
  const crashed = runJob({ ...app, parts }, 'directories.sync', { integration_id: integrationId })
  await crashed.catch(error => expect(error.message).toBe('the process is lost'))
  await runJob(app, 'directories.sync', { integration_id: integrationId })
  expect((await runOf(id)).status).toMatch(/succeeded|held/)
}

const expectSame = async () => expect(await directoryState(app, signatures)).toEqual(model.expected(used))

describe.skipIf(!hasSlapd)('an OpenLDAP directory', () => {
  it('is followed through hundreds of changes, cut connections and crashes', async () => {
    await syncAndApprove()
    const fields = (await app.get('/v1/smart_fields?limit=100')).body.data
    const department = fields.find(({ key }: { key: string }) => key === 'department').id
    const entities = (await app.get('/v1/integration_entities?limit=100')).body.data
    const group = entities.find(({ name }: { name: string }) => name === 'used').id
    signatures.rule = (await createSignature(app)).body.data.id
    signatures.group = (await createSignature(app)).body.data.id
    const conditions = [[{ smart_field_id: department, values: ['Sales'] }]]
    await app.call('PUT', `/v1/signatures/${signatures.rule}/recipient_rules`, { body: { conditions } })
    await app.post(`/v1/signatures/${signatures.group}/integration_entities`, {
      integration_entity_ids: [group],
    })
    const round = fc.record({
      numbers: fc.array(fc.nat({ max: 1_000_000 }), { minLength: 600, maxLength: 600 }),
      failure: fc.constantFrom('none' as const, 'cut' as const, 'crash' as const),
      // A run of sixty people has about 40 kB and fifteen pages.
      bytes: fc.integer({ min: 1, max: 15_000 }),
      page: fc.integer({ min: 1, max: 14 }),
    })
    for (const { numbers, failure, bytes, page } of fc.sample(round, { numRuns: runs(5), seed: modelSeed })) {
      const choose = new Chooser(numbers)
      for (let n = 0; n < 80; n++) {
        const person = choose.of(model.people)
        if (person) await edits[choose.below(edits.length)]?.(choose, person)
      }
      await model.saveMembers()
      if (failure === 'cut') await syncWithCut(bytes)
      if (failure === 'crash') await syncWithCrash(page)
      await syncAndApprove()
      for (const person of model.people) synced.add(person)
      await expectSame()
    }
  })

  it('is read by another worker after the first one was killed', async () => {
    for (let n = 0; n < 40; n++) await model.addPerson(`late${n}`, root)
    Object.assign(proxy, { atEnd: 'hold', budget: 8_000 })
    const id = await startRun()
    const worker = run(['work'], { env: { ...env, DATABASE_URL: urlOf(app.connection) } })
    await expect.poll(() => proxy.held, { interval: 20 }).toBe(1)
    worker.child.kill('SIGKILL')
    await worker.ended
    Object.assign(proxy, { atEnd: 'cut', budget: Number.POSITIVE_INFINITY })
    expect((await app.post('/v1/teammates/sync', {})).body.error.code).toBe('sync_already_running')
    const sessions = sql`select from pg_stat_activity where application_name like ${`%(process ${worker.child.pid})`}`
    await expect.poll(async () => (await app.db.query(sessions)).length, { interval: 20 }).toBe(0)
    await app.db.query(sql`
      update graphile_worker._private_jobs set run_at = now(), locked_at = null, locked_by = null`)
    await runAllJobs(app)
    expect(await runOf(id)).toMatchObject({ status: 'succeeded', people_added: 40 })
    await expectSame()
  })
})
