// One run: reads the directory page by page and writes what changed. A process that is killed leaves a running run; the
// next one begins it again, and finds by fingerprints what is written already.
import {
  countSyncFailure,
  findSyncState,
  lockSyncState,
  markExpansion,
  recordSyncError,
  type SyncState,
} from '#features/integrations/index.ts'
import { analyzePeople } from '#features/teammates/index.ts'
import type { Db } from '#kernel/db.ts'
import { connectionOf, contextOf, nextSyncAt, type ReadDirectory } from './connection.ts'
import { chunksOf, peoplePerBatch, RunLost, type SyncContext } from './context.ts'
import type { DirectoryDeps } from './deps.ts'
import { DirectoryError, type DirectoryPage } from './directory.ts'
import { analyzeDirectories } from './entities/queries.ts'
import { applyGroups, applyMemberships, goneGroups, trackMembers } from './entities/rules.ts'
import { finishRun } from './finish.ts'
import { applyPeople, type PeopleCounts } from './people/apply.ts'
import { cleanId, cleanPerson } from './people/clean.ts'
import { withinPreview } from './runs/preview.ts'
import { addCounts, type BegunRun, beginRun, failRun, saveRunKind } from './runs/queries.ts'

/** A run that needs longer is stopped, and fails. */
const longestRun = 4 * 3_600_000
/** Processes that are killed again and again by the same run. */
const maxAttempts = 10
const maxProblems = 1_000
/** Refused records whose texts are kept until the run ends: a file of broken lines must not fill the memory. */
const mostTexts = 1_000
/** See `analyzedAt` in imports/jobs.ts. */
const analyzedAt = [1_000, 4_000, 16_000, 64_000]
const groupsAnalyzedAt = [10, 100, 1_000]

async function applyPage(
  context: SyncContext,
  run: BegunRun,
  page: DirectoryPage,
  read: ReadDirectory,
): Promise<void> {
  const { groups = [], goneGroups: gone = [], memberships = [], people = [] } = page
  for (const { externalId } of groups) read.seenGroups.add(cleanId(externalId))
  for (const id of gone) read.seenGroups.delete(cleanId(id))
  for (const chunk of chunksOf(groups, 1_000))
    await context.write(tx => applyGroups(tx, context, chunk, run.id))
  if (gone.length > 0) await context.write(tx => goneGroups(tx, context, gone, run.id))
  const isTracked = (isComplete: boolean) => page.isFull && !isComplete
  for (const membership of memberships)
    if (isTracked(membership.isComplete)) trackMembers(read.tracked, membership)
  for (const membership of memberships)
    if (!isTracked(membership.isComplete))
      await context.write(tx => applyMemberships(tx, context, [membership]))
  for (const id of page.gone ?? []) {
    read.seen.delete(cleanId(id))
    read.gone.add(cleanId(id))
  }
  for (const record of page.refused ?? [])
    read.refused.push(read.refused.length < mostTexts ? record : { ...record, texts: [] })
  for (const { externalId, line } of people) if (line !== undefined) read.lines.set(cleanId(externalId), line)
  const clean = new Map(people.map(person => [cleanId(person.externalId), cleanPerson(person)]))
  for (const batch of chunksOf([...clean.values()], peoplePerBatch)) {
    const counts = await context.write(async tx => {
      const { added, reactivated } = read.dryCounts
      const counts = await applyPeople(tx, context, batch, added + reactivated)
      await addCounts(tx, context.workspaceId, run.id, {
        people_added: counts.added,
        people_changed: counts.changed,
        people_reactivated: counts.reactivated,
      })
      if (counts.affectsMembers)
        await tx.query(markExpansion(context.workspaceId, context.integrationId, true))
      return counts
    })
    for (const { externalId } of batch) {
      read.gone.delete(externalId)
      read.seen.add(externalId)
    }
    if (run.kind === 'dry') addDryCounts(read, counts)
  }
}

function addDryCounts({ dryCounts, problems, preview }: ReadDirectory, counts: PeopleCounts): void {
  dryCounts.added += counts.added
  dryCounts.changed += counts.changed
  dryCounts.reactivated += counts.reactivated
  dryCounts.suspending += counts.suspending
  problems.push(...counts.problems.slice(0, maxProblems - problems.length))
  preview.push(...withinPreview(counts.preview, preview))
}

async function readAll(
  db: Db,
  context: SyncContext,
  run: BegunRun,
  pages: AsyncIterable<DirectoryPage>,
): Promise<ReadDirectory> {
  const read: ReadDirectory = {
    isFull: true,
    cursor: null,
    domains: null,
    seen: new Set(),
    gone: new Set(),
    seenGroups: new Set(),
    refused: [],
    lines: new Map(),
    tracked: new Map(),
    problems: [],
    preview: [],
    dryCounts: { added: 0, changed: 0, reactivated: 0, suspending: 0 },
  }
  let isFirst = true
  let memberships = 0
  for await (const page of pages) {
    if (isFirst) {
      read.isFull = page.isFull
      const kind = page.isFull ? 'full' : 'delta'
      if (run.kind !== 'dry' && run.kind !== kind)
        await context.write(tx => tx.query(saveRunKind(context.workspaceId, run.id, kind)))
    } else if (read.isFull !== page.isFull)
      throw new DirectoryError('invalid_answer', 'The pages of the run do not agree on whether it is full.')
    isFirst = false
    const before = read.seen.size
    await applyPage(context, run, page, read)
    if (analyzedAt.some(rows => before < rows && read.seen.size >= rows)) await analyzePeople(db)
    const groupsBefore = memberships
    memberships += page.memberships?.length ?? 0
    // Until then PostgreSQL reads all members of all groups to find those of one.
    if (groupsAnalyzedAt.some(count => groupsBefore < count && memberships >= count))
      await db.query(analyzeDirectories)
    if (page.cursor !== undefined) read.cursor = page.cursor
    if (page.domains) read.domains = page.domains
  }
  return read
}

const noCounts = { added: 0, changed: 0, reactivated: 0, deactivated: 0, refused: [] }

/** Errors that pass are shown after so many runs. */
const patience = 3

async function saveFailure(
  db: Db,
  workspaceId: string,
  state: SyncState,
  run: BegunRun,
  { code, message }: { readonly code: string; readonly message: string },
  deps: DirectoryDeps,
): Promise<void> {
  await db.transaction(async tx => {
    const current = (await lockSyncState(tx, workspaceId, state.id)) ?? state
    if (!(await failRun(tx, workspaceId, run.id, code, message)) || run.kind === 'dry') return
    const failures = await countSyncFailure(
      tx,
      workspaceId,
      state.id,
      nextSyncAt(current, deps, run.started_at),
    )
    if (run.import_id !== null)
      await deps.onImportedRun(tx, workspaceId, {
        ...noCounts,
        importId: run.import_id,
        integrationId: state.id,
        error: message,
      })
    if (code !== 'unavailable' || failures >= patience)
      await recordSyncError(tx, workspaceId, state.id, { code, message })
  })
}

async function failDisconnected(db: Db, workspaceId: string, runId: string): Promise<void> {
  await failRun(db, workspaceId, runId, 'disconnected', 'The directory is not connected.')
}

/** Works on the running run of this integration, if there is one. */
export async function runSync(
  db: Db,
  workspaceId: string,
  integrationId: string,
  deps: DirectoryDeps,
): Promise<void> {
  const run = await beginRun(db, workspaceId, integrationId)
  if (!run) return
  const state = await findSyncState(db, workspaceId, integrationId)
  const directory = state && deps.directories.get(state.kind)
  if (!state || !directory) return failDisconnected(db, workspaceId, run.id)
  if (run.attempt > maxAttempts) {
    const message = `The service was stopped ${maxAttempts} times during this run.`
    return saveFailure(db, workspaceId, state, run, { code: 'unavailable', message }, deps)
  }
  const abort = new AbortController()
  const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(longestRun)])
  try {
    const context = contextOf(db, workspaceId, state, run, deps)
    const connection = await connectionOf(db, workspaceId, state, deps, signal, run.import_id)
    const since = run.kind === 'dry' ? null : state.cursor
    const read = await readAll(db, context, run, directory.read(connection, since))
    await finishRun(
      db,
      { ...context, isUnseen: id => (read.isFull ? !read.seen.has(id) : read.gone.has(id)) },
      state,
      run,
      read,
      deps,
    )
  } catch (error) {
    if (error instanceof RunLost) {
      // Another process goes on, unless the integration is no directory any more.
      if (!(await findSyncState(db, workspaceId, integrationId)))
        await failDisconnected(db, workspaceId, run.id)
      return
    }
    if (error instanceof DirectoryError) return saveFailure(db, workspaceId, state, run, error, deps)
    throw error
  } finally {
    abort.abort()
  }
}
