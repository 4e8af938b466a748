// Passes SAML responses to a thread, which starts with the first one and ends when it is idle.
import { Worker } from 'node:worker_threads'
import { apiError } from '#kernel/errors.ts'
import { SignInRefused } from '../refusal.ts'
import type { VerifiedAssertion } from './assertion.ts'
import type { FromVerifier, ToVerifier } from './messages.ts'
import type { SamlAnswer } from './protocol.ts'

interface Pending {
  readonly resolve: (verified: VerifiedAssertion) => void
  readonly reject: (error: Error) => void
}

/** Responses that wait, each of at most 256 KB. */
const maxPending = 20
const idleMilliseconds = 60_000

export class SamlVerifier {
  readonly #milliseconds: number
  readonly #pending = new Map<number, Pending>()
  #worker: Worker | undefined
  #count = 0
  #timer: NodeJS.Timeout | undefined

  /** `milliseconds`: after which a response is given up, and the thread with it. */
  constructor({ milliseconds = 15_000 } = {}) {
    this.#milliseconds = milliseconds
  }

  /** Rejects with a SignInRefused when the response is not valid. */
  verify(answer: SamlAnswer): Promise<VerifiedAssertion> {
    if (this.#pending.size >= maxPending) return Promise.reject(apiError('unavailable'))
    const { promise, resolve, reject } = Promise.withResolvers<VerifiedAssertion>()
    const id = ++this.#count
    this.#pending.set(id, { resolve, reject })
    this.#worker ??= this.#start()
    const message: ToVerifier = { id, answer }
    this.#worker.postMessage(message)
    if (this.#pending.size === 1) this.#limitTime()
    return promise
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(new URL('thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    })
    worker.unref()
    worker.on('message', (message: FromVerifier) => this.#settle(message))
    worker.on('error', error => this.#fail(error))
    worker.on('exit', () => {
      if (this.#worker === worker) this.#fail(new Error('the thread that verifies SAML responses has ended'))
    })
    return worker
  }

  #settle(message: FromVerifier): void {
    const pending = this.#pending.get(message.id)
    this.#pending.delete(message.id)
    if ('verified' in message) pending?.resolve(message.verified)
    else pending?.reject(new SignInRefused(message.code, message.problem))
    this.#limitTime()
  }

  /** The thread works on one response after another: each has the time from the end of the one before. */
  #limitTime(): void {
    clearTimeout(this.#timer)
    const isIdle = this.#pending.size === 0
    const end = () =>
      isIdle
        ? void this.close()
        : this.#fail(new SignInRefused('invalid_answer', 'The check of the document took too long.'))
    this.#timer = setTimeout(end, isIdle ? idleMilliseconds : this.#milliseconds).unref()
  }

  #fail(error: Error): void {
    const waiting = [...this.#pending.values()]
    this.#pending.clear()
    void this.close()
    for (const { reject } of waiting) reject(error)
  }
}
