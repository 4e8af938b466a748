// Group commit: the items of many requests are committed together, and each request is answered after that commit.
// Under load a group forms by itself, while the group before it is being committed.
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { ApiError, apiError } from '#kernel/base/errors.ts'

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
  /** The session over which the entry was sent; null until then. */
  session: string | null
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export interface GroupOptions<Item> {
  /** Commits all items or none. It must call `onSent` before anything leaves this process. */
  readonly commit: (items: readonly Item[], onSent: (session: string) => void) => Promise<void>
  /**
   * `events` and `bytes` count all entries that are queued or being committed; `perGroup` counts the events of one
   * group.
   */
  readonly limits: GroupSize & { readonly perGroup: number }
  /** Groups that are committed at the same time. */
  readonly concurrency?: number
  readonly onCommitted?: (items: readonly Item[]) => void
}

const full = () =>
  apiError('unavailable', {
    message: 'More is being recorded than can be written right now; try again shortly.',
    headers: { 'Retry-After': '1' },
  })

/** PostgreSQL refused a row for its content (class 22 or 23). The other rows of its group are then tried one by one. */
export const isDataFault = (error: unknown): boolean =>
  error instanceof Error && /^2[23]/.test((error as { code?: string }).code ?? '')

/** Requests that arrive within this time join the first group. */
const gatheringMilliseconds = 1
/** The pause after PostgreSQL could not be reached. */
const recoveringMilliseconds = 100
/** So many withdrawn entries can stay in the queue. */
const toleratedWithdrawals = 1_000

export class GroupCommit<Item> {
  readonly #commit: GroupOptions<Item>['commit']
  readonly #limits: GroupOptions<Item>['limits']
  readonly #concurrency: number
  readonly #onCommitted: GroupOptions<Item>['onCommitted']
  // Not a Set: with a Set, minor garbage collections took twice as long (11–18 ms, now 4–8).
  #queue: GroupEntry<Item>[] = []
  /** By session: resolves when the group that was sent over it is committed or refused. */
  readonly #sent = new Map<string, Promise<void>>()
  /** Number of events of all entries that are queued or being committed. */
  #events = 0
  #bytes = 0
  /** Entries of the queue that are withdrawn. */
  #withdrawn = 0
  #workers = 0
  #isClosed = false
  #idle = Promise.withResolvers<void>()

  constructor({ commit, limits, concurrency = 1, onCommitted }: GroupOptions<Item>) {
    this.#commit = commit
    this.#limits = limits
    this.#concurrency = concurrency
    this.#onCommitted = onCommitted
  }

  /** Events that are queued or being committed. */
  get waiting(): number {
    return this.#events
  }

  /** Throws `unavailable` when the limits are reached. */
  add(item: Item, size: GroupSize): GroupEntry<Item> {
    const { events, bytes } = this.#limits
    if (this.#isClosed || this.#events + size.events > events || this.#bytes + size.bytes > bytes)
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
    this.#queue.push(entry)
    this.#events += size.events
    this.#bytes += size.bytes
    if (this.#workers < this.#concurrency) {
      this.#workers++
      void this.#work()
    }
    return entry
  }

  /** Removes an entry that was not taken into a group yet; false if it was. */
  withdraw(entry: GroupEntry<Item>): boolean {
    if (entry.state !== 'queued') return false
    entry.state = 'withdrawn'
    this.#release(entry)
    // Withdrawn entries stay in the queue until a group is taken. While no group is taken, this keeps them from piling
    // up.
    if (++this.#withdrawn > toleratedWithdrawals && this.#withdrawn > this.#queue.length / 2) {
      this.#queue = this.#queue.filter(queued => queued.state === 'queued')
      this.#withdrawn = 0
    }
    return true
  }

  /**
   * Resolves when the group that was sent over this session is committed or refused. Null: not a session of ours, or
   * lost.
   */
  settled(session: string): Promise<void> | null {
    return this.#sent.get(session) ?? null
  }

  /** Waits for queued entries, for at most so many milliseconds, and refuses the rest. */
  async close(timeoutMilliseconds: number): Promise<void> {
    this.#isClosed = true
    if (this.#workers > 0) await Promise.race([this.#idle.promise, sleep(timeoutMilliseconds)])
    for (const entry of this.#queue) {
      if (entry.state !== 'queued') continue
      this.#release(entry)
      entry.reject(full())
    }
    this.#queue = []
    this.#withdrawn = 0
  }

  async #work(): Promise<void> {
    if (!this.#isClosed) await sleep(gatheringMilliseconds)
    while (this.#queue.length > 0) {
      await this.#commitAndAnswer(this.#take())
      // The answers leave first, and requests that have arrived meanwhile join the next group: fewer and larger groups.
      await setImmediate()
    }
    this.#workers--
    if (this.#workers === 0) {
      this.#idle.resolve()
      this.#idle = Promise.withResolvers()
    }
  }

  #take(): GroupEntry<Item>[] {
    const group: GroupEntry<Item>[] = []
    let events = 0
    let taken = 0
    for (const entry of this.#queue) {
      if (entry.state === 'queued') {
        events += entry.size.events
        if (group.length > 0 && events > this.#limits.perGroup) break
        entry.state = 'taken'
        group.push(entry)
      } else this.#withdrawn--
      taken++
    }
    this.#queue = this.#queue.slice(taken)
    return group
  }

  async #commitAndAnswer(group: readonly GroupEntry<Item>[]): Promise<void> {
    try {
      await this.#send(group)
      for (const entry of group) this.#release(entry)
      for (const entry of group) entry.resolve()
      this.#onCommitted?.(group.map(entry => entry.item))
    } catch (error) {
      if (isDataFault(error) && group.length > 1)
        for (const entry of group) await this.#commitAndAnswer([entry])
      else {
        for (const entry of group) this.#release(entry)
        for (const entry of group) entry.reject(error)
        // While PostgreSQL cannot be reached, new entries wait a moment instead of causing another attempt at once.
        if (error instanceof ApiError && !this.#isClosed) await sleep(recoveringMilliseconds)
      }
    }
  }

  async #send(group: readonly GroupEntry<Item>[]): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    let used = ''
    const onSent = (session: string) => {
      used = session
      this.#sent.set(session, promise)
      for (const entry of group) entry.session = session
    }
    try {
      await this.#commit(
        group.map(entry => entry.item),
        onSent,
      )
    } catch (error) {
      // The session was lost: this process cannot know whether PostgreSQL has committed the group.
      if (error instanceof ApiError) this.#sent.delete(used)
      throw error
    } finally {
      resolve()
    }
  }

  #release({ size }: GroupEntry<Item>): void {
    this.#events -= size.events
    this.#bytes -= size.bytes
  }
}
