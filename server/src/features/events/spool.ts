// Events that could not be committed in time wait on this machine's disk. A segment is appended to, synced, and sealed
// after a moment; whoever finds a sealed one commits what is in it. Doing so again changes nothing.
import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../kernel/log.ts'
import type { NewEvent } from './event.ts'

export interface Spooled {
  readonly event: NewEvent
  /** The session that may have committed it all the same. */
  readonly session: string | null
}

export interface SpoolOptions {
  readonly folder: string
  /** Bytes on disk; beyond them events are dropped. */
  readonly limit: number
  /** Commits what is not there yet. Throws when that cannot be known now. */
  readonly replay: (kept: readonly Spooled[]) => Promise<void>
  readonly log: Log
  readonly count: (what: 'spooled' | 'replayed' | 'dropped', by?: number) => void
}

export interface Spool {
  /** Resolves when it is on disk, or dropped because there is no room. */
  keep(kept: Spooled): Promise<void>
  readonly bytes: () => number
  close(): Promise<void>
}

const segment = { bytes: 4 * 1024 * 1024, milliseconds: 1_000 }
const unwritten = 16 * 1024 * 1024
const again = { milliseconds: 1_000, orphans: 30_000 }
/** Sealed after a second, an open segment of this age has nobody who writes it. */
const abandoned = 10 * 60_000

/** Of this process: tests run several services in one. */
const living = new Set<string>()

function isAlive(pid: number, owner: string): boolean {
  if (pid === process.pid) return living.has(owner)
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}

/** A line that was torn by a power cut was never acknowledged. */
function parse(text: string): Spooled[] {
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
  readonly resolve: () => void
}

interface Segment {
  readonly file: FileHandle
  readonly name: string
  bytes: number
}

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
    const name = join(folder, `${process.pid}.${owner}.${String(++numbered).padStart(6, '0')}`)
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
    await rename(`${name}.open`, `${name}.ready`)
    wake()
  }

  async function append(group: readonly Pending[]): Promise<void> {
    const text = group.map(one => one.line).join('')
    const size = Buffer.byteLength(text)
    try {
      current ??= await openSegment()
      await current.file.appendFile(text)
      await current.file.datasync()
      current.bytes += size
      onDisk += size
      count('spooled', group.length)
      if (current.bytes > segment.bytes) await seal()
    } catch (error) {
      log.error({ err: error, events: group.length }, 'events could not be kept on disk')
      count('dropped', group.length)
      // What was written in part stays apart from what comes.
      await seal().catch(() => undefined)
    }
    for (const one of group) one.resolve()
  }

  async function write(): Promise<void> {
    while (pending.length > 0) {
      const group = pending
      pending = []
      pendingBytes = 0
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
      const [pid = '', of = ''] = path.slice(folder.length + 1).split('.')
      const found = await stat(path).catch(() => null)
      const age = found ? Date.now() - found.mtimeMs : 0
      if (!isAlive(Number(pid), of) || age > abandoned)
        await rename(path, path.replace(/open$/, 'ready')).catch(() => undefined)
    }
    const sizes = await Promise.all(
      (await files('')).map(path =>
        stat(path).then(
          found => found.size,
          () => 0,
        ),
      ),
    )
    onDisk = sizes.reduce((sum, size) => sum + size, 0)
  }

  async function replayAll(): Promise<void> {
    for (const path of await files('.ready')) {
      const text = await readFile(path, 'utf8').catch(() => '')
      const kept = parse(text)
      if (kept.length > 0) await replay(kept)
      await unlink(path).catch(() => undefined)
      onDisk = Math.max(0, onDisk - Buffer.byteLength(text))
      if (kept.length > 0) count('replayed', kept.length)
    }
  }

  function wake(): void {
    if (closed || replaying) return
    replaying = (async () => {
      while (!closed && (await files('.ready')).length > 0) {
        try {
          await replayAll()
        } catch (error) {
          log.debug({ err: error }, 'events wait on disk')
          await sleep(again.milliseconds, undefined, { ref: false })
        }
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
      const line = `${JSON.stringify({ event, session })}\n`
      if (onDisk + pendingBytes + line.length > limit || pendingBytes > unwritten || closed) {
        count('dropped')
        return Promise.resolve()
      }
      pendingBytes += line.length
      const { promise, resolve } = Promise.withResolvers<void>()
      pending.push({ line, resolve })
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
