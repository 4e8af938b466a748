// Memory for messages in transit. A message is reserved whole before it is read, and never waits for more: so messages
// cannot block each other for ever. While there is no room, its bytes stay with the sender (TCP backpressure).
import { collectYoungGarbage } from '#kernel/idle-memory.ts'

export class MemoryRefusal extends Error {
  /** What the sender is answered. */
  readonly responseCode: number

  constructor(responseCode: number, message: string) {
    super(message)
    this.responseCode = responseCode
  }
}

interface Waiter {
  readonly bytes: number
  readonly grant: () => void
}

export interface MessageMemoryOptions {
  /** For all messages together; at least `largest`. */
  readonly bytes: number
  /** The largest message. */
  readonly largest: number
  /** A message that found no room is deferred after this time. */
  readonly waitMilliseconds: number
}

/** A declared size is an estimate of the sender. */
const slack = 64 * 1024
/** Most messages are smaller, and their memory is not worth a reservation: 500 connections hold 16 MB. */
const unreservedBytes = 32 * 1024
/** Each chunk that a message arrives in becomes garbage, twice: after so many bytes it is collected. */
const collectedBytes = 2 * 1024 * 1024

export class MessageMemory {
  readonly #options: MessageMemoryOptions
  readonly #queue: Waiter[] = []
  #free: number

  constructor(options: MessageMemoryOptions) {
    this.#options = options
    this.#free = options.bytes
  }

  get largest(): number {
    return this.#options.largest
  }

  get reservedBytes(): number {
    return this.#options.bytes - this.#free
  }

  /** Room for one message. `declared`: what the sender says in MAIL; null: as much as the largest one needs. */
  open(declared: number | null): MessageBuffer {
    const { largest } = this.#options
    const most = declared === null ? largest : Math.min(largest, Math.ceil(declared * 1.1) + slack)
    // Pages of the slack that are never written take no memory.
    return new MessageBuffer(this, most, declared === null ? unreservedBytes : most)
  }

  /** First come, first served: a large message is not overtaken by small ones for ever. */
  reserve(bytes: number): Promise<void> {
    if (this.#queue.length === 0 && bytes <= this.#free) {
      this.#free -= bytes
      return Promise.resolve()
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter = { bytes, grant: resolve }
    this.#queue.push(waiter)
    const timer = setTimeout(() => {
      const at = this.#queue.indexOf(waiter)
      if (at === -1) return
      this.#queue.splice(at, 1)
      this.#grantNext()
      reject(new MemoryRefusal(452, '4.3.1 The relay has too many large messages at once; try again'))
    }, this.#options.waitMilliseconds)
    return promise.finally(() => clearTimeout(timer))
  }

  release(bytes: number): void {
    this.#free += bytes
    this.#grantNext()
  }

  #grantNext(): void {
    for (let next = this.#queue[0]; next && next.bytes <= this.#free; next = this.#queue[0]) {
      this.#queue.shift()
      this.#free -= next.bytes
      next.grant()
    }
  }
}

/** One message, in one piece of memory. */
export class MessageBuffer {
  readonly #memory: MessageMemory
  readonly #most: number
  #bytes: Buffer
  #length = 0
  #reserved = 0
  readonly #expected: number

  constructor(memory: MessageMemory, most: number, expected: number) {
    this.#memory = memory
    this.#most = most
    this.#expected = expected
    this.#bytes = Buffer.allocUnsafeSlow(Math.min(expected, unreservedBytes))
  }

  get length(): number {
    return this.#length
  }

  get message(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  async append(chunk: Buffer): Promise<void> {
    const length = this.#length + chunk.length
    if (length > this.#most) throw this.#tooLarge()
    if (length > this.#bytes.length) await this.#grow(length)
    chunk.copy(this.#bytes, this.#length)
    const isDue = length > collectedBytes && length % collectedBytes < chunk.length
    this.#length = length
    if (isDue) collectYoungGarbage()
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
    this.#memory.release(this.#reserved)
    this.#reserved = 0
  }

  async #grow(length: number): Promise<void> {
    if (this.#reserved === 0) {
      await this.#memory.reserve(this.#most)
      this.#reserved = this.#most
    }
    // Twice as large each time, so that the bytes are copied once or twice in all.
    const size = Math.min(this.#most, Math.max(length, this.#expected, this.#bytes.length * 2))
    const grown = Buffer.allocUnsafeSlow(size)
    this.#bytes.copy(grown, 0, 0, this.#length)
    const { buffer } = this.#bytes
    this.#bytes = grown
    if (buffer instanceof ArrayBuffer) buffer.transfer(0)
  }

  #tooLarge(): MemoryRefusal {
    return this.#most === this.#memory.largest
      ? new MemoryRefusal(552, `5.3.4 The message is larger than ${this.#memory.largest} bytes`)
      : new MemoryRefusal(451, '4.3.0 The message is larger than its SIZE parameter says; try again')
  }
}
