// Bundles for browsers are built once per version, in a process of their own, and found again at later starts. A build is
// named after a hash of everything that goes into it.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { access, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, relative } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { minute } from './durations.ts'

const root = join(import.meta.dirname, '../../../..')

export interface BrowserBuild {
  /** Begins the name of its folder. */
  readonly name: string
  /**
   * Everything that the build depends on, from the root: a file, a folder with all that is below it, or `folder/*` for the
   * files of the folder alone.
   */
  readonly sources: readonly string[]
  /** The program, from the root. It gets the folder to write into as its only argument. */
  readonly program: string
  /** In megabytes, for the message when the system kills it. */
  readonly memory: number
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

function filesOf(source: string): string[] {
  if (extname(source) !== '') return [source]
  const isFlat = source.endsWith('/*')
  const folder = join(root, isFlat ? dirname(source) : source)
  return readdirSync(folder, { recursive: !isFlat, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(root, join(entry.parentPath, entry.name)))
}

/** Files that are read between two turns of the event loop: about 2 ms. */
const filesPerTurn = 50

/**
 * Runs at every start, with 800 files. Synchronous reads take 0.02 s of CPU time, asynchronous ones 0.12 s; glob
 * patterns would take another 0.04 s.
 */
export async function hashOfBuild({ sources }: BrowserBuild): Promise<string> {
  const hash = createHash('sha256')
  const files = sources.flatMap(filesOf).sort()
  for (const [index, file] of files.entries()) {
    if (index % filesPerTurn === 0) await setImmediate()
    hash.update(`${file}\0`)
    hash.update(readFileSync(join(root, file)))
  }
  return hash.digest('hex').slice(0, 16)
}

/** Runs the build. Rejects with what it printed. */
function run({ program, memory }: BrowserBuild, folder: string, signal?: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  // The settings of this process, such as its memory limit, are not those of the build.
  const child = spawn(process.execPath, [join(root, program), folder], {
    cwd: root,
    env: { NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal && { signal }),
  })
  let output = ''
  const add = (chunk: Buffer) => {
    output = `${output}${chunk}`.slice(-4_000)
  }
  child.stdout.on('data', add)
  child.stderr.on('data', add)
  child.on('error', reject)
  child.on('close', (code, killedBy) => {
    if (code === 0) resolve()
    else if (killedBy)
      reject(new Error(`the build was killed (${killedBy}): it needs about ${memory} MB of memory`))
    else reject(new Error(output.trim() || `the build ended with code ${code}`))
  })
  return promise
}

/** Builds under a temporary name and renames: complete or not at all. Of two processes, the slower one finds it done. */
async function buildInto(build: BrowserBuild, target: string, signal?: AbortSignal): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  const partial = await mkdtemp(`${target}-`)
  try {
    await run(build, partial, signal)
    await rename(partial, target).catch(async error => {
      if (!(await isThere(target))) throw error
    })
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

/** A build takes seconds: a partial folder of this age was left behind by a process that was killed. */
const abandonedMilliseconds = 10 * minute

/** Removes builds of other versions, and what killed builds have left behind. */
async function removeOthers(build: BrowserBuild, target: string): Promise<void> {
  const folder = dirname(target)
  const beginning = `${build.name}-`
  const others = (await readdir(folder)).filter(
    name =>
      name.startsWith(beginning) &&
      /^[0-9a-f]{16}/.test(name.slice(beginning.length)) &&
      name !== basename(target),
  )
  for (const name of others) {
    const isOwnPartial = name.startsWith(`${basename(target)}-`)
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Date.now() }))
    if (!isOwnPartial || Date.now() - mtimeMs > abandonedMilliseconds)
      await rm(join(folder, name), { recursive: true, force: true })
  }
}

/** Returns the folder of the build. `folders`: where it can be; the first that can be written to is used. */
export async function findOrBuild(
  build: BrowserBuild,
  folders: readonly string[],
  signal?: AbortSignal,
): Promise<string> {
  const name = `${build.name}-${await hashOfBuild(build)}`
  for (const folder of folders) if (await isThere(join(folder, name))) return join(folder, name)
  let failure: unknown
  for (const folder of folders) {
    const target = join(folder, name)
    try {
      await buildInto(build, target, signal)
      await removeOthers(build, target)
      return target
    } catch (error) {
      failure = error
      if (!isRefused(error)) break
    }
  }
  throw failure
}

/** The folder cannot be written to: an installation that belongs to another user. */
const isRefused = (error: unknown): boolean =>
  ['EACCES', 'EROFS', 'EPERM'].includes((error as { code?: string }).code ?? '')

/** Beside the installed packages: a container image can bring it. */
export const sharedFolder = join(root, 'node_modules/.cache/signoff')
