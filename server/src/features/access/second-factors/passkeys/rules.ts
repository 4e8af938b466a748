import { randomBytes } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import {
  type AccountHolder,
  auditAccount,
  auditingRefusal,
  auditRefusal,
  browserHashOf,
  checkInNetwork,
  findAccount,
  hashToken,
  lockAccount,
  renewSession,
  type SignInClient,
  type StartedSession,
  startSession,
} from '#features/access/access/index.ts'
import { apiError, invalid, orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { beginChange, checkRemoval, finishChange, firstRecoveryCodes } from '../changes.ts'
import type { SecondFactorDeps } from '../deps.ts'
import type { Passkey } from '../schemas.ts'
import {
  assertionOptions,
  challengeSeconds,
  type RelyingParty,
  readClientData,
  registrationOptions,
  relyingPartyOf,
  userHandleOf,
  verifyAssertion,
  verifyRegistration,
} from './ceremonies.ts'
import {
  type ChallengePurpose,
  deletePasskey,
  findPasskey,
  insertChallenge,
  insertPasskey,
  type NewChallenge,
  recordPasskeyUse,
  type StoredPasskey,
  spendChallenge,
  storedPasskeysOf,
  updatePasskeyName,
} from './queries.ts'

const mostPasskeys = 20

function partyOf({ publicUrl }: SecondFactorDeps): RelyingParty {
  const party = relyingPartyOf(publicUrl)
  if (!party)
    throw apiError('unavailable', {
      message: 'Passkeys need a public URL with a host name: set SIGNOFF_PUBLIC_URL.',
    })
  return party
}

async function newChallenge(
  db: Db,
  purpose: ChallengePurpose,
  accountId: string | null,
  client: SignInClient,
): Promise<Buffer> {
  const challenge = randomBytes(32)
  await insertChallenge(db, {
    hash: hashToken(challenge.toString('base64url')),
    purpose,
    accountId,
    browserHash: browserHashOf(client),
    expiresAt: new Date(Date.now() + challengeSeconds * 1_000),
  })
  return challenge
}

interface UsedChallenge extends Pick<NewChallenge, 'purpose' | 'accountId'> {
  readonly challenge: string
}

/** Uses the challenge up, whatever comes of it. Null when it is unknown here, or a frame of another site asked. */
async function takeChallenge(
  db: Db,
  clientDataJSON: string,
  client: SignInClient,
): Promise<UsedChallenge | null> {
  const data = readClientData(clientDataJSON)
  if (!data || data.isCrossOrigin) return null
  const stored = await spendChallenge(db, hashToken(data.challenge), browserHashOf(client))
  return stored ? { ...stored, challenge: data.challenge } : null
}

export async function beginPasskey(
  db: Db,
  by: AccountHolder,
  deps: SecondFactorDeps,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const party = partyOf(deps)
  const { account, existing } = await db.transaction(async tx => ({
    account: await beginChange(tx, by),
    existing: await storedPasskeysOf(tx, by.accountId),
  }))
  const challenge = await newChallenge(db, 'registration', by.accountId, by.client)
  return registrationOptions(party, { ...account, accountId: account.id }, existing, challenge)
}

export interface AddedPasskey {
  readonly passkey: Passkey
  readonly codes: readonly string[]
  readonly cookie: string
}

export async function addPasskey(
  db: Db,
  by: AccountHolder,
  { name, credential }: { readonly name: string; readonly credential: RegistrationResponseJSON },
  deps: SecondFactorDeps,
): Promise<AddedPasskey> {
  const party = partyOf(deps)
  const used = await takeChallenge(db, credential.response.clientDataJSON, by.client)
  const isOwn = used?.purpose === 'registration' && used.accountId === by.accountId
  const registered = isOwn ? await verifyRegistration(party, used.challenge, credential) : null
  if (!registered)
    throw invalid('credential', 'invalid', {
      message: 'credential does not answer the options of this browser; begin again',
    })
  return db.transaction(async tx => {
    const account = await beginChange(tx, by)
    if ((await storedPasskeysOf(tx, by.accountId)).length >= mostPasskeys)
      throw invalid('credential', 'too_many', { message: `an account has at most ${mostPasskeys} passkeys` })
    const passkey = await insertPasskey(tx, by.accountId, name, registered)
    if (!passkey) throw invalid('credential', 'taken')
    const codes = await firstRecoveryCodes(tx, by.accountId)
    const cookie = await finishChange(tx, account, by, { factor: 'passkey', change: 'added' }, deps)
    return { passkey, codes, cookie }
  })
}

export const renamePasskey = (
  db: Db,
  { accountId, sessionId, requestId }: AccountHolder,
  id: string,
  name: string,
): Promise<Passkey> =>
  db.transaction(async tx => {
    const renamed = orNotFound(await updatePasskeyName(tx, accountId, id, name))
    const entry = { action: 'second_factor.renamed', resourceId: id, sessionId, requestId }
    await auditAccount(tx, accountId, entry)
    return renamed
  })

/** Returns the Set-Cookie header. */
export const removePasskey = (
  db: Db,
  by: AccountHolder,
  id: string,
  deps: SecondFactorDeps,
): Promise<string> =>
  db.transaction(async tx => {
    const account = await beginChange(tx, by)
    if (!(await deletePasskey(tx, by.accountId, id))) throw apiError('not_found')
    await checkRemoval(tx, account, deps)
    return finishChange(tx, account, by, { factor: 'passkey', change: 'removed' }, deps)
  })

/** A sign-in whose second factor is missing. */
export interface PendingSignIn {
  readonly accountId: string
  readonly sessionId: string
}

/** For a pending sign-in, only its own passkeys; else any: the browser knows which it has. */
export async function passkeySignInOptions(
  db: Db,
  pending: PendingSignIn | null,
  client: SignInClient,
  deps: SecondFactorDeps,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const party = partyOf(deps)
  const allowed = pending ? await storedPasskeysOf(db, pending.accountId) : []
  const purpose = pending ? 'second_factor' : 'sign_in'
  const challenge = await newChallenge(db, purpose, pending?.accountId ?? null, client)
  return assertionOptions(party, allowed, challenge)
}

/**
 * True if the owner that the authenticator names is the owner of the passkey. A passkey as the first way in must name
 * an owner: this replaces the address.
 */
function isOwner(
  passkey: StoredPasskey,
  userHandle: string | null | undefined,
  isRequired: boolean,
): boolean {
  if (!userHandle) return !isRequired
  return Buffer.from(userHandle, 'base64url').equals(userHandleOf(passkey.accountId))
}

const refused = () => apiError('invalid_credentials', { message: 'The passkey was not accepted.' })

/** As the first way in, or as the second factor of a pending sign-in. Refused ones count for the network. */
export async function signInByPasskey(
  db: Db,
  credential: AuthenticationResponseJSON,
  pending: PendingSignIn | null,
  client: SignInClient,
  deps: SecondFactorDeps,
): Promise<StartedSession> {
  const party = partyOf(deps)
  const used = await takeChallenge(db, credential.response.clientDataJSON, client)
  const passkey = await findPasskey(db, Buffer.from(credential.id, 'base64url'))
  const account = passkey && (await findAccount(db, passkey.accountId))
  const started = await checkInNetwork(db, client, async () => {
    if (!passkey || !account || !used || !isExpected(used, passkey, pending, credential)) return null
    const proof = await verifyAssertion(party, used.challenge, passkey, credential)
    if (!proof) return null
    const signIn = () => db.transaction(tx => startWithPasskey(tx, passkey, proof, pending, client, deps))
    return auditingRefusal(db, account.id, client, signIn)
  })
  if (started) return started
  if (account) await auditRefusal(db, account.id, client)
  throw refused()
}

/** True if the passkey answers a challenge that was meant for it. */
function isExpected(
  used: UsedChallenge,
  passkey: StoredPasskey,
  pending: PendingSignIn | null,
  { response: { userHandle } }: AuthenticationResponseJSON,
): boolean {
  if (!pending) return used.purpose === 'sign_in' && isOwner(passkey, userHandle, true)
  const isOwn = used.accountId === pending.accountId && passkey.accountId === pending.accountId
  return used.purpose === 'second_factor' && isOwn && isOwner(passkey, userHandle, false)
}

/** Null when another request has used the counter meanwhile: there is a copy of the passkey. */
async function startWithPasskey(
  tx: Db,
  { id, accountId }: StoredPasskey,
  proof: Parameters<typeof recordPasskeyUse>[2],
  pending: PendingSignIn | null,
  client: SignInClient,
  deps: SecondFactorDeps,
): Promise<StartedSession | null> {
  const account = orNotFound(await lockAccount(tx, accountId))
  if (!(await recordPasskeyUse(tx, id, proof))) return null
  if (!pending) return startSession(tx, account, { method: 'passkey', hasSecondFactor: true }, client, deps)
  const { sessionId } = pending
  const cookie = await renewSession(tx, { sessionId, account }, client, deps, 'given')
  return { sessionId, cookie, isPending: false, secondFactors: [] }
}
