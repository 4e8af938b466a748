// Passes SAML responses to a thread, which starts with the first one and ends when it is idle.
import { Worker } from 'node:worker_threads'
import { minute } from '#kernel/base/durations.ts'
import { apiError } from '#kernel/base/errors.ts'
import { SignInRefused } from '../refusal.ts'
import type { VerifiedAssertion } from './assertion.ts'
import type { FromVerifier, ToVerifier } from './messages.ts'
import type { SamlAnswer } from './protocol.ts'

interface Verification {
  readonly message: ToVerifier
  readonly network: string
  readonly resolve: (verified: VerifiedAssertion) => void
  readonly reject: (error: Error) => void
}

/** Responses that wait, each of at most 256 KB. */
const maxWaiting = 20
const idleMilliseconds = minute

export class SamlVerifier {
  readonly #milliseconds: number
  readonly #waiting: Verification[] = []
  #running: Verification | undefined
  #worker: Worker | undefined
  #count = 0
  #timer: NodeJS.Timeout | undefined

  /** `milliseconds`: after which a response is given up, and the thread with it. */
  constructor({ milliseconds = 15_000 } = {}) {
    this.#milliseconds = milliseconds
  }

  /**
   * Rejects with a SignInRefused when the response is not valid. One response of a client network can wait: one client
   * must not keep all others waiting.
   */
  verify(answer: SamlAnswer, network: string): Promise<VerifiedAssertion> {
    const isWaiting = this.#waiting.some(other => other.network === network)
    if (isWaiting || this.#waiting.length >= maxWaiting) return Promise.reject(apiError('unavailable'))
    const { promise, resolve, reject } = Promise.withResolvers<VerifiedAssertion>()
    this.#waiting.push({ message: { id: ++this.#count, answer }, network, resolve, reject })
    if (!this.#running) this.#next()
    return promise
  }

  /** Rejects what runs and waits. */
  async close(): Promise<void> {
    const error = new Error('the verifier of SAML responses is closed')
    for (const { reject } of [...(this.#running ? [this.#running] : []), ...this.#waiting.splice(0)])
      reject(error)
    this.#running = undefined
    await this.#endThread()
  }

  async #endThread(): Promise<void> {
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
    // A thread that was given up ends later: the next one is at work by then.
    const fail = (error: Error) => {
      if (this.#worker === worker) this.#giveUp(error)
    }
    worker.on('error', fail)
    worker.on('exit', () => fail(new Error('the thread that verifies SAML responses has ended')))
    return worker
  }

  /** The thread gets one response after another, so that it is known which one takes too long. */
  #next(): void {
    clearTimeout(this.#timer)
    this.#running = this.#waiting.shift()
    if (!this.#running) {
      this.#timer = setTimeout(() => void this.#endThread(), idleMilliseconds).unref()
      return
    }
    this.#worker ??= this.#start()
    this.#worker.postMessage(this.#running.message)
    const tooLong = () =>
      this.#giveUp(new SignInRefused('invalid_answer', 'The check of the document took too long.'))
    this.#timer = setTimeout(tooLong, this.#milliseconds).unref()
  }

  #settle(message: FromVerifier): void {
    const running = this.#running
    if (running?.message.id !== message.id) return
    if ('verified' in message) running.resolve(message.verified)
    else running.reject(new SignInRefused(message.code, message.problem))
    this.#next()
  }

  /** Fails the response that runs, and ends its thread. The next one gets a new thread. */
  #giveUp(error: Error): void {
    const running = this.#running
    void this.#endThread()
    this.#next()
    running?.reject(error)
  }
}
