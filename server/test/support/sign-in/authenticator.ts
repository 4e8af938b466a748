// An authenticator in software (ES256, attestation "none"): it answers like a browser, and can be told to answer wrongly.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

type Cbor = number | string | Buffer | ReadonlyMap<Cbor, Cbor>

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}

/** The few forms of RFC 8949 that WebAuthn needs. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)])])
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
const base64 = (data: Buffer): string => data.toString('base64url')

const flags = { present: 0x01, verified: 0x04, hasCredential: 0x40 }

export interface Ceremony {
  readonly origin: string
  /** Default: that of the options. */
  readonly rpId?: string
  readonly challenge?: string
  /** Default: true. */
  readonly verifiesUser?: boolean
  readonly isPresent?: boolean
  readonly counter?: number
  readonly type?: string
  readonly crossOrigin?: boolean
  readonly userHandle?: string | null
  /** Changed after the signature was made. */
  readonly tamper?: (authenticatorData: Buffer) => Buffer
  /** For registrations: the format of an attestation with a certificate. */
  readonly attestation?: string
}

interface CreationOptions {
  readonly challenge: string
  readonly rp: { readonly id?: string }
  readonly user: { readonly id: string }
}

interface RequestOptions {
  readonly challenge: string
  readonly rpId?: string
}

export class SoftwareAuthenticator {
  readonly credentialId = randomBytes(32)
  readonly #privateKey: KeyObject
  readonly #publicKey: KeyObject
  #userHandle = ''
  #counter = 0

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#privateKey = privateKey
    this.#publicKey = publicKey
  }

  /** `navigator.credentials.create()`, as JSON. */
  create(options: CreationOptions, ceremony: Ceremony): object {
    this.#userHandle = options.user.id
    const rpId = ceremony.rpId ?? options.rp.id ?? ''
    const clientData = clientDataOf('webauthn.create', options.challenge, ceremony)
    const credential = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([0, this.credentialId.length]),
      this.credentialId,
      this.#coseKey(),
    ])
    const authData = Buffer.concat([this.#header(rpId, ceremony, flags.hasCredential), credential])
    const statement: Cbor = ceremony.attestation
      ? new Map<Cbor, Cbor>([['x5c', new Map()]])
      : new Map<Cbor, Cbor>()
    const attestationObject = cbor(
      new Map<Cbor, Cbor>([
        ['fmt', ceremony.attestation ?? 'none'],
        ['attStmt', statement],
        ['authData', authData],
      ]),
    )
    return this.#credential({
      clientDataJSON: base64(clientData),
      attestationObject: base64(attestationObject),
      transports: ['internal'],
    })
  }

  /** `navigator.credentials.get()`, as JSON. */
  get(options: RequestOptions, ceremony: Ceremony): object {
    this.#counter = ceremony.counter ?? this.#counter + 1
    const clientData = clientDataOf('webauthn.get', options.challenge, ceremony)
    const authData = this.#header(ceremony.rpId ?? options.rpId ?? '', ceremony, 0)
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.#privateKey)
    const userHandle = ceremony.userHandle === undefined ? this.#userHandle : ceremony.userHandle
    return this.#credential({
      clientDataJSON: base64(clientData),
      authenticatorData: base64(ceremony.tamper ? ceremony.tamper(authData) : authData),
      signature: base64(signature),
      ...(userHandle !== null && { userHandle }),
    })
  }

  #credential(response: object): object {
    const id = base64(this.credentialId)
    return {
      id,
      rawId: id,
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
      response,
    }
  }

  #header(rpId: string, { verifiesUser = true, isPresent = true }: Ceremony, more: number): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.#counter)
    const set = (isPresent ? flags.present : 0) | (verifiesUser ? flags.verified : 0) | more
    return Buffer.concat([sha256(rpId), Buffer.from([set]), counter])
  }

  /** EC2, ES256, P-256 (RFC 9053). */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' })
    return cbor(
      new Map<Cbor, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    )
  }
}

const clientDataOf = (
  type: string,
  challenge: string,
  { origin, challenge: other, type: otherType, crossOrigin = false }: Ceremony,
): Buffer =>
  Buffer.from(JSON.stringify({ type: otherType ?? type, challenge: other ?? challenge, origin, crossOrigin }))
