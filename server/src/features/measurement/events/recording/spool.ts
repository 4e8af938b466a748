// Events that could not be committed in time wait on this machine's disk. They are appended to a segment, which is
// synced before the request is answered and sealed after a second. Any process that finds a sealed segment commits its
// events; committing them twice changes nothing.
import { randomUUID } from 'node:crypto'
import { type DiskUsage, type ReplayOptions, SpoolReplay } from './spool-replay.ts'
import { encodeEvent, OpenSegment, type SpooledEvent, spoolsOfThisProcess } from './spool-segment.ts'

interface SpoolOptions extends ReplayOptions {
  /** Bytes on disk; beyond them events are dropped. */
  readonly limit: number
}

interface PendingLine {
  readonly line: string
  readonly bytes: number
  readonly resolve: (isKept: boolean) => void
}

const segmentLimits = { bytes: 4 * 1024 * 1024, milliseconds: 1_000 }
/** Bytes in memory that wait for the disk; beyond them events are dropped. */
const maxPendingBytes = 16 * 1024 * 1024
const scanMilliseconds = 30_000

export class Spool {
  readonly #options: SpoolOptions
  readonly #id = randomUUID()
  readonly #usage: DiskUsage = { bytes: 0 }
  readonly #replay: SpoolReplay
  readonly #timer: NodeJS.Timeout
  #pending: PendingLine[] = []
  #pendingBytes = 0
  #segments = 0
  #current: OpenSegment | null = null
  /** Appending or sealing: one at a time. */
  #writing: Promise<void> | null = null
  #isClosed = false

  constructor(options: SpoolOptions) {
    this.#options = options
    spoolsOfThisProcess.add(this.#id)
    this.#replay = new SpoolReplay(options, this.#usage)
    this.#timer = setInterval(() => this.#replay.scan(), scanMilliseconds).unref()
    this.#replay.scan()
  }

  /** Bytes on disk. */
  get bytes(): number {
    return this.#usage.bytes
  }

  /** Resolves to true once the event is on disk. Without room, or when the disk fails, the event is dropped: false. */
  keep({ event, session }: SpooledEvent): Promise<boolean> {
    const line = encodeEvent({ event, session })
    const bytes = Buffer.byteLength(line)
    const isFull =
      this.#usage.bytes + this.#pendingBytes + bytes > this.#options.limit ||
      this.#pendingBytes > maxPendingBytes
    if (isFull || this.#isClosed) {
      this.#options.count('dropped')
      return Promise.resolve(false)
    }
    this.#pendingBytes += bytes
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.#pending.push({ line, bytes, resolve })
    if (!this.#writing) void this.#start(() => this.#writePending())
    return promise
  }

  /** Waits for the disk, and leaves no segment open. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    while (this.#writing) await this.#writing
    this.#isClosed = true
    this.#replay.stop()
    await this.#sealAfterWrites()
    spoolsOfThisProcess.delete(this.#id)
  }

  #start(work: () => Promise<void>): Promise<void> {
    this.#writing = work().finally(() => {
      this.#writing = null
      if (this.#pending.length > 0) void this.#start(() => this.#writePending())
    })
    return this.#writing
  }

  async #writePending(): Promise<void> {
    while (this.#pending.length > 0) {
      const group = this.#pending
      this.#pending = []
      await this.#append(group)
    }
  }

  async #append(group: readonly PendingLine[]): Promise<void> {
    const { log, count } = this.#options
    const text = group.map(({ line }) => line).join('')
    const size = group.reduce((sum, { bytes }) => sum + bytes, 0)
    let isKept = false
    try {
      // A process that took our segment for abandoned can have read it before this text was in it: then the text is
      // written once more, to another segment.
      while (!isKept) {
        const segment = await this.#writeToSegment(text)
        segment.bytes += size
        this.#usage.bytes += size
        isKept = await segment.isOurs()
        if (!isKept || segment.bytes > segmentLimits.bytes) await this.#seal()
      }
      count('spooled', group.length)
    } catch (error) {
      log.error({ err: error, events: group.length }, 'events could not be written to the spool')
      count('dropped', group.length)
      // Later events go to another segment than a text that was written in part.
      await this.#seal().catch(() => undefined)
    }
    this.#pendingBytes -= size
    for (const { resolve } of group) resolve(isKept)
  }

  async #writeToSegment(text: string): Promise<OpenSegment> {
    this.#current ??= await this.#openSegment()
    await this.#current.append(text)
    return this.#current
  }

  async #openSegment(): Promise<OpenSegment> {
    const segment = await OpenSegment.create(this.#options.folder, this.#id, ++this.#segments)
    setTimeout(() => void this.#sealAfterWrites(), segmentLimits.milliseconds).unref()
    return segment
  }

  async #seal(): Promise<void> {
    const segment = this.#current
    this.#current = null
    if (!segment) return
    await segment.seal()
    this.#replay.wake()
  }

  async #sealAfterWrites(): Promise<void> {
    while (this.#writing) await this.#writing
    if (!this.#current) return
    const { log } = this.#options
    await this.#start(() =>
      this.#seal().catch(error => log.error({ err: error }, 'a segment could not be sealed')),
    )
  }
}
