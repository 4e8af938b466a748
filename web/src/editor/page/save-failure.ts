import { codeOf, isSignoffError, isStale } from '#state/errors.ts'
import type { SaveTarget } from './autosave.ts'

/** Faults of the network and of the service pass; what the service refuses stays refused. */
export const kindOfFailure: SaveTarget['kindOfFailure'] = error => {
  if (isStale(error)) return 'conflict'
  const isRefused = isSignoffError(error) && error.status >= 400 && error.status < 500
  return isRefused && codeOf(error) !== 'rate_limited' ? 'refused' : 'offline'
}
