// Work that is dear in memory or time: a few at once, some waiting, the rest told to come back.
import { apiError } from './errors.ts'

export interface BoundedQueueOptions {
  readonly atOnce: number
  readonly waiting: number
  /** How long one waits at most; unset: until it is its turn. */
  readonly waitMilliseconds?: number
  /** What the rest are told. */
  readonly message?: string
}

export type BoundedQueue = <T>(work: () => Promise<T>) => Promise<T>

export function createBoundedQueue({
  atOnce,
  waiting,
  waitMilliseconds,
  message = 'Too many pictures are being drawn; try again shortly.',
}: BoundedQueueOptions): BoundedQueue {
  let working = 0
  const line: (() => void)[] = []
  const refusal = () => apiError('unavailable', { message, headers: { 'Retry-After': '2' } })
  const wait = (): Promise<void> => {
    if (line.length >= waiting) return Promise.reject(refusal())
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    line.push(resolve)
    if (waitMilliseconds === undefined) return promise
    // It is in the line, or has a place: whether it leaves is decided in one step.
    const timer = setTimeout(() => {
      const at = line.indexOf(resolve)
      if (at === -1) return
      line.splice(at, 1)
      reject(refusal())
    }, waitMilliseconds)
    return promise.finally(() => clearTimeout(timer))
  }
  return async work => {
    if (working < atOnce) working++
    // Whoever is done hands the place on: nobody can slip in between.
    else await wait()
    try {
      return await work()
    } finally {
      const next = line.shift()
      if (next) next()
      else working--
    }
  }
}
