// How often a password or a code can be wrong: per account, and per network of clients.
import { hash } from 'node:crypto'
import type { Db } from '#kernel/db.ts'
import { apiError } from '#kernel/errors.ts'
import { comparisonKey } from '#kernel/text.ts'
import { addFailures, deleteFailures, failuresSince, removeFailure } from './queries.ts'

const minute = 60_000
/** Failures are counted per minute. A minute counts until 15 minutes after its end. */
const counted = 16 * minute

const limits = { account: 10, network: 30 } as const

const keyOf = (kind: keyof typeof limits, text: string): Buffer => hash('sha256', `${kind} ${text}`, 'buffer')

const tooManyAttempts = (untilMilliseconds: number): Error =>
  apiError('too_many_attempts', {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil((untilMilliseconds - Date.now()) / 1000))) },
  })

/** One address from one network. The address can be one that no account has: the answers are the same. */
export class SignInAttempts {
  readonly #account: Buffer
  readonly #network: Buffer

  constructor(email: string, clientNetwork: string) {
    this.#account = keyOf('account', comparisonKey(email))
    this.#network = keyOf('network', clientNetwork)
  }

  /**
   * Counts an attempt before its password is checked: many requests at once get no more attempts than one after the
   * other. Throws 429, and counts nothing, when there were too many. Call `forgive` when the password is right.
   */
  async begin(db: Db): Promise<void> {
    const now = Date.now()
    await db.transaction(async tx => {
      await tx.query(addFailures([this.#account, this.#network], new Date(now - (now % minute))))
      await this.#refuse(tx, 0)
    })
  }

  /** Throws 429 when there were too many failures. */
  async refuseIfTooMany(db: Db): Promise<void> {
    await this.#refuse(db, 1)
  }

  async countFailure(db: Db): Promise<void> {
    const now = Date.now()
    await db.query(addFailures([this.#account, this.#network], new Date(now - (now % minute))))
  }

  /** Takes back the attempt, and forgets the failures of the account. */
  async forgive(db: Db): Promise<void> {
    await db.query(deleteFailures(this.#account))
    await db.query(removeFailure(this.#network))
  }

  /** `next`: attempts that are not counted yet. */
  async #refuse(db: Db, next: number): Promise<void> {
    const since = new Date(Date.now() - counted)
    const windows = await failuresSince(db, [this.#account, this.#network], since)
    for (const [key, limit] of [
      [this.#account, limits.account],
      [this.#network, limits.network],
    ] as const) {
      const own = windows.filter(window => window.key.equals(key))
      let left = own.reduce((sum, { failures }) => sum + failures, next) - limit
      if (left <= 0) continue
      for (const { window_start, failures } of own) {
        left -= failures
        if (left <= 0) throw tooManyAttempts(window_start.getTime() + counted)
      }
    }
  }
}
