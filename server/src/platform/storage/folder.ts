import { randomUUID } from 'node:crypto'
import { access, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Store } from './index.ts'

const saneKey = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/

const undefinedIfMissing = (error: { code?: string }): undefined => {
  if (error.code !== 'ENOENT') throw error
}

/** A file is written under a temporary name, flushed, and then renamed: readers never see an incomplete file. */
export function folderStore(folder: string): Store {
  const unfinished = join(folder, 'unfinished')
  const pathOf = (key: string): string => {
    if (!saneKey.test(key)) throw new Error('a key of the store must be a plain path')
    return join(folder, key)
  }
  return {
    async put(key, bytes) {
      const path = pathOf(key)
      const temporary = join(unfinished, randomUUID())
      const created = [await makeFolder(unfinished), await makeFolder(dirname(path))]
      try {
        await writeDurably(temporary, bytes)
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

/** Returns the topmost folder that it created; undefined if all folders existed. */
const makeFolder = (path: string): Promise<string | undefined> =>
  mkdir(path, { recursive: true, mode: 0o700 })

async function writeDurably(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
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
