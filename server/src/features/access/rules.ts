import {
  findAccountByEmail,
  findPasswordHash,
  lockAccount,
  updatePasswordHash,
} from '#features/accounts/index.ts'
import { networkOf } from '#kernel/client-network.ts'
import type { Db } from '#kernel/db.ts'
import { apiError, invalid, orNotFound } from '#kernel/errors.ts'
import { enqueue } from '#kernel/jobs.ts'
import { SignInAttempts } from './attempts.ts'
import type { AccessDeps } from './deps.ts'
import { hashPassword, verifyPassword } from './passwords/hashing.ts'
import { checkPassword } from './passwords/rules.ts'
import {
  auditAccount,
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
  const attempts = new SignInAttempts(email, networkOf(client.address))
  await attempts.begin(db)
  const account = await findAccountByEmail(db, email)
  const stored = await findPasswordHash(db, account?.id ?? '00000000-0000-0000-0000-000000000000')
  if (!(await verifyPassword(password, stored)) || !account) {
    // The job writes the audit log of an account that exists; here that would take measurable time.
    await db.query(enqueue(failedSignInJob, { email, requestId: client.requestId ?? null }))
    throw apiError('invalid_credentials', { headers: { 'WWW-Authenticate': 'Bearer' } })
  }
  return db.transaction(async tx => {
    await attempts.forgive(tx)
    return startSession(tx, account, { method: 'password', hasSecondFactor: false }, client, deps)
  })
}

/** Sets a password, ends the other sessions of the account and tells the person. */
export async function setPassword(
  tx: Db,
  accountId: string,
  hash: string,
  by: { readonly sessionId: string | null; readonly requestId: string | null },
  deps: AccessDeps,
): Promise<void> {
  const account = orNotFound(await lockAccount(tx, accountId))
  await updatePasswordHash(tx, accountId, hash)
  await endSessionsOf(tx, accountId, by.sessionId, by)
  await auditAccount(tx, accountId, { action: 'account.password_changed', resourceId: accountId, ...by })
  if (deps.sendsMail)
    await deps.enqueueAccountMail(tx, 'password_changed', {
      to: account.email,
      name: account.name,
      locale: account.locale,
      data: {},
    })
}

interface PasswordChanger {
  readonly accountId: string
  readonly sessionId: string
  readonly email: string
  readonly name: string
  readonly requestId: string
  readonly client: SignInClient
}

/** Returns the Set-Cookie header with the new token of the session. */
export async function changePassword(
  db: Db,
  by: PasswordChanger,
  { current, new: chosen }: { readonly current?: string | undefined; readonly new: string },
  deps: AccessDeps,
): Promise<string> {
  const stored = await findPasswordHash(db, by.accountId)
  if (stored !== null) {
    const attempts = new SignInAttempts(by.email, networkOf(by.client.address))
    await attempts.begin(db)
    if (!(await verifyPassword(current ?? '', stored)))
      throw invalid('current', 'invalid', { message: 'current is not the password of this account' })
    await attempts.forgive(db)
  }
  await checkPassword(chosen, by, 'new')
  const hash = await hashPassword(chosen)
  return db.transaction(async tx => {
    await setPassword(tx, by.accountId, hash, by, deps)
    const account = { id: by.accountId, email: by.email, name: by.name, locale: null }
    return renewSession(tx, { sessionId: by.sessionId, account, isPending: false }, by.client, deps)
  })
}
