// The browser that comes by npm is packed: a program, and libraries that a bare machine lacks. It is unpacked once per
// version, by whichever process needs it first.
import { createReadStream, createWriteStream } from 'node:fs'
import { access, chmod, lstat, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'
import { extract } from 'tar-stream'

export interface Unpacked {
  readonly program: string
  readonly libraries: string
  readonly fonts: string
}

const load = createRequire(import.meta.url)
const packageName = '@sparticuz/chromium'

export async function unpackBrowser(folder: string): Promise<Unpacked> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('the browser from npm runs on Linux and x64 alone')
  // Not by the package's own function: that unpacks into /tmp, and runs what somebody else may have put there.
  const root = join(dirname(load.resolve(packageName)), '../..')
  const { version } = load(join(root, 'package.json')) as { version: string }
  const place = join(folder, `chromium-${version}`)
  const program = join(place, 'chromium')
  await mkdir(folder, { recursive: true, mode: 0o755 })
  await refuseForeign(folder)
  if (!(await isThere(program))) {
    await unpackInto(place, join(root, 'bin'))
    await removeOthers(folder, basename(place))
  }
  await refuseForeign(place)
  return { program, libraries: join(place, 'lib'), fonts: join(place, 'fonts') }
}

/** Whoever can write there could put a program of their own in the browser's place. */
async function refuseForeign(folder: string): Promise<void> {
  const { uid, mode } = await lstat(folder)
  if ((uid !== 0 && uid !== process.getuid?.()) || (mode & 0o002) !== 0)
    throw new Error(
      `${folder} must belong to the user of this process and be closed to the writing of others`,
    )
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

/** Whole or not at all, by one renaming; of two processes the slower finds it done. */
async function unpackInto(place: string, packed: string): Promise<void> {
  const partial = await mkdtemp(`${place}-`)
  try {
    const program = createReadStream(join(packed, 'chromium.br'))
    await pipeline(program, createBrotliDecompress(), target(join(partial, 'chromium')))
    for (const archive of ['al2023.tar.br', 'fonts.tar.br']) await untar(join(packed, archive), partial)
    await chmod(partial, 0o755)
    await rename(partial, place).catch(async error => {
      if (await isThere(join(place, 'chromium'))) return
      // Somebody has cleaned up in there, but not all.
      if (error.code === 'ENOTEMPTY' || error.code === 'EEXIST') await rm(place, { recursive: true })
      await rename(partial, place)
    })
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

/** On the disk before it counts as there: after a power cut half a browser would stay for good. */
const target = (file: string): Writable => createWriteStream(file, { mode: 0o755, flush: true })

async function untar(file: string, folder: string): Promise<void> {
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
      await pipeline(entry, target(path))
    }
  }
  await Promise.all([read, write()])
}

/** Of other versions, and of processes that were killed while unpacking; each is 200 MB. */
async function removeOthers(folder: string, kept: string): Promise<void> {
  const hour = 3_600_000
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (!name.startsWith('chromium-') || name === kept) continue
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > hour) await rm(path, { recursive: true, force: true })
  }
}
