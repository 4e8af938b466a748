// Request bodies: how many bytes of them a process holds at once, how one is read, and what happens to one that is refused.
import type { IncomingMessage } from 'node:http'
import { apiError } from './errors.ts'

export interface BudgetOptions {
  /** Bytes of all bodies together. */
  readonly total: number
  /** Bytes of one caller's bodies, so that one caller cannot take the room of all others. */
  readonly perCaller: number
  /** How long a request waits for room before it is answered with 503. Its body stays in the client meanwhile. */
  readonly waitMilliseconds: number
  /** Requests that may wait. */
  readonly waiting: number
}

export interface Reservation {
  /** The body turned out to be smaller than reserved. */
  shrinkTo(bytes: number): void
  /** May be called more than once. */
  release(): void
}

/** For work that holds a file beside the body of its request. */
export interface Reserving {
  /** Room of the budget for files: waits for it, or throws 503. It is given back when the work ends. */
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

/** The client has left: nothing is read, and no answer arrives. */
const clientGone = () => apiError('unavailable', { message: 'The client has closed the connection.' })

/** Room for bodies. A request asks for it before its body is read, and gives it back when it is answered. */
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

  /** At once where there is room. `signal` ends the waiting of a client that has left. */
  reserve(caller: string, bytes: number, signal?: AbortSignal): Reservation | Promise<Reservation> {
    if (!this.#fits(caller, bytes)) return this.#wait(caller, bytes, signal)
    this.#add(caller, bytes)
    return this.#held(caller, bytes)
  }

  #held(caller: string, bytes: number): Reservation {
    let held = bytes
    const giveBack = (amount: number) => {
      if (amount <= 0) return
      held -= amount
      this.#add(caller, -amount)
      this.#admitWaiters()
    }
    return { shrinkTo: size => giveBack(held - size), release: () => giveBack(held) }
  }

  #fits(caller: string, bytes: number): boolean {
    const { total, perCaller } = this.#options
    const own = this.#byCaller.get(caller) ?? 0
    // A body that is larger than a bound may still come alone.
    return (this.#used === 0 || this.#used + bytes <= total) && (own === 0 || own + bytes <= perCaller)
  }

  #add(caller: string, bytes: number): void {
    this.#used += bytes
    const own = (this.#byCaller.get(caller) ?? 0) + bytes
    if (own === 0) this.#byCaller.delete(caller)
    else this.#byCaller.set(caller, own)
  }

  #wait(caller: string, bytes: number, signal: AbortSignal | undefined): Promise<Reservation> {
    if (signal?.aborted) return Promise.reject(clientGone())
    if (this.#waiters.length >= this.#options.waiting) return Promise.reject(noRoom())
    const { promise, resolve, reject } = Promise.withResolvers<Reservation>()
    const waiter: Waiter = { caller, bytes, admit: () => resolve(this.#held(caller, bytes)) }
    this.#waiters.push(waiter)
    // Whether it is admitted or leaves is decided here, in one step: it is in the list, or it is not.
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

  /** First come, first served; a caller that is at its own bound lets others pass. */
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
 * Small bodies, files and the bodies of clients without a key have room of their own, so that none keeps the others out. A file of 21 MB takes
 * about twice its size while it is read: together some 130 MB.
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

/** Room for answers that clients have not taken yet. What waits for room is made already: hence few may wait. */
export const createAnswerBudget = () =>
  new BodyBudget({ total: 64 * megabyte, perCaller: 24 * megabyte, waitMilliseconds: 2_000, waiting: 16 })

export type Budgets = ReturnType<typeof createBudgets>

/** The length that the client announces; undefined when it sends in chunks. */
export const announcedLength = ({ headers }: IncomingMessage): number | undefined =>
  headers['content-length'] === undefined ? undefined : Number(headers['content-length'])

/** The whole body. Rejects with 413 as soon as it is longer than `limit`; what is left of it is not read then. */
export function readBody(stream: IncomingMessage, limit: number): Promise<Buffer> {
  const announced = announcedLength(stream)
  if (announced !== undefined && announced > limit) return Promise.reject(apiError('payload_too_large'))
  if (stream.destroyed) return Promise.reject(clientGone())
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  // Of a large body one buffer of the announced size: collecting its chunks first would take twice the memory.
  let whole: Buffer | null = null
  let size = 0
  const onData = (chunk: Buffer) => {
    if (size + chunk.length > limit) {
      stream.off('data', onData).pause()
      return reject(apiError('payload_too_large'))
    }
    if (size === 0 && announced !== undefined && announced > chunk.length)
      whole = Buffer.allocUnsafeSlow(announced)
    if (whole) chunk.copy(whole, size)
    else chunks.push(chunk)
    size += chunk.length
  }
  stream.on('data', onData)
  stream.once('error', reject)
  stream.once('close', () => reject(clientGone())) // after `end` it is too late to matter
  stream.once('end', () => {
    if (announced !== undefined && size !== announced)
      reject(apiError('malformed_json', { message: 'The body ended too soon.' }))
    else resolve(whole ?? (chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
  })
  return promise
}

const drainBytes = 64 * megabyte
const drainMilliseconds = 15_000

/**
 * Reads the rest of a refused body to nowhere, within bounds. Most clients read an answer only after they have sent
 * everything; one that is answered and cut off before sees a broken connection and no answer.
 */
export async function drain(stream: IncomingMessage): Promise<void> {
  if (stream.readableEnded || stream.destroyed || (announcedLength(stream) ?? 0) > drainBytes) return
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
