// Reads directories of 10,000 and 100,000 people. The source makes its pages up, so that only the engine is measured.
import { readConfig } from '#config.ts'
import {
  type Directory,
  type DirectoryPage,
  type DirectoryPerson,
  directoryJobs,
  requestSync,
} from '#features/directories/index.ts'
import { createIntegration } from '#features/integrations/index.ts'
import { changeField, smartFieldsOf } from '#features/smart-fields/index.ts'
import { sql } from '#kernel/db.ts'
import { operator } from '#kernel/scopes.ts'
import { buildParts } from '#parts.ts'
import { type Bench, createFixture, type Figure, type Fixture } from './support/bench.ts'

const perPage = 500
const units = 40
const membersPerGroup = 200

const person = (n: number): DirectoryPerson => ({
  externalId: `1${String(n).padStart(20, '0')}`,
  primaryAddress: `person.${n}@example.com`,
  aliases: n % 4 === 0 ? [`p${n}@example.com`] : [],
  isActive: true,
  orgUnitId: `unit ${n % units}`,
  attributes: {
    'name.givenName': `First ${n}`,
    'name.familyName': `Last ${n}`,
    'organizations.title': `Title ${n % 300}`,
    'organizations.department': `Department ${n % 25}`,
    'phones.work': `+49 30 ${1_000_000 + n}`,
    'customSchemas.Contact.pronouns': n % 2 === 0 ? 'she/her' : 'he/him',
  },
})

/** Every page is made when the engine asks for it. */
function* pagesOf(people: number, groups: number): Generator<DirectoryPage> {
  const unitGroups = Array.from({ length: units }, (_, n) => ({
    externalId: `unit ${n}`,
    name: `/Unit ${n}`,
    subKind: 'org_unit' as const,
    parentId: n === 0 ? null : 'unit 0',
  }))
  const others = Array.from({ length: groups }, (_, n) => ({
    externalId: `group ${n}`,
    name: `group${n}@example.com`,
    subKind: 'group' as const,
  }))
  yield { groups: [...unitGroups, ...others], domains: ['example.com'], isFull: true }
  for (let n = 0; n < people; n += perPage)
    yield {
      people: Array.from({ length: Math.min(perPage, people - n) }, (_, k) => person(n + k)),
      isFull: true,
    }
  for (let group = 0; group < groups; group++) {
    const add = Array.from(
      { length: membersPerGroup },
      (_, k) => person((group * 31 + k * 7) % people).externalId,
    )
    // Some groups contain another group.
    const nested = group % 10 === 0 && group > 0 ? [`group ${group - 1}`] : []
    yield {
      memberships: [{ group: `group ${group}`, add: [...add, ...nested], remove: [], isComplete: true }],
      isFull: true,
    }
  }
}

const mapping = {
  first_name: 'name.givenName',
  last_name: 'name.familyName',
  job_title: 'organizations.title',
  department: 'organizations.department',
  work_phone: 'phones.work',
}

/** Returns a function that reads the directory, and the seconds that it took. */
async function connect({ db, workspaceId }: Fixture, people: number, groups: number) {
  const by = operator(workspaceId)
  const secretKeys = Buffer.alloc(32, 7).toString('base64')
  const parts = buildParts(readConfig({ SIGNOFF_SECRET_KEYS: secretKeys }))
  const source: Directory = {
    kind: 'csv',
    isScheduled: true,
    attributes: [],
    async *read() {
      yield* pagesOf(people, groups)
    },
  }
  const { id } = await createIntegration(db, by, { kind: 'csv' }, parts.integrations)
  for (const field of await smartFieldsOf(db, workspaceId)) {
    const attribute = mapping[field.key as keyof typeof mapping]
    const patch = { integration_id: id, integration_attribute: attribute }
    if (attribute) await changeField(db, by, field.id, patch, parts.smartFields)
  }
  const directories = new Map([['csv', source]])
  const { config, store, fetchPublic, onPeopleChange, vault } = parts
  const jobs = directoryJobs(db, {
    publicUrl: config.publicUrl,
    store,
    fetchPublic,
    directories,
    openSecret: vault.open,
    onPeopleChange,
    onImportedRun: async () => undefined,
  })
  const job = jobs.find(({ name }) => name === 'directories.sync')
  const deps = { publicUrl: '', kinds: ['csv'], accessProblem: async () => null }
  return async (): Promise<number> => {
    await requestSync(db, by, { integration_id: id }, deps)
    const began = performance.now()
    await job?.run({ workspace_id: workspaceId, integration_id: id })
    return (performance.now() - began) / 1_000
  }
}

/** Rows that were inserted, changed or deleted since the last call, except those of runs and the queue. */
async function writtenRows({ db }: Fixture): Promise<number> {
  await db.query(sql`select pg_stat_force_next_flush()`)
  const [row] = await db.query<{ n: number }>(sql`
    select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::int as n from pg_stat_user_tables
    where relname in ('directory_people', 'directory_edges', 'teammates', 'emails', 'smart_field_values', 'recipients',
      'integration_entities', 'integration_entity_members')`)
  return row?.n ?? 0
}

async function run(): Promise<Figure[]> {
  const fixture = await createFixture()
  try {
    const sync = await connect(fixture, 10_000, 300)
    const first = await sync()
    const before = await writtenRows(fixture)
    const second = await sync()
    const written = (await writtenRows(fixture)) - before
    return [
      { what: 'first run of 10,000 people and 300 groups, in seconds', value: first, limit: { most: 60 } },
      {
        what: 'second run without a change, against the first',
        value: second / first,
        limit: { most: 0.1 },
        note: `${second.toFixed(2)} s`,
      },
      { what: 'rows that the second run wrote', value: written, limit: { most: 0 } },
    ]
  } finally {
    await fixture.end()
  }
}

async function runLarge(): Promise<Figure[]> {
  const fixture = await createFixture()
  try {
    const sync = await connect(fixture, 100_000, 300)
    let most = 0
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss() / 1024 ** 2)
    }, 50)
    const first = await sync()
    const second = await sync()
    clearInterval(timer)
    return [
      {
        what: 'memory of the process while it reads 100,000 people, in MB',
        value: most,
        limit: { most: 300 },
        note: `first run ${first.toFixed(0)} s, second run ${second.toFixed(1)} s`,
      },
    ]
  } finally {
    await fixture.end()
  }
}

export const benches: readonly Bench[] = [
  { name: 'directories', run },
  { name: 'directories, large', run: runLarge },
]
