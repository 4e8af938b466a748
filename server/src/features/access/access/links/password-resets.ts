// A new password by a link: asked for by mail, or made by the operator at the command line.
import { type Account, findAccount, findAccountByEmail } from '#features/workspace/accounts/index.ts'
import { hour, minute } from '#kernel/base/durations.ts'
import { apiError, noMailServer, orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { enqueue, type Job } from '#kernel/db/jobs.ts'
import { SignInAttempts } from '../attempts.ts'
import type { AccessDeps } from '../deps.ts'
import { hashPassword } from '../passwords/hashing.ts'
import { checkPassword } from '../passwords/rules.ts'
import { findToken, insertToken, takeToken } from '../queries.ts'
import { setPassword } from '../rules.ts'
import { auditAccount, type SignInClient, type StartedSession, startSession } from '../sessions/rules.ts'
import { hashToken, newToken, sentBrowserHash } from '../tokens.ts'
import { isMailAllowed, isNetworkLimited } from './mail-limits.ts'
import { type ResetDeps, verifyByReset } from './verification.ts'

const mailedMilliseconds = 30 * minute
const operatorMilliseconds = hour

const passwordResetJobName = 'access.password-reset'

/** Like a link by mail, the request does the same for every address. */
export async function requestPasswordReset(
  db: Db,
  email: string,
  client: SignInClient,
  { sendsMail, publicUrl }: AccessDeps,
): Promise<void> {
  if (!sendsMail) throw noMailServer()
  if (await isNetworkLimited(db, client.address)) return
  const browserHash = sentBrowserHash(client, publicUrl).toString('hex')
  await db.query(enqueue(passwordResetJobName, { email, browserHash }))
}

export const passwordResetJob = (db: Db, deps: AccessDeps): Job => ({
  name: passwordResetJobName,
  isUrgent: true,
  async run(payload) {
    const { email, browserHash } = payload as { readonly email: string; readonly browserHash: string }
    await db.transaction(async tx => {
      const account = await findAccountByEmail(tx, email)
      if (!account || !(await isMailAllowed(tx, account.email, browserHash))) return
      const { token, hash } = newToken()
      const expiresAt = new Date(Date.now() + mailedMilliseconds)
      await tx.query(insertToken({ hash, kind: 'reset', accountId: account.id, expiresAt }))
      await deps.enqueueAccountMail(tx, 'password_reset', {
        to: account.email,
        name: account.name,
        locale: account.locale,
        workspaceId: null,
        data: { url: `${deps.publicUrl}/reset#${token}`, expiresAt },
      })
    })
  },
})

/** For the command line: a link that also opens an account which single sign-on alone could open. */
export async function createResetLink(
  db: Db,
  account: Pick<Account, 'id'>,
  publicUrl: string,
  removesSecondFactors: boolean,
  expiresAt = new Date(Date.now() + operatorMilliseconds),
): Promise<string> {
  const { token, hash } = newToken()
  await db.transaction(async tx => {
    const link = { hash, kind: 'reset', accountId: account.id, expiresAt } as const
    await tx.query(insertToken({ ...link, isByOperator: true, removesSecondFactors }))
    await auditAccount(tx, account.id, {
      action: 'account.reset_link_created',
      resourceId: account.id,
      isByOperator: true,
    })
  })
  return `${publicUrl}/reset#${token}`
}

const usedLink = () =>
  apiError('not_found', { message: 'This link was used, or has expired. Ask for another one.' })

/** Data for the page of a link. */
export interface ResetState {
  readonly email: string
  readonly removesSecondFactors: boolean
}

/** Undefined when the link was used, or has expired. */
export async function readReset(db: Db, token: string): Promise<ResetState | undefined> {
  const stored = await findToken(db, 'reset', hashToken(token))
  const account = stored && (await findAccount(db, stored.accountId))
  return account && { email: account.email, removesSecondFactors: stored.removesSecondFactors }
}

/**
 * Ends all sessions of the account. A link by mail does not sign in: the next sign-in asks for the new password and the
 * second factor. A link of the operator does, because a workspace can refuse all passwords. Both verify the account.
 */
export async function resetPassword(
  db: Db,
  { token, password }: { readonly token: string; readonly password: string },
  client: SignInClient,
  deps: ResetDeps,
): Promise<StartedSession | null> {
  const hash = hashToken(token)
  const { accountId } = (await findToken(db, 'reset', hash)) ?? {}
  const account = accountId === undefined ? undefined : await findAccount(db, accountId)
  if (!account) throw usedLink()
  await checkPassword(password, account)
  const passwordHash = await hashPassword(password)
  const by = { sessionId: null, requestId: client.requestId ?? null, client }
  return db.transaction(async tx => {
    const spent = await takeToken(tx, 'reset', hash)
    if (!spent) throw usedLink()
    await setPassword(tx, account.id, passwordHash, by, deps)
    await new SignInAttempts(account.email, client, deps.publicUrl).forget(tx)
    const isCleared = await verifyByReset(tx, account.id, by, deps)
    if (spent.removesSecondFactors && !isCleared) await deps.removeSecondFactors(tx, account.id, by)
    if (!spent.isByOperator) return null
    const current = orNotFound(await findAccount(tx, account.id))
    return startSession(tx, current, { method: 'operator', hasSecondFactor: false }, client, deps)
  })
}
