// How often a password or a code can be wrong: per account, and per network of clients.
import { hash } from 'node:crypto'
import type { Db } from '#kernel/db.ts'
import { apiError } from '#kernel/errors.ts'
import { newRow } from '#kernel/ids.ts'
import { KeyedQueue } from '#kernel/keyed-queue.ts'
import { comparisonKey } from '#kernel/text.ts'
import { deleteFailure, deleteFailures, failuresSince, insertFailure, lockAttempts } from './queries.ts'

const countedMilliseconds = 15 * 60_000

const limits = { account: 10, network: 30 } as const

const keyOf = (kind: keyof typeof limits, text: string): Buffer => hash('sha256', `${kind} ${text}`, 'buffer')

const queueOf = (atOnce: number): KeyedQueue =>
  new KeyedQueue({
    atOnce,
    waiting: 200,
    waitMilliseconds: 20_000,
    message: 'Too many sign-ins at once; try again shortly.',
  })

// A check that is under way is neither right nor wrong yet. The next one for the same account waits for it, so that many
// right passwords at once are not refused, and many wrong ones get no more tries than one after the other.
const accounts = queueOf(1)
// Colleagues share a network: it can exceed its limit by the number of checks at once, less one.
const networks = queueOf(4)

/** A right password or code. */
export interface RightAttempt<T> {
  readonly value: T
  /** The sign-in is complete: earlier failures of the account are forgotten. While a factor is missing they count on. */
  readonly isComplete: boolean
}

/** One address from one network. The address can be one that no account has: the answers are the same. */
export class SignInAttempts {
  readonly #account: Buffer
  readonly #network: Buffer

  constructor(email: string, clientNetwork: string) {
    this.#account = keyOf('account', comparisonKey(email))
    this.#network = keyOf('network', clientNetwork)
  }

  /**
   * Checks a password or a code; `verify` returns null when it is wrong. Only wrong ones count. Throws 429, without a
   * check, when there were too many. `db` must not be a transaction: its rollback would undo the count.
   */
  check<T>(db: Db, verify: () => Promise<RightAttempt<T> | null>): Promise<T | null> {
    return networks.run(this.#network.toString('hex'), () =>
      accounts.run(this.#account.toString('hex'), () => this.#checkNext(db, verify)),
    )
  }

  async #checkNext<T>(db: Db, verify: () => Promise<RightAttempt<T> | null>): Promise<T | null> {
    await refuseIfReached(db, this.#network, limits.network)
    const { id, now } = newRow()
    // Counted before the check and taken back after it: other processes have queues of their own.
    await db.transaction(async tx => {
      await tx.query(lockAttempts(this.#account))
      await refuseIfReached(tx, this.#account, limits.account)
      await tx.query(insertFailure(this.#account, id, now))
    })
    const takeBack = () => db.query(deleteFailure(this.#account, id))
    const right = await verify().catch(async error => {
      await takeBack()
      throw error
    })
    if (right === null) {
      await db.query(insertFailure(this.#network, id, now))
      return null
    }
    if (right.isComplete) await db.query(deleteFailures(this.#account))
    else await takeBack()
    return right.value
  }
}

async function refuseIfReached(db: Db, key: Buffer, limit: number): Promise<void> {
  const failures = await failuresSince(db, key, new Date(Date.now() - countedMilliseconds))
  // When this one counts no longer, there is room for another.
  const last = failures[limit - 1]
  if (!last) return
  const seconds = Math.ceil((last.failed_at.getTime() + countedMilliseconds - Date.now()) / 1000)
  throw apiError('too_many_attempts', { headers: { 'Retry-After': String(Math.max(1, seconds)) } })
}
