// Encrypts short messages into tokens for public addresses. The construction is that of AES-SIV (RFC 5297): a MAC of the
// message is the initialisation vector that encrypts it. Only this service can make or read a token, and the same message
// gives the same token, otherwise unchanged signatures would be delivered again and again. RFC 5297 itself (as in
// @noble/ciphers) has a tag of 16 bytes, which makes an address of 50 characters where mail needs 40.
import { createCipheriv, createHmac, timingSafeEqual } from 'node:crypto'

export interface SealedTokens {
  seal(message: Buffer): string
  /** Tokens of several messages, with as few cipher calls as for a single message. */
  sealEach(messages: readonly Buffer[]): string[]
  /** Undefined for a token that this service did not make, or made with a key that is no longer configured. */
  open(token: string): Buffer | undefined
}

/** MACs of messages; more bytes than a token holds. */
type Mac = (messages: readonly Buffer[]) => readonly Buffer[]

/** The wire form of tokens. It must not change: mails sent long ago contain them. */
export interface TokenForm {
  readonly macOf: (key: Buffer) => Mac
  /** The first bytes of the MAC, which are in the token. */
  readonly macBytes: number
  /** One byte before the MAC says which key made the token. */
  readonly hasKeyId: boolean
}

/** One half of each key is for the MAC, the other half for encryption. */
export const tokenKeyBytes = 64

const block = 16
const maxTokenLength = 4_000

/** Faster than `Buffer.alloc`, which allocates new memory for each buffer instead of using the pool. */
const zeros = (length: number): Buffer => Buffer.allocUnsafe(length).fill(0)

/** Encrypts blocks without any state, so one cipher object works for all tokens. */
function blockCipher(key: Buffer): (blocks: Buffer) => Buffer {
  const cipher = createCipheriv('aes-256-ecb', key, null)
  return blocks => cipher.update(blocks)
}

export const hmacSha256 =
  (key: Buffer): Mac =>
  messages =>
    messages.map(message => createHmac('sha256', key).update(message).digest())

/** CBC-MAC, which is safe for messages of one length alone. A call of the cipher per block serves all messages. */
export const cbcMac =
  (length: number) =>
  (key: Buffer): Mac => {
    const encrypt = blockCipher(key)
    return messages => {
      let chained = zeros(block * messages.length)
      for (let start = 0; start < length; start += block) {
        messages.forEach((message, index) => {
          for (let at = start; at < Math.min(start + block, length); at++) {
            const target = block * index + at - start
            chained[target] = (chained[target] ?? 0) ^ (message[at] ?? 0)
          }
        })
        chained = encrypt(chained)
      }
      return messages.map((_, index) => chained.subarray(block * index, block * (index + 1)))
    }
  }

interface TokenKey {
  /** Derived from the key, so that it stays the same when the order of the keys changes. */
  readonly id: number
  readonly mac: Mac
  readonly encrypt: (blocks: Buffer) => Buffer
}

function tokenKey(bytes: Buffer, { macOf }: TokenForm): TokenKey {
  const [macKey, encryptionKey] = [bytes.subarray(0, tokenKeyBytes / 2), bytes.subarray(tokenKeyBytes / 2)]
  const id = blockCipher(macKey)(Buffer.alloc(block, 'key id'))[0] ?? 0
  return { id, mac: macOf(macKey), encrypt: blockCipher(encryptionKey) }
}

/** Counter mode from the MAC on, which is its own inverse: the MAC and a counter, encrypted, are the key stream. */
function withKeyStream(
  { encrypt }: TokenKey,
  macs: readonly Buffer[],
  messages: readonly Buffer[],
): readonly Buffer[] {
  const starts: number[] = []
  let length = 0
  for (const message of messages) {
    starts.push(length)
    length += block * Math.ceil(message.length / block)
  }
  const counters = zeros(length)
  messages.forEach((message, index) => {
    const start = starts[index] ?? 0
    for (let at = 0; at < message.length; at += block) {
      macs[index]?.copy(counters, start + at)
      counters.writeUInt32BE(at / block, start + at + block - 4)
    }
  })
  const stream = encrypt(counters)
  return messages.map((message, index) => {
    const result = Buffer.allocUnsafe(message.length)
    const start = starts[index] ?? 0
    for (let at = 0; at < message.length; at++) result[at] = (message[at] ?? 0) ^ (stream[start + at] ?? 0)
    return result
  })
}

/** The keys come from `KeyDeriver.derive`. The first key seals, all keys open. */
export function createSealedTokens(derived: readonly Buffer[], form: TokenForm): SealedTokens {
  const keys = derived.map(bytes => tokenKey(bytes, form))
  const [current] = keys
  if (!current) throw new Error('there is no key to seal with')
  const { macBytes, hasKeyId } = form
  const prefix = hasKeyId ? Buffer.from([current.id]) : Buffer.alloc(0)
  const macsWith = ({ mac }: TokenKey, messages: readonly Buffer[]) =>
    mac(messages).map(bytes => bytes.subarray(0, macBytes))

  const sealEach = (messages: readonly Buffer[]): string[] => {
    const macs = macsWith(current, messages)
    const encrypted = withKeyStream(current, macs, messages)
    return macs.map((mac, index) =>
      Buffer.concat([prefix, mac, encrypted[index] ?? prefix]).toString('base64url'),
    )
  }

  return {
    sealEach,
    seal: message => sealEach([message])[0] ?? '',
    open(token) {
      if (token.length > maxTokenLength) return undefined
      const sealed = Buffer.from(token, 'base64url')
      // A message has one token: a different spelling of the same bytes is refused.
      if (sealed.length <= prefix.length + macBytes || sealed.toString('base64url') !== token)
        return undefined
      const mac = sealed.subarray(prefix.length, prefix.length + macBytes)
      const encrypted = sealed.subarray(prefix.length + macBytes)
      for (const key of keys) {
        if (hasKeyId && key.id !== sealed[0]) continue
        const [message] = withKeyStream(key, [mac], [encrypted])
        const [expected] = message ? macsWith(key, [message]) : []
        if (message && expected && timingSafeEqual(mac, expected)) return message
      }
      return undefined
    },
  }
}
