// Queues by key: tasks with the same key wait for each other, tasks with different keys do not.
import { type BoundedQueue, type BoundedQueueOptions, createBoundedQueue } from './bounded-queue.ts'

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
