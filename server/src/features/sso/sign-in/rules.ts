// The steps of a sign-in through an identity provider: to the provider, and back.
import { hash, randomBytes } from 'node:crypto'
import { type SignInClient, startSession } from '#features/access/index.ts'
import type { Db } from '#kernel/db.ts'
import { operator } from '#kernel/scopes.ts'
import {
  activeConnections,
  type StoredConnection,
  storeRefusal,
  storeSignIn,
} from '../connections/queries.ts'
import { openSecret } from '../connections/rules.ts'
import type { SsoDeps } from '../deps.ts'
import { lacksClaims, personOfClaims } from '../oidc/claims.ts'
import type { OidcClient, OidcSettings } from '../oidc/client.ts'
import { ProviderUnreachable } from '../outgoing.ts'
import type { AssertedPerson } from '../person.ts'
import { refuse, SignInRefused } from '../refusal.ts'
import { type SamlSettings, samlRequestUrl, serviceProviderOf } from '../saml/protocol.ts'
import type { SamlVerifier } from '../saml/verifier.ts'
import { admitPerson } from './admission.ts'
import {
  findAttempt,
  insertAttempt,
  type SsoAttempt,
  storeAssertedPerson,
  takeAnsweredAttempt,
  takeAttempt,
  useAssertion,
} from './queries.ts'
import { AttemptCookie, mintState, readState, safeReturnTo } from './state.ts'

export interface SignInDeps extends SsoDeps {
  readonly oidc: OidcClient
  readonly saml: SamlVerifier
  /** Clears the cache of the authenticator in this process: roles can have changed. */
  readonly onSessionChange: () => void
}

/** Where the browser goes next, and the cookie that it gets. */
export interface Redirect {
  readonly location: string
  readonly cookie?: string
}

const attemptSeconds = 600

/** With `id` that one, else the oldest. */
async function chooseConnection(
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

/** Returns the Set-Cookie header. */
async function storeAttempt(
  db: Db,
  workspaceId: string,
  stateHash: Buffer,
  attempt: Pick<SsoAttempt, 'connectionId' | 'nonce' | 'codeVerifier'>,
  { return_to }: BeginOptions,
  { publicUrl }: SsoDeps,
): Promise<string> {
  const cookie = new AttemptCookie(publicUrl, stateHash).mint(attemptSeconds)
  const row = { ...attempt, browserHash: cookie.hash, returnTo: safeReturnTo(return_to) }
  await insertAttempt(db, workspaceId, stateHash, row, new Date(Date.now() + attemptSeconds * 1_000))
  return cookie.header
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
  const browserHash =
    new AttemptCookie(deps.publicUrl, stateHash).hashIn(client.headers.cookie) ?? refuse('no_attempt')
  const attempt = (await takeAttempt(db, workspaceId, stateHash, browserHash)) ?? refuse('no_attempt')
  const connection = await chooseConnection(db, workspaceId, 'oidc', attempt.connectionId)
  return recordingRefusal(db, connection, client, async () => {
    const settings = await oidcSettings(connection, deps)
    const { nonce, codeVerifier } = attempt
    const sent = { redirectUri: redirectUriOf(deps), state, nonce, codeVerifier: codeVerifier ?? '' }
    const claims = await deps.oidc.finish(settings, sent, answer, found => lacksClaims(found, connection))
    const person = personOfClaims(claims, connection)
    return { ...(await signIn(db, connection, person, client, deps)), location: attempt.returnTo }
  })
}

const samlSettings = (connection: StoredConnection): SamlSettings => ({
  issuer: connection.issuer,
  sso_url: connection.sso_url ?? '',
  certificates: connection.certificates,
  email_claim: connection.email_claim,
  group_claim: connection.group_claim,
})

export async function beginSaml(
  db: Db,
  workspaceId: string,
  options: BeginOptions,
  deps: SignInDeps,
): Promise<Redirect> {
  const connection = await chooseConnection(db, workspaceId, 'saml', options.connection)
  const { state, hash: stateHash } = mintState(workspaceId)
  const requestId = `_${randomBytes(20).toString('hex')}`
  const location = await samlRequestUrl(
    serviceProviderOf(deps.publicUrl, workspaceId),
    samlSettings(connection),
    { requestId, relayState: state },
  )
  const attempt = { connectionId: connection.id, nonce: requestId, codeVerifier: null }
  return { location, cookie: await storeAttempt(db, workspaceId, stateHash, attempt, options, deps) }
}

export interface SamlForm {
  readonly SAMLResponse: string
  readonly RelayState?: string
}

/**
 * The provider's page posts the answer, so the browser sends no SameSite cookie with it. The checked answer is stored;
 * the browser then opens `finish`, which gets the cookie, and only there the session begins.
 */
export async function receiveSaml(
  db: Db,
  workspaceId: string,
  form: SamlForm,
  client: SignInClient,
  deps: SignInDeps,
): Promise<Redirect> {
  const state = readState(form.RelayState ?? '')
  const attempt =
    state?.workspaceId === workspaceId ? await findAttempt(db, workspaceId, state.hash) : undefined
  if (!attempt || !state) return receiveUnasked(db, workspaceId, form, client, deps)
  const connection = await chooseConnection(db, workspaceId, 'saml', attempt.connectionId)
  return recordingRefusal(db, connection, client, async () => {
    const verified = await deps.saml.verify({
      provider: serviceProviderOf(deps.publicUrl, workspaceId),
      connections: [samlSettings(connection)],
      response: form.SAMLResponse,
      requestId: attempt.nonce,
    })
    await db.transaction(async tx => {
      await useOnce(tx, workspaceId, verified)
      if (!(await storeAssertedPerson(tx, workspaceId, state.hash, verified.person))) refuse('no_attempt')
    })
    return { location: `/auth/saml/${workspaceId}/finish?state=${form.RelayState}` }
  })
}

async function useOnce(
  tx: Db,
  workspaceId: string,
  { issuer, id, expiresAt }: { readonly issuer: string; readonly id: string; readonly expiresAt: Date },
): Promise<void> {
  const isNew = await useAssertion(tx, workspaceId, hash('sha256', `${issuer}\n${id}`, 'buffer'), expiresAt)
  if (!isNew) refuse('invalid_answer', 'The assertion was used before.')
}

/** A sign-in that begins at the provider, where a connection accepts it. */
async function receiveUnasked(
  db: Db,
  workspaceId: string,
  form: SamlForm,
  client: SignInClient,
  deps: SignInDeps,
): Promise<Redirect> {
  const all = await activeConnections(db, workspaceId, 'saml')
  const connections = all.filter(({ idp_initiated }) => idp_initiated)
  if (connections.length === 0) return refuse('no_attempt')
  const verified = await deps.saml.verify({
    provider: serviceProviderOf(deps.publicUrl, workspaceId),
    connections: connections.map(samlSettings),
    response: form.SAMLResponse,
    requestId: null,
  })
  const connection =
    connections.find(({ issuer }) => issuer === verified.issuer) ?? refuse('unknown_connection')
  return recordingRefusal(db, connection, client, async () => {
    await db.transaction(tx => useOnce(tx, workspaceId, verified))
    const { cookie } = await signIn(db, connection, verified.person, client, deps)
    return { cookie, location: safeReturnTo(form.RelayState) }
  })
}

export async function finishSaml(
  db: Db,
  workspaceId: string,
  state: string,
  client: SignInClient,
  deps: SignInDeps,
): Promise<Redirect> {
  const read = readState(state) ?? refuse('no_attempt')
  const browserHash =
    new AttemptCookie(deps.publicUrl, read.hash).hashIn(client.headers.cookie) ?? refuse('no_attempt')
  const attempt = (await takeAnsweredAttempt(db, workspaceId, read.hash, browserHash)) ?? refuse('no_attempt')
  const connection = await chooseConnection(db, workspaceId, 'saml', attempt.connectionId)
  return recordingRefusal(db, connection, client, async () => ({
    ...(await signIn(db, connection, attempt.person, client, deps)),
    location: attempt.returnTo,
  }))
}

/** The session is good for this workspace alone: its administrators decide what the provider says. */
async function signIn(
  db: Db,
  connection: StoredConnection,
  person: AssertedPerson,
  client: SignInClient,
  deps: SignInDeps,
): Promise<{ readonly cookie: string }> {
  const { workspace_id: workspaceId, kind, id } = connection
  const session = await db.transaction(async tx => {
    const account = await admitPerson(tx, connection, person, client.requestId ?? null)
    await storeSignIn(tx, workspaceId, id)
    const how = { method: kind, workspaceId, hasSecondFactor: true }
    return startSession(tx, account, how, client, deps.access)
  })
  deps.onSessionChange()
  return { cookie: session.cookie }
}

async function recordingRefusal(
  db: Db,
  connection: StoredConnection,
  { requestId }: SignInClient,
  work: () => Promise<Redirect>,
): Promise<Redirect> {
  try {
    return await work()
  } catch (error) {
    const code =
      error instanceof SignInRefused
        ? error.code
        : error instanceof ProviderUnreachable
          ? 'provider_unreachable'
          : null
    if (code !== null)
      await storeRefusal(
        db,
        { ...operator(connection.workspace_id), requestId: requestId ?? null },
        connection.id,
        code,
      )
    throw error
  }
}
