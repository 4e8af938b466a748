// A sign-in by OpenID Connect: to the provider, and back.
import { randomBytes } from 'node:crypto'
import type { SignInClient } from '#features/access/access/index.ts'
import type { Db } from '#kernel/db/db.ts'
import type { StoredConnection } from '../connections/queries.ts'
import { openSecret } from '../connections/rules.ts'
import type { SsoDeps } from '../deps.ts'
import { lacksClaims, personOfClaims } from '../oidc/claims.ts'
import type { OidcSettings } from '../oidc/client.ts'
import { refuse } from '../refusal.ts'
import { takeAttempt } from './queries.ts'
import {
  type BeginOptions,
  browserOfAttempt,
  chooseConnection,
  type Redirect,
  recordingRefusal,
  type SignInDeps,
  signIn,
  storeAttempt,
} from './rules.ts'
import { mintState, readState } from './state.ts'

const oidcSettings = async (connection: StoredConnection, deps: SsoDeps): Promise<OidcSettings> => ({
  issuer: connection.issuer,
  client_id: connection.client_id ?? '',
  client_secret: await openSecret(connection, deps),
  scopes: connection.scopes,
})

const redirectUriOf = ({ publicUrl }: SsoDeps): string => `${publicUrl}/auth/oidc/callback`

export async function beginOidc(
  db: Db,
  workspaceId: string,
  options: BeginOptions,
  deps: SignInDeps,
): Promise<Redirect> {
  const connection = await chooseConnection(db, workspaceId, 'oidc', options.connection)
  const { state, hash: stateHash } = mintState(workspaceId)
  const nonce = randomBytes(32).toString('base64url')
  const codeVerifier = randomBytes(32).toString('base64url')
  const settings = await oidcSettings(connection, deps)
  const location = await deps.oidc.begin(settings, {
    redirectUri: redirectUriOf(deps),
    state,
    nonce,
    codeVerifier,
  })
  const attempt = { connectionId: connection.id, nonce, codeVerifier }
  return { location, cookie: await storeAttempt(db, workspaceId, stateHash, attempt, options, deps) }
}

/** The attempt says which connection answers: an answer of another provider has the wrong issuer. */
export async function finishOidc(
  db: Db,
  answer: Readonly<Record<string, string>>,
  client: SignInClient,
  deps: SignInDeps,
): Promise<Redirect> {
  const { state = '' } = answer
  const { workspaceId, hash: stateHash } = readState(state) ?? refuse('no_attempt')
  const browserHash = browserOfAttempt(stateHash, client, deps)
  const attempt = (await takeAttempt(db, workspaceId, stateHash, browserHash)) ?? refuse('no_attempt')
  const connection = await chooseConnection(db, workspaceId, 'oidc', attempt.connectionId)
  return recordingRefusal(db, connection, client, async () => {
    const settings = await oidcSettings(connection, deps)
    const { nonce, codeVerifier } = attempt
    const sent = { redirectUri: redirectUriOf(deps), state, nonce, codeVerifier: codeVerifier ?? '' }
    const claims = await deps.oidc.finish(settings, sent, answer, tokenClaims =>
      lacksClaims(tokenClaims, connection),
    )
    const person = personOfClaims(claims, connection)
    return { ...(await signIn(db, connection, person, client, deps)), location: attempt.returnTo }
  })
}
