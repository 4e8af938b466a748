import { randomUUID } from 'node:crypto'
import { access, lchown, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Store } from './index.ts'

const saneKey = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/

const undefinedIfMissing = (error: { code?: string }): undefined => {
  if (error.code !== 'ENOENT') throw error
}

/** A file is written under a temporary name, flushed, and then renamed: readers never see an incomplete file. */
export function folderStore(folder: string): Store {
  const dataDir = dirname(folder)
  const unfinished = join(folder, 'unfinished')
  const pathOf = (key: string): string => {
    if (!saneKey.test(key)) throw new Error('a key of the store must be a plain path')
    return join(folder, key)
  }
  return {
    async put(key, bytes) {
      const path = pathOf(key)
      const temporary = join(unfinished, randomUUID())
      const owner = await ownerOf(dataDir)
      const created = [await makeFolder(unfinished, owner), await makeFolder(dirname(path), owner)]
      try {
        await writeDurably(temporary, bytes, owner)
        await rename(temporary, path)
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
      // The file name is an entry in its folder; a new folder is an entry in its parent. All of them must be flushed.
      const highest = Math.min(...created.map(top => dirname(top ?? path).length), dirname(path).length)
      for (let at = dirname(path); at.length >= highest; at = dirname(at)) await flush(at)
    },
    get: key => readFile(pathOf(key)).catch(undefinedIfMissing),
    async open(key) {
      const file = await open(pathOf(key), 'r').catch(undefinedIfMissing)
      if (!file) return undefined
      try {
        const { size } = await file.stat()
        return { size, stream: file.createReadStream() }
      } catch (error) {
        await file.close()
        throw error
      }
    },
    has: key =>
      access(pathOf(key)).then(
        () => true,
        error => undefinedIfMissing(error) ?? false,
      ),
    delete: key => rm(pathOf(key), { force: true }),
  }
}

interface Owner {
  readonly uid: number
  readonly gid: number
}

/**
 * A command that runs as root, beside a service that runs as another user, gives what it makes to the owner of the data
 * folder: the service could not read it otherwise. Null: it stays with the user of this process.
 */
async function ownerOf(dataDir: string): Promise<Owner | null> {
  if (process.getuid?.() !== 0) return null
  const owner = await stat(dataDir).catch(undefinedIfMissing)
  return owner && owner.uid !== 0 ? owner : null
}

/** A root without the right to change owners (containers can lack it) cannot help it: the file stays usable for root. */
const ignoreRefusal = (error: { code?: string }): void => {
  if (error.code !== 'EPERM') throw error
}

/** Returns the topmost folder that it created; undefined if all folders existed. */
async function makeFolder(path: string, owner: Owner | null): Promise<string | undefined> {
  const top = await mkdir(path, { recursive: true, mode: 0o700 })
  if (owner === null || top === undefined) return top
  // Only folders that are new, and no link: the owner of the data folder must not get others of root through it.
  for (let at = path; at.length >= top.length; at = dirname(at))
    await lchown(at, owner.uid, owner.gid).catch(ignoreRefusal)
  return top
}

async function writeDurably(path: string, bytes: Buffer, owner: Owner | null): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    if (owner !== null) await file.chown(owner.uid, owner.gid).catch(ignoreRefusal)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function flush(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
