// Passes files to a thread, which starts with the first one and ends when it is idle.
import { Worker } from 'node:worker_threads'
import { minute } from '#kernel/base/durations.ts'
import { apiError } from '#kernel/base/errors.ts'
import type { GuessField } from './guess.ts'
import { type UnreadableCode, UnreadableFile } from './limits.ts'
import type { ReadFile, TableFile } from './read-table.ts'

export interface ToTableThread {
  readonly id: number
  readonly file: TableFile
  readonly fields: readonly GuessField[]
}

export type FromTableThread =
  | { readonly id: number; readonly table: ReadFile }
  | { readonly id: number; readonly code: UnreadableCode | undefined; readonly problem: string }

interface Reading {
  readonly message: ToTableThread
  readonly workspaceId: string
  readonly resolve: (table: ReadFile) => void
  readonly reject: (error: Error) => void
}

/** The budget of request bodies bounds the memory of files that wait. */
const maxWaiting = 20
const idleMilliseconds = minute
/** A file of 20 MB takes about 3 s on an idle machine. One thread reads for all workspaces: the others wait. */
const readMilliseconds = 10_000

const tooCostly = (): UnreadableFile => new UnreadableFile('takes too long to read, or too much memory')

export class TableReader {
  readonly #waiting: Reading[] = []
  #running: Reading | undefined
  #lastWorkspaceId: string | undefined
  #worker: Worker | undefined
  #count = 0
  #timer: NodeJS.Timeout | undefined

  /** Rejects with UnreadableFile. Two files of a workspace can wait: one workspace must not delay all others. */
  read(workspaceId: string, file: TableFile, fields: readonly GuessField[]): Promise<ReadFile> {
    const ofWorkspace = this.#waiting.filter(other => other.workspaceId === workspaceId).length
    if (ofWorkspace >= 2 || this.#waiting.length >= maxWaiting)
      return Promise.reject(
        apiError('unavailable', {
          message: 'Too many files are being read; try again shortly.',
          headers: { 'Retry-After': '5' },
        }),
      )
    const { promise, resolve, reject } = Promise.withResolvers<ReadFile>()
    this.#waiting.push({ message: { id: ++this.#count, file, fields }, workspaceId, resolve, reject })
    if (!this.#running) this.#next()
    return promise
  }

  #endThread(): void {
    clearTimeout(this.#timer)
    const worker = this.#worker
    this.#worker = undefined
    void worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(new URL('thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 768 },
    })
    worker.unref()
    worker.on('message', (message: FromTableThread) => this.#settle(message))
    // A thread that was given up ends later: the next one is at work by then.
    const fail = (error: Error) => {
      if (this.#worker === worker) this.#giveUp(error)
    }
    worker.on('error', error =>
      fail('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooCostly() : error),
    )
    worker.on('exit', () => fail(new Error('the thread that reads files has ended')))
    return worker
  }

  /** The oldest file of another workspace than the last one, if there is one. */
  #takeNext(): Reading | undefined {
    const last = this.#lastWorkspaceId
    const other = this.#waiting.findIndex(({ workspaceId }) => workspaceId !== last)
    const [reading] = this.#waiting.splice(Math.max(0, other), 1)
    this.#lastWorkspaceId = reading?.workspaceId
    return reading
  }

  #next(): void {
    clearTimeout(this.#timer)
    this.#running = this.#takeNext()
    if (!this.#running) {
      this.#timer = setTimeout(() => this.#endThread(), idleMilliseconds).unref()
      return
    }
    this.#worker ??= this.#start()
    this.#worker.postMessage(this.#running.message)
    this.#timer = setTimeout(() => this.#giveUp(tooCostly()), readMilliseconds).unref()
  }

  #settle(message: FromTableThread): void {
    const running = this.#running
    if (running?.message.id !== message.id) return
    if ('table' in message) running.resolve(message.table)
    else
      running.reject(
        message.code ? new UnreadableFile(message.problem, message.code) : new Error(message.problem),
      )
    this.#next()
  }

  /** Fails the file that is being read, and ends its thread. The next file gets a new thread. */
  #giveUp(error: Error): void {
    const running = this.#running
    this.#endThread()
    this.#next()
    running?.reject(error)
  }
}
