// Request bodies: how many bytes of them a process holds at once, how a body is read, and what happens to a refused
// one.
import type { IncomingMessage } from 'node:http'
import { apiError } from '#kernel/base/errors.ts'

export interface BudgetOptions {
  /** Bytes of all bodies together. */
  readonly total: number
  /** Bytes of one caller's bodies, so that one caller (a workspace, or a network) cannot use up the whole budget. */
  readonly perCaller: number
  /** Time that a request waits for room before it is answered with 503. Meanwhile its body stays with the client. */
  readonly waitMilliseconds: number
  /** Requests that can wait at the same time. */
  readonly waiting: number
}

export interface Reservation {
  /** For a body that is smaller than reserved. */
  shrinkTo(bytes: number): void
  /** Can be called more than once. */
  release(): void
}

/** For handlers that hold a file in memory beside the body of the request. */
export interface ReserveMemory {
  /** Waits for room in the budget for files, or throws 503. The room is released when the route's `prepare` ends. */
  readonly reserve: (bytes: number) => Promise<Pick<Reservation, 'shrinkTo'>>
}

interface Waiter {
  readonly caller: string
  readonly bytes: number
  readonly admit: () => void
}

const noRoom = () =>
  apiError('unavailable', {
    message: 'Too many large requests are on their way; try again shortly.',
    headers: { 'Retry-After': '2' },
  })

/** The client has closed the connection: nothing is read, and no answer can arrive. */
const clientGone = () => apiError('unavailable', { message: 'The client has closed the connection.' })

/** Memory for bodies. A request reserves it before its body is read, and releases it when it is answered. */
export class BodyBudget {
  readonly #options: BudgetOptions
  readonly #byCaller = new Map<string, number>()
  #used = 0
  #waiters: Waiter[] = []

  constructor(options: BudgetOptions) {
    this.#options = options
  }

  get used(): number {
    return this.#used
  }

  /**
   * Answers without a promise where there is room. `signal` ends the wait of a client that has closed the connection.
   */
  reserve(caller: string, bytes: number, signal?: AbortSignal): Reservation | Promise<Reservation> {
    if (!this.#fits(caller, bytes)) return this.#wait(caller, bytes, signal)
    this.#add(caller, bytes)
    return this.#reservation(caller, bytes)
  }

  #reservation(caller: string, bytes: number): Reservation {
    let held = bytes
    const free = (amount: number) => {
      if (amount <= 0) return
      held -= amount
      this.#add(caller, -amount)
      this.#admitWaiters()
    }
    return { shrinkTo: size => free(held - size), release: () => free(held) }
  }

  #fits(caller: string, bytes: number): boolean {
    const { total, perCaller } = this.#options
    const ofCaller = this.#byCaller.get(caller) ?? 0
    // A body that is larger than a limit is still accepted while there is no other.
    return (
      (this.#used === 0 || this.#used + bytes <= total) && (ofCaller === 0 || ofCaller + bytes <= perCaller)
    )
  }

  #add(caller: string, bytes: number): void {
    this.#used += bytes
    const ofCaller = (this.#byCaller.get(caller) ?? 0) + bytes
    if (ofCaller === 0) this.#byCaller.delete(caller)
    else this.#byCaller.set(caller, ofCaller)
  }

  #wait(caller: string, bytes: number, signal: AbortSignal | undefined): Promise<Reservation> {
    if (signal?.aborted) return Promise.reject(clientGone())
    if (this.#waiters.length >= this.#options.waiting) return Promise.reject(noRoom())
    const { promise, resolve, reject } = Promise.withResolvers<Reservation>()
    const waiter: Waiter = { caller, bytes, admit: () => resolve(this.#reservation(caller, bytes)) }
    this.#waiters.push(waiter)
    // A waiter is either still in the list or was admitted: checking and removing are one synchronous step.
    const leave = (error: Error) => {
      const at = this.#waiters.indexOf(waiter)
      if (at === -1) return
      this.#waiters.splice(at, 1)
      reject(error)
    }
    const expiry = setTimeout(() => leave(noRoom()), this.#options.waitMilliseconds)
    const onAbort = () => leave(clientGone())
    signal?.addEventListener('abort', onAbort, { once: true })
    return promise.finally(() => {
      clearTimeout(expiry)
      signal?.removeEventListener('abort', onAbort)
    })
  }

  /** First come, first served, but a caller at its own limit does not hold up the others. */
  #admitWaiters(): void {
    this.#waiters = this.#waiters.filter(waiter => {
      if (!this.#fits(waiter.caller, waiter.bytes)) return true
      this.#add(waiter.caller, waiter.bytes)
      waiter.admit()
      return false
    })
  }
}

const megabyte = 1024 * 1024

/**
 * Small bodies, files, and bodies of clients without a key have separate budgets, so that none can block the others. A
 * file of 21 MB takes about twice its size while it is read: some 130 MB for all budgets together.
 */
export const createBudgets = () => ({
  small: new BodyBudget({
    total: 32 * megabyte,
    perCaller: 16 * megabyte,
    waitMilliseconds: 2_000,
    waiting: 1_000,
  }),
  files: new BodyBudget({
    total: 64 * megabyte,
    perCaller: 43 * megabyte,
    waitMilliseconds: 5_000,
    waiting: 100,
  }),
  anonymous: new BodyBudget({
    total: 8 * megabyte,
    perCaller: megabyte,
    waitMilliseconds: 2_000,
    waiting: 200,
  }),
})

/**
 * For answers that clients have not read yet. An answer that waits for room is in memory already, so only few can wait.
 */
export const createAnswerBudget = () =>
  new BodyBudget({ total: 64 * megabyte, perCaller: 24 * megabyte, waitMilliseconds: 2_000, waiting: 16 })

export type Budgets = ReturnType<typeof createBudgets>

/** The Content-Length; undefined when the client sends in chunks. */
export const announcedLength = ({ headers }: IncomingMessage): number | undefined =>
  headers['content-length'] === undefined ? undefined : Number(headers['content-length'])

/** The fewest bytes that must arrive in each span of time. */
export interface Pace {
  readonly bytes: number
  readonly milliseconds: number
}

/** 16 KB/s: a body that holds a reservation and arrives more slowly keeps other requests waiting for too long. */
export const slowestPace: Pace = { bytes: 160 * 1024, milliseconds: 10_000 }

/** Calls `onSlow` when fewer bytes than `pace` arrive. Returns a function that ends the watch. */
function watchPace(size: () => number, { bytes, milliseconds }: Pace, onSlow: () => void): () => void {
  let before = 0
  const timer = setInterval(() => {
    if (size() - before < bytes) onSlow()
    before = size()
  }, milliseconds)
  return () => clearInterval(timer)
}

/**
 * The whole body. Rejects with 413 as soon as it is longer than `limit`, and with 408 when it arrives more slowly than
 * `pace`; the rest is not read then.
 */
export function readBody(stream: IncomingMessage, limit: number, pace: Pace | null = null): Promise<Buffer> {
  const announced = announcedLength(stream)
  if (announced !== undefined && announced > limit) return Promise.reject(apiError('payload_too_large'))
  if (stream.destroyed) return Promise.reject(clientGone())
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  // One buffer of the announced size for a large body: collecting its chunks first would take twice the memory.
  let buffer: Buffer | null = null
  let size = 0
  const refuse = (code: 'payload_too_large' | 'request_timeout') => {
    stream.off('data', onData).pause()
    // What has arrived is dropped now: the rest is drained before the error is answered.
    buffer = null
    chunks.length = 0
    reject(apiError(code))
  }
  const onData = (chunk: Buffer) => {
    if (size + chunk.length > limit) return refuse('payload_too_large')
    if (size === 0 && announced !== undefined && announced > chunk.length)
      buffer = Buffer.allocUnsafeSlow(announced)
    if (buffer) chunk.copy(buffer, size)
    else chunks.push(chunk)
    size += chunk.length
  }
  stream.on('data', onData)
  stream.once('error', reject)
  const onClose = () => reject(clientGone())
  stream.once('close', onClose)
  stream.once('end', () => {
    stream.off('close', onClose)
    if (announced !== undefined && size !== announced)
      reject(apiError('malformed_json', { message: 'The body ended too soon.' }))
    else resolve(buffer ?? (chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
  })
  if (!pace) return promise
  return promise.finally(
    watchPace(
      () => size,
      pace,
      () => refuse('request_timeout'),
    ),
  )
}

const drainBytes = 64 * megabyte
const drainMilliseconds = 15_000

/** True if `drain` reads the rest of this body to its end, unless the client is too slow. */
export const isDrainable = (stream: IncomingMessage): boolean =>
  stream.readableEnded ||
  (stream.headers['transfer-encoding'] === undefined && (announcedLength(stream) ?? 0) <= drainBytes)

/**
 * Reads and drops the rest of a refused body, within limits. Most clients read an answer only after they have sent
 * everything; a client whose connection is closed before that sees a broken connection and no answer.
 */
export async function drain(stream: IncomingMessage): Promise<void> {
  if (stream.readableEnded || stream.destroyed) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, drainMilliseconds)
  let size = 0
  const count = (chunk: Buffer) => {
    size += chunk.length
    if (size > drainBytes) resolve()
  }
  stream.on('data', count).once('end', resolve).once('close', resolve).once('error', resolve)
  stream.resume()
  await promise
  clearTimeout(timer)
  stream.off('data', count)
}
