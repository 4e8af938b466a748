// Links that sign in, for 15 minutes, once. A link by mail works in the browser that asked for it. The request does the
// same for every address: a job finds out whether there is an account. A link of the command line works in any browser.
import { type Account, findAccount, findAccountByEmail } from '#features/workspace/accounts/index.ts'
import { minute } from '#kernel/base/durations.ts'
import { ApiError, noMailServer } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { enqueue, type Job } from '#kernel/db/jobs.ts'
import type { AccessDeps } from '../deps.ts'
import { insertToken } from '../queries.ts'
import {
  auditAccount,
  auditRefusal,
  type SignInClient,
  type StartedSession,
  startSession,
} from '../sessions/rules.ts'
import { browserHashOf, hashToken, newToken } from '../tokens.ts'
import { isMailAllowed, isNetworkLimited } from './mail-limits.ts'
import { findSignInLink, spendSignInLink } from './queries.ts'
import { safeReturnPath } from './return-path.ts'
import { type ResetDeps, verifyBySignInLink } from './verification.ts'

const validMilliseconds = 15 * minute

const signInLinkJobName = 'access.sign-in-link'

interface LinkRequest {
  readonly email: string
  /** In hexadecimal. */
  readonly browserHash: string
  readonly returnTo: string
}

export async function requestSignInLink(
  db: Db,
  { email, return_to }: { readonly email: string; readonly return_to?: string | undefined },
  client: SignInClient,
  { sendsMail }: AccessDeps,
): Promise<void> {
  if (!sendsMail) throw noMailServer()
  if (await isNetworkLimited(db, client.address)) return
  const request: LinkRequest = {
    email,
    browserHash: browserHashOf(client).toString('hex'),
    returnTo: safeReturnPath(return_to),
  }
  await db.query(enqueue(signInLinkJobName, request))
}

export const signInLinkJob = (db: Db, deps: AccessDeps): Job => ({
  name: signInLinkJobName,
  isUrgent: true,
  async run(payload) {
    const { email, browserHash, returnTo } = payload as LinkRequest
    await db.transaction(async tx => {
      const account = await findAccountByEmail(tx, email)
      if (!account || !(await isMailAllowed(tx, account.email, browserHash))) return
      const { token, hash } = newToken()
      const expiresAt = new Date(Date.now() + validMilliseconds)
      await tx.query(
        insertToken({
          hash,
          kind: 'link',
          accountId: account.id,
          browserHash: Buffer.from(browserHash, 'hex'),
          returnTo,
          expiresAt,
        }),
      )
      await deps.enqueueAccountMail(tx, 'sign_in_link', {
        to: account.email,
        name: account.name,
        locale: account.locale,
        workspaceId: null,
        data: { url: `${deps.publicUrl}/auth/link/${token}`, expiresAt },
      })
    })
  },
})

/** For the command line. Like a new password by the operator, it opens accounts that single sign-on alone could open. */
export async function createSignInLink(
  db: Db,
  account: Pick<Account, 'id'>,
  publicUrl: string,
): Promise<string> {
  const { token, hash } = newToken()
  const expiresAt = new Date(Date.now() + validMilliseconds)
  await db.transaction(async tx => {
    await tx.query(insertToken({ hash, kind: 'link', accountId: account.id, expiresAt, isByOperator: true }))
    await auditAccount(tx, account.id, {
      action: 'account.sign_in_link_created',
      resourceId: account.id,
      isByOperator: true,
    })
  })
  return `${publicUrl}/auth/link/${token}`
}

export type LinkOutcome =
  | { readonly started: StartedSession; readonly returnTo: string }
  | { readonly problem: 'wrong_browser' | 'used_link' | 'sso_required' }

/** Only the browser that asked for the link uses it up: mail scanners open links too. */
export async function openSignInLink(
  db: Db,
  token: string,
  client: SignInClient,
  deps: ResetDeps,
): Promise<LinkOutcome> {
  const hash = hashToken(token)
  const outcome = await db
    .transaction(async (tx): Promise<LinkOutcome> => {
      const link = await spendSignInLink(tx, hash, browserHashOf(client))
      const account = link && (await findAccount(tx, link.accountId))
      if (!account) return { problem: 'used_link' }
      await verifyBySignInLink(tx, account.id, { requestId: client.requestId ?? null }, deps)
      const method = link.isByOperator ? 'operator' : 'link'
      const started = await startSession(tx, account, { method, hasSecondFactor: false }, client, deps)
      return { started, returnTo: safeReturnPath(link.returnTo) }
    })
    .catch((error): LinkOutcome => {
      if (error instanceof ApiError && error.code === 'sso_required') return { problem: 'sso_required' }
      throw error
    })
  if ('started' in outcome) return outcome
  const link = await findSignInLink(db, hash)
  if (link) await auditRefusal(db, link.accountId, client)
  return outcome.problem === 'used_link' && link?.isUsed === false ? { problem: 'wrong_browser' } : outcome
}
