// Turns submissions of the API and of web pages into events: each event_id is recorded once, and each event is
// attributed to a click and to a visitor.

import { day, minute } from '#kernel/base/durations.ts'
import { newRow } from '#kernel/base/ids.ts'
import type { Db } from '#kernel/db/db.ts'
import { type EventOutcome, type EventSource, identifyEvent, type NewEvent } from './event.ts'
import { type Click, claimEventIds, findClicks, insertEvents } from './queries.ts'
import type { EventInput } from './schemas.ts'
import { loadVisitors } from './visitors.ts'

export interface Submission {
  readonly workspaceId: string
  readonly input: EventInput
  readonly source: EventSource
  readonly outcome: EventOutcome
}

/** An event is attributed to a click that is at most this old. */
const attributionMilliseconds = 30 * day

const uuidv7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const anyUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Null for a text that is not a UUID: it cannot be one of our click ids. */
const clickIdOf = ({ click_id }: EventInput): string | null => {
  const id = click_id?.trim().toLowerCase() ?? ''
  return anyUuid.test(id) ? id : null
}

/** Kept as it was sent, also an empty text. */
const otherClickIdOf = (input: EventInput): string | null =>
  clickIdOf(input) === null ? (input.click_id ?? null) : null

/** The time inside a UUIDv7. */
const timeOf = (id: string): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))

async function clicksOf(
  tx: Db,
  workspaceId: string,
  inputs: readonly EventInput[],
  now: Date,
): Promise<ReadonlyMap<string, Click>> {
  const ids = new Set(inputs.map(clickIdOf).filter(id => id !== null && uuidv7.test(id)) as string[])
  const earliest = now.getTime() - attributionMilliseconds
  const recent = [...ids]
    .map(id => ({ id, at: timeOf(id) }))
    .filter(({ at }) => at.getTime() >= earliest && at.getTime() <= now.getTime() + minute)
  return recent.length === 0 ? new Map() : findClicks(tx, workspaceId, recent)
}

/**
 * Removes submissions whose event_id was used before, here or earlier. Anyone can send a beacon, so beacons have a
 * separate set of event_ids, and submissions of bots claim none.
 */
async function withoutRepeated(
  tx: Db,
  workspaceId: string,
  submissions: readonly Submission[],
  now: Date,
): Promise<readonly Submission[]> {
  const claiming = submissions.filter(({ input, outcome }) => input.event_id && outcome === 'counted')
  const unused = new Map<EventSource, Set<string>>()
  // Every transaction claims in the same order, within a source too: two transactions cannot deadlock.
  for (const source of ['api', 'beacon'] as const) {
    const ids = new Set(
      claiming.filter(submission => submission.source === source).map(({ input }) => input.event_id ?? ''),
    )
    if (ids.size > 0) unused.set(source, await claimEventIds(tx, workspaceId, source, [...ids], now))
  }
  const withEventId = new Set(claiming)
  return submissions.filter(
    submission =>
      !withEventId.has(submission) || unused.get(submission.source)?.delete(submission.input.event_id ?? ''),
  )
}

/** Writes the event and nothing else. Such events of one workspace are one insert, which needs no transaction. */
export const isSingleWrite = ({ input }: Submission): boolean =>
  !input.event_id && !input.traits && !(input.user_id && input.anonymous_id)

/** For submissions of one workspace, in the order in which they arrived. All writes are in the caller's transaction. */
export async function recordSubmissions(
  tx: Db,
  workspaceId: string,
  submissions: readonly Submission[],
): Promise<void> {
  const now = new Date()
  const fresh = await withoutRepeated(tx, workspaceId, submissions, now)
  if (fresh.length === 0) return
  const inputs = fresh.map(({ input }) => input)
  const clicks = await clicksOf(tx, workspaceId, inputs, now)
  const visitors = await loadVisitors(tx, workspaceId, fresh)
  const attributed = fresh.map(submission => ({
    submission,
    distinctId: visitors.resolveVisitor(submission),
  }))
  await visitors.flush(now)
  const events = attributed
    .filter(({ submission }) => submission.input.name !== identifyEvent)
    .map(({ submission, distinctId }) => eventOf(submission, distinctId, clicks))
  if (events.length > 0) await insertEvents(tx, workspaceId, events)
}

function eventOf(
  { workspaceId, input, outcome }: Submission,
  distinctId: string | null,
  clicks: ReadonlyMap<string, Click>,
): NewEvent {
  const { id, now: recordedAt } = newRow()
  const clickId = clickIdOf(input)
  const { id: _, ...attribution } = clicks.get(clickId ?? '') ?? { id: null }
  return {
    ...attribution,
    workspaceId,
    id,
    recordedAt,
    name: input.name,
    outcome,
    clickId,
    otherClickId: otherClickIdOf(input),
    value: input.value ?? null,
    currency: input.currency?.toUpperCase() ?? null,
    distinctId,
    anonymousId: input.anonymous_id ?? null,
    properties: input.properties ?? null,
  }
}
