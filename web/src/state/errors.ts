// What a person reads when a request failed.
import { SignoffError } from '@signoff/sdk'

export const isSignoffError = (error: unknown): error is SignoffError => error instanceof SignoffError

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'

/** The sentence of the API, which names the field; it is English. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** True if a second person has changed the resource since it was read. */
export const isStale = (error: unknown): boolean => codeOf(error) === 'stale_resource'
