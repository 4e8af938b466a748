// Reads the pages of a run, and writes their people and groups.

import { analyzePeople } from '#features/people/teammates/index.ts'
import { markExpansion } from '#features/workspace/integrations/index.ts'
import type { Db } from '#kernel/db/db.ts'
import { chunksOf, peoplePerBatch, type SyncContext } from '../context.ts'
import { DirectoryError, type DirectoryPage } from '../directory.ts'
import { analyzeDirectories } from '../entities/queries.ts'
import { applyGroups, applyMemberships, goneGroups, trackMembers } from '../entities/rules.ts'
import { applyPeople, type PeopleCounts } from '../people/apply.ts'
import { type CleanPerson, cleanId, cleanPerson } from '../people/clean.ts'
import type { ReadDirectory } from './connection.ts'
import { withinPreview } from './preview.ts'
import { addCounts, type RunKind, saveRunKind } from './queries.ts'

const maxProblems = 1_000
/** Refused records whose texts are kept until the run ends: a file of broken lines must not fill the memory. */
const mostTexts = 1_000
/** See `analyzedAt` in imports/jobs.ts. */
const analyzedAt = [1_000, 4_000, 16_000, 64_000]
const groupsAnalyzedAt = [10, 100, 1_000]

export interface ReadRun {
  /** Null: the preview of a file, which has no run. */
  readonly id: string | null
  readonly kind: RunKind
  /** Of a dry run: seats that people would free who leave after the last page. */
  readonly seatsFreed?: number
  /** Of a dry run: looks at what a batch has written, before it is rolled back. */
  readonly inspect?: (tx: Db, people: readonly CleanPerson[], counts: PeopleCounts) => Promise<void>
}

async function applyPage(
  context: SyncContext,
  run: ReadRun,
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
      const counts = await applyPeople(tx, context, batch, added + reactivated - (run.seatsFreed ?? 0))
      await addCounts(tx, context.workspaceId, run.id, {
        people_added: counts.added,
        people_changed: counts.changed,
        people_reactivated: counts.reactivated,
      })
      if (counts.affectsMembers)
        await tx.query(markExpansion(context.workspaceId, context.integrationId, true))
      await run.inspect?.(tx, batch, counts)
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
  dryCounts.joining += counts.joining
  problems.push(...counts.problems.slice(0, maxProblems - problems.length))
  preview.push(...withinPreview(counts.preview, preview))
}

export async function readAll(
  db: Db,
  context: SyncContext,
  run: ReadRun,
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
    dryCounts: { added: 0, changed: 0, reactivated: 0, suspending: 0, joining: 0 },
  }
  let isFirst = true
  let memberships = 0
  for await (const page of pages) {
    if (isFirst) {
      read.isFull = page.isFull
      const kind = page.isFull ? 'full' : 'delta'
      const { id } = run
      if (id !== null && run.kind !== 'dry' && run.kind !== kind)
        await context.write(tx => tx.query(saveRunKind(context.workspaceId, id, kind)))
    } else if (read.isFull !== page.isFull)
      throw new DirectoryError('invalid_answer', 'The pages of the run do not agree on whether it is full.')
    isFirst = false
    const before = read.seen.size
    await applyPage(context, run, page, read)
    const isStored = run.kind !== 'dry'
    if (isStored && analyzedAt.some(rows => before < rows && read.seen.size >= rows)) await analyzePeople(db)
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
