// Passwords are stored as argon2id, in the PHC format: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { createBoundedQueue } from '#kernel/base/queues.ts'

const derive = promisify(argon2)

/** Memory in KB, passes and lanes: the parameters that OWASP recommends. */
const parameters = { memory: 19_456, passes: 2, parallelism: 1 }
const hashBytes = 32

/** Each hash takes a thread of the pool of Node, which has 4 and also reads files; more than the CPUs are no faster. */
const enqueueHash = createBoundedQueue({
  atOnce: Math.min(4, availableParallelism()),
  waiting: 200,
  waitMilliseconds: 10_000,
  message: 'Too many sign-ins at once; try again shortly.',
})

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const { memory, passes, parallelism } = parameters
  const hash = await enqueueHash(() =>
    derive('argon2id', { message: password, nonce, tagLength: hashBytes, ...parameters }),
  )
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(hash)}`
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** A hash that no password has. Its check takes as long as that of another hash. */
const impossible = `$argon2id$v=19$m=${parameters.memory},t=${parameters.passes},p=${parameters.parallelism}$${unpadded(Buffer.alloc(16))}$${unpadded(Buffer.alloc(hashBytes))}`

/** `stored` is null for accounts without a password, or without an account at all: the answer takes the same time. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', expected = ''] = phc.exec(stored ?? impossible) ?? []
  const hash = Buffer.from(expected, 'base64')
  if (hash.length === 0) throw new Error('a stored password hash is not in the PHC format')
  const derived = await enqueueHash(() =>
    derive('argon2id', {
      message: password,
      nonce: Buffer.from(salt, 'base64'),
      tagLength: hash.length,
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
    }),
  )
  return timingSafeEqual(derived, hash) && stored !== null
}
