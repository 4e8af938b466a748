import { randomBytes } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import {
  auditAccount,
  findAccount,
  hashToken,
  lockAccount,
  renewSession,
  SignInAttempts,
  type SignInClient,
  type StartedSession,
  startSession,
} from '#features/access/index.ts'
import { networkOf } from '#kernel/client-network.ts'
import type { Db } from '#kernel/db.ts'
import { apiError, invalid, orNotFound } from '#kernel/errors.ts'
import { beginChange, checkRemoval, type FactorOwner, finishChange, firstRecoveryCodes } from '../changes.ts'
import type { SecondFactorDeps } from '../deps.ts'
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
  type Passkey,
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

const browserHashOf = ({ markBrowser }: SignInClient): Buffer => hashToken(markBrowser?.() ?? '')

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
  by: FactorOwner,
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
  by: FactorOwner,
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

export const renamePasskey = async (
  db: Db,
  { accountId }: FactorOwner,
  id: string,
  name: string,
): Promise<Passkey> => orNotFound(await updatePasskeyName(db, accountId, id, name))

/** Returns the Set-Cookie header. */
export async function removePasskey(
  db: Db,
  by: FactorOwner,
  id: string,
  deps: SecondFactorDeps,
): Promise<string> {
  return db.transaction(async tx => {
    const account = await beginChange(tx, by)
    if (!(await deletePasskey(tx, by.accountId, id))) throw apiError('not_found')
    await checkRemoval(tx, account, deps)
    return finishChange(tx, account, by, { factor: 'passkey', change: 'removed' }, deps)
  })
}

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
 * Whether the owner that the authenticator names is the owner of the passkey. As the first way in it must name one: it
 * stands in for the address.
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

/** As the first way in, or as the second factor of a pending sign-in. Tries are counted like wrong passwords. */
export async function signInByPasskey(
  db: Db,
  credential: AuthenticationResponseJSON,
  pending: PendingSignIn | null,
  client: SignInClient,
  deps: SecondFactorDeps,
): Promise<StartedSession> {
  const party = partyOf(deps)
  const { clientDataJSON, userHandle } = credential.response
  const used = await takeChallenge(db, clientDataJSON, client)
  const passkey = await findPasskey(db, Buffer.from(credential.id, 'base64url'))
  const account = passkey && (await findAccount(db, passkey.accountId))
  // An unknown passkey counts for its own id: the limit of the network holds.
  const attempts = new SignInAttempts(account?.email ?? credential.id, networkOf(client.address))
  await attempts.begin(db)
  const isSecond = pending !== null
  const matches =
    used?.purpose === (isSecond ? 'second_factor' : 'sign_in') &&
    passkey !== undefined &&
    isOwner(passkey, userHandle, !isSecond) &&
    (!isSecond || (used.accountId === pending.accountId && passkey.accountId === pending.accountId))
  const proof = matches ? await verifyAssertion(party, used.challenge, passkey, credential) : null
  const started =
    proof && account && passkey
      ? await db.transaction(async tx => {
          const locked = orNotFound(await lockAccount(tx, account.id))
          // A counter that another request has used meanwhile: a copy of the passkey.
          if (!(await recordPasskeyUse(tx, passkey.id, proof))) return null
          await attempts.forgive(tx)
          if (!pending)
            return startSession(tx, locked, { method: 'passkey', hasSecondFactor: true }, client, deps)
          const { sessionId } = pending
          const session = { sessionId, account: locked, isPending: true }
          const cookie = await renewSession(tx, session, client, deps, 'given')
          return { sessionId, cookie, isPending: false, secondFactors: [] }
        })
      : null
  if (started) return started
  if (account)
    await db.transaction(tx =>
      auditAccount(tx, account.id, {
        action: 'session.refused',
        resourceId: account.id,
        requestId: client.requestId ?? null,
      }),
    )
  throw refused()
}
