// Group commit: what many requests bring is committed together, and each is answered after that. Under load a group forms
// by itself, while the one before it is on its way.
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, apiError } from '../../kernel/errors.ts'

export interface Entry<Item> {
  readonly item: Item
  readonly bytes: number
  /** Resolves after the commit. */
  readonly done: Promise<void>
  /** The session that it was sent over, once it was sent. */
  session: string | null
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export interface GroupOptions<Item> {
  /** All or nothing. `sent` is told before anything leaves this process. */
  readonly commit: (items: readonly Item[], sent: (session: string) => void) => Promise<void>
  readonly atMost: { readonly entries: number; readonly bytes: number; readonly perGroup: number }
  /** Groups that are on their way at once. */
  readonly atOnce?: number
  readonly committed?: (items: readonly Item[]) => void
}

export interface Groups<Item> {
  /** Throws `unavailable` when too much waits already. */
  add(item: Item, bytes: number): Entry<Item>
  /** Takes back what has not been sent. */
  withdraw(entry: Entry<Item>): boolean
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
const isDataFault = (error: unknown): boolean =>
  error instanceof Error && /^2[23]/.test((error as { code?: string }).code ?? '')

/** A little time for requests that arrive together. */
const gathering = 1
const recovering = 100

export function createGroups<Item>(options: GroupOptions<Item>): Groups<Item> {
  const { commit, atMost, atOnce = 1, committed } = options
  const queue = new Set<Entry<Item>>()
  const underWay = new Map<string, Promise<void>>()
  let bytes = 0
  let busy = 0
  let closed = false
  let idle = Promise.withResolvers<void>()

  function take(): Entry<Item>[] {
    const group: Entry<Item>[] = []
    for (const entry of queue) {
      if (group.length >= atMost.perGroup) break
      queue.delete(entry)
      bytes -= entry.bytes
      group.push(entry)
    }
    return group
  }

  async function send(group: readonly Entry<Item>[]): Promise<void> {
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

  async function deliver(group: readonly Entry<Item>[]): Promise<void> {
    try {
      await send(group)
      for (const entry of group) entry.resolve()
      committed?.(group.map(entry => entry.item))
    } catch (error) {
      if (isDataFault(error) && group.length > 1) for (const entry of group) await deliver([entry])
      else {
        for (const entry of group) entry.reject(error)
        // Whoever comes while the store is away waits a moment instead of knocking once more.
        if (error instanceof ApiError && !closed) await sleep(recovering)
      }
    }
  }

  async function work(): Promise<void> {
    if (!closed) await sleep(gathering)
    while (queue.size > 0) await deliver(take())
    busy--
    if (busy === 0) {
      idle.resolve()
      idle = Promise.withResolvers()
    }
  }

  return {
    add(item, size) {
      if (closed || queue.size >= atMost.entries || bytes + size > atMost.bytes) throw full()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const entry = { item, bytes: size, done: promise, session: null, resolve, reject }
      queue.add(entry)
      bytes += size
      if (busy < atOnce) {
        busy++
        void work()
      }
      return entry
    },
    withdraw(entry) {
      const taken = queue.delete(entry)
      if (taken) bytes -= entry.bytes
      return taken
    },
    waiting: () => queue.size,
    settled: session => underWay.get(session) ?? null,
    async close(patience) {
      closed = true
      if (busy > 0) await Promise.race([idle.promise, sleep(patience)])
      for (const entry of queue) entry.reject(full())
      queue.clear()
    },
  }
}
