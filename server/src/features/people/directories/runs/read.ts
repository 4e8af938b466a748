// Reads the pages of a run, and writes their people and groups.

import { analyzePeople } from '#features/people/teammates/index.ts'
import { markExpansion } from '#features/workspace/integrations/index.ts'
import type { Db } from '#kernel/db/db.ts'
import { chunksOf, peoplePerBatch, type SyncContext } from '../context.ts'
import { DirectoryError, type DirectoryPage } from '../directory.ts'
import { analyzeDirectories } from '../entities/queries.ts'
import { applyGroups, applyMemberships, goneGroups } from '../entities/rules.ts'
import { applyPeople, type PeopleCounts } from '../people/apply.ts'
import { type CleanPerson, cleanId, cleanPerson } from '../people/clean.ts'
import { DryReport } from './dry-report.ts'
import { NamedGroups, NamedPeople, type ReadDirectory } from './named.ts'
import { addCounts, type RunKind, saveRunKind } from './queries.ts'

/** See `analyzedAt` in imports/jobs.ts. */
const analyzedAt = [1_000, 4_000, 16_000, 64_000]
const groupsAnalyzedAt = [10, 100, 1_000]

interface ReadRun {
  /** Null: the preview of a file, which has no run. */
  readonly id: string | null
  readonly kind: RunKind
  /** Seats that a dry run expects from people who leave after the last page. */
  readonly seatsFreed?: number
  /** Looks at what a batch of a dry run has written, before it is rolled back. */
  readonly inspect?: (tx: Db, people: readonly CleanPerson[], counts: PeopleCounts) => Promise<void>
}

async function applyPage(
  context: SyncContext,
  run: ReadRun,
  page: DirectoryPage,
  report: DryReport,
): Promise<void> {
  const { groups = [], goneGroups: gone = [], memberships = [], people = [] } = page
  for (const chunk of chunksOf(groups, 1_000))
    await context.write(tx => applyGroups(tx, context, chunk, run.id))
  if (gone.length > 0) await context.write(tx => goneGroups(tx, context, gone, run.id))
  // A full run collects the others: see NamedGroups.
  for (const membership of memberships)
    if (membership.isComplete || !page.isFull)
      await context.write(tx => applyMemberships(tx, context, [membership]))
  const clean = new Map(people.map(person => [cleanId(person.externalId), cleanPerson(person)]))
  for (const batch of chunksOf([...clean.values()], peoplePerBatch)) {
    const counts = await context.write(async tx => {
      const { added, reactivated } = report.counts
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
    if (run.kind === 'dry') report.addBatch(counts)
  }
}

/** A source can have lost its cursor: its first page says whether the run is full. */
async function correctKind(context: SyncContext, { id, kind }: ReadRun, isFull: boolean): Promise<void> {
  const actual = isFull ? 'full' : 'delta'
  if (id !== null && kind !== 'dry' && kind !== actual)
    await context.write(tx => tx.query(saveRunKind(context.workspaceId, id, actual)))
}

export async function readAll(
  db: Db,
  context: SyncContext,
  run: ReadRun,
  pages: AsyncIterable<DirectoryPage>,
): Promise<ReadDirectory> {
  const [people, groups, report] = [new NamedPeople(), new NamedGroups(), new DryReport()]
  let isFull: boolean | undefined
  let cursor: string | null = null
  let domains: readonly string[] | null = null
  let memberships = 0
  for await (const page of pages) {
    if (isFull === undefined) await correctKind(context, run, page.isFull)
    else if (isFull !== page.isFull)
      throw new DirectoryError('invalid_answer', 'The pages of the run do not agree on whether it is full.')
    isFull = page.isFull
    const peopleBefore = people.seen.size
    await applyPage(context, run, page, report)
    people.addPage(page)
    groups.addPage(page)
    if (run.kind !== 'dry' && analyzedAt.some(count => peopleBefore < count && people.seen.size >= count))
      await analyzePeople(db)
    const membershipsBefore = memberships
    memberships += page.memberships?.length ?? 0
    // Until then PostgreSQL reads all members of all groups to find those of one.
    if (groupsAnalyzedAt.some(count => membershipsBefore < count && memberships >= count))
      await db.query(analyzeDirectories)
    if (page.cursor !== undefined) cursor = page.cursor
    if (page.domains) domains = page.domains
  }
  return { isFull: isFull ?? true, cursor, domains, people, groups, report }
}
