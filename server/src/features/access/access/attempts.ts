// How often a password or a code can be wrong: per account, per browser of its own, and per network of clients.
import { hash } from 'node:crypto'
import { minute } from '#kernel/base/durations.ts'
import { apiError } from '#kernel/base/errors.ts'
import { newRow } from '#kernel/base/ids.ts'
import { KeyedQueue } from '#kernel/base/queues.ts'
import { networkOf } from '#kernel/base/rate-limits.ts'
import type { Db } from '#kernel/db/db.ts'
import { comparisonKey } from '#kernel/db/text.ts'
import { deleteFailure, deleteFailures, failuresSince, insertFailure, lockAttempts } from './queries.ts'
import { isOwnBrowser } from './sessions/queries.ts'
import type { SignInClient } from './sessions/rules.ts'
import { sentBrowserHash } from './tokens.ts'

const countedMilliseconds = 15 * minute

const limits = { account: 10, browser: 10, network: 30 } as const

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

/** Counts wrong tries of a network alone, for secrets that cannot be guessed, such as passkeys. */
export const checkInNetwork = <T>(
  db: Db,
  client: Pick<SignInClient, 'address'>,
  verify: () => Promise<T | null>,
): Promise<T | null> => {
  const network = keyOf('network', networkOf(client.address))
  return networks.run(network.toString('hex'), async () => {
    await refuseIfReached(db, network, limits.network)
    const value = await verify()
    const { id, now } = newRow()
    if (value === null) await db.query(insertFailure(network, id, now))
    return value
  })
}

/** One address from one browser. The address can be one that no account has: the answers are the same. */
export class SignInAttempts {
  readonly #email: string
  readonly #browserHash: Buffer
  readonly #account: Buffer
  readonly #browser: Buffer
  readonly #network: Buffer

  constructor(email: string, client: Pick<SignInClient, 'address' | 'headers'>, publicUrl: string) {
    const key = comparisonKey(email)
    this.#email = email
    this.#browserHash = sentBrowserHash(client, publicUrl)
    this.#account = keyOf('account', key)
    this.#browser = keyOf('browser', `${this.#browserHash.toString('hex')} ${key}`)
    this.#network = keyOf('network', networkOf(client.address))
  }

  /**
   * Checks a password or a code; `verify` returns null when it is wrong. Only wrong ones count. Throws 429, without a
   * check, when there were too many. `db` must not be a transaction: its rollback would undo the count.
   */
  async check<T>(db: Db, verify: () => Promise<RightAttempt<T> | null>): Promise<T | null> {
    // Strangers can use up the tries of the account. The person's own browsers have tries of their own.
    const isOwn = await isOwnBrowser(db, this.#email, this.#browserHash)
    const key = isOwn ? this.#browser : this.#account
    const limit = isOwn ? limits.browser : limits.account
    return networks.run(this.#network.toString('hex'), () =>
      accounts.run(key.toString('hex'), () => this.#checkNext(db, key, limit, verify)),
    )
  }

  /** After a new password: wrong tries for the old one do not hold up the person. */
  async forget(tx: Db): Promise<void> {
    for (const key of [this.#account, this.#browser]) await tx.query(deleteFailures(key))
  }

  async #checkNext<T>(
    db: Db,
    key: Buffer,
    limit: number,
    verify: () => Promise<RightAttempt<T> | null>,
  ): Promise<T | null> {
    await refuseIfReached(db, this.#network, limits.network)
    const { id, now } = newRow()
    // Counted before the check and taken back after it: other processes have queues of their own.
    await db.transaction(async tx => {
      await tx.query(lockAttempts(key))
      await refuseIfReached(tx, key, limit)
      await tx.query(insertFailure(key, id, now))
    })
    const takeBack = () => db.query(deleteFailure(key, id))
    const right = await verify().catch(async error => {
      await takeBack()
      throw error
    })
    if (right === null) {
      await db.query(insertFailure(this.#network, id, now))
      return null
    }
    if (right.isComplete) await db.query(deleteFailures(key))
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
