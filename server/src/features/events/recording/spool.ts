// Events that could not be committed in time wait on this machine's disk. A segment is appended to, synced, and sealed
// after a moment; whoever finds a sealed one commits what is in it. Doing so again changes nothing.
import { randomUUID } from 'node:crypto'
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'
import type { NewEvent } from '../event.ts'
import { isDataFault } from './group-commit.ts'
import { isAlive, machineId } from './process-identity.ts'

export interface SpooledEvent {
  readonly event: NewEvent
  /** The session that may have committed it all the same. */
  readonly session: string | null
}

export interface SpoolOptions {
  readonly folder: string
  /** Bytes on disk; beyond them events are dropped. */
  readonly limit: number
  /** Commits what is not there yet. Throws when that cannot be known now. */
  readonly replay: (kept: readonly SpooledEvent[]) => Promise<void>
  readonly log: Log
  readonly count: (what: 'spooled' | 'replayed' | 'dropped', by?: number) => void
}

export interface Spool {
  /** Whether it is on disk now; without room, or a disk that works, it is dropped. */
  keep(kept: SpooledEvent): Promise<boolean>
  readonly bytes: () => number
  close(): Promise<void>
}

const segment = { bytes: 4 * 1024 * 1024, milliseconds: 1_000 }
const unwritten = 16 * 1024 * 1024
const again = { milliseconds: 1_000, orphans: 30_000, telling: 60_000 }
/**
 * Sealed after a second, an open segment that nobody has written to for so long is left behind. Of this machine that is
 * known at once, unless another process has its number by now.
 */
const abandoned = { here: 10 * 60_000, elsewhere: 60_000 }

/** Of this process: tests run several services in one. */
const living = new Set<string>()

/** `name` is machine, process, spool of that process, and number. */
function isAbandoned(name: string, age: number): boolean {
  const [machine, pid, owner = ''] = name.split('.')
  if (machine !== machineId) return age > abandoned.elsewhere
  const lives = Number(pid) === process.pid ? living.has(owner) : isAlive(Number(pid))
  return !lives || age > abandoned.here
}

const lineOf = ({ event, session }: SpooledEvent): string => `${JSON.stringify({ event, session })}\n`

/** A line that was torn by a power cut was never acknowledged. */
function parse(text: string): SpooledEvent[] {
  return text.split('\n').flatMap(line => {
    try {
      const { event, session } = JSON.parse(line)
      return [{ event: { ...event, recordedAt: new Date(event.recordedAt) }, session }]
    } catch {
      return []
    }
  })
}

interface Pending {
  readonly line: string
  readonly bytes: number
  readonly resolve: (isKept: boolean) => void
}

interface Segment {
  readonly file: FileHandle
  readonly name: string
  bytes: number
}

/** Another process was faster. */
function unlessGone(error: unknown): void {
  if ((error as { code?: string }).code !== 'ENOENT') throw error
}

/** Nobody has taken it up: whoever does so from now on finds all that is in it. */
const isOurs = ({ name }: Segment): Promise<boolean> =>
  stat(`${name}.open`).then(
    () => true,
    error => unlessGone(error) ?? false,
  )

export function createSpool({ folder, limit, replay, log, count }: SpoolOptions): Spool {
  const owner = randomUUID()
  living.add(owner)
  let pending: Pending[] = []
  let pendingBytes = 0
  let onDisk = 0
  let numbered = 0
  let current: Segment | null = null
  let writing: Promise<void> | null = null
  let replaying: Promise<void> | null = null
  let closed = false

  async function openSegment(): Promise<Segment> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const name = join(folder, `${machineId}.${process.pid}.${owner}.${String(++numbered).padStart(6, '0')}`)
    const file = await open(`${name}.open`, 'ax', 0o600)
    const directory = await open(folder)
    await directory.sync().finally(() => directory.close())
    setTimeout(() => void turn(), segment.milliseconds).unref()
    return { file, name, bytes: 0 }
  }

  async function seal(): Promise<void> {
    const { file, name } = current ?? {}
    current = null
    if (!file) return
    await file.close()
    await rename(`${name}.open`, `${name}.ready`).catch(unlessGone)
    wake()
  }

  async function writeTo(text: string): Promise<Segment> {
    current ??= await openSegment()
    await current.file.appendFile(text)
    await current.file.datasync()
    return current
  }

  async function append(group: readonly Pending[]): Promise<void> {
    const text = group.map(one => one.line).join('')
    const size = group.reduce((sum, one) => sum + one.bytes, 0)
    let isKept = false
    try {
      // Whoever took our segment for left behind may have read it before this was in it: once more, then, in another.
      while (!isKept) {
        const into = await writeTo(text)
        into.bytes += size
        onDisk += size
        isKept = await isOurs(into)
        if (!isKept || into.bytes > segment.bytes) await seal()
      }
      count('spooled', group.length)
    } catch (error) {
      log.error({ err: error, events: group.length }, 'events could not be kept on disk')
      count('dropped', group.length)
      // What was written in part stays apart from what comes.
      await seal().catch(() => undefined)
    }
    pendingBytes -= size
    for (const one of group) one.resolve(isKept)
  }

  async function write(): Promise<void> {
    while (pending.length > 0) {
      const group = pending
      pending = []
      await append(group)
    }
  }

  function start(work: () => Promise<void>): Promise<void> {
    writing = work().finally(() => {
      writing = null
      if (pending.length > 0) void start(write)
    })
    return writing
  }

  /** Seals in turn with what is being written. */
  async function turn(): Promise<void> {
    while (writing) await writing
    if (current)
      await start(() => seal().catch(error => log.error({ err: error }, 'a segment was not sealed')))
  }

  async function files(ending: string): Promise<string[]> {
    const all = await readdir(folder).catch(() => [])
    return all
      .filter(name => name.endsWith(ending))
      .sort()
      .map(name => join(folder, name))
  }

  async function adopt(): Promise<void> {
    for (const path of await files('.open')) {
      const found = await stat(path).catch(() => null)
      const age = found ? Date.now() - found.mtimeMs : 0
      if (isAbandoned(basename(path), age))
        await rename(path, path.replace(/open$/, 'ready')).catch(() => undefined)
    }
    const sizes = await Promise.all(
      [...(await files('.open')), ...(await files('.ready'))].map(path =>
        stat(path).then(
          found => found.size,
          () => 0,
        ),
      ),
    )
    onDisk = sizes.reduce((sum, size) => sum + size, 0)
  }

  async function replayFile(path: string): Promise<void> {
    const text = (await readFile(path, 'utf8').catch(unlessGone)) ?? ''
    const kept = parse(text)
    let done = kept.length
    if (done > 0)
      await replay(kept).catch(async error => {
        if (!isDataFault(error)) throw error
        done = await replayEach(path, kept)
      })
    await unlink(path).catch(() => undefined)
    onDisk = Math.max(0, onDisk - Buffer.byteLength(text))
    if (done > 0) count('replayed', done)
  }

  /** What PostgreSQL will never take is put aside, for somebody to look at; its neighbours are not. How many were taken. */
  async function replayEach(path: string, kept: readonly SpooledEvent[]): Promise<number> {
    const refused: SpooledEvent[] = []
    for (const one of kept)
      await replay([one]).catch(error => {
        if (!isDataFault(error)) throw error
        refused.push(one)
        log.error({ err: error, event_id: one.event.id }, 'an event that was kept on disk cannot be recorded')
      })
    if (refused.length > 0)
      await writeFile(path.replace(/ready$/, 'bad'), refused.map(lineOf).join(''), { mode: 0o600 })
    count('dropped', refused.length)
    return kept.length - refused.length
  }

  let told = Number.NEGATIVE_INFINITY
  /** Whether all is done. One that has to wait is in nobody's way; when PostgreSQL is away, all of them have to. */
  async function replayAll(): Promise<boolean> {
    let isDone = true
    let isAway = false
    for (const path of await files('.ready')) {
      if (isAway || closed) return false
      await replayFile(path).catch(error => {
        isDone = false
        isAway = error instanceof ApiError
        const isNews = performance.now() - told > again.telling
        if (isNews) told = performance.now()
        log[isNews ? 'warn' : 'debug']({ err: error }, 'events wait on disk')
      })
    }
    return isDone
  }

  function wake(): void {
    if (closed || replaying) return
    replaying = (async () => {
      while (!closed && (await files('.ready')).length > 0) {
        if (!(await replayAll())) await sleep(again.milliseconds, undefined, { ref: false })
      }
    })().finally(() => {
      replaying = null
    })
  }

  const look = () => void adopt().then(wake, error => log.error({ err: error }, 'the spool cannot be read'))
  const timer = setInterval(look, again.orphans).unref()
  look()

  return {
    keep({ event, session }) {
      const line = lineOf({ event, session })
      const bytes = Buffer.byteLength(line)
      if (onDisk + pendingBytes + bytes > limit || pendingBytes > unwritten || closed) {
        count('dropped')
        return Promise.resolve(false)
      }
      pendingBytes += bytes
      const { promise, resolve } = Promise.withResolvers<boolean>()
      pending.push({ line, bytes, resolve })
      if (!writing) void start(write)
      return promise
    },
    bytes: () => onDisk,
    async close() {
      clearInterval(timer)
      while (writing) await writing
      closed = true
      await turn()
      living.delete(owner)
    },
  }
}
