// What the sign-ins of both protocols share: the connection, the attempt that a browser has begun, and the session.
import {
  otherAccountIn,
  type SignInClient,
  safeReturnPath,
  startSession,
} from '#features/access/access/index.ts'
import { operator } from '#kernel/api/scopes.ts'
import type { Db } from '#kernel/db/db.ts'
import {
  activeConnections,
  type StoredConnection,
  storeRefusal,
  storeSignIn,
} from '../connections/queries.ts'
import type { SsoDeps, SsoRouteDeps } from '../deps.ts'
import type { OidcClient } from '../oidc/client.ts'
import type { AssertedPerson } from '../person.ts'
import { refuse, SignInRefused, signInRefusalOf } from '../refusal.ts'
import type { SamlVerifier } from '../saml/verifier.ts'
import { admitPerson } from './admission.ts'
import { insertAttempt, type SsoAttempt } from './queries.ts'
import { AttemptCookie } from './state.ts'

export interface SignInDeps extends SsoRouteDeps {
  readonly oidc: OidcClient
  readonly saml: SamlVerifier
}

/** The next address for the browser, and the cookie that it gets. */
export interface Redirect {
  readonly location: string
  readonly cookie?: string
}

const attemptSeconds = 600

/** With `id` that one, else the oldest. */
export async function chooseConnection(
  db: Db,
  workspaceId: string,
  kind: 'oidc' | 'saml',
  id: string | undefined,
): Promise<StoredConnection> {
  const connections = await activeConnections(db, workspaceId, kind)
  const chosen = id === undefined ? connections[0] : connections.find(connection => connection.id === id)
  return chosen ?? refuse('unknown_connection')
}

export interface BeginOptions {
  readonly connection?: string | undefined
  readonly return_to?: string | undefined
}

/** Binds a sign-in to the browser. Returns the Set-Cookie header. */
export async function storeAttempt(
  db: Db,
  workspaceId: string,
  stateHash: Buffer,
  attempt: Pick<SsoAttempt, 'connectionId' | 'nonce' | 'codeVerifier'>,
  { return_to }: BeginOptions,
  { publicUrl }: SsoDeps,
): Promise<string> {
  const cookie = new AttemptCookie(publicUrl, stateHash).mint(attemptSeconds)
  const row = { ...attempt, browserHash: cookie.hash, returnTo: safeReturnPath(return_to) }
  await insertAttempt(db, workspaceId, stateHash, row, new Date(Date.now() + attemptSeconds * 1_000))
  return cookie.header
}

/** The hash in the cookie of an attempt. Refuses a browser that has not begun the attempt. */
export const browserOfAttempt = (
  stateHash: Buffer,
  { headers }: SignInClient,
  { publicUrl }: SsoDeps,
): Buffer => new AttemptCookie(publicUrl, stateHash).hashIn(headers.cookie) ?? refuse('no_attempt')

/** The session is good for this workspace alone: its administrators decide what the provider says. */
export async function signIn(
  db: Db,
  connection: StoredConnection,
  person: AssertedPerson,
  client: SignInClient,
  deps: SignInDeps,
): Promise<{ readonly cookie: string }> {
  const { workspace_id: workspaceId, kind, id } = connection
  const { access } = deps
  const session = await db.transaction(async tx => {
    const account = await admitPerson(tx, connection, person, { requestId: client.requestId ?? null, access })
    if (!account) return null
    // Any page can send a browser here, and the provider can answer unasked: the person would go on in another account.
    const other = await otherAccountIn(tx, client, account.id, access)
    if (other !== null) throw new SignInRefused('other_account', undefined, other)
    await storeSignIn(tx, workspaceId, id)
    const how = { method: kind, workspaceId, connectionId: id, hasSecondFactor: true }
    return startSession(tx, account, how, client, access)
  })
  deps.onSessionChange()
  // Outside of the transaction: the invitation stays.
  return session ? { cookie: session.cookie } : refuse('invitation_needed')
}

/** `isFirst` is asked before a refusal is stored: one attempt leaves one entry in the audit log. */
export async function recordingRefusal(
  db: Db,
  connection: StoredConnection,
  { requestId }: SignInClient,
  work: () => Promise<Redirect>,
  isFirst: () => Promise<boolean> = async () => true,
): Promise<Redirect> {
  try {
    return await work()
  } catch (error) {
    const refusal = signInRefusalOf(error)
    const by = { ...operator(connection.workspace_id), requestId: requestId ?? null }
    if (refusal && (await isFirst())) await storeRefusal(db, by, connection.id, refusal)
    throw error
  }
}
