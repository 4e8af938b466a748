// The ways in that an account has.
import type { Account } from '#features/workspace/accounts/index.ts'
import type { Db } from '#kernel/db/db.ts'
import { comparisonKey } from '#kernel/db/text.ts'
import type { AccessDeps } from './deps.ts'

export interface WaysInDeps extends Pick<AccessDeps, 'sendsMail' | 'secondFactorsOf'> {
  /** True if the account can sign in by single sign-on. */
  readonly hasSingleSignOn: (tx: Db, accountId: string) => Promise<boolean>
}

/** The owner whom the operator has not named gets an address at set-up. */
export const isPlaceholder = (email: string): boolean => comparisonKey(email).endsWith('@localhost')

export async function hasWayIn(tx: Db, account: Account, deps: WaysInDeps): Promise<boolean> {
  if (account.hasPassword || (deps.sendsMail && !isPlaceholder(account.email))) return true
  const factors = await deps.secondFactorsOf(tx, account.id)
  return factors.includes('passkey') || deps.hasSingleSignOn(tx, account.id)
}
