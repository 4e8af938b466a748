import {
  type AccountHolder,
  auditAccount,
  auditRefusal,
  findAccount,
  lockAccount,
  renewSession,
  SignInAttempts,
} from '#features/access/access/index.ts'
import { apiError, orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { announceChange, beginChange, checkRemoval, finishChange, replaceRecoveryCodes } from './changes.ts'
import type { SecondFactorDeps } from './deps.ts'
import { secondFactorsOf } from './factors.ts'
import { deletePasskeysOf, passkeysOf } from './passkeys/queries.ts'
import { hashRecoveryCode } from './recovery-codes/codes.ts'
import { countRecoveryCodes, deleteRecoveryCodes, spendRecoveryCode } from './recovery-codes/queries.ts'
import { isTotpCode } from './totp/codes.ts'
import { deleteTotp, findTotp } from './totp/queries.ts'
import { spendTotpCode } from './totp/rules.ts'

export async function listFactors(db: Db, accountId: string): Promise<object> {
  const account = orNotFound(await findAccount(db, accountId))
  const totp = await findTotp(db, accountId)
  return {
    totp: { enabled: totp?.isConfirmed ?? false },
    passkeys: await passkeysOf(db, accountId),
    recovery_codes: { remaining: await countRecoveryCodes(db, accountId) },
    second_factor: await secondFactorsOf(db, accountId),
    has_password: account.hasPassword,
  }
}

/**
 * Completes a sign-in by a code of the app or a recovery code. Wrong ones count together with wrong passwords: six digits
 * can be guessed. Returns the Set-Cookie header.
 */
export async function giveCode(
  db: Db,
  by: AccountHolder,
  code: string,
  deps: SecondFactorDeps,
): Promise<string> {
  const attempts = new SignInAttempts(by.email, by.client, deps.publicUrl)
  const cookie = await attempts.check(db, async () => {
    const value = await db.transaction(tx => spendCode(tx, by, code, deps))
    return value === null ? null : { value, isComplete: true }
  })
  if (cookie !== null) return cookie
  await auditRefusal(db, by.accountId, by)
  throw apiError('invalid_credentials', { message: 'The code is wrong, or was used before.' })
}

/** Null when the code is wrong, or was used before. */
async function spendCode(
  tx: Db,
  by: AccountHolder,
  code: string,
  deps: SecondFactorDeps,
): Promise<string | null> {
  const { accountId, sessionId, requestId } = by
  const account = orNotFound(await lockAccount(tx, accountId))
  const isRecovery = !isTotpCode(code)
  const isRight = isRecovery
    ? await spendRecoveryCode(tx, accountId, hashRecoveryCode(accountId, code))
    : await spendTotpCode(tx, accountId, code, deps)
  if (!isRight) return null
  const entry = { action: 'second_factor.recovery_code_used', resourceId: accountId, sessionId, requestId }
  if (isRecovery) await auditAccount(tx, accountId, entry)
  return renewSession(tx, { sessionId, account }, by.client, deps, 'given')
}

/** New codes; the old ones stop working. Only for accounts with a second factor. */
export const renewRecoveryCodes = (
  db: Db,
  by: AccountHolder,
  deps: SecondFactorDeps,
): Promise<{ readonly codes: readonly string[]; readonly cookie: string }> =>
  db.transaction(async tx => {
    const account = await beginChange(tx, by)
    if ((await secondFactorsOf(tx, by.accountId)).length === 0)
      throw apiError('not_found', { message: 'Recovery codes need a second factor; add one first.' })
    const codes = await replaceRecoveryCodes(tx, by.accountId)
    const cookie = await finishChange(tx, account, by, { factor: 'recovery_codes', change: 'added' }, deps)
    return { codes, cookie }
  })

/** For the operator: removes the app, the passkeys and the recovery codes. False when there is none of them. */
export async function removeSecondFactors(
  tx: Db,
  accountId: string,
  deps: SecondFactorDeps,
  by: { readonly requestId: string | null } = { requestId: null },
): Promise<boolean> {
  const account = orNotFound(await lockAccount(tx, accountId))
  const factors = await secondFactorsOf(tx, accountId)
  await deleteTotp(tx, accountId)
  await deletePasskeysOf(tx, accountId)
  await deleteRecoveryCodes(tx, accountId)
  if (factors.length === 0) return false
  await checkRemoval(tx, account, {
    ...deps,
    // The operator may: the member sets up another factor at the next sign-in.
    signInPolicyOf: async () => ({ ssoOnlyWorkspaces: [], secondFactorWorkspaces: [] }),
  })
  await auditAccount(tx, accountId, {
    action: 'second_factor.removed',
    resourceId: accountId,
    isByOperator: true,
    ...by,
  })
  for (const factor of factors) await announceChange(tx, account, { factor, change: 'removed' }, null, deps)
  return true
}
