// A queue whose slots go around between keys, for example workspaces: a key with many tasks does not delay the others by
// more than one task.
import { apiError } from './errors.ts'

export interface FairQueueOptions {
  readonly atOnce: number
  /** Tasks of one key that wait. Further ones are refused with 503. */
  readonly waitingPerKey: number
  /** Tasks of all keys that wait. */
  readonly waiting: number
  /** The message of the 503. */
  readonly message: string
}

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
