// Unpacks the browser from npm: a compressed program, and libraries that a minimal machine lacks. It is unpacked once
// per version, by the first process that needs it.
import { createReadStream, createWriteStream } from 'node:fs'
import { access, chmod, lstat, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'
import { hour } from '#kernel/base/durations.ts'

export interface Unpacked {
  readonly program: string
  readonly libraries: string
  readonly fonts: string
}

const load = createRequire(import.meta.url)
const packageName = '@sparticuz/chromium'

export async function unpackBrowser(folder: string): Promise<Unpacked> {
  // Not with the function of the package: it unpacks into /tmp, where another user could have put a program of their
  // own.
  const root = join(dirname(load.resolve(packageName)), '../..')
  const { version } = load(join(root, 'package.json')) as { version: string }
  const target = join(folder, `chromium-${version}`)
  const program = join(target, 'chromium')
  await mkdir(folder, { recursive: true, mode: 0o755 })
  await refuseForeign(folder)
  if (!(await exists(program))) {
    await unpackInto(target, join(root, 'bin'))
    await removeOthers(folder, basename(target))
  }
  await refuseForeign(target)
  return { program, libraries: join(target, 'lib'), fonts: join(target, 'fonts') }
}

/** A user who can write to the folder could replace the browser by another program. */
async function refuseForeign(folder: string): Promise<void> {
  const { uid, mode } = await lstat(folder)
  if ((uid !== 0 && uid !== process.getuid?.()) || (mode & 0o002) !== 0)
    throw new Error(
      `${folder} must belong to the user of this process and be closed to the writing of others`,
    )
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

/**
 * Unpacks under a temporary name and renames: complete or not at all. Of two processes, the slower one finds it done.
 */
async function unpackInto(target: string, packed: string): Promise<void> {
  const partial = await mkdtemp(`${target}-`)
  try {
    const program = createReadStream(join(packed, 'chromium.br'))
    await pipeline(program, createBrotliDecompress(), writableTo(join(partial, 'chromium')))
    for (const archive of ['al2023.tar.br', 'fonts.tar.br']) await untar(join(packed, archive), partial)
    await chmod(partial, 0o755)
    await rename(partial, target).catch(async error => {
      if (await exists(join(target, 'chromium'))) return
      // The folder exists without the program: parts of it were deleted.
      if (error.code === 'ENOTEMPTY' || error.code === 'EEXIST') await rm(target, { recursive: true })
      await rename(partial, target)
    })
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

/** Flushed to disk before the rename: otherwise a power failure could leave an incomplete browser for ever. */
const writableTo = (file: string): Writable => createWriteStream(file, { mode: 0o755, flush: true })

async function untar(file: string, folder: string): Promise<void> {
  const { extract } = await import('tar-stream')
  const entries = extract()
  const read = pipeline(createReadStream(file), createBrotliDecompress(), entries)
  const write = async () => {
    for await (const entry of entries) {
      const path = join(folder, entry.header.name)
      if (entry.header.type !== 'file' || !path.startsWith(folder)) {
        entry.resume()
        continue
      }
      await mkdir(dirname(path), { recursive: true })
      await pipeline(entry, writableTo(path))
    }
  }
  await Promise.all([read, write()])
}

/** Deletes other versions, and what killed processes left while unpacking; each takes 200 MB. */
async function removeOthers(folder: string, currentName: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (!name.startsWith('chromium-') || name === currentName) continue
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > hour) await rm(path, { recursive: true, force: true })
  }
}
