// A queue with limits, for tasks that take much memory or time: `atOnce` tasks run, `waiting` tasks wait for a slot, and
// every further task is refused with 503.
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
