import { randomUUID } from 'node:crypto'
import { access, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Store } from './index.ts'

const saneKey = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/

const absent = (error: { code?: string }): undefined => {
  if (error.code !== 'ENOENT') throw error
}

/** A file is written aside, flushed, and only then gets its name: whoever finds it finds all of it. */
export function folderStore(folder: string): Store {
  const unfinished = join(folder, 'unfinished')
  const place = (key: string): string => {
    if (!saneKey.test(key)) throw new Error('a key of the store must be a plain path')
    return join(folder, key)
  }
  return {
    async put(key, bytes) {
      const path = place(key)
      const aside = join(unfinished, randomUUID())
      const made = [await makeFolder(unfinished), await makeFolder(dirname(path))]
      try {
        await writeDurably(aside, bytes)
        await rename(aside, path)
      } catch (error) {
        await rm(aside, { force: true })
        throw error
      }
      // The name is an entry in its folder, and that folder, if new, an entry in the one above.
      const highest = Math.min(...made.map(one => dirname(one ?? path).length), dirname(path).length)
      for (let at = dirname(path); at.length >= highest; at = dirname(at)) await flush(at)
    },
    get: key => readFile(place(key)).catch(absent),
    async open(key) {
      const file = await open(place(key), 'r').catch(absent)
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
      access(place(key)).then(
        () => true,
        error => absent(error) ?? false,
      ),
    delete: key => rm(place(key), { force: true }),
  }
}

/** Tells the uppermost folder that was not there. */
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
