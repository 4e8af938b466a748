import {
  type Account,
  findAccountByEmail,
  findPasswordHash,
  lockAccount,
  updatePasswordHash,
} from '#features/workspace/accounts/index.ts'
import { apiError, invalid, orNotFound } from '#kernel/base/errors.ts'
import { networkOf } from '#kernel/base/rate-limits.ts'
import type { Db } from '#kernel/db/db.ts'
import { enqueue } from '#kernel/db/jobs.ts'
import { SignInAttempts } from './attempts.ts'
import { browserOf } from './browsers.ts'
import type { AccessDeps } from './deps.ts'
import { hashPassword, verifyPassword } from './passwords/hashing.ts'
import { checkPassword } from './passwords/rules.ts'
import { deleteLinksOf } from './queries.ts'
import {
  type AccountHolder,
  auditAccount,
  auditingRefusal,
  auditRefusal,
  checkRecentSignIn,
  endSession,
  endSessionsOf,
  renewSession,
  type SignInClient,
  type StartedSession,
  startSession,
} from './sessions/rules.ts'

export const failedSignInJob = 'access.failed-sign-in'

export interface PasswordInput {
  readonly email: string
  readonly password: string
}

/** The steps, and the time they take, are the same whether the account exists or not. */
export async function signInByPassword(
  db: Db,
  { email, password }: PasswordInput,
  client: SignInClient,
  deps: AccessDeps,
): Promise<StartedSession> {
  const attempts = new SignInAttempts(email, client, deps.publicUrl)
  const started = await attempts.check(db, async () => {
    const account = await findAccountByEmail(db, email)
    const stored = await findPasswordHash(db, account?.id ?? '00000000-0000-0000-0000-000000000000')
    if (!(await verifyPassword(password, stored)) || !account) return null
    const signIn = () => db.transaction(tx => startWithPassword(tx, account, stored, client, deps))
    const value = await auditingRefusal(db, account.id, client, signIn)
    // While the second factor is missing, earlier failures go on counting: else a known password would set the count
    // back, and codes could be guessed without a limit.
    return value && { value, isComplete: !value.isPending }
  })
  if (started) return started
  // The job writes the audit log of an account that exists; here that would take measurable time.
  await db.query(enqueue(failedSignInJob, { email, requestId: client.requestId ?? null }))
  throw apiError('invalid_credentials', { headers: { 'WWW-Authenticate': 'Bearer' } })
}

/** Null when the password was changed after it was checked: the change has ended all sessions but its own. */
async function startWithPassword(
  tx: Db,
  account: Account,
  checkedHash: string | null,
  client: SignInClient,
  deps: AccessDeps,
): Promise<StartedSession | null> {
  const locked = await lockAccount(tx, account.id)
  if (!locked || (await findPasswordHash(tx, account.id)) !== checkedHash) return null
  return startSession(tx, locked, { method: 'password', hasSecondFactor: false }, client, deps)
}

/** Sets a password, ends the other sessions and the links of the account, and tells the person. */
export async function setPassword(
  tx: Db,
  accountId: string,
  hash: string,
  by: {
    readonly sessionId: string | null
    readonly requestId: string | null
    readonly client?: SignInClient
  },
  deps: AccessDeps,
): Promise<void> {
  const account = orNotFound(await lockAccount(tx, accountId))
  await updatePasswordHash(tx, accountId, hash)
  await endSessionsOf(tx, accountId, by.sessionId, by)
  await deleteLinksOf(tx, accountId)
  await auditAccount(tx, accountId, { action: 'account.password_changed', resourceId: accountId, ...by })
  if (deps.sendsMail)
    await deps.enqueueAccountMail(tx, 'password_changed', {
      to: account.email,
      name: account.name,
      locale: account.locale,
      workspaceId: null,
      data: {
        at: new Date(),
        browser: by.client ? browserOf(by.client.userAgent) : null,
        network: by.client ? networkOf(by.client.address) : null,
      },
    })
}

const wrongCurrent = () =>
  invalid('current', 'invalid', { message: 'current is not the password of this account' })

/** The hash of the password that was checked; null when the account has none. */
async function checkCurrent(
  db: Db,
  by: AccountHolder,
  current: string,
  { publicUrl }: AccessDeps,
): Promise<string | null> {
  const stored = await findPasswordHash(db, by.accountId)
  if (stored === null) return null
  const attempts = new SignInAttempts(by.email, by.client, publicUrl)
  const isRight = await attempts.check(db, async () =>
    (await verifyPassword(current, stored)) ? { value: true, isComplete: true } : null,
  )
  if (isRight) return stored
  await auditRefusal(db, by.accountId, by)
  throw wrongCurrent()
}

/** Returns the Set-Cookie header with the new token of the session. */
export async function changePassword(
  db: Db,
  by: AccountHolder,
  { current = '', new: chosen }: { readonly current?: string | undefined; readonly new: string },
  deps: AccessDeps,
): Promise<string> {
  const checkedHash = await checkCurrent(db, by, current, deps)
  await checkPassword(chosen, by, 'new')
  const hash = await hashPassword(chosen)
  return db.transaction(async tx => {
    const account = orNotFound(await lockAccount(tx, by.accountId))
    if ((await findPasswordHash(tx, by.accountId)) !== checkedHash) throw wrongCurrent()
    // Nothing but the session proves who chooses the first password.
    if (checkedHash === null) await checkRecentSignIn(tx, by.sessionId)
    await setPassword(tx, by.accountId, hash, by, deps)
    return renewSession(tx, { sessionId: by.sessionId, account }, by.client, deps)
  })
}

export const signOutHere = (db: Db, by: AccountHolder): Promise<boolean> =>
  db.transaction(tx => endSession(tx, by.accountId, by.sessionId, by))

/** A password alone does not end the sessions that a second factor has opened. */
export async function signOutEverywhere(db: Db, by: AccountHolder): Promise<void> {
  if (by.isPending) throw apiError('second_factor_required')
  await db.transaction(async tx => {
    await endSessionsOf(tx, by.accountId, null, by)
    // Single sign-on of a workspace is good for that workspace, not for the account.
    if (by.ssoWorkspaceId === null) await deleteLinksOf(tx, by.accountId)
  })
}
