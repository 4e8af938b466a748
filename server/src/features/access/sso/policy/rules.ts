import type { SignInPolicy as AccessPolicy } from '#features/access/access/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { apiError } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { hasWorkingConnection, lockSso } from '../connections/queries.ts'
import { checkDecidesSignIn, checkIsAdmin } from '../connections/rules.ts'
import { findPolicy, policiesOfAccount, storePolicy, type WorkspacePolicy } from './queries.ts'
import type { SignInPolicyPatch } from './schemas.ts'

export async function readPolicy(db: Db, by: Caller): Promise<WorkspacePolicy> {
  checkIsAdmin(by)
  return findPolicy(db, by.workspaceId)
}

export const changePolicy = (db: Db, by: Caller, patch: SignInPolicyPatch): Promise<WorkspacePolicy> =>
  db.transaction(async tx => {
    await lockSso(tx, by.workspaceId)
    await checkDecidesSignIn(tx, by)
    const before = await findPolicy(tx, by.workspaceId)
    const after = { ...before, ...patch }
    if (after.sso_required && !before.sso_required && !(await hasWorkingConnection(tx, by.workspaceId)))
      throw apiError('last_way_in', {
        message:
          'No connection works yet that the owner can use: test one, or sign in through it, before the workspace insists on single sign-on. One that another member has set up needs `owner_trusted`, which the owner sets.',
      })
    if (Object.keys(patch).length > 0) await storePolicy(tx, by, after)
    return findPolicy(tx, by.workspaceId)
  })

/**
 * Demands of the workspaces of an account. If a workspace insists on single sign-on, its provider takes care of the
 * second factor: only the other workspaces can demand one here.
 */
export async function signInPolicyOf(tx: Db, accountId: string): Promise<AccessPolicy> {
  const policies = await policiesOfAccount(tx, accountId)
  return {
    ssoOnlyWorkspaces: policies
      .filter(({ ssoRequired }) => ssoRequired)
      .map(({ workspaceId }) => workspaceId),
    secondFactorWorkspaces: policies
      .filter(({ ssoRequired, secondFactorRequired }) => secondFactorRequired && !ssoRequired)
      .map(({ workspaceId }) => workspaceId),
  }
}
