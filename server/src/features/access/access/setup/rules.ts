// The first start: a link with which the owner of a workspace chooses address, name and password.
import type { Static } from 'typebox'
import {
  type Account,
  findFirstOwner,
  lockAccount,
  markVerified,
  refuseLookAlike,
  updateAccount,
  updatePasswordHash,
} from '#features/workspace/accounts/index.ts'
import { day } from '#kernel/base/durations.ts'
import { apiError, invalid, orNotFound } from '#kernel/base/errors.ts'
import { type Db, isViolation } from '#kernel/db/db.ts'
import { comparisonKey } from '#kernel/db/text.ts'
import type { AccessDeps } from '../deps.ts'
import { hashPassword } from '../passwords/hashing.ts'
import { checkPassword } from '../passwords/rules.ts'
import { deleteTokensOf, findToken, insertToken } from '../queries.ts'
import type { SetupBody } from '../schemas.ts'
import { auditingRefusal, type SignInClient, type StartedSession, startSession } from '../sessions/rules.ts'
import { hashToken, newToken } from '../tokens.ts'
import { hasWayIn, isPlaceholder, type WaysInDeps } from '../ways-in.ts'

const validMilliseconds = day

/**
 * The address of the set-up page; undefined when the owner of the first workspace has a way in. Links that were made
 * before stop working.
 */
export async function createSetupLink(
  db: Db,
  publicUrl: string,
  deps: WaysInDeps,
): Promise<string | undefined> {
  const { token, hash } = newToken()
  const expiresAt = new Date(Date.now() + validMilliseconds)
  return db.transaction(async tx => {
    const owner = await findFirstOwner(tx)
    if (!owner || (await hasWayIn(tx, owner, deps))) return undefined
    await tx.query(deleteTokensOf(owner.id, 'setup'))
    await tx.query(insertToken({ hash, kind: 'setup', accountId: owner.id, expiresAt }))
    return `${publicUrl}/setup#${token}`
  })
}

/** True if the owner of the first workspace can sign in. */
export async function isSetUp(db: Db, deps: WaysInDeps): Promise<boolean> {
  const owner = await findFirstOwner(db)
  return owner !== undefined && hasWayIn(db, owner, deps)
}

const usedLink = () =>
  apiError('not_found', {
    message: 'This link was used, or is older than 24 hours. `npx signoff setup-link` makes another.',
  })

export interface SetupState {
  /** The address that the operator has fixed; null when the owner chooses it. */
  readonly email: string | null
}

/** The account of a link, unless it has ceased to be the owner's. */
async function accountOf(db: Db, token: string): Promise<Account> {
  const stored = await findToken(db, 'setup', hashToken(token))
  const owner = await findFirstOwner(db)
  if (!owner || owner.id !== stored?.accountId || owner.hasPassword) throw usedLink()
  return owner
}

/** For the page of the link. */
export async function readSetup(db: Db, token: string): Promise<SetupState> {
  const { email } = await accountOf(db, token)
  return { email: isPlaceholder(email) ? null : email }
}

function chosenAddress(account: Account, sent: string | undefined): string {
  if (isPlaceholder(account.email)) {
    if (sent === undefined) throw invalid('email', 'missing')
    refuseLookAlike('email', sent)
    return sent
  }
  if (sent !== undefined && comparisonKey(sent) !== comparisonKey(account.email))
    throw invalid('email', 'not_allowed', { allowed: [account.email] })
  return account.email
}

/** The first request wins, of several with one link or with several links. */
export async function completeSetup(
  db: Db,
  { token, name, email: sent, password }: Static<typeof SetupBody>,
  client: SignInClient,
  deps: AccessDeps,
): Promise<StartedSession> {
  const account = await accountOf(db, token)
  const email = chosenAddress(account, sent)
  await checkPassword(password, { email, name })
  const hash = await hashPassword(password)
  const signIn = () =>
    db.transaction(async tx => {
      await lockAccount(tx, account.id)
      await accountOf(tx, token)
      const updated = orNotFound(await updateAccount(tx, account.id, { email, name }))
      await updatePasswordHash(tx, account.id, hash)
      await tx.query(markVerified(account.id))
      await tx.query(deleteTokensOf(account.id, 'setup'))
      return startSession(tx, updated, { method: 'setup', hasSecondFactor: false }, client, deps)
    })
  return auditingRefusal(db, account.id, client, signIn).catch(error => {
    throw isViolation(error, 'accounts_email') ? invalid('email', 'taken') : error
  })
}
