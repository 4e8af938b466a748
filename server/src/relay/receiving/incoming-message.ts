// A message on its way through the relay. A small one is in memory. A larger one goes to a file while it arrives, comes into
// memory while the relay reads and stamps it, and leaves from the file: neither a slow sender nor a slow hop holds memory.
import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { minute } from '#kernel/base/durations.ts'
import { OperatorError } from '#kernel/base/errors.ts'
import type { MessagePieces } from '../next-hop/next-hop.ts'
import { RelayRefusal } from '../session/refusal.ts'
import { ByteBudget } from './byte-budget.ts'
import { maxHeaderBytes } from './message-header.ts'

export interface MessageStoreOptions {
  /** For the files. Only this account can enter it. */
  readonly folder: string
  /** The largest message. */
  readonly largest: number
  /** A message that found no memory is deferred after this time. */
  readonly waitMilliseconds?: number
}

/**
 * A message up to this size needs no file, which takes 0.2 ms of CPU time. 500 connections hold 32 MB. Mail without
 * attachments and pictures is smaller.
 */
const memoryBytes = 64 * 1024
/** At least, for the messages that are read and stamped at the same time. */
const workingBytes = 40 * 1024 * 1024
/** At least, on the disk, for all messages together. One workspace gets half of it. */
const storedBytes = 1024 * 1024 * 1024
/** A declared size is an estimate of the sender. */
const slack = 64 * 1024
const pieceBytes = 64 * 1024

const noRoom = (): RelayRefusal =>
  new RelayRefusal(452, '4.3.1 The relay has too many large messages at once; try again', 'memory')

/** The room for messages that all sessions share. */
export class MessageStore {
  readonly largest: number
  readonly budget: ByteBudget
  readonly waitMilliseconds: number
  readonly #folder: string
  readonly #storedBy = new Map<string, number>()

  constructor({ folder, largest, waitMilliseconds = minute }: MessageStoreOptions) {
    this.#folder = folder
    this.largest = largest
    this.budget = new ByteBudget(Math.max(workingBytes, largest))
    this.waitMilliseconds = waitMilliseconds
  }

  /** Makes the folder. A file is left there only by a process that was killed before it had written anything to it. */
  async prepare(): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      for (const name of await readdir(this.#folder)) await rm(join(this.#folder, name), { force: true })
    } catch (error) {
      throw new OperatorError(
        `SIGNOFF_DATA_DIR: the relay cannot write to ${this.#folder} (${(error as Error).message}).`,
      )
    }
  }

  /** Begins a message of a workspace. `declared`: what the sender says in MAIL; null: as large as the largest. */
  begin(owner: string, declared: number | null): IncomingMessage {
    const most = declared === null ? this.largest : Math.min(this.largest, Math.ceil(declared * 1.1) + slack)
    return new IncomingMessage(this, owner, most)
  }

  /** Has no name from the first byte on: the system removes it with the process, however that ends. */
  async createFile(): Promise<FileHandle> {
    const path = join(this.#folder, randomUUID())
    const file = await open(path, 'wx+', 0o600)
    await rm(path, { force: true })
    return file
  }

  /** Counts bytes on the disk. Throws when there are too many: nothing waits for a sender that is slow. */
  count(owner: string, bytes: number): void {
    const own = (this.#storedBy.get(owner) ?? 0) + bytes
    const all = [...this.#storedBy.values()].reduce((sum, stored) => sum + stored, bytes)
    const most = Math.max(storedBytes, 4 * this.largest)
    if (bytes > 0 && (all > most || own > most / 2)) throw noRoom()
    if (own > 0) this.#storedBy.set(owner, own)
    else this.#storedBy.delete(owner)
  }
}

export class IncomingMessage {
  readonly #store: MessageStore
  readonly #owner: string
  readonly #most: number
  /** Bytes that are not in the file: all of a small message. */
  #bytes: Buffer
  #used = 0
  #file: FileHandle | undefined
  #stored = 0

  constructor(store: MessageStore, owner: string, most: number) {
    this.#store = store
    this.#owner = owner
    this.#most = most
    this.#bytes = Buffer.allocUnsafeSlow(Math.min(most, memoryBytes))
  }

  get length(): number {
    return this.#stored + this.#used
  }

  async append(chunk: Buffer): Promise<void> {
    if (this.length + chunk.length > this.#most) throw this.#tooLarge()
    for (let at = 0; at < chunk.length; ) {
      if (this.#used === this.#bytes.length) await this.#flush()
      const copied = chunk.copy(this.#bytes, this.#used, at)
      this.#used += copied
      at += copied
    }
  }

  /** As much as a header can be long. */
  async beginning(): Promise<Buffer> {
    return this.#file
      ? await this.#read(0, Math.min(this.length, maxHeaderBytes))
      : this.#bytes.subarray(0, this.#used)
  }

  /**
   * Returns what `work` makes of the message, which it can change: pieces that can be read until `discard`. Waits for
   * memory, at most until the signal says that the sender has left.
   */
  async rewrite(
    work: (message: Buffer) => Promise<readonly Buffer[]>,
    left: AbortSignal,
  ): Promise<MessagePieces> {
    if (!this.#file) return work(this.#bytes.subarray(0, this.#used))
    const late = AbortSignal.timeout(this.#store.waitMilliseconds)
    const giveBack = await this.#store.budget
      .take(this.length, AbortSignal.any([left, late]))
      .catch(error => Promise.reject(late.aborted ? noRoom() : error))
    try {
      const message = await this.#read(0, this.length)
      const pieces = (await work(message)).flatMap(chunk => storedPieces(chunk, message))
      // At once: the garbage collector would keep hundreds of megabytes for a while. No piece is in this memory.
      if (message.buffer instanceof ArrayBuffer) message.buffer.transfer(0)
      return this.#readPieces(pieces)
    } finally {
      giveBack()
    }
  }

  async discard(): Promise<void> {
    const [file, stored] = [this.#file, this.#stored]
    this.#bytes = Buffer.alloc(0)
    this.#file = undefined
    this.#stored = 0
    this.#used = 0
    await file?.close()
    this.#store.count(this.#owner, -stored)
  }

  async #flush(): Promise<void> {
    this.#store.count(this.#owner, this.#used)
    this.#stored += this.#used
    const written = this.#bytes.subarray(0, this.#used)
    this.#used = 0
    this.#file ??= await this.#store.createFile()
    await this.#file.writeFile(written).catch(error => {
      throw (error as { code?: string }).code === 'ENOSPC' ? noRoom() : error
    })
  }

  async #read(from: number, length: number): Promise<Buffer> {
    if (this.#used > 0) await this.#flush()
    const bytes = Buffer.allocUnsafeSlow(length)
    for (let at = 0; at < length; ) {
      const { bytesRead } = (await this.#file?.read(bytes, at, length - at, from + at)) ?? { bytesRead: 0 }
      if (bytesRead === 0) throw new Error('the file of a message is shorter than the message')
      at += bytesRead
    }
    return bytes
  }

  async *#readPieces(pieces: readonly StoredPiece[]): AsyncGenerator<Buffer> {
    for (const piece of pieces) {
      if (Buffer.isBuffer(piece)) yield piece
      else
        for (let at = piece.start; at < piece.end; at += pieceBytes)
          yield await this.#read(at, Math.min(pieceBytes, piece.end - at))
    }
  }

  #tooLarge(): RelayRefusal {
    const { largest } = this.#store
    return this.#most === largest
      ? new RelayRefusal(552, `5.3.4 The message is larger than ${largest} bytes`, 'too_large')
      : new RelayRefusal(451, '4.3.0 The message is larger than its SIZE parameter says; try again', 'memory')
  }
}

/** Bytes, or a range of the file. */
type StoredPiece = Buffer | { readonly start: number; readonly end: number }

/** A slice of the message is read from the file again, except for the header, which can have changed in memory. */
function storedPieces(chunk: Buffer, message: Buffer): StoredPiece[] {
  if (chunk.buffer !== message.buffer) return [chunk]
  const start = chunk.byteOffset - message.byteOffset
  const end = start + chunk.length
  const bodyAt = Math.min(Math.max(start, maxHeaderBytes), end)
  return [Buffer.from(chunk.subarray(0, bodyAt - start)), { start: bodyAt, end }]
}
