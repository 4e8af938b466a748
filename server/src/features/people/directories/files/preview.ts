// What a file would change: the run itself, with each batch in a transaction that is rolled back. Nothing is locked for
// longer than one batch of a run locks it.

import { storedValuesOf } from '#features/people/teammates/index.ts'
import { directorySettingsOf, findSyncState, type SyncState } from '#features/workspace/integrations/index.ts'
import { readFreeSeats } from '#features/workspace/workspaces/index.ts'
import { apiError, orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { RunLost, type SyncContext, writerOf } from '../context.ts'
import type { DirectoryDeps, RefusedLine } from '../deps.ts'
import type { DirectoryConnection, DirectoryPage } from '../directory.ts'
import { keepPresent, type Leaver, peopleInGrace } from '../leavers/queries.ts'
import { keepNamed, type LeaverPlan, letLeave, planLeavers, removeExpired } from '../leavers/rules.ts'
import type { PeopleCounts } from '../people/apply.ts'
import { cleanId } from '../people/clean.ts'
import { refusedPeople, storedPeople } from '../people/queries.ts'
import type { MappedField } from '../people/values.ts'
import { connectionOf, directoryCaller } from '../runs/connection.ts'
import type { ReadDirectory } from '../runs/named.ts'
import type { PreviewedPerson } from '../runs/queries.ts'
import { readAll } from '../runs/read.ts'
import { refusedLines } from './imported.ts'

/** Values by smart field. */
type ValuesOfPerson = ReadonlyMap<string, string | null>

export interface PreviewedLine extends PreviewedPerson {
  readonly line: number
  readonly before: ValuesOfPerson
  readonly after: ValuesOfPerson
}

interface FilePreview {
  readonly added: number
  readonly changed: number
  readonly reactivated: number
  readonly refused: readonly RefusedLine[]
  /** The first people who would be added or changed. */
  readonly people: readonly PreviewedLine[]
  /** People who are not in the file. */
  readonly leavers: readonly Leaver[]
  /** Null: they leave without an approval. */
  readonly heldReason: string | null
}

export type FilePreviewDeps = Pick<DirectoryDeps, 'directories' | 'openSecret' | 'onPeopleChange'>

interface PreviewedFile {
  readonly workspaceId: string
  readonly integrationId: string
  readonly importId: string
  readonly mapping: NonNullable<DirectoryConnection['mapping']>
  /** The smart fields that the columns would fill. */
  readonly fields: readonly MappedField[]
  /** The preview stops after the batch that it works on. */
  readonly isAbandoned: () => boolean
  /** Number of people who are listed. */
  readonly maxListed: number
}

type Pages = () => AsyncIterable<DirectoryPage>

/** Groups are not previewed. */
async function* peopleOf(
  pages: AsyncIterable<DirectoryPage>,
  isAbandoned: () => boolean,
): AsyncGenerator<DirectoryPage> {
  for await (const { people = [], refused = [], isFull } of pages) {
    if (isAbandoned()) throw apiError('unavailable')
    yield { people, refused, isFull }
  }
}

async function idsOfFile(pages: Pages): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for await (const { people = [] } of pages())
    for (const { externalId } of people) ids.add(cleanId(externalId))
  return ids
}

interface ListedPerson {
  readonly person: PreviewedPerson
  readonly after: ValuesOfPerson
}

async function valuesByPerson(db: Db, workspaceId: string, ids: readonly string[]) {
  const values = await storedValuesOf(db, workspaceId, ids)
  const byPerson = Map.groupBy(values, ({ teammate_id }) => teammate_id)
  return (id: string | null | undefined): ValuesOfPerson =>
    new Map((byPerson.get(id ?? '') ?? []).map(({ smart_field_id, value }) => [smart_field_id, value]))
}

/** Lists people with the values that the batch has written. */
async function listPeople(
  tx: Db,
  context: SyncContext,
  people: PeopleCounts['preview'],
): Promise<ListedPerson[]> {
  const externalIds = people.map(({ external_id }) => external_id)
  const records = await storedPeople(tx, context, externalIds)
  const idOf = new Map(records.map(({ external_id, teammate_id }) => [external_id, teammate_id]))
  const after = await valuesByPerson(
    tx,
    context.workspaceId,
    [...idOf.values()].flatMap(id => id ?? []),
  )
  return people.map(person => ({ person, after: after(idOf.get(person.external_id)) }))
}

interface TriedFile {
  readonly read: ReadDirectory
  readonly refused: readonly RefusedLine[]
  readonly listed: readonly ListedPerson[]
  readonly plan: LeaverPlan
}

async function tryFile(
  db: Db,
  context: SyncContext,
  state: SyncState,
  pages: Pages,
  { maxListed, seatsFreed = 0 }: { readonly maxListed: number; readonly seatsFreed?: number },
): Promise<TriedFile> {
  const refused: Awaited<ReturnType<typeof refusedPeople>> = []
  const listed: ListedPerson[] = []
  const replaced: string[] = []
  const read = await readAll(
    db,
    context,
    {
      id: null,
      kind: 'dry',
      seatsFreed,
      async inspect(tx, people, counts) {
        const ids = people.map(({ externalId }) => externalId)
        const first = counts.preview.slice(0, maxListed - listed.length)
        const refusedNow = await refusedPeople(tx, context, ids)
        if (first.length > 0) listed.push(...(await listPeople(tx, context, first)))
        refused.push(...refusedNow)
        replaced.push(...counts.replaced)
      },
    },
    pages(),
  )
  const { isFull, people, report } = read
  const seenPeople = {
    isFull,
    seen: new Set([...people.seen, ...replaced]),
    gone: people.gone,
    refused: people.refused,
  }
  const plan = await planLeavers(db, context, seenPeople, state.held_run_id, report.counts)
  return { read, refused: refusedLines(people, refused), listed, plan }
}

/** Number of seats that the end of the run would free: it lets people leave, and removes those whose grace is over. */
async function seatsFreedBy(
  { write, ...context }: SyncContext,
  state: SyncState,
  { read, plan }: TriedFile,
): Promise<number> {
  if (plan.holdReason !== null) return 0
  const { workspaceId } = context
  const { graceDays } = directorySettingsOf(state.settings)
  return write(async tx => {
    const within: SyncContext = { ...context, write: work => work(tx) }
    const { left: before } = await readFreeSeats(tx, workspaceId)
    const inGrace = await peopleInGrace(tx, context)
    const back = inGrace.map(({ external_id }) => external_id).filter(id => read.people.seen.has(id))
    await tx.query(keepPresent(context, back))
    await keepNamed(within, plan)
    await letLeave(within, plan, null)
    await removeExpired(within, graceDays, null, new Date())
    return (await readFreeSeats(tx, workspaceId)).left - before
  })
}

/** The seats of leavers go to people who got none, as at the end of a run. */
async function tryWithSeats(
  db: Db,
  context: SyncContext,
  state: SyncState,
  pages: Pages,
  maxListed: number,
): Promise<TriedFile> {
  const tried = await tryFile(db, context, state, pages, { maxListed })
  const { added, reactivated } = tried.read.report.counts
  const { left } = await readFreeSeats(db, context.workspaceId)
  if (left > added + reactivated) return tried
  const seatsFreed = await seatsFreedBy(context, state, tried)
  return seatsFreed === 0 ? tried : tryFile(db, context, state, pages, { maxListed, seatsFreed })
}

/** Throws DirectoryError for a file that the run would refuse. */
export async function previewFile(db: Db, file: PreviewedFile, deps: FilePreviewDeps): Promise<FilePreview> {
  const { workspaceId, integrationId, importId, mapping, fields, isAbandoned, maxListed } = file
  const state = orNotFound(await findSyncState(db, workspaceId, integrationId))
  const directory = orNotFound(deps.directories.get(state.kind))
  const { signal } = new AbortController()
  const connection = await connectionOf(db, workspaceId, state, deps, signal, importId)
  const pages: Pages = () => peopleOf(directory.read({ ...connection, mapping }, null), isAbandoned)
  const seen = await idsOfFile(pages)
  const context: SyncContext = {
    workspaceId,
    integrationId,
    by: directoryCaller(workspaceId, integrationId, {}),
    onPeopleChange: deps.onPeopleChange,
    isUnseen: id => !seen.has(id),
    write: writerOf(db, { workspaceId, integrationId, isDry: true }),
    fields,
  }
  const { read, refused, listed, plan } = await tryWithSeats(db, context, state, pages, maxListed).catch(
    error => {
      throw error instanceof RunLost ? apiError('unavailable') : error
    },
  )
  const before = await valuesByPerson(
    db,
    workspaceId,
    listed.flatMap(({ person }) => person.teammate_id ?? []),
  )
  const { added, changed, reactivated } = read.report.counts
  return {
    added,
    changed,
    reactivated,
    refused,
    people: listed.map(({ person, after }) => ({
      ...person,
      line: read.people.lines.get(person.external_id) ?? 0,
      before: before(person.teammate_id),
      after,
    })),
    leavers: plan.missing,
    heldReason: plan.holdReason,
  }
}
