// The encrypted token in the address of a pixel or a link. It contains numbers that only this service can read or make.
// The construction is that of AES-SIV (RFC 5297), for one message length: a MAC of the numbers is the start of the key
// stream that encrypts them. The same numbers must give the same token, otherwise unchanged signatures would be delivered
// again and again. RFC 5297 itself (as in @noble/ciphers) has a tag of 16 bytes, which makes an address of 50 characters
// where the limit is 40; a test compares the tokens with OpenSSL's CBC and CTR modes instead of the vectors of the RFC.
import { createCipheriv, timingSafeEqual } from 'node:crypto'

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

/** One half of each key is for the MAC, the other half for encryption. */
export const keyBytes = 64
export const keyContext = 'signoff tracking token 1'

const macBytes = 8
const fieldsBytes = 18
const block = 16
/** 27 bytes in base64url. */
const tokenFormat = /^[\w-]{36}$/
export const maxLinks = 0xffff

interface Key {
  /** Derived from the key, so that it stays the same when the order of the keys changes. */
  readonly id: number
  /** Both encrypt blocks without any state, so one cipher object works for all tokens. */
  readonly sign: (blocks: Buffer) => Buffer
  readonly encrypt: (blocks: Buffer) => Buffer
}

function blockCipher(key: Buffer): Key['sign'] {
  const cipher = createCipheriv('aes-256-ecb', key, null)
  return blocks => cipher.update(blocks)
}

function keyOf(bytes: Buffer): Key {
  const sign = blockCipher(bytes.subarray(0, keyBytes / 2))
  const id = sign(Buffer.alloc(block, 'key id'))[0] ?? 0
  return { id, sign, encrypt: blockCipher(bytes.subarray(keyBytes / 2)) }
}

/** Faster than `Buffer.alloc`, which allocates new memory for each buffer instead of using the pool. */
const zeros = (length: number): Buffer => Buffer.allocUnsafe(length).fill(0)

/**
 * CBC-MAC, which is safe for messages of one length. All messages share the first block; `last` has the last block of
 * each message.
 */
function macsOf({ sign }: Key, first: Buffer, last: Buffer): Buffer {
  const chained = sign(first)
  const blocks = Buffer.allocUnsafe(last.length)
  for (let at = 0; at < last.length; at++) blocks[at] = (last[at] ?? 0) ^ (chained[at % block] ?? 0)
  return sign(blocks)
}

/** Makes a key stream of two blocks from each MAC: the first 8 bytes of the MAC and a counter, encrypted. */
function keyStreamsOf({ encrypt }: Key, macs: Buffer): Buffer {
  const counters = zeros(2 * macs.length)
  for (let at = 0; at < macs.length; at += block) {
    macs.copy(counters, 2 * at, at, at + macBytes)
    macs.copy(counters, 2 * at + block, at, at + macBytes)
    counters[2 * at + 2 * block - 1] = 1
  }
  return encrypt(counters)
}

/** The keys come from `KeyDeriver.derive`. The first key makes tokens, all keys open them. */
export function createTokens(derived: readonly Buffer[]): Tokens {
  const keys = derived.map(keyOf)
  const [current] = keys
  if (!current) throw new Error('there is no key to make tokens with')
  // The functions below are synchronous, so all calls can share these buffers.
  const first = Buffer.alloc(block)
  const token = Buffer.alloc(1 + macBytes + fieldsBytes)

  const makeEach = (
    { workspace, email, signature, campaign }: Omit<TokenFields, 'link'>,
    links: readonly number[],
  ): string[] => {
    first.writeUInt32BE(workspace, 0)
    first.writeUInt32BE(email, 4)
    first.writeUInt32BE(signature, 8)
    first.writeUInt32BE(campaign, 12)
    const last = zeros(block * links.length)
    links.forEach((link, index) => {
      last.writeUInt16BE(link, block * index)
    })
    const macs = macsOf(current, first, last)
    const keyStreams = keyStreamsOf(current, macs)
    token[0] = current.id
    return links.map((_, index) => {
      const [mac, stream] = [block * index, 2 * block * index]
      macs.copy(token, 1, mac, mac + macBytes)
      for (let at = 0; at < fieldsBytes; at++) {
        const byte = at < block ? first[at] : last[mac + at - block]
        token[1 + macBytes + at] = (byte ?? 0) ^ (keyStreams[stream + at] ?? 0)
      }
      return token.toString('base64url')
    })
  }

  return {
    makeEach,
    make: fields => makeEach(fields, [fields.link])[0] ?? '',
    open(text) {
      if (!tokenFormat.test(text)) return null
      token.write(text, 'base64url')
      const mac = zeros(block)
      token.copy(mac, 0, 1, 1 + macBytes)
      for (const key of keys) {
        if (key.id !== token[0]) continue
        const plain = keyStreamsOf(key, mac)
        for (let at = 0; at < fieldsBytes; at++)
          plain[at] = (plain[at] ?? 0) ^ (token[1 + macBytes + at] ?? 0)
        plain.fill(0, fieldsBytes)
        const expected = macsOf(key, plain.subarray(0, block), plain.subarray(block))
        if (!timingSafeEqual(mac.subarray(0, macBytes), expected.subarray(0, macBytes))) continue
        return {
          workspace: plain.readUInt32BE(0),
          email: plain.readUInt32BE(4),
          signature: plain.readUInt32BE(8),
          campaign: plain.readUInt32BE(12),
          link: plain.readUInt16BE(16),
        }
      }
      return null
    },
  }
}
