// A number of bytes that holders share. They stand in one queue: a small request does not overtake a large one, so each
// request is served when those before it have given back. Nothing can deadlock, because a holder asks once, for all it needs.

interface Waiter {
  readonly bytes: number
  readonly grant: () => void
}

export class ByteBudget {
  readonly #total: number
  #taken = 0
  readonly #queue: Waiter[] = []

  constructor(total: number) {
    this.#total = total
  }

  get takenBytes(): number {
    return this.#taken
  }

  /** Returns the function that gives the bytes back. Rejects with the reason of the signal, which ends the wait. */
  take(bytes: number, signal: AbortSignal): Promise<() => void> {
    if (bytes > this.#total)
      return Promise.reject(new Error(`a budget of ${this.#total} bytes has no ${bytes}`))
    if (signal.aborted) return Promise.reject(signal.reason)
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const onAbort = () => {
      this.#queue.splice(this.#queue.indexOf(waiter), 1)
      reject(signal.reason)
      this.#serve()
    }
    const waiter = {
      bytes,
      grant: () => {
        signal.removeEventListener('abort', onAbort)
        resolve(() => this.#giveBack(bytes))
      },
    }
    signal.addEventListener('abort', onAbort, { once: true })
    this.#queue.push(waiter)
    this.#serve()
    return promise
  }

  #giveBack(bytes: number): void {
    this.#taken -= bytes
    this.#serve()
  }

  #serve(): void {
    for (
      let [first] = this.#queue;
      first && this.#taken + first.bytes <= this.#total;
      [first] = this.#queue
    ) {
      this.#queue.shift()
      this.#taken += first.bytes
      first.grant()
    }
  }
}
