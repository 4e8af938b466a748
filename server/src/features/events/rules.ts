// What integrators and browsers tell, on its way to becoming events: told once, put down to a click, and to a person.
import type { Db } from '#kernel/db.ts'
import { newRow } from '#kernel/ids.ts'
import type { EventOutcome, EventSource, NewEvent } from './event.ts'
import { type Click, claimEventIds, findClicks, insertEvents } from './queries.ts'
import type { EventInput } from './schemas.ts'
import { visitorsOf } from './visitors.ts'

export interface Submission {
  readonly workspaceId: string
  readonly told: EventInput
  readonly source: EventSource
  readonly outcome: EventOutcome
}

/** How long after a click an event is put down to it. */
const attributed = 30 * 24 * 3600_000

const uuidv7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const anyUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** What is no id at all is not kept: it cannot be one of ours. */
const clickIdOf = ({ click_id }: EventInput): string | null => {
  const id = click_id?.trim().toLowerCase() ?? ''
  return anyUuid.test(id) ? id : null
}

const momentOf = (id: string): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))

async function clicksOf(
  tx: Db,
  workspaceId: string,
  told: readonly EventInput[],
  now: Date,
): Promise<ReadonlyMap<string, Click>> {
  const ids = new Set(told.map(clickIdOf).filter(id => id !== null && uuidv7.test(id)) as string[])
  const recent = [...ids]
    .map(id => ({ id, at: momentOf(id) }))
    .filter(({ at }) => at.getTime() >= now.getTime() - attributed && at.getTime() <= now.getTime() + 60_000)
  return recent.length === 0 ? new Map() : findClicks(tx, workspaceId, recent)
}

/**
 * The first of those that share an event_id, and of those the ones that were never sent before. Anybody can send a
 * beacon, so those have event_ids of their own, and bots none.
 */
async function firstTold(
  tx: Db,
  workspaceId: string,
  submissions: readonly Submission[],
  now: Date,
): Promise<readonly Submission[]> {
  const claiming = submissions.filter(({ told, outcome }) => told.event_id && outcome === 'counted')
  const unheard = new Map<EventSource, Set<string>>()
  // In one order for everybody, as within each.
  for (const source of ['api', 'beacon'] as const) {
    const ids = new Set(claiming.filter(one => one.source === source).map(({ told }) => told.event_id ?? ''))
    if (ids.size > 0) unheard.set(source, await claimEventIds(tx, workspaceId, source, [...ids], now))
  }
  const claimed = new Set(claiming)
  return submissions.filter(
    one => !claimed.has(one) || unheard.get(one.source)?.delete(one.told.event_id ?? ''),
  )
}

/** Nothing but the event itself is written: such events of one workspace are one insert, which needs no transaction. */
export const isSingleWrite = ({ told }: Submission): boolean =>
  !told.event_id && !told.traits && !(told.user_id && told.anonymous_id)

/** Of one workspace, in the order in which they were told; all in the caller's transaction. */
export async function recordSubmissions(
  tx: Db,
  workspaceId: string,
  submissions: readonly Submission[],
): Promise<void> {
  const now = new Date()
  const fresh = await firstTold(tx, workspaceId, submissions, now)
  if (fresh.length === 0) return
  const told = fresh.map(one => one.told)
  const clicks = await clicksOf(tx, workspaceId, told, now)
  const visitors = await visitorsOf(tx, workspaceId, fresh)
  const events = fresh.map(one => eventOf(workspaceId, one.told, one.outcome, visitors.meet(one), clicks))
  await visitors.keep(now)
  await insertEvents(tx, workspaceId, events)
}

function eventOf(
  workspaceId: string,
  told: EventInput,
  outcome: EventOutcome,
  distinctId: string | null,
  clicks: ReadonlyMap<string, Click>,
): NewEvent {
  const { id, now: recordedAt } = newRow()
  const clickId = clickIdOf(told)
  const { id: _, ...from } = clicks.get(clickId ?? '') ?? { id: null }
  return {
    ...from,
    workspaceId,
    id,
    recordedAt,
    name: told.name,
    outcome,
    clickId,
    value: told.value ?? null,
    currency: told.currency?.toUpperCase() ?? null,
    distinctId,
    anonymousId: told.anonymous_id ?? null,
    properties: told.properties ?? null,
  }
}
