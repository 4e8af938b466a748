// Encrypts short messages into tokens for public addresses. The construction is that of AES-SIV (RFC 5297): a MAC of the
// message is the initialisation vector that encrypts it. Only this service can make or read a token, and the same message
// gives the same token, otherwise unchanged signatures would be delivered again and again. The tokens of tracking/ are
// shorter, and can hold only five numbers.
import { createCipheriv, createHmac, timingSafeEqual } from 'node:crypto'

export interface SealedBytes {
  seal(message: Buffer): string
  /** Undefined for a token that this service did not make, or made with a key that is no longer configured. */
  open(token: string): Buffer | undefined
}

/** One half of each key is for the MAC, the other half for encryption. */
export const sealKeyBytes = 64

const macBytes = 12
const counter = Buffer.alloc(16 - macBytes)
const maxTokenLength = 4_000

const macOf = (key: Buffer, message: Buffer): Buffer =>
  createHmac('sha256', key.subarray(0, sealKeyBytes / 2))
    .update(message)
    .digest()
    .subarray(0, macBytes)

/** Encrypts and decrypts: counter mode is its own inverse. */
const applyKeyStream = (key: Buffer, mac: Buffer, bytes: Buffer): Buffer =>
  createCipheriv('aes-256-ctr', key.subarray(sealKeyBytes / 2), Buffer.concat([mac, counter])).update(bytes)

/** The keys come from `KeyDeriver.derive`. The first key seals, all keys open. */
export function createSealedBytes(keys: readonly Buffer[]): SealedBytes {
  const [current] = keys
  if (!current) throw new Error('there is no key to seal with')
  return {
    seal(message) {
      const mac = macOf(current, message)
      return Buffer.concat([mac, applyKeyStream(current, mac, message)]).toString('base64url')
    },
    open(token) {
      if (token.length > maxTokenLength) return undefined
      const sealed = Buffer.from(token, 'base64url')
      // A message has one token: a different spelling of the same bytes is refused.
      if (sealed.length <= macBytes || sealed.toString('base64url') !== token) return undefined
      const mac = sealed.subarray(0, macBytes)
      for (const key of keys) {
        const message = applyKeyStream(key, mac, sealed.subarray(macBytes))
        if (timingSafeEqual(mac, macOf(key, message))) return message
      }
      return undefined
    },
  }
}
