// Event maintenance: folds the tail, creates and drops months, recounts rollups.

import { deleteOldVisitors } from '#features/measurement/events/index.ts'
import { day } from '#kernel/base/durations.ts'
import { ApiError } from '#kernel/base/errors.ts'
import { type Db, isDuplicate, isLocked } from '#kernel/db/db.ts'
import { dateOf, type Range, type Span, spanAround, spans, startOfMonth } from '../range.ts'
import {
  addMonth,
  deleteEvents,
  dropMonth,
  existingMonths,
  firstKeptDay,
  fold,
  isMonthEmpty,
  listCountedSpans,
  listRetentions,
  lockFolding,
  nextDayWithEvents,
  oldestInTail,
  recountDay,
  recountHours,
  recountSpan,
  saveFirstKeptDay,
  skipDuplicates,
  tryLockFolding,
  workspacesWithTail,
} from './queries.ts'

/** Maximum number of events per transaction: takes about half a second. */
const maxEvents = 20_000

/** Returns false when all of them exist. */
async function addMonths(tx: Db, months: readonly Date[]): Promise<boolean> {
  const existingTimes = new Set((await existingMonths(tx)).map(Number))
  const missing = months.filter(month => !existingTimes.has(month.getTime()))
  for (const month of missing) await addMonth(tx, month)
  return missing.length > 0
}

/**
 * Returns how many events were moved; also 0 when another transaction held the folding lock for too long. A new month is
 * committed before events move into it: a statement that PostgreSQL planned earlier does not read that month.
 */
async function foldBatch(db: Db, workspaceId: string, count: number): Promise<number> {
  const moved = await db.transaction(async tx => {
    if (!(await tryLockFolding(tx))) return 0
    const batch = await oldestInTail(tx, workspaceId, count)
    const { upTo } = batch
    if (upTo === null) return 0
    const months = batch.months.map(month => new Date(`${month}T00:00:00Z`))
    if (await addMonths(tx, months)) return undefined
    try {
      await tx.transaction(inner => fold(inner, workspaceId, upTo))
    } catch (error) {
      if (!isDuplicate(error)) throw error
      // Duplicates are rare, and ON CONFLICT on every insert would make it a third slower, so only the retry uses it.
      await fold(tx, workspaceId, upTo, skipDuplicates)
    }
    return batch.count
  })
  return moved ?? foldBatch(db, workspaceId, count)
}

/**
 * Folds one batch of every workspace. Returns true when a batch was full, so another call is needed. A workspace that
 * fails does not stop the others; its error is thrown at the end.
 */
export async function foldTail(db: Db, count = maxEvents): Promise<boolean> {
  let isFull = false
  const failures: unknown[] = []
  for (const workspaceId of await workspacesWithTail(db))
    try {
      if ((await foldBatch(db, workspaceId, count)) >= count) isFull = true
    } catch (error) {
      if (error instanceof ApiError) throw error // PostgreSQL is unavailable, so every workspace would fail
      failures.push(error)
    }
  if (failures.length > 0) throw failures[0]
  return isFull
}

/** Creates the tables of this month and the next three in advance. */
export const prepareMonths = (db: Db, now: Date): Promise<void> =>
  db.transaction(async tx => {
    await lockFolding(tx)
    const months = [0, 1, 2, 3].map(offset => startOfMonth(now, offset))
    await addMonths(tx, months)
  })

const nextDay = (moment: Date): Date => new Date(moment.getTime() + day)
const startOf = (date: string): Date => new Date(`${date}T00:00:00Z`)

/** Drops events beyond their workspace's retention: a whole month if no workspace keeps it, else row by row. */
export async function dropOldEvents(db: Db, now: Date): Promise<void> {
  const retentionRows = await listRetentions(db)
  const limits = retentionRows.map(({ workspace_id, days }) => ({
    workspaceId: workspace_id,
    before: days === null ? null : startOf(dateOf(new Date(now.getTime() - days * day))),
  }))
  for (const { workspaceId, before } of limits)
    if (before)
      await db.transaction(async tx => {
        await lockFolding(tx) // wait for a running recount before its events are deleted
        await saveFirstKeptDay(tx, workspaceId, dateOf(before))
      })
  const thisMonth = startOfMonth(now)
  const pastMonths = (await existingMonths(db)).filter(month => month < thisMonth)
  const isExpiredForAll = (month: Date) =>
    limits.every(({ before }) => before !== null && startOfMonth(month, 1) <= before)
  for (const month of pastMonths.filter(isExpiredForAll)) await dropIf(db, month, async () => true)
  for (const { workspaceId, before } of limits) {
    if (!before) continue
    while ((await db.transaction(tx => deleteEvents(tx, workspaceId, before, maxEvents))) >= maxEvents);
    await deleteOldVisitors(db, workspaceId, before)
  }
  for (const month of pastMonths.filter(month => !isExpiredForAll(month)))
    await dropIf(db, month, tx => isMonthEmpty(tx, month))
}

/** If another transaction keeps reading the month, it stays until the next run; its events are deleted row by row. */
const dropIf = (db: Db, month: Date, canDrop: (tx: Db) => Promise<boolean>): Promise<void> =>
  db
    .transaction(async tx => {
      await lockFolding(tx)
      const exists = (await existingMonths(tx)).some(existing => existing.getTime() === month.getTime())
      if (exists && (await canDrop(tx))) await dropMonth(tx, month)
    })
    .catch(error => {
      if (!isLocked(error)) throw error
    })

export interface Recount {
  readonly days: number
  /** Rollup rows that did not match the events. */
  readonly wrongRows: number
}

/** Takes the lock for one day at a time, so folding never waits long. Days whose events were deleted are skipped. */
export async function recount(db: Db, workspaceId: string, signal?: AbortSignal): Promise<Recount> {
  const largerSpans = new Map<string, { readonly span: Span; readonly range: Range }>()
  let days = 0
  let wrong = 0
  for (let from = '1970-01-01'; ; ) {
    signal?.throwIfAborted()
    const recountedDay = await db.transaction(async tx => {
      await lockFolding(tx)
      const earliest = await firstKeptDay(tx, workspaceId)
      const date = await nextDayWithEvents(tx, workspaceId, from < earliest ? earliest : from)
      if (date === null) return undefined
      const [start, end] = [startOf(date), nextDay(startOf(date))]
      const wrongInDay = await recountDay(tx, workspaceId, start, end)
      return { start, end, wrong: wrongInDay + (await recountHours(tx, workspaceId, start, end)) }
    })
    if (recountedDay === undefined) break
    days++
    wrong += recountedDay.wrong
    for (const span of spans.slice(1)) {
      const range = spanAround(recountedDay.start, span)
      largerSpans.set(`${span} ${dateOf(range.from)}`, { span, range })
    }
    from = dateOf(recountedDay.end)
  }
  for (const { span, day } of await listCountedSpans(db, workspaceId))
    largerSpans.set(`${span} ${day}`, { span, range: spanAround(startOf(day), span) })
  for (const { span, range } of largerSpans.values())
    wrong += await db.transaction(async tx => {
      await lockFolding(tx)
      return recountSpan(tx, workspaceId, span, range)
    })
  return { days, wrongRows: wrong }
}
