// How an app registration proves who it is: by a client secret, or by a certificate whose private key signs an assertion.
import {
  constants,
  createPrivateKey,
  hash,
  type KeyObject,
  randomUUID,
  sign,
  X509Certificate,
} from 'node:crypto'

export type ClientCredential =
  | { readonly kind: 'client_secret'; readonly secret: string }
  | { readonly kind: 'certificate'; readonly certificate: X509Certificate; readonly key: KeyObject }

export type CredentialField = 'client_secret' | 'certificate' | 'private_key'

/** The message continues a sentence such as "The certificate …". */
export class CredentialProblem extends Error {
  readonly field: CredentialField

  constructor(field: CredentialField, message: string) {
    super(message)
    this.field = field
  }
}

/** The first block with this label, up to its own end. */
function pemBlock(text: string, label: RegExp): string | undefined {
  for (const part of text.split('-----BEGIN ').slice(1)) {
    const block = `-----BEGIN ${part}`
    const end = `-----END ${part.slice(0, part.indexOf('-----'))}-----`
    const at = block.indexOf(end)
    if (at > 0 && label.test(block)) return block.slice(0, at + end.length)
  }
  return undefined
}

function readCertificate(pem: string): X509Certificate {
  const block = pemBlock(pem, /^-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/)
  if (block === undefined)
    throw new CredentialProblem('certificate', 'has no certificate in PEM form (-----BEGIN CERTIFICATE-----)')
  try {
    return new X509Certificate(block)
  } catch {
    throw new CredentialProblem('certificate', 'has a certificate that cannot be read')
  }
}

/** Microsoft takes RSA keys of at least 2,048 bits. */
const leastBits = 2_048

function readPrivateKey(pem: string): KeyObject {
  const block = pemBlock(pem, /^-----BEGIN [A-Z ]*PRIVATE KEY-----/)
  if (block === undefined)
    throw new CredentialProblem('private_key', 'has no private key in PEM form (-----BEGIN PRIVATE KEY-----)')
  if (/^-----BEGIN ENCRYPTED|^Proc-Type: .*ENCRYPTED/m.test(block))
    throw new CredentialProblem(
      'private_key',
      'is protected by a password: write it without one, with `openssl pkey`',
    )
  let key: KeyObject | undefined
  try {
    key = createPrivateKey(block)
  } catch {
    // The error is thrown below.
  }
  const { modulusLength = 0 } = key?.asymmetricKeyDetails ?? {}
  if (key?.asymmetricKeyType !== 'rsa' || modulusLength < leastBits)
    throw new CredentialProblem('private_key', `is not an RSA key of at least ${leastBits} bits`)
  return key
}

/** Texts with several PEM blocks are allowed: the first certificate and the first key count. Throws CredentialProblem. */
export function readCertificateCredential(certificatePem: string, keyPem: string): ClientCredential {
  const certificate = readCertificate(certificatePem)
  const key = readPrivateKey(keyPem)
  if (!certificate.checkPrivateKey(key))
    throw new CredentialProblem('private_key', 'does not belong to the certificate')
  return { kind: 'certificate', certificate, key }
}

/** The form in which a credential is sealed. */
export const storedCredential = (parts: Readonly<Partial<Record<CredentialField, string>>>): string =>
  JSON.stringify(parts)

/** Throws CredentialProblem. */
export function openCredential(stored: string): ClientCredential {
  let parts: Partial<Record<CredentialField, unknown>> = {}
  try {
    parts = JSON.parse(stored) ?? {}
  } catch {
    // The error is thrown below.
  }
  const { client_secret: secret, certificate, private_key: key } = parts
  if (typeof secret === 'string') return { kind: 'client_secret', secret }
  if (typeof certificate === 'string' && typeof key === 'string')
    return readCertificateCredential(certificate, key)
  throw new CredentialProblem('client_secret', 'is missing: send a client secret or a certificate')
}

/** The SHA-256 hash of the certificate. */
export const thumbprintOf = (certificate: X509Certificate): Buffer =>
  hash('sha256', certificate.raw, 'buffer')

/** Differs between credentials, and does not reveal them. */
export const credentialId = (credential: ClientCredential): string =>
  credential.kind === 'client_secret'
    ? hash('sha256', credential.secret, 'base64url')
    : thumbprintOf(credential.certificate).toString('base64url')

const lifetimeSeconds = 300

/** The fields of a token request that prove who the app is. */
export function credentialFields(
  credential: ClientCredential,
  clientId: string,
  audience: string,
): Record<string, string> {
  if (credential.kind === 'client_secret') return { client_secret: credential.secret }
  const { certificate, key } = credential
  const now = Math.floor(Date.now() / 1_000)
  const header = { alg: 'PS256', typ: 'JWT', 'x5t#S256': thumbprintOf(certificate).toString('base64url') }
  const claims = {
    aud: audience,
    iss: clientId,
    sub: clientId,
    jti: randomUUID(),
    nbf: now,
    iat: now,
    exp: now + lifetimeSeconds,
  }
  const input = [header, claims]
    .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const signature = sign('sha256', Buffer.from(input), {
    key,
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
  })
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: `${input}.${signature.toString('base64url')}`,
  }
}
