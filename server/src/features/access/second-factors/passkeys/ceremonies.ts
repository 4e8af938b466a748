// What browsers and authenticators are asked and answer (WebAuthn), without the database. The library is loaded with the
// first passkey: it brings parsers of certificates that most processes never need.
import { isIP } from 'node:net'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'

/** This installation, as authenticators know it. */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

/** Null for an address without a host name: browsers make no passkeys there. */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const { hostname, origin } = new URL(publicUrl)
  return hostname.startsWith('[') || isIP(hostname) !== 0 ? null : { id: hostname, origin }
}

/** Longer than the dialogs of browsers wait. */
export const challengeSeconds = 300

/** A credential as the browser needs it to find it again. */
interface CredentialHint {
  readonly credentialId: Buffer
  readonly transports: readonly string[]
}

const hintOf = ({ credentialId, transports }: CredentialHint) => ({
  id: credentialId.toString('base64url'),
  transports: [...transports],
})

/** Ed25519, ES256 and RS256: every authenticator knows one of them. */
const algorithms = [-8, -7, -257]

const bytesOf = (buffer: Buffer): Uint8Array<ArrayBuffer> => Uint8Array.from(buffer)

export interface PasskeyOwner {
  readonly accountId: string
  readonly email: string
  readonly name: string
}

/** The user handle: the bytes of the account's id, which tell nothing about the person. */
export const userHandleOf = (accountId: string): Buffer => Buffer.from(accountId.replaceAll('-', ''), 'hex')

export async function registrationOptions(
  party: RelyingParty,
  owner: PasskeyOwner,
  existing: readonly CredentialHint[],
  challenge: Buffer,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  return generateRegistrationOptions({
    rpName: 'Signoff',
    rpID: party.id,
    userID: bytesOf(userHandleOf(owner.accountId)),
    userName: owner.email,
    userDisplayName: owner.name,
    challenge: bytesOf(challenge),
    timeout: challengeSeconds * 1_000,
    attestationType: 'none',
    excludeCredentials: existing.map(hintOf),
    // A discoverable credential can be the only way in: the browser finds it without an address.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  })
}

/** Without credentials, the browser offers every passkey that it has for this installation. */
export async function assertionOptions(
  party: RelyingParty,
  allowed: readonly CredentialHint[],
  challenge: Buffer,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge: bytesOf(challenge),
    timeout: challengeSeconds * 1_000,
    userVerification: 'required',
    ...(allowed.length > 0 && { allowCredentials: allowed.map(hintOf) }),
  })
}

interface ClientData {
  readonly challenge: string
  /** True in a frame of another site, which is refused. */
  readonly isCrossOrigin: boolean
}

/** Data about the request that the browser has signed; null when it is unreadable. */
export function readClientData(clientDataJSON: string): ClientData | null {
  try {
    const sent: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))
    const { challenge, crossOrigin } = sent as { challenge?: unknown; crossOrigin?: unknown }
    return typeof challenge === 'string' ? { challenge, isCrossOrigin: crossOrigin === true } : null
  } catch {
    return null
  }
}

export interface RegisteredCredential extends CredentialHint {
  readonly publicKey: Buffer
  readonly counter: number
  readonly isBackedUp: boolean
}

/**
 * Certificates of authenticators are never asked for. A response that has them is refused, because the library would
 * request addresses that are named in the certificates.
 */
async function hasCertificates({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const attestation = decodeAttestationObject(bytesOf(Buffer.from(response.attestationObject, 'base64url')))
  const format = attestation.get('fmt')
  return format !== 'none' && !(format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
}

/** Null when the response proves nothing; the library throws for every reason it knows. */
export async function verifyRegistration(
  party: RelyingParty,
  challenge: string,
  response: RegistrationResponseJSON,
): Promise<RegisteredCredential | null> {
  try {
    if (await hasCertificates(response)) return null
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    if (!registrationInfo) return null
    const { credential, credentialBackedUp } = registrationInfo
    return {
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: response.response.transports ?? [],
      isBackedUp: credentialBackedUp,
    }
  } catch {
    return null
  }
}

/** Null when the response proves nothing. */
export async function verifyAssertion(
  party: RelyingParty,
  challenge: string,
  stored: Omit<RegisteredCredential, 'isBackedUp'>,
  response: AuthenticationResponseJSON,
): Promise<Pick<RegisteredCredential, 'counter' | 'isBackedUp'> | null> {
  try {
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: stored.credentialId.toString('base64url'),
        publicKey: bytesOf(stored.publicKey),
        counter: stored.counter,
      },
    })
    if (!verified) return null
    return { counter: authenticationInfo.newCounter, isBackedUp: authenticationInfo.credentialBackedUp }
  } catch {
    return null
  }
}
