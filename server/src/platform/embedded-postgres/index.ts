// A PostgreSQL of our own in the data folder. The binaries come from npm; the process is ours to start, share and stop:
// - It outlives a `kill -9` of the service and is then simply used again.
// - Everybody who uses it holds a shared lock in it, and whoever leaves last stops it. So the command line works with
//   and without a running server, and neither pulls the database from under the other.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { isSystemError, OperatorError } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'
import { claimDataFolder, connect, joinServer, leaveAsLast, reasonToWait, rejoinServer } from './guard.ts'
import {
  type DataFolder,
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
  /** A name of at most 60 characters that tells others who is here. */
  readonly user: string
  /** Only one may serve from a data folder; anybody may help or look. */
  readonly exclusive: boolean
  readonly settings?: Readonly<Record<string, string>>
  readonly log?: Pick<Log, 'warn'>
  /** Ends the waiting for PostgreSQL to be ready. */
  readonly interrupted?: AbortSignal
  /** The server went away although nobody asked it to, or another process serves by now. */
  readonly onLost?: (why: string) => void
  readonly limits?: Partial<Limits>
}

export interface EmbeddedPostgres {
  readonly connection: pg.ClientConfig
  /** Where PostgreSQL keeps its files. */
  readonly folder: string
  /** Leaves, and stops the server if nobody else is there. */
  release(): Promise<void>
}

interface Limits {
  /** For a server of another process to listen. One that listens is waited for as long as it lives. */
  readonly silentMilliseconds: number
  /** Between two lines in the log while PostgreSQL is not ready. */
  readonly reportMilliseconds: number
  /** For the end of a recovery, when we want to leave. */
  readonly leavingMilliseconds: number
}
const usual: Limits = { silentMilliseconds: 60_000, reportMilliseconds: 15_000, leavingMilliseconds: 1_500 }

const lost = {
  gone: 'the embedded PostgreSQL went away',
  replaced: 'another process serves from its data folder now',
}

export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  try {
    return await open(options)
  } catch (error) {
    // A disk that is full, a folder that is closed to us: the message says which.
    throw isSystemError(error)
      ? new OperatorError(`The data folder ${options.dataDir} cannot be used: ${error.message}.`)
      : error
  }
}

async function open(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const place = await prepareDataFolder(options.dataDir)
  const connection = { host: place.sockets, port, user: 'signoff', password: await passwordOf(place) }
  const guard = await enter(place, connection, options)
  try {
    if (options.exclusive) await claimDataFolder(guard, options.dataDir)
    await createDatabase(guard)
  } catch (error) {
    await leave(guard, place)
    throw error
  }
  return {
    connection: { ...connection, database: 'signoff' },
    folder: place.folder,
    release: stay(guard, place, connection, options),
  }
}

/**
 * PostgreSQL drops every connection when one of its processes dies, and comes back by itself; then the locks are taken again.
 * Answers how to leave.
 */
function stay(
  first: pg.Client,
  place: DataFolder,
  connection: pg.ClientConfig,
  options: EmbeddedOptions,
): () => Promise<void> {
  const { leavingMilliseconds } = { ...usual, ...options.limits }
  let guard: pg.Client | null = first
  let returning: Promise<Reentered> | null = null
  let isLeaving = false

  const comeBack = (): Promise<Reentered> => {
    guard = null
    returning ??= reenter(place, connection, options).then(back => {
      returning = null
      if (typeof back !== 'string') guard = back
      return back
    })
    return returning
  }
  const watch = (watched: pg.Client): void =>
    void watched.once('end', async () => {
      if (isLeaving) return
      const back = await comeBack()
      if (isLeaving) return
      if (typeof back === 'string') options.onLost?.(lost[back])
      else watch(back)
    })
  watch(first)
  return async () => {
    isLeaving = true
    if (guard && (await leave(guard, place))) return
    // A process of PostgreSQL has died just now, or all of them have.
    const back = await Promise.race([comeBack(), sleep(leavingMilliseconds, 'late' as const, { ref: false })])
    if (back === 'late') return stopRecovering(place, connection, options.user)
    if (typeof back === 'string') return
    await sleep(2 * retryMilliseconds) // other processes come back too: the last one stops it, not the first
    await leave(back, place)
  }
}

/**
 * While it recovers it takes no connections: no process can be using it. A fast shutdown may hang after a crash (PostgreSQL 18
 * waits for processes that it has not asked to end), and the next start has to recover anyway.
 */
async function stopRecovering(place: DataFolder, connection: pg.ClientConfig, user: string): Promise<void> {
  const state = await connect(connection, user).then(client => client.end(), reasonToWait)
  if (state === 'busy') await stop(place.folder, 'SIGQUIT')
}

const retryMilliseconds = 100
type Reentered = pg.Client | keyof typeof lost

/** Connects again to a server that still runs, and takes the locks; whatever fails is tried again while it runs. */
async function reenter(
  place: DataFolder,
  connection: pg.ClientConfig,
  options: Pick<EmbeddedOptions, 'user' | 'exclusive'>,
): Promise<Reentered> {
  while (await isRunning(place.folder)) {
    const guard = await connect(connection, options.user).catch(() => null)
    const outcome = guard && (await rejoinServer(guard, options).catch(() => null))
    if (guard && outcome === 'joined') return guard
    await guard?.end().catch(() => undefined)
    if (outcome === 'replaced') return 'replaced'
    await sleep(retryMilliseconds)
  }
  return 'gone'
}

/** Connects to the running server, or starts it, and takes the shared lock. */
async function enter(
  place: DataFolder,
  connection: pg.ClientConfig,
  options: EmbeddedOptions,
): Promise<pg.Client> {
  const { silentMilliseconds, reportMilliseconds } = { ...usual, ...options.limits }
  const began = Date.now()
  let reportedAt = began
  let heardAt = began
  let started: StartedServer | null = null
  for (;;) {
    const guard = await connect(connection, options.user).catch(asReason)
    if (typeof guard === 'object') {
      // The last process that leaves stops the server: it holds the lock, or has cut this connection already.
      if (await joinServer(guard).catch(() => false)) return guard
      await guard.end().catch(() => undefined)
    } else started = await startIfNeeded(place, options, started)
    const now = Date.now()
    if (guard !== 'absent' || started) heardAt = now
    if (now - heardAt > silentMilliseconds)
      throw new OperatorError(`PostgreSQL does not answer in ${place.folder}: ${await lastLines(place.log)}`)
    if (now - reportedAt > reportMilliseconds) {
      reportedAt = now
      const seconds = Math.round((now - began) / 1_000)
      options.log?.warn(
        { seconds, log: place.log },
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

/** The server that this process has started and that lives; null when another process has. */
async function startIfNeeded(
  place: DataFolder,
  { settings = {} }: EmbeddedOptions,
  started: StartedServer | null,
): Promise<StartedServer | null> {
  if (started && !started.hasEnded()) return started
  if (await isRunning(place.folder)) return null
  // Somebody else may have started it in the same moment; otherwise it says why it could not.
  if (started) throw new OperatorError(`PostgreSQL did not start: ${await started.lastWords()}`)
  return start(place, settings)
}

async function createDatabase(guard: pg.Client): Promise<void> {
  const { rows } = await guard.query(`select from pg_database where datname = 'signoff'`)
  if (rows.length > 0) return
  await guard.query('create database signoff').catch(error => {
    if (error.code !== '42P04' && error.code !== '23505') throw error // made by another process meanwhile
  })
}

/** False when the connection was lost on the way. */
async function leave(guard: pg.Client, place: DataFolder): Promise<boolean> {
  try {
    if (await leaveAsLast(guard)) await stop(place.folder)
    return true
  } catch {
    return false
  } finally {
    await guard.end().catch(() => undefined)
  }
}
