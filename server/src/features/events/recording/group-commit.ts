// Group commit: what many requests bring is committed together, and each is answered after that. Under load a group forms
// by itself, while the one before it is on its way.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { ApiError, apiError } from '#kernel/errors.ts'

export interface GroupSize {
  readonly events: number
  readonly bytes: number
}

export interface GroupEntry<Item> {
  readonly item: Item
  readonly size: GroupSize
  /** Resolves after the commit. */
  readonly done: Promise<void>
  state: 'queued' | 'taken' | 'withdrawn'
  /** The session that it was sent over, once it was sent. */
  session: string | null
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export interface GroupOptions<Item> {
  /** All or nothing. `sent` is told before anything leaves this process. */
  readonly commit: (items: readonly Item[], sent: (session: string) => void) => Promise<void>
  /** Of all that is not decided yet, be it queued or under way; and of one group. */
  readonly atMost: GroupSize & { readonly perGroup: number }
  /** Groups that are on their way at once. */
  readonly atOnce?: number
  readonly committed?: (items: readonly Item[]) => void
}

export interface GroupCommit<Item> {
  /** Throws `unavailable` when too much waits already. */
  add(item: Item, size: GroupSize): GroupEntry<Item>
  /** Takes back what has not been sent. */
  withdraw(entry: GroupEntry<Item>): boolean
  /** Events that are not decided yet. */
  readonly waiting: () => number
  /** When what was sent over this session is decided; null when the session is none of ours. */
  settled(session: string): Promise<void> | null
  /** Waits for what is queued, for at most so many milliseconds; what is left is refused. */
  close(patience: number): Promise<void>
}

const full = () =>
  apiError('unavailable', {
    message: 'More is being recorded than can be written right now; try again shortly.',
    headers: { 'Retry-After': '1' },
  })

/** What is wrong with one row must not be the fault of its neighbours. */
export const isDataFault = (error: unknown): boolean =>
  error instanceof Error && /^2[23]/.test((error as { code?: string }).code ?? '')

/** A little time for requests that arrive together. */
const gathering = 1
const recovering = 100
const tolerable = 1_000

export function createGroupCommit<Item>(options: GroupOptions<Item>): GroupCommit<Item> {
  const { commit, atMost, atOnce = 1, committed } = options
  // Not a Set: with one, small collections of garbage took twice as long (docs/performance.md).
  let queue: GroupEntry<Item>[] = []
  const underWay = new Map<string, Promise<void>>()
  const held = { events: 0, bytes: 0 }
  let withdrawn = 0
  let busy = 0
  let closed = false
  let idle = Promise.withResolvers<void>()

  function take(): GroupEntry<Item>[] {
    const group: GroupEntry<Item>[] = []
    let events = 0
    let looked = 0
    for (const entry of queue) {
      if (entry.state === 'queued') {
        events += entry.size.events
        if (group.length > 0 && events > atMost.perGroup) break
        entry.state = 'taken'
        group.push(entry)
      } else withdrawn--
      looked++
    }
    queue = queue.slice(looked)
    return group
  }

  function release({ size }: GroupEntry<Item>): void {
    held.events -= size.events
    held.bytes -= size.bytes
  }

  async function send(group: readonly GroupEntry<Item>[]): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    let used = ''
    const sent = (session: string) => {
      used = session
      underWay.set(session, promise)
      for (const entry of group) entry.session = session
    }
    try {
      await commit(
        group.map(entry => entry.item),
        sent,
      )
    } catch (error) {
      // The session was lost, and nobody here knows what became of it.
      if (error instanceof ApiError) underWay.delete(used)
      throw error
    } finally {
      resolve()
    }
  }

  async function deliver(group: readonly GroupEntry<Item>[]): Promise<void> {
    try {
      await send(group)
      group.forEach(release)
      for (const entry of group) entry.resolve()
      committed?.(group.map(entry => entry.item))
    } catch (error) {
      if (isDataFault(error) && group.length > 1) for (const entry of group) await deliver([entry])
      else {
        group.forEach(release)
        for (const entry of group) entry.reject(error)
        // Whoever comes while the store is away waits a moment instead of knocking once more.
        if (error instanceof ApiError && !closed) await sleep(recovering)
      }
    }
  }

  async function work(): Promise<void> {
    if (!closed) await sleep(gathering)
    while (queue.length > 0) {
      await deliver(take())
      // Answers leave first, and what has come meanwhile joins: fewer groups, and larger ones.
      await nextTurn()
    }
    busy--
    if (busy === 0) {
      idle.resolve()
      idle = Promise.withResolvers()
    }
  }

  return {
    add(item, size) {
      if (closed || held.events + size.events > atMost.events || held.bytes + size.bytes > atMost.bytes)
        throw full()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const entry: GroupEntry<Item> = {
        item,
        size,
        done: promise,
        state: 'queued',
        session: null,
        resolve,
        reject,
      }
      queue.push(entry)
      held.events += size.events
      held.bytes += size.bytes
      if (busy < atOnce) {
        busy++
        void work()
      }
      return entry
    },
    withdraw(entry) {
      if (entry.state !== 'queued') return false
      entry.state = 'withdrawn'
      release(entry)
      // They stand in the queue until it is their turn: not for ever, when nobody's turn comes.
      if (++withdrawn > tolerable && withdrawn > queue.length / 2) {
        queue = queue.filter(one => one.state === 'queued')
        withdrawn = 0
      }
      return true
    },
    waiting: () => held.events,
    settled: session => underWay.get(session) ?? null,
    async close(patience) {
      closed = true
      if (busy > 0) await Promise.race([idle.promise, sleep(patience)])
      for (const entry of queue) {
        if (entry.state !== 'queued') continue
        release(entry)
        entry.reject(full())
      }
      queue = []
      withdrawn = 0
    },
  }
}
