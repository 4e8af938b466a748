// Queues for tasks that take much memory or time. Tasks above their limits are refused with 503.
import { apiError } from './errors.ts'

export interface BoundedQueueOptions {
  readonly atOnce: number
  readonly waiting: number
  /** A task that has waited this long is refused with 503. Unset: it waits until a slot is free. */
  readonly waitMilliseconds?: number
  /** The message of the 503. */
  readonly message: string
}

export type BoundedQueue = <T>(work: () => Promise<T>) => Promise<T>

/** `atOnce` tasks run, `waiting` tasks wait for a slot, and every further task is refused. */
export function createBoundedQueue({
  atOnce,
  waiting,
  waitMilliseconds,
  message,
}: BoundedQueueOptions): BoundedQueue {
  let running = 0
  const queue: (() => void)[] = []
  const refusal = () => apiError('unavailable', { message, headers: { 'Retry-After': '2' } })
  const wait = (): Promise<void> => {
    if (queue.length >= waiting) return Promise.reject(refusal())
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    queue.push(resolve)
    if (waitMilliseconds === undefined) return promise
    // A task that is not in the queue any more has a slot. The timer looks and removes without an await between, so a task
    // cannot get a slot and be refused.
    const timer = setTimeout(() => {
      const at = queue.indexOf(resolve)
      if (at === -1) return
      queue.splice(at, 1)
      reject(refusal())
    }, waitMilliseconds)
    return promise.finally(() => clearTimeout(timer))
  }
  return async work => {
    if (running < atOnce) running++
    // The finished task passes its slot to the next waiting task, so a new task cannot take it first.
    else await wait()
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running--
    }
  }
}

/** Queues by key: tasks with the same key wait for each other, tasks with different keys do not. */
export class KeyedQueue {
  readonly #options: BoundedQueueOptions
  /** Only of keys with tasks. */
  readonly #queues = new Map<string, { readonly queue: BoundedQueue; tasks: number }>()

  constructor(options: BoundedQueueOptions) {
    this.#options = options
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const entry = this.#queues.get(key) ?? { queue: createBoundedQueue(this.#options), tasks: 0 }
    this.#queues.set(key, entry)
    entry.tasks++
    try {
      return await entry.queue(work)
    } finally {
      entry.tasks--
      if (entry.tasks === 0) this.#queues.delete(key)
    }
  }
}

export interface FairQueueOptions {
  readonly atOnce: number
  /** Tasks of one key that wait. Further ones are refused with 503. */
  readonly waitingPerKey: number
  /** Tasks of all keys that wait. */
  readonly waiting: number
  /** The message of the 503. */
  readonly message: string
}

/**
 * A queue whose slots go around between keys, for example workspaces: a key with many tasks does not delay the others by
 * more than one task.
 */
export class FairQueue {
  readonly #options: FairQueueOptions
  #running = 0
  #waitingCount = 0
  /** The tasks that wait, by key. The first key gets the next slot. */
  readonly #waiting = new Map<string, (() => void)[]>()

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#options.atOnce) this.#running++
    else await this.#wait(key)
    try {
      return await work()
    } finally {
      this.#passSlot()
    }
  }

  #wait(key: string): Promise<void> {
    const { waiting, waitingPerKey, message } = this.#options
    const tasks = this.#waiting.get(key) ?? []
    if (this.#waitingCount >= waiting || tasks.length >= waitingPerKey)
      return Promise.reject(apiError('unavailable', { message, headers: { 'Retry-After': '2' } }))
    const { promise, resolve } = Promise.withResolvers<void>()
    tasks.push(resolve)
    this.#waiting.set(key, tasks)
    this.#waitingCount++
    return promise
  }

  /** The finished task passes its slot to the next waiting task, so a new task cannot take it first. */
  #passSlot(): void {
    const [next] = this.#waiting
    if (!next) {
      this.#running--
      return
    }
    const [key, tasks] = next
    const start = tasks.shift()
    this.#waiting.delete(key)
    if (tasks.length > 0) this.#waiting.set(key, tasks) // now the last key
    this.#waitingCount--
    start?.()
  }
}
