// The encrypted token in the address of a pixel or a link. It contains numbers that only this service can read or make.
import { cbcMac, createSealedTokens } from '#kernel/base/sealed-tokens.ts'

export interface TokenFields {
  readonly workspace: number
  readonly email: number
  /** The number of the link set of the signature, or of its variant. */
  readonly signature: number
  /** The number of the link set of the campaign whose banner was shown or contains the link; 0 is none. */
  readonly campaign: number
  /** The position of the link in its link set, from 1; 0 is the pixel. */
  readonly link: number
}

export interface Tokens {
  make(fields: TokenFields): string
  /** Makes one token for each of these links, with one call of each cipher for all of them. */
  makeEach(fields: Omit<TokenFields, 'link'>, links: readonly number[]): string[]
  /** Null for a token that this service did not make, or made with a key that is no longer configured. */
  open(token: string): TokenFields | null
}

export const keyContext = 'signoff tracking token 1'
export const maxLinks = 0xffff

const fieldsBytes = 18

/** 27 bytes are 36 characters: an address with a token has at most 40. */
const form = { macOf: cbcMac(fieldsBytes), macBytes: 8, hasKeyId: true }

function encode({ workspace, email, signature, campaign, link }: TokenFields): Buffer {
  const bytes = Buffer.allocUnsafe(fieldsBytes)
  bytes.writeUInt32BE(workspace, 0)
  bytes.writeUInt32BE(email, 4)
  bytes.writeUInt32BE(signature, 8)
  bytes.writeUInt32BE(campaign, 12)
  bytes.writeUInt16BE(link, 16)
  return bytes
}

const decode = (bytes: Buffer): TokenFields => ({
  workspace: bytes.readUInt32BE(0),
  email: bytes.readUInt32BE(4),
  signature: bytes.readUInt32BE(8),
  campaign: bytes.readUInt32BE(12),
  link: bytes.readUInt16BE(16),
})

/** The keys come from `KeyDeriver.derive`. The first key makes tokens, all keys open them. */
export function createTokens(keys: readonly Buffer[]): Tokens {
  const sealed = createSealedTokens(keys, form)
  return {
    make: fields => sealed.seal(encode(fields)),
    makeEach: (fields, links) => sealed.sealEach(links.map(link => encode({ ...fields, link }))),
    open(token) {
      const bytes = sealed.open(token)
      return bytes?.length === fieldsBytes ? decode(bytes) : null
    },
  }
}
