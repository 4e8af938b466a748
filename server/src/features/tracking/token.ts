// What the address of a pixel or of a link says, and nobody but us can read or make: numbers, sealed. It is AES-SIV (RFC
// 5297) cut down to one length of message: a MAC of the numbers is the start of the key stream that hides them. The same
// numbers give the same token, or unchanged signatures would be installed again and again.
import { createCipheriv, timingSafeEqual } from 'node:crypto'

export interface Marks {
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
  make(marks: Marks): string
  /** Null for what we did not make, or made with a key that is listed no more. */
  open(token: string): Marks | null
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

/** Handed out by `derive`; the first makes, all open. */
export function createTokens(derived: readonly Buffer[]): Tokens {
  const keys = derived.map(keyOf)
  const [current] = keys
  if (!current) throw new Error('there is no key to make tokens with')
  // Everything here ends before anybody else has a turn: the same memory does for all.
  const marks = Buffer.alloc(2 * block)
  const stream = Buffer.alloc(2 * block)
  const token = Buffer.alloc(1 + macBytes + marksBytes)

  /** CBC-MAC, which is safe for messages of one length. */
  function macOf({ sign }: Key): Buffer {
    const first = sign(marks.subarray(0, block))
    for (let at = 0; at < block; at++) first[at] = (first[at] ?? 0) ^ (marks[block + at] ?? 0)
    return sign(first).subarray(0, macBytes)
  }

  function streamFrom({ hide }: Key, mac: Uint8Array): Buffer {
    stream.set(mac, 0)
    stream.set(mac, block)
    stream[2 * block - 1] = 1
    return hide(stream)
  }

  return {
    make({ workspace, email, signature, campaign, link }) {
      marks.writeUInt32BE(workspace, 0)
      marks.writeUInt32BE(email, 4)
      marks.writeUInt32BE(signature, 8)
      marks.writeUInt32BE(campaign, 12)
      marks.writeUInt16BE(link, 16)
      const mac = macOf(current)
      const hidden = streamFrom(current, mac)
      token[0] = current.id
      token.set(mac, 1)
      for (let at = 0; at < marksBytes; at++) token[1 + macBytes + at] = (marks[at] ?? 0) ^ (hidden[at] ?? 0)
      return token.toString('base64url')
    },
    open(text) {
      if (!form.test(text)) return null
      token.write(text, 'base64url')
      for (const key of keys) {
        if (key.id !== token[0]) continue
        const mac = token.subarray(1, 1 + macBytes)
        const hidden = streamFrom(key, mac)
        for (let at = 0; at < marksBytes; at++)
          marks[at] = (token[1 + macBytes + at] ?? 0) ^ (hidden[at] ?? 0)
        if (!timingSafeEqual(mac, macOf(key))) continue
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
