// The seat limit: every way in which a teammate becomes active asks here first, in its own transaction.

import type { Caller } from '#kernel/api/scopes.ts'
import { type ApiError, apiError, type Detail, detail, invalid } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { lockSeatCount, readSeatCount, type SeatCount, updateSeatLimit } from './queries.ts'

/** The seats that a transaction can still give. */
export class FreeSeats {
  readonly limit: number
  #left: number

  constructor(count: SeatCount | undefined) {
    this.limit = count?.limit ?? Number.POSITIVE_INFINITY
    this.#left = count ? Math.max(0, count.limit - count.used) : Number.POSITIVE_INFINITY
  }

  get left(): number {
    return this.#left
  }

  /** False when no seat is left. */
  take(): boolean {
    if (this.#left < 1) return false
    this.#left--
    return true
  }

  get message(): string {
    return this.limit === 1 ? 'The only seat is taken.' : `All ${this.limit} seats are taken.`
  }

  /** For one row of many. */
  get problem(): Detail {
    return detail('email', 'invalid', { message: `email gets no seat: ${this.message}` })
  }
}

/**
 * Before rows of teammates are locked: transactions that wait for seats must not hold them. `takenBefore`: seats that
 * are taken and not stored, as in a dry run.
 */
export async function lockFreeSeats(tx: Db, workspaceId: string, takenBefore = 0): Promise<FreeSeats> {
  const count = await lockSeatCount(tx, workspaceId)
  return new FreeSeats(count && { ...count, used: count.used + takenBefore })
}

/** `freedBefore`: seats that people would free, as in a preview. */
export async function readFreeSeats(db: Db, workspaceId: string, freedBefore = 0): Promise<FreeSeats> {
  const count = await readSeatCount(db, workspaceId)
  return new FreeSeats(count && { ...count, used: count.used - freedBefore })
}

export const noSeatLeft = ({ message }: Pick<FreeSeats, 'message'>, publicUrl: string): ApiError =>
  apiError('plan_upgrade_required', {
    message: `${message} Deactivate people who need no signature, or ask for more seats.`,
    remediation: {
      action: 'upgrade_plan',
      dashboard_url: `${publicUrl}/settings/billing`,
      message: 'The operator of this service sets the number of seats. Ask for more, or deactivate people.',
    },
  })

const mostSeats = 10_000_000

/** Null removes the limit. People who are active stay active, also above the limit. */
export async function changeSeatLimit(db: Db, by: Caller, limit: number | null): Promise<void> {
  if (limit !== null && !Number.isInteger(limit)) throw invalid('limit', 'invalid_type')
  if (limit !== null && (limit < 0 || limit > mostSeats)) throw invalid('limit', 'out_of_range')
  await updateSeatLimit(db, by, limit)
}
