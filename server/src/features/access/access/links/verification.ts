// An account gets verified by a link: its holder reads the mailbox of the address, or has the operator's trust.
import {
  type Account,
  lockAccount,
  markVerified,
  updatePasswordHash,
} from '#features/workspace/accounts/index.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import type { AccessDeps } from '../deps.ts'
import { forgetBrowsersOf } from '../sessions/queries.ts'
import { auditAccount, endSessionsOf } from '../sessions/rules.ts'

export interface ResetDeps extends AccessDeps {
  readonly removeSecondFactors: (
    tx: Db,
    accountId: string,
    by: { readonly requestId: string | null },
  ) => Promise<unknown>
}

interface VerifyingRequest {
  readonly requestId: string | null
}

/**
 * Verifies an account that is not yet. Members of a workspace that showed its invitation can have chosen the ways in that
 * it has: second factors, sessions and known browsers end. The caller replaces or removes the password.
 */
async function endUnverifiedAccess(
  tx: Db,
  account: Account,
  { requestId }: VerifyingRequest,
  deps: ResetDeps,
): Promise<void> {
  await deps.removeSecondFactors(tx, account.id, { requestId })
  await endSessionsOf(tx, account.id, null, { requestId })
  await tx.query(forgetBrowsersOf(account.id))
  await verifyAccount(tx, account.id, { requestId })
}

/** Verifies an account with the ways in that it has: the operator, or the person's own session, vouches for them. */
export async function verifyAccount(
  tx: Db,
  accountId: string,
  by: { readonly requestId?: string | null; readonly isByOperator?: boolean } = {},
): Promise<void> {
  await tx.query(markVerified(accountId))
  await auditAccount(tx, accountId, { action: 'account.verified', resourceId: accountId, ...by })
}

/** After a new password was set by a link. True when the account was not verified before. */
export async function verifyByReset(
  tx: Db,
  accountId: string,
  by: VerifyingRequest,
  deps: ResetDeps,
): Promise<boolean> {
  const account = orNotFound(await lockAccount(tx, accountId))
  if (account.isVerified) return false
  await endUnverifiedAccess(tx, account, by, deps)
  return true
}

/** After a link by mail was opened. A password that was chosen before ends too. */
export async function verifyBySignInLink(
  tx: Db,
  accountId: string,
  by: VerifyingRequest,
  deps: ResetDeps,
): Promise<void> {
  const account = orNotFound(await lockAccount(tx, accountId))
  if (account.isVerified) return
  await endUnverifiedAccess(tx, account, by, deps)
  if (account.hasPassword) await updatePasswordHash(tx, account.id, null)
}
