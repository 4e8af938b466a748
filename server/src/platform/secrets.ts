// Encrypts secrets of connected systems (AES-256-GCM) before they are stored. The key comes from the environment, or is
// created in the data folder. For key rotation there can be several keys: the first one encrypts, all of them decrypt.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#config.ts'
import { OperatorError } from '#kernel/base/errors.ts'

export interface Vault {
  /** `context` names the purpose of the secret; `open` fails with another context. */
  seal(secret: string, context: string): Promise<Buffer>
  open(sealed: Buffer, context: string): Promise<string>
  /** Derives a key for another purpose from each key. The caller encrypts with the first and tries all to decrypt. */
  derive(context: string, bytes: number): Promise<readonly Buffer[]>
}

type VaultDeps = Pick<Config, 'secretKeys' | 'dataDir'>

export function createVault(deps: VaultDeps): Vault {
  let keys: Promise<readonly Buffer[]> | undefined
  const allKeys = (): Promise<readonly Buffer[]> => {
    keys ??= deps.secretKeys ? Promise.resolve(deps.secretKeys) : keyInFolder(deps.dataDir).then(key => [key])
    return keys
  }
  return {
    async seal(secret, context) {
      const [key] = await allKeys()
      if (!key) throw new Error('there is no key to seal with')
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
    },
    async open(sealed, context) {
      for (const key of await allKeys()) {
        try {
          const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
            .setAAD(Buffer.from(context))
            .setAuthTag(sealed.subarray(12, 28))
          return decipher.update(sealed.subarray(28), undefined, 'utf8') + decipher.final('utf8')
        } catch {
          // Encrypted with another key: try the next one.
        }
      }
      throw new Error('a stored secret does not open: SIGNOFF_SECRET_KEYS lacks the key it was sealed with')
    },
    async derive(context, bytes) {
      return (await allKeys()).map(key => Buffer.from(hkdfSync('sha256', key, '', context, bytes)))
    },
  }
}

/**
 * Reads the key file, or creates it. If two processes create it at the same time, both use the file of the first. The
 * file gets its name when it is complete, so a crash cannot leave half a key.
 */
async function keyInFolder(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, 'secret.key')
  await mkdir(dataDir, { recursive: true })
  const text = await readFile(path, 'utf8').catch(async error => {
    if ((error as { code?: string }).code !== 'ENOENT') throw error
    await makeKey(dataDir, path)
    return readFile(path, 'utf8')
  })
  const key = Buffer.from(text, 'base64')
  if (key.length !== 32)
    throw new OperatorError(
      `${path} must hold 32 bytes in base64. Get it back from a backup: nothing else opens what was sealed.`,
    )
  return key
}

async function makeKey(dataDir: string, path: string): Promise<void> {
  const draft = join(dataDir, `secret.key.${process.pid}.${randomBytes(6).toString('hex')}`)
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(randomBytes(32).toString('base64'))
    await file.sync()
    await file.close()
    await link(draft, path)
    const folder = await open(dataDir, 'r')
    await folder.sync()
    await folder.close()
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  } finally {
    await unlink(draft)
  }
}
