import { type Answer, ok, okWith } from '#kernel/routes.ts'
import type { Teammate } from '../queries.ts'
import type { ProfileChangeView } from './queries.ts'

/** A teammate, with the values of the request that wait for an approval beside it. */
export const answerWith = (teammate: Teammate, pending: readonly ProfileChangeView[]): Answer =>
  pending.length === 0 ? ok(teammate) : okWith(teammate, { pending_changes: pending })
