// A directory that makes its pages up, and the job that reads it.
import { readConfig } from '#config.ts'
import {
  type Directory,
  type DirectoryPage,
  type DirectoryPerson,
  directoryJobs,
  requestSync,
} from '#features/people/directories/index.ts'
import { createIntegration } from '#features/workspace/integrations/index.ts'
import { changeField, smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { operator } from '#kernel/api/scopes.ts'
import { buildParts } from '#parts.ts'
import type { Fixture } from './bench.ts'

const perPage = 500
const units = 40
const membersPerGroup = 200

const person = (n: number, title = `Title ${n % 300}`): DirectoryPerson => ({
  externalId: `1${String(n).padStart(20, '0')}`,
  primaryAddress: `person.${n}@example.com`,
  aliases: n % 4 === 0 ? [`p${n}@example.com`] : [],
  isActive: true,
  orgUnitId: `unit ${n % units}`,
  attributes: {
    'name.givenName': `First ${n}`,
    'name.familyName': `Last ${n}`,
    'organizations.title': title,
    'organizations.department': `Department ${n % 25}`,
    'phones.work': `+49 30 ${1_000_000 + n}`,
    'customSchemas.Contact.pronouns': n % 2 === 0 ? 'she/her' : 'he/him',
  },
})

/** Every page is made when the engine asks for it. */
function* pagesOf({ people, groups, titleOf }: MadeUpDirectory): Generator<DirectoryPage> {
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
      people: Array.from({ length: Math.min(perPage, people - n) }, (_, k) =>
        person(n + k, titleOf?.(n + k)),
      ),
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

export interface MadeUpDirectory {
  readonly people: number
  readonly groups: number
  /** Asked for every person: the title instead of the usual one. */
  readonly titleOf?: (n: number) => string | undefined
}

/** Returns a function that reads the directory, and the seconds that it took. */
export async function connectMadeUp({ db, workspaceId }: Fixture, directory: MadeUpDirectory) {
  const by = operator(workspaceId)
  const secretKeys = Buffer.alloc(32, 7).toString('base64')
  const parts = buildParts(readConfig({ SIGNOFF_SECRET_KEYS: secretKeys }))
  const source: Directory = {
    isScheduled: true,
    attributes: [],
    async *read() {
      yield* pagesOf(directory)
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
  const deps = { publicUrl: '', directories, kinds: ['csv'], accessProblem: async () => null }
  return async (): Promise<number> => {
    await requestSync(db, by, { integration_id: id }, deps)
    const began = performance.now()
    await job?.run({ workspace_id: workspaceId, integration_id: id })
    return (performance.now() - began) / 1_000
  }
}
