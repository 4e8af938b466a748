// What every change of second factors has in common: who is allowed to make it, and what follows it.
import {
  type Account,
  type AccountHolder,
  auditAccount,
  browserOf,
  checkRecentSignIn,
  endSessionsOf,
  hasWayIn,
  lockAccount,
  renewSession,
  type SignInClient,
} from '#features/access/access/index.ts'
import { apiError, orNotFound } from '#kernel/base/errors.ts'
import { networkOf } from '#kernel/base/rate-limits.ts'
import type { Db } from '#kernel/db/db.ts'
import type { SecondFactorDeps } from './deps.ts'
import { secondFactorsOf } from './factors.ts'
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes/codes.ts'
import { countRecoveryCodes, deleteRecoveryCodes, insertRecoveryCodes } from './recovery-codes/queries.ts'

/**
 * Locks the account, so that changes of its factors happen one after the other. A pending session can set up the first
 * factor, where a workspace requires one; it must not touch the factors of an account that has some.
 */
export async function beginChange(tx: Db, by: AccountHolder): Promise<Account> {
  const account = orNotFound(await lockAccount(tx, by.accountId))
  if (by.isPending && (await secondFactorsOf(tx, by.accountId)).length > 0)
    throw apiError('second_factor_required')
  await checkRecentSignIn(tx, by.sessionId)
  return account
}

export interface FactorChange {
  readonly factor: 'totp' | 'passkey' | 'recovery_codes'
  readonly change: 'added' | 'removed'
}

/** `client` is null for changes by the operator, without a session. */
export async function announceChange(
  tx: Db,
  account: Account,
  { factor, change }: FactorChange,
  client: SignInClient | null,
  deps: SecondFactorDeps,
): Promise<void> {
  if (!deps.sendsMail) return
  await deps.enqueueAccountMail(tx, 'second_factor_changed', {
    to: account.email,
    name: account.name,
    locale: account.locale,
    workspaceId: null,
    data: {
      factor,
      change,
      at: new Date(),
      browser: client && browserOf(client.userAgent),
      network: client && networkOf(client.address),
    },
  })
}

/** Ends the other sessions and tells the person. Returns the Set-Cookie header with the new token of this session. */
export async function finishChange(
  tx: Db,
  account: Account,
  by: AccountHolder,
  change: FactorChange,
  deps: SecondFactorDeps,
): Promise<string> {
  const { accountId, sessionId, requestId, client } = by
  await auditAccount(tx, accountId, {
    action: `second_factor.${change.change}`,
    resourceId: accountId,
    sessionId,
    requestId,
  })
  await endSessionsOf(tx, accountId, sessionId, { sessionId, requestId })
  await announceChange(tx, account, change, client, deps)
  // The person has just shown the new factor.
  const isGiven = change.change === 'added' && change.factor !== 'recovery_codes'
  return renewSession(tx, { sessionId, account }, client, deps, isGiven ? 'given' : 'unchanged')
}

/** An account gets recovery codes with its first factor. Empty when it has some. */
export const firstRecoveryCodes = async (tx: Db, accountId: string): Promise<readonly string[]> =>
  (await countRecoveryCodes(tx, accountId)) > 0 ? [] : replaceRecoveryCodes(tx, accountId)

export async function replaceRecoveryCodes(tx: Db, accountId: string): Promise<readonly string[]> {
  const codes = newRecoveryCodes()
  await deleteRecoveryCodes(tx, accountId)
  await insertRecoveryCodes(
    tx,
    accountId,
    codes.map(code => hashRecoveryCode(accountId, code)),
  )
  return codes
}

/** To be called after a factor was deleted, in the same transaction: throws where it was needed. */
export async function checkRemoval(tx: Db, account: Account, deps: SecondFactorDeps): Promise<void> {
  if (!(await hasWayIn(tx, account, deps))) throw apiError('last_way_in')
  if ((await secondFactorsOf(tx, account.id)).length > 0) return
  const { secondFactorWorkspaces } = await deps.signInPolicyOf(tx, account.id)
  if (secondFactorWorkspaces.length > 0)
    throw apiError('second_factor_required', {
      message: 'A workspace of this account requires a second factor; add another one first.',
    })
  await deleteRecoveryCodes(tx, account.id)
}
