import { lockAccount, membershipsOf } from '#features/workspace/accounts/index.ts'
import type { AccountIdentity } from '#kernel/api/auth.ts'
import { apiError, orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { findWorkspace } from '../queries.ts'
import { addWorkspace } from '../rules.ts'

/** Creators of further workspaces: accounts that own one, or only the operator. */
type WorkspaceCreation = 'owners' | 'operator'

type WorkspaceCreator = Omit<AccountIdentity, 'countedBy'> & { readonly requestId: string }

/** An account creates no more than this many, so that none fills the database. */
const mostOwned = 100

export interface WorkspaceCreationDeps {
  readonly allowed: WorkspaceCreation
  /**
   * Runs in the transaction: the session uses the new workspace from now on, and gets a new token. Returns the
   * Set-Cookie header.
   */
  readonly moveSession: (tx: Db, sessionId: string, workspaceId: string) => Promise<string>
  /** Clears the caches of the authenticators in this process. */
  readonly onChange: () => void
}

interface CreatedWorkspace {
  /** As the API shows it. */
  readonly workspace: object
  /** The Set-Cookie header. */
  readonly cookie: string
}

async function checkOwns(tx: Db, accountId: string): Promise<void> {
  const owned = (await membershipsOf(tx, accountId)).filter(({ role }) => role === 'owner')
  if (owned.length === 0)
    throw apiError('insufficient_role', { message: 'Only accounts that own a workspace can create one.' })
  if (owned.length >= mostOwned)
    throw apiError('insufficient_role', {
      message: `An account owns at most ${mostOwned} workspaces; the operator of this service can create more.`,
    })
}

/** The account becomes the owner. */
export async function createOwnWorkspace(
  db: Db,
  { accountId, name: ownerName, email: ownerEmail, sessionId, requestId }: WorkspaceCreator,
  name: string,
  { allowed, moveSession }: WorkspaceCreationDeps,
): Promise<CreatedWorkspace> {
  if (allowed === 'operator')
    throw apiError('insufficient_role', {
      message: 'Only the operator of this service creates workspaces (`npx signoff workspaces create`).',
    })
  return db.transaction(async tx => {
    // One after the other: requests at once must not exceed the limit.
    const account = orNotFound(await lockAccount(tx, accountId))
    // Its sessions could not open the new workspace.
    if (!account.isVerified) throw apiError('unverified_account')
    await checkOwns(tx, accountId)
    const { id } = await addWorkspace(
      tx,
      { name, ownerName, ownerEmail },
      { accountId, sessionId, requestId },
    )
    const cookie = await moveSession(tx, sessionId, id)
    return { workspace: orNotFound(await findWorkspace(tx, id)), cookie }
  })
}
