// For work that takes much memory or time: a few tasks run at once, some wait, and the rest are refused with 503.
import { apiError } from './errors.ts'

export interface BoundedQueueOptions {
  readonly atOnce: number
  readonly waiting: number
  /** A task waits at most this long; without it, until a slot is free. */
  readonly waitMilliseconds?: number
  /** Of the refusal. */
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
    // A task is either in the queue or has a slot: checking and removing are one synchronous step.
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
