// Runs the real command line in a separate process.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { appendFile, chmod, chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { inject } from 'vitest'
import { openEmbedded } from '#platform/embedded-postgres/index.ts'
import { copyFolder, endProcesses, preparedFolder } from '../postgres/postgres.ts'
import { bundledProgram, compileCache } from './bundle.ts'

/** Folders of the test file that runs. */
const folders: string[] = []
const children = new Set<ChildProcess>()

/** An empty folder. It is removed after the test file. */
export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(inject('folder'), 'data-'))
  folders.push(folder)
  return folder
}

/** Kills the processes that a test file left running, and removes its folders: they are in memory. */
export async function removeLeftovers(): Promise<void> {
  for (const child of children) child.kill('SIGKILL')
  for (const folder of folders.splice(0)) {
    await endProcesses(folder)
    // A killed process can create a last file meanwhile. The end of the run removes what is left.
    await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined)
  }
}

/** A data folder with a migrated database: for all tests except those of the first start. */
export async function migratedFolder(): Promise<string> {
  const dataDir = await emptyFolder()
  await copyFolder(preparedFolder(inject('folder')), dataDir)
  return dataDir
}

/** The same with fsync on: for tests of data loss. */
export async function durableFolder(): Promise<string> {
  const dataDir = await migratedFolder()
  await appendFile(join(dataDir, 'postgres/postgresql.auto.conf'), 'fsync = on\n')
  return dataDir
}

export interface Run {
  readonly child: ChildProcess
  readonly out: () => string
  readonly err: () => string
  readonly ended: Promise<number | null>
}

export interface RunOptions {
  readonly env?: Record<string, string>
  readonly uid?: number
  /** Makes the process the leader of a process group. A terminal sends signals to the complete group. */
  readonly detached?: boolean
}

export function run(args: string[], { env = {}, uid, detached = false }: RunOptions = {}): Run {
  const { PATH = '', HOME = '' } = process.env
  const program = inject('program')
  const child = spawn(process.execPath, [bundledProgram(program), ...args], {
    env: { PATH, HOME, NODE_COMPILE_CACHE: compileCache(program), SIGNOFF_LOG_LEVEL: 'warn', ...env },
    ...(uid !== undefined && { uid, gid: uid }),
    detached,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const pidFile = join(inject('folder'), `process-${child.pid}`)
  writeFileSync(pidFile, String(child.pid))
  children.add(child)
  let out = ''
  let err = ''
  child.stdout?.on('data', chunk => {
    out += chunk
  })
  child.stderr?.on('data', chunk => {
    err += chunk
  })
  const ended = once(child, 'close').then(([code]) => {
    rmSync(pidFile, { force: true })
    children.delete(child)
    return code as number | null
  })
  return { child, out: () => out, err: () => err, ended }
}

/** Runs a command to its end. */
export async function signoff(
  args: string[],
  options?: RunOptions,
): Promise<{ code: number | null; out: string; err: string }> {
  const { ended, out, err } = run(args, options)
  const code = await ended
  return { code, out: out(), err: err() }
}

export interface Served extends Run {
  readonly url: string
  /** Printed only on the first start. */
  readonly key: string | undefined
}

/** Starts `serve` on a free port and waits until it is ready. */
export async function serve(options: RunOptions = {}): Promise<Served> {
  const started = run(['serve'], { ...options, env: { PORT: '0', ...options.env } })
  const address = /running at (\S+)/
  while (!address.test(started.out())) {
    if (started.child.exitCode !== null) throw new Error(`did not start: ${started.out()}${started.err()}`)
    await sleep(20)
  }
  const url = address.exec(started.out())?.[1] ?? ''
  return { ...started, url, key: /(sgn_\w{46})/.exec(started.out())?.[1] }
}

/** Starts `work` and waits until it takes jobs. */
export async function work(options: RunOptions = {}): Promise<Run> {
  const started = run(['work'], { ...options, env: { ...options.env, SIGNOFF_LOG_LEVEL: 'info' } })
  while (!started.err().includes('"working"')) {
    if (started.child.exitCode !== null) throw new Error(`did not start: ${started.err()}`)
    await sleep(20)
  }
  return started
}

export async function stop(
  { child, ended }: Run,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<number | null> {
  child.kill(signal)
  return ended
}

/** Stops the PostgreSQL that a killed service left running. False when there is none. */
export async function stopPostgres(dataDir: string, signal: NodeJS.Signals): Promise<boolean> {
  const pid = Number.parseInt(
    await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => ''),
    10,
  )
  if (Number.isNaN(pid)) return false
  try {
    process.kill(pid, signal)
    while (process.kill(pid, 0)) await sleep(20)
  } catch {
    // the process has ended
  }
  return true
}

/** Queries the database of a service that has stopped: a service would take five times the CPU time. */
export async function queryStopped<Row extends pg.QueryResultRow>(
  dataDir: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const embedded = await openEmbedded({ dataDir, user: 'test', exclusive: false })
  const client = new pg.Client(embedded.connection)
  await client.connect()
  const { rows } = await client.query<Row>(text, values)
  await client.end()
  await embedded.release()
  return rows
}

export async function giveFolderTo(folder: string, uid: number): Promise<void> {
  await chmod(folder, 0o755)
  await chown(folder, uid, uid)
}

/** The uid of an ordinary user, for tests that run as root. */
export const ordinaryUid = 65_534
const isReadableByAll = (folder: string): boolean =>
  (statSync(folder).mode & 0o005) === 0o005 &&
  (dirname(folder) === folder || isReadableByAll(dirname(folder)))
/** True if this process can switch to the ordinary user, and that user can read this checkout. */
export const canUseOrdinaryUid = process.getuid?.() === 0 && isReadableByAll(import.meta.dirname)
