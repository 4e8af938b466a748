// What the address of a pixel or of a link says, and nobody but us can read or make: numbers, sealed. It is AES-SIV (RFC
// 5297) cut down to one length of message: a MAC of the numbers is the start of the key stream that hides them. The same
// numbers give the same token, or unchanged signatures would be installed again and again.
import { createCipheriv, timingSafeEqual } from 'node:crypto'

export interface TokenFields {
  readonly workspace: number
  readonly email: number
  /** The source of the signature, or of its variant. */
  readonly signature: number
  /** The source of the campaign whose banner was shown, or holds the link; 0 is none. */
  readonly campaign: number
  /** Which link of its source, from 1; 0 is the pixel. */
  readonly link: number
}

export interface Tokens {
  make(marks: TokenFields): string
  /** One for each of these links: the ciphers are asked once for all. */
  makeEach(marks: Omit<TokenFields, 'link'>, links: readonly number[]): string[]
  /** Null for what we did not make, or made with a key that is listed no more. */
  open(token: string): TokenFields | null
}

/** Of each key: one half signs, the other hides. */
export const keyBytes = 64
export const keyContext = 'signoff tracking token 1'

const macBytes = 8
const marksBytes = 18
const block = 16
/** 27 bytes. */
const form = /^[\w-]{36}$/
export const mostLinks = 0xffff

interface Key {
  /** Told by the key, so that the order of keys may change. */
  readonly id: number
  /** Both are permutations of blocks without any state, so that one object does for all tokens. */
  readonly sign: (blocks: Buffer) => Buffer
  readonly hide: (blocks: Buffer) => Buffer
}

function permutation(key: Buffer): Key['sign'] {
  const cipher = createCipheriv('aes-256-ecb', key, null)
  return blocks => cipher.update(blocks)
}

function keyOf(bytes: Buffer): Key {
  const sign = permutation(bytes.subarray(0, keyBytes / 2))
  const id = sign(Buffer.alloc(block, 'key id'))[0] ?? 0
  return { id, sign, hide: permutation(bytes.subarray(keyBytes / 2)) }
}

/** `alloc` would ask the system for each. */
const zeros = (length: number): Buffer => Buffer.allocUnsafe(length).fill(0)

/** CBC-MAC, which is safe for messages of one length; of all that begin alike, of which `last` holds the last blocks. */
function macsOf({ sign }: Key, first: Buffer, last: Buffer): Buffer {
  const begun = sign(first)
  const blocks = Buffer.allocUnsafe(last.length)
  for (let at = 0; at < last.length; at++) blocks[at] = (last[at] ?? 0) ^ (begun[at % block] ?? 0)
  return sign(blocks)
}

/** Two blocks for the beginning of each block of `macs`. */
function streamsFrom({ hide }: Key, macs: Buffer): Buffer {
  const counted = zeros(2 * macs.length)
  for (let at = 0; at < macs.length; at += block) {
    macs.copy(counted, 2 * at, at, at + macBytes)
    macs.copy(counted, 2 * at + block, at, at + macBytes)
    counted[2 * at + 2 * block - 1] = 1
  }
  return hide(counted)
}

/** Handed out by `derive`; the first makes, all open. */
export function createTokens(derived: readonly Buffer[]): Tokens {
  const keys = derived.map(keyOf)
  const [current] = keys
  if (!current) throw new Error('there is no key to make tokens with')
  // Everything here ends before anybody else has a turn: the same memory does for all.
  const first = Buffer.alloc(block)
  const token = Buffer.alloc(1 + macBytes + marksBytes)

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
    const hidden = streamsFrom(current, macs)
    token[0] = current.id
    return links.map((_, index) => {
      const [mac, stream] = [block * index, 2 * block * index]
      macs.copy(token, 1, mac, mac + macBytes)
      for (let at = 0; at < marksBytes; at++) {
        const mark = at < block ? first[at] : last[mac + at - block]
        token[1 + macBytes + at] = (mark ?? 0) ^ (hidden[stream + at] ?? 0)
      }
      return token.toString('base64url')
    })
  }

  return {
    makeEach,
    make: marks => makeEach(marks, [marks.link])[0] ?? '',
    open(text) {
      if (!form.test(text)) return null
      token.write(text, 'base64url')
      const mac = zeros(block)
      token.copy(mac, 0, 1, 1 + macBytes)
      for (const key of keys) {
        if (key.id !== token[0]) continue
        const marks = streamsFrom(key, mac)
        for (let at = 0; at < marksBytes; at++) marks[at] = (marks[at] ?? 0) ^ (token[1 + macBytes + at] ?? 0)
        marks.fill(0, marksBytes)
        const proof = macsOf(key, marks.subarray(0, block), marks.subarray(block))
        if (!timingSafeEqual(mac.subarray(0, macBytes), proof.subarray(0, macBytes))) continue
        return {
          workspace: marks.readUInt32BE(0),
          email: marks.readUInt32BE(4),
          signature: marks.readUInt32BE(8),
          campaign: marks.readUInt32BE(12),
          link: marks.readUInt16BE(16),
        }
      }
      return null
    },
  }
}
