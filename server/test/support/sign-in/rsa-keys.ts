// RSA keys for tests. Making one takes 0.3 s of CPU time, so a run makes four, which take turns: the last four that a
// test got are different.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'

export interface RsaKeys {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

const count = 4
let next = 0

function privateKeyAt(index: number): KeyObject {
  const file = join(inject('folder'), `rsa-key-${index}.pem`)
  if (existsSync(file)) return createPrivateKey(readFileSync(file))
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  // Two workers can make the same key at once: the file is that of the last one, and each worker is right with its own.
  writeFileSync(`${file}.${process.pid}`, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  renameSync(`${file}.${process.pid}`, file)
  return privateKey
}

/** Another key than those of the three calls before, and than `old`. */
export function nextRsaKeys(old?: KeyObject): RsaKeys {
  const privateKey = privateKeyAt(next++ % count)
  return old?.equals(privateKey) ? nextRsaKeys(old) : { privateKey, publicKey: createPublicKey(privateKey) }
}
