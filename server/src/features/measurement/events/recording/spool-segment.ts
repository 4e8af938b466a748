// The files of the spool. A segment is named `<machine>.<process>.<spool>.<number>` and ends with `.open` while its
// process appends to it, with `.ready` when any process can replay it, and with `.bad` for events that PostgreSQL
// refuses.
import { type FileHandle, mkdir, open, readdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { minute } from '#kernel/base/durations.ts'
import type { NewEvent } from '../event.ts'
import { isAlive, machineId } from './process-identity.ts'

export interface SpooledEvent {
  readonly event: NewEvent
  /** The session that could have committed the event in spite of the timeout. */
  readonly session: string | null
}

/**
 * A process seals its segment after a second, so an open segment that was not written to for this long is abandoned. On
 * this machine the owner's process id is checked first, but another process can have that id by now.
 */
const abandonedMilliseconds = { here: 10 * minute, elsewhere: minute }

/** The spools of this process: tests run several services in one process. */
export const spoolsOfThisProcess = new Set<string>()

/** True if the process that wrote a segment has died. `age`: milliseconds since the last write. */
export function isAbandoned(name: string, age: number): boolean {
  const [machine, pid, spool = ''] = name.split('.')
  if (machine !== machineId) return age > abandonedMilliseconds.elsewhere
  const isOwnerAlive = Number(pid) === process.pid ? spoolsOfThisProcess.has(spool) : isAlive(Number(pid))
  return !isOwnerAlive || age > abandonedMilliseconds.here
}

export const encodeEvent = ({ event, session }: SpooledEvent): string =>
  `${JSON.stringify({ event, session })}\n`

/** Skips a line that a power cut has torn: it was never acknowledged. */
export const decodeEvents = (text: string): SpooledEvent[] =>
  text.split('\n').flatMap(line => {
    try {
      const { event, session } = JSON.parse(line)
      return [{ event: { ...event, recordedAt: new Date(event.recordedAt) }, session }]
    } catch {
      return []
    }
  })

/** For a file that another process has renamed or removed first. */
export function ignoreMissing(error: unknown): void {
  if ((error as { code?: string }).code !== 'ENOENT') throw error
}

export async function segmentsIn(folder: string, ending: '.open' | '.ready'): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names
    .filter(name => name.endsWith(ending))
    .sort()
    .map(name => join(folder, name))
}

/** The segment to which this process appends. */
export class OpenSegment {
  readonly #file: FileHandle
  /** Without its ending. */
  readonly #path: string
  /** Bytes of the events in it. */
  bytes = 0

  private constructor(file: FileHandle, path: string) {
    this.#file = file
    this.#path = path
  }

  static async create(folder: string, spool: string, number: number): Promise<OpenSegment> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, `${machineId}.${process.pid}.${spool}.${String(number).padStart(6, '0')}`)
    const file = await open(`${path}.open`, 'ax', 0o600)
    const directory = await open(folder)
    await directory.sync().finally(() => directory.close())
    return new OpenSegment(file, path)
  }

  async append(text: string): Promise<void> {
    await this.#file.appendFile(text)
    await this.#file.datasync()
  }

  /** True if no other process has adopted the segment. A process that adopts it later reads everything in it. */
  isOurs(): Promise<boolean> {
    return stat(`${this.#path}.open`).then(
      () => true,
      error => ignoreMissing(error) ?? false,
    )
  }

  async seal(): Promise<void> {
    await this.#file.close()
    await rename(`${this.#path}.open`, `${this.#path}.ready`).catch(ignoreMissing)
  }
}
