// What many requests ask, and PostgreSQL answers: one run at a time for all of them, and nobody waits long.
import { apiError } from './errors.ts'

const freshMilliseconds = 1_000

/**
 * Runs once a second at most, and never a second time while one is pending: all requests share the last run. Each request
 * gets 503 when the run has not ended after `patience` milliseconds.
 */
export function createSharedCheck<T>(run: () => Promise<T>, patience: number): () => Promise<T> {
  let last: Promise<T> | undefined
  let isPending = false
  let began = 0
  const begin = (): Promise<T> => {
    began = performance.now()
    isPending = true
    return run().finally(() => {
      isPending = false
    })
  }
  return () => {
    if (!last || (!isPending && performance.now() - began > freshMilliseconds)) last = begin()
    return within(patience, last)
  }
}

function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const timer = setTimeout(() => reject(apiError('unavailable')), milliseconds)
  work.then(resolve, reject).finally(() => clearTimeout(timer))
  return promise
}
