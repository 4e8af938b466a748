// A sign-in by SAML: to the provider, the provider's answer, and the browser that brings it back.
import { hash, randomBytes } from 'node:crypto'
import type { SignInClient } from '#features/access/access/index.ts'
import { operator } from '#kernel/api/scopes.ts'
import { networkOf } from '#kernel/base/rate-limits.ts'
import type { Db } from '#kernel/db/db.ts'
import { activeConnections, type StoredConnection, storeUnaskedRefusal } from '../connections/queries.ts'
import { refuse, signInRefusalOf } from '../refusal.ts'
import { type SamlSettings, samlRequestUrl, serviceProviderOf } from '../saml/protocol.ts'
import {
  dropAttempt,
  findAttempt,
  storeAssertedPerson,
  takeAnsweredAttempt,
  useAssertion,
} from './queries.ts'
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
  const verify = async () => {
    const answer = {
      provider: serviceProviderOf(deps.publicUrl, workspaceId),
      connections: [samlSettings(connection)],
      response: form.SAMLResponse,
      requestId: attempt.nonce,
    }
    const verified = await deps.saml.verify(answer, networkOf(client.address))
    await db.transaction(async tx => {
      await useOnce(tx, workspaceId, verified)
      if (!(await storeAssertedPerson(tx, workspaceId, state.hash, verified.person))) refuse('no_attempt')
    })
    return { location: finishPath(workspaceId, form.RelayState ?? '') }
  }
  // A wrong answer ends the attempt: another one would leave another entry in the audit log.
  return recordingRefusal(db, connection, client, verify, () => dropAttempt(db, workspaceId, state.hash))
}

const finishPath = (workspaceId: string, state: string): string =>
  `/auth/saml/${workspaceId}/finish?state=${state}`

async function useOnce(
  tx: Db,
  workspaceId: string,
  { issuer, id, expiresAt }: { readonly issuer: string; readonly id: string; readonly expiresAt: Date },
): Promise<void> {
  const isNew = await useAssertion(tx, workspaceId, hash('sha256', `${issuer}\n${id}`, 'buffer'), expiresAt)
  if (!isNew) refuse('invalid_answer', 'The assertion was used before.')
}

/**
 * A sign-in that begins at the provider, where a connection accepts it. Like any other, it ends in `finish`: this
 * request has neither the cookie of the session before nor the id of the browser.
 */
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
  const answer = {
    provider: serviceProviderOf(deps.publicUrl, workspaceId),
    connections: connections.map(samlSettings),
    response: form.SAMLResponse,
    requestId: null,
  }
  const by = { ...operator(workspaceId), requestId: client.requestId ?? null }
  const verified = await deps.saml.verify(answer, networkOf(client.address)).catch(async error => {
    const refusal = signInRefusalOf(error)
    if (refusal) for (const { id } of connections) await storeUnaskedRefusal(db, by, id, refusal)
    throw error
  })
  const connection =
    connections.find(({ issuer }) => issuer === verified.issuer) ?? refuse('unknown_connection')
  const { state, hash: stateHash } = mintState(workspaceId)
  const attempt = { connectionId: connection.id, nonce: '', codeVerifier: null }
  const options = { return_to: form.RelayState }
  const cookie = await db.transaction(async tx => {
    await useOnce(tx, workspaceId, verified)
    const header = await storeAttempt(tx, workspaceId, stateHash, attempt, options, deps)
    await storeAssertedPerson(tx, workspaceId, stateHash, verified.person)
    return header
  })
  return { cookie, location: finishPath(workspaceId, state) }
}

export async function finishSaml(
  db: Db,
  workspaceId: string,
  state: string,
  client: SignInClient,
  deps: SignInDeps,
): Promise<Redirect> {
  const read = readState(state) ?? refuse('no_attempt')
  const browserHash = browserOfAttempt(read.hash, client, deps)
  const attempt = (await takeAnsweredAttempt(db, workspaceId, read.hash, browserHash)) ?? refuse('no_attempt')
  const connection = await chooseConnection(db, workspaceId, 'saml', attempt.connectionId)
  return recordingRefusal(db, connection, client, async () => ({
    ...(await signIn(db, connection, attempt.person, client, deps)),
    location: attempt.returnTo,
  }))
}
