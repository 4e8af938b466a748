// A check against PostgreSQL that many requests need: one run at a time serves all of them, and no request waits long.
import { apiError } from './errors.ts'

const freshMilliseconds = 1_000

/**
 * Runs at most once a second, and never while another run is pending: all requests share the last run. A request gets
 * 503 when the run has not ended after `timeoutMilliseconds`.
 */
export function createSharedCheck<T>(run: () => Promise<T>, timeoutMilliseconds: number): () => Promise<T> {
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
    return within(timeoutMilliseconds, last)
  }
}

function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const timer = setTimeout(() => reject(apiError('unavailable')), milliseconds)
  work.then(resolve, reject).finally(() => clearTimeout(timer))
  return promise
}
