// The embedded PostgreSQL in the data folder. The binaries come from npm; Signoff processes start, share and stop the
// server:
// - The server survives a `kill -9` of the service, and the next process uses it again.
// - Every process that uses it holds a shared lock in it, and the last process to leave stops it. So the command line
//   works with and without a running service, and a process never stops a database that another process uses.
// - A server that ends although processes use it is started again.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { minute } from '#kernel/base/durations.ts'
import { isSystemError, OperatorError } from '#kernel/base/errors.ts'
import type { Log } from '#kernel/base/log.ts'
import { claimDataFolder, connect, joinServer, leaveAsLast, reasonToWait, rejoinServer } from './guard.ts'
import {
  type DataFolder,
  hasCluster,
  isRunning,
  lastLines,
  passwordOf,
  port,
  prepareDataFolder,
  type StartedServer,
  start,
  stop,
} from './server.ts'

export interface EmbeddedOptions {
  readonly dataDir: string
  /** The name of this process for other processes, at most 60 characters. */
  readonly user: string
  /** True for the process that serves: only one can serve from a data folder. Workers and commands pass false. */
  readonly exclusive: boolean
  readonly settings?: Readonly<Record<string, string>>
  readonly log?: Pick<Log, 'warn'>
  /** Stops waiting for PostgreSQL to be ready. */
  readonly interrupted?: AbortSignal
  /** Called when the data folder is gone, or another process serves now. */
  readonly onLost?: (reason: string) => void
  /** Called before each step that can take seconds, with words for the user. */
  readonly onStep?: (step: string) => void
  readonly limits?: Partial<Limits>
}

export interface EmbeddedPostgres {
  readonly connection: pg.ClientConfig
  /** The folder with the files of PostgreSQL. */
  readonly folder: string
  /** Stops using the server, and stops the server if no other process uses it. */
  release(): Promise<void>
}

interface Limits {
  /** The timeout until a server that another process started listens. Once it listens, there is no timeout. */
  readonly silentMilliseconds: number
  /** The interval of log messages while PostgreSQL is not ready. */
  readonly reportMilliseconds: number
  /** Time that `release` waits for a recovery to end. */
  readonly leavingMilliseconds: number
  /** The longest pause between two attempts to start a server that has ended. */
  readonly restartMilliseconds: number
}
const defaultLimits: Limits = {
  silentMilliseconds: minute,
  reportMilliseconds: 15_000,
  leavingMilliseconds: 1_500,
  restartMilliseconds: 30_000,
}

const lostReasons = {
  gone: 'the data folder of the embedded PostgreSQL is gone',
  replaced: 'another process serves from its data folder now',
}

export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  try {
    return await open(options)
  } catch (error) {
    // For example a full disk or missing permissions; the message says which.
    throw isSystemError(error)
      ? new OperatorError(`The data folder ${options.dataDir} cannot be used: ${error.message}.`)
      : error
  }
}

async function open(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const paths = await prepareDataFolder(options.dataDir, options.onStep)
  const connection = { host: paths.sockets, port, user: 'signoff', password: await passwordOf(paths) }
  const guard = await enter(paths, connection, options)
  try {
    if (options.exclusive) await claimDataFolder(guard, options.dataDir)
    await createDatabase(guard)
  } catch (error) {
    await leave(guard, paths)
    throw error
  }
  return {
    connection: { ...connection, database: 'signoff' },
    folder: paths.folder,
    release: holdLocks(guard, paths, connection, options),
  }
}

/**
 * Holds the locks until the returned function is called. PostgreSQL drops every connection when one of its processes
 * dies, and recovers by itself; then this takes the locks again. When its main process dies, this starts it again.
 */
function holdLocks(
  first: pg.Client,
  paths: DataFolder,
  connection: pg.ClientConfig,
  options: EmbeddedOptions,
): () => Promise<void> {
  const { leavingMilliseconds } = { ...defaultLimits, ...options.limits }
  let guard: pg.Client | null = first
  let reconnecting: Promise<Reentered> | null = null
  let isLeaving = false

  const reconnect = (): Promise<Reentered> => {
    guard = null
    reconnecting ??= reenter(paths, connection, options, () => isLeaving).then(result => {
      reconnecting = null
      if (typeof result !== 'string') guard = result
      return result
    })
    return reconnecting
  }
  const watch = (watched: pg.Client): void =>
    void watched.once('end', async () => {
      if (isLeaving) return
      const result = await reconnect()
      if (isLeaving) return
      if (typeof result === 'string') options.onLost?.(lostReasons[result])
      else watch(result)
    })
  watch(first)
  return async () => {
    isLeaving = true
    if (guard && (await leave(guard, paths))) return
    // The connection was lost: a process of PostgreSQL has just died, or PostgreSQL as a whole.
    const result = await Promise.race([
      reconnect(),
      sleep(leavingMilliseconds, 'late' as const, { ref: false }),
    ])
    if (result === 'late') return stopRecovering(paths, connection, options.user)
    if (typeof result === 'string') return
    await sleep(2 * retryMilliseconds) // let other processes reconnect first: the last process stops the server
    await leave(result, paths)
  }
}

/**
 * Stops PostgreSQL during recovery. It accepts no connections then, so no process is using it. A fast shutdown can hang
 * after a crash (PostgreSQL 18 waits for processes that it has not asked to end), and the next start must recover
 * anyway.
 */
async function stopRecovering(paths: DataFolder, connection: pg.ClientConfig, user: string): Promise<void> {
  const state = await connect(connection, user).then(client => client.end(), reasonToWait)
  if (state === 'busy' || state === 'absent') await stop(paths.folder, 'SIGQUIT')
}

const retryMilliseconds = 100
type Reentered = pg.Client | keyof typeof lostReasons

/** Connects again and takes the locks. Retries after every failure, and starts a server that has ended. */
async function reenter(
  paths: DataFolder,
  connection: pg.ClientConfig,
  options: EmbeddedOptions,
  isLeaving: () => boolean,
): Promise<Reentered> {
  let started: StartedServer | null = null
  for (let attempts = 0; ; ) {
    const isUp = (started && !started.hasEnded()) || (await isRunning(paths.folder))
    if (!isUp) {
      if (isLeaving() || !(await hasCluster(paths.folder))) return 'gone'
      started = await startAgain(paths, options, attempts++, isLeaving)
    }
    const guard = await connect(connection, options.user).catch(() => null)
    const outcome = guard && (await rejoinServer(guard, options).catch(() => null))
    if (guard && outcome === 'joined') return guard
    await guard?.end().catch(() => undefined)
    if (outcome === 'replaced') return 'replaced'
    await sleep(retryMilliseconds)
  }
}

/** At once, then after pauses that become longer: a full disk or a missing library does not go away at once. */
async function startAgain(
  paths: DataFolder,
  { settings = {}, log, limits }: EmbeddedOptions,
  attempts: number,
  isLeaving: () => boolean,
): Promise<StartedServer | null> {
  const { restartMilliseconds } = { ...defaultLimits, ...limits }
  const pause = attempts === 0 ? 0 : Math.min(restartMilliseconds, retryMilliseconds * 2 ** attempts)
  const reason = await lastLines(paths.log)
  log?.warn({ attempts, pause, reason }, 'PostgreSQL has ended and is started again')
  for (const end = Date.now() + pause; Date.now() < end; ) {
    if (isLeaving()) return null
    await sleep(retryMilliseconds)
  }
  return start(paths, settings).catch(error => {
    log?.warn({ err: error }, 'PostgreSQL cannot be started')
    return null
  })
}

/** Connects to the running server, or starts it, and takes the shared lock. */
async function enter(
  paths: DataFolder,
  connection: pg.ClientConfig,
  options: EmbeddedOptions,
): Promise<pg.Client> {
  const { silentMilliseconds, reportMilliseconds } = { ...defaultLimits, ...options.limits }
  const startedAt = Date.now()
  let reportedAt = startedAt
  let heardAt = startedAt
  let started: StartedServer | null = null
  for (;;) {
    const guard = await connect(connection, options.user).catch(asReason)
    if (typeof guard === 'object') {
      // The lock is refused, or the connection is cut, while the last process stops the server.
      if (await joinServer(guard).catch(() => false)) return guard
      await guard.end().catch(() => undefined)
    } else started = await startIfNeeded(paths, options, started)
    const now = Date.now()
    if (guard !== 'absent' || started) heardAt = now
    if (now - heardAt > silentMilliseconds)
      throw new OperatorError(`PostgreSQL does not answer in ${paths.folder}: ${await lastLines(paths.log)}`)
    if (now - reportedAt > reportMilliseconds) {
      reportedAt = now
      const seconds = Math.round((now - startedAt) / 1_000)
      options.log?.warn(
        { seconds, log: paths.log },
        'waiting for PostgreSQL: it starts or recovers from a crash',
      )
    }
    if (options.interrupted?.aborted) {
      await started?.stop()
      throw options.interrupted.reason
    }
    await sleep(20)
  }
}

function asReason(error: unknown): 'absent' | 'busy' {
  const reason = reasonToWait(error)
  if (reason === null) throw error
  return reason
}

/**
 * Starts the server unless it runs. Returns the running server that this process started; null if another process did.
 */
async function startIfNeeded(
  paths: DataFolder,
  { settings = {}, onStep }: EmbeddedOptions,
  started: StartedServer | null,
): Promise<StartedServer | null> {
  if (started && !started.hasEnded()) return started
  if (await isRunning(paths.folder)) return null
  // Our server has ended and no other process started one at the same time: report its error.
  if (started) throw new OperatorError(`PostgreSQL did not start: ${await started.failureReason()}`)
  onStep?.('Starting PostgreSQL…')
  return start(paths, settings)
}

async function createDatabase(guard: pg.Client): Promise<void> {
  const { rows } = await guard.query(`select from pg_database where datname = 'signoff'`)
  if (rows.length > 0) return
  await guard.query('create database signoff').catch(error => {
    if (error.code !== '42P04' && error.code !== '23505') throw error // another process created it meanwhile
  })
}

/** Releases the locks, and stops the server if this is the last process. False if the connection was lost meanwhile. */
async function leave(guard: pg.Client, paths: DataFolder): Promise<boolean> {
  try {
    if (await leaveAsLast(guard)) await stop(paths.folder)
    return true
  } catch {
    return false
  } finally {
    await guard.end().catch(() => undefined)
  }
}
