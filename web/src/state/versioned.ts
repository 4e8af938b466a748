// What the API answers, with its version. Apart from `useResource`: the frame needs it too.
import type { Call } from '@signoff/sdk'

export interface Versioned<Data> {
  readonly data: Data
  readonly etag: string | undefined
  /** Number of changes that wait for an approval: only of people who change their own values. */
  readonly waitingChanges?: number
}

/** The answer of a call, with the version for `If-Match`. */
export async function versioned<Data>(call: Call<Data>): Promise<Versioned<Data>> {
  const { body, headers } = await call.raw()
  const waiting = 'pending_changes' in body && Array.isArray(body.pending_changes) ? body.pending_changes : []
  return { data: body.data, etag: headers.get('etag') ?? undefined, waitingChanges: waiting.length }
}
