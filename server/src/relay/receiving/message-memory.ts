// Memory for messages in transit. A message reserves room as its bytes arrive, so a slow sender holds no more than it has
// sent. Room is given only while all messages can still be completed one after the other (the banker's algorithm):
// otherwise several half-received ones could wait for each other. Meanwhile the bytes stay with the sender (TCP).
import { collectYoungGarbage } from '#kernel/base/idle-memory.ts'

export class MemoryRefusal extends Error {
  /** What the sender is answered. */
  readonly responseCode: number

  constructor(responseCode: number, message: string) {
    super(message)
    this.responseCode = responseCode
  }
}

/** What one message has reserved, and the most that it can need. */
interface Holder {
  readonly owner: string
  most: number
  held: number
  grantedAt: number
}

interface Waiter {
  readonly holder: Holder
  readonly bytes: number
  readonly grant: () => void
}

export interface MessageMemoryOptions {
  /** For all messages together. */
  readonly bytes: number
  /** For the messages of one workspace together, so that room is left for others. At least `largest`. */
  readonly ownerBytes: number
  /** The largest message. */
  readonly largest: number
  /** A message that found no room is deferred after this time. */
  readonly waitMilliseconds: number
}

/** A declared size is an estimate of the sender. */
const slack = 64 * 1024
/** Most messages are smaller, and their memory is not worth a reservation: 500 connections hold 16 MB. */
const unreservedBytes = 32 * 1024
/** A message reserves room in these steps. */
const stepBytes = 1024 * 1024
/** A message that has sent so much gets the memory for all that it has declared: pages take none until they are written. */
const seriousBytes = 4 * stepBytes
/** Messages of one workspace that can be larger come one after the other, while the one before brings its bytes on. */
const largeBytes = 16 * stepBytes
const turnMilliseconds = 2_000
/** Each chunk that a message arrives in becomes garbage, twice: after so many bytes it is collected. */
const collectedBytes = 2 * 1024 * 1024

export class MessageMemory {
  readonly #options: MessageMemoryOptions
  readonly #holders = new Set<Holder>()
  readonly #queue: Waiter[] = []

  constructor(options: MessageMemoryOptions) {
    this.#options = options
  }

  get largest(): number {
    return this.#options.largest
  }

  get reservedBytes(): number {
    return [...this.#holders].reduce((sum, { held }) => sum + held, 0)
  }

  /**
   * Room for one message of a workspace. `declared`: what the sender says in MAIL; null: as much as the largest one needs.
   */
  open(owner: string, declared: number | null): MessageBuffer {
    const { largest } = this.#options
    const most = declared === null ? largest : Math.min(largest, Math.ceil(declared * 1.1) + slack)
    return new MessageBuffer(this, { owner, most, held: 0, grantedAt: 0 }, declared === null)
  }

  /** First come, first served, among those that there is room for. */
  reserve(holder: Holder, bytes: number): Promise<void> {
    if (this.#give(holder, bytes)) return Promise.resolve()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter = { holder, bytes, grant: resolve }
    this.#queue.push(waiter)
    const turns = setInterval(() => this.retry(), turnMilliseconds)
    const timer = setTimeout(() => {
      const at = this.#queue.indexOf(waiter)
      if (at === -1) return
      this.#queue.splice(at, 1)
      reject(new MemoryRefusal(452, '4.3.1 The relay has too many large messages at once; try again'))
    }, this.#options.waitMilliseconds)
    return promise.finally(() => {
      clearTimeout(timer)
      clearInterval(turns)
    })
  }

  release(holder: Holder): void {
    holder.held = 0
    if (this.#holders.delete(holder)) this.retry()
  }

  /** After a message needs less. */
  retry(): void {
    for (const waiter of [...this.#queue]) {
      if (!this.#give(waiter.holder, waiter.bytes)) continue
      this.#queue.splice(this.#queue.indexOf(waiter), 1)
      waiter.grant()
    }
  }

  /** A sender that is slow, or a hop that does not answer, holds the turn for some seconds only. */
  #hasTurn(holder: Holder, bytes: number): boolean {
    const isLarge = ({ most, held }: Holder) => most > largeBytes && held > stepBytes
    if (isLarge(holder) || !isLarge({ ...holder, held: holder.held + bytes })) return true
    const since = performance.now() - turnMilliseconds
    return ![...this.#holders].some(
      other => other.owner === holder.owner && isLarge(other) && other.grantedAt > since,
    )
  }

  #give(holder: Holder, bytes: number): boolean {
    if (!this.#hasTurn(holder, bytes)) return false
    holder.held += bytes
    this.#holders.add(holder)
    if (this.#canComplete()) {
      holder.grantedAt = performance.now()
      return true
    }
    holder.held -= bytes
    if (holder.held === 0) this.#holders.delete(holder)
    return false
  }

  /** Whether there is an order in which each message gets the rest of what it can need, and then gives all back. */
  #canComplete(): boolean {
    const { bytes, ownerBytes } = this.#options
    let free = bytes - this.reservedBytes
    const freeOf = new Map<string, number>()
    for (const { owner, held } of this.#holders) freeOf.set(owner, (freeOf.get(owner) ?? ownerBytes) - held)
    if (free < 0 || [...freeOf.values()].some(left => left < 0)) return false
    let open = [...this.#holders].sort((a, b) => a.most - a.held - (b.most - b.held))
    while (open.length > 0) {
      const stuck = open.filter(({ owner, most, held }) => {
        const left = freeOf.get(owner) ?? 0
        if (most - held > Math.min(free, left)) return true
        free += held
        freeOf.set(owner, left + held)
        return false
      })
      if (stuck.length === open.length) return false
      open = stuck
    }
    return true
  }
}

/** One message, in one piece of memory. */
export class MessageBuffer {
  readonly #memory: MessageMemory
  readonly #holder: Holder
  readonly #isUndeclared: boolean
  #bytes: Buffer
  #length = 0

  constructor(memory: MessageMemory, holder: Holder, isUndeclared: boolean) {
    this.#memory = memory
    this.#holder = holder
    this.#isUndeclared = isUndeclared
    this.#bytes = Buffer.allocUnsafeSlow(Math.min(holder.most, unreservedBytes))
  }

  get length(): number {
    return this.#length
  }

  get message(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  async append(chunk: Buffer): Promise<void> {
    const length = this.#length + chunk.length
    const { most, held } = this.#holder
    if (length > most) throw this.#tooLarge()
    if (length > unreservedBytes && length > held)
      await this.#memory.reserve(
        this.#holder,
        Math.min(most, Math.ceil(length / stepBytes) * stepBytes) - held,
      )
    if (length > this.#bytes.length) this.#grow(this.#sizeFor(length))
    chunk.copy(this.#bytes, this.#length)
    const isDue = length > collectedBytes && length % collectedBytes < chunk.length
    this.#length = length
    if (isDue) collectYoungGarbage()
  }

  /** The message is here in whole, and needs no more. */
  seal(): void {
    this.#holder.most = this.#holder.held
    this.#memory.retry()
  }

  /**
   * Frees the memory at once: the garbage collector would keep hundreds of megabytes for a while. Nothing may use the
   * message any more, above all no socket that still writes it.
   */
  free(): void {
    const { buffer } = this.#bytes
    this.drop()
    if (buffer instanceof ArrayBuffer) buffer.transfer(0)
  }

  /** Gives the reservation back, and leaves the memory to the garbage collector. */
  drop(): void {
    this.#bytes = Buffer.alloc(0)
    this.#length = 0
    this.#memory.release(this.#holder)
  }

  #sizeFor(length: number): number {
    const { most } = this.#holder
    const step = [stepBytes, seriousBytes].find(size => length <= size)
    if (step !== undefined) return Math.min(most, step)
    // Twice as large each time, so that the bytes are copied once or twice in all.
    return this.#isUndeclared ? Math.min(most, Math.max(length, this.#bytes.length * 2)) : most
  }

  #grow(size: number): void {
    const grown = Buffer.allocUnsafeSlow(size)
    this.#bytes.copy(grown, 0, 0, this.#length)
    const { buffer } = this.#bytes
    this.#bytes = grown
    if (buffer instanceof ArrayBuffer) buffer.transfer(0)
  }

  #tooLarge(): MemoryRefusal {
    return this.#holder.most === this.#memory.largest
      ? new MemoryRefusal(552, `5.3.4 The message is larger than ${this.#memory.largest} bytes`)
      : new MemoryRefusal(451, '4.3.0 The message is larger than its SIZE parameter says; try again')
  }
}
