/** Calls `onTime` once, after the shortest of the times that were asked for since the last call. */
export class EarliestTimer {
  readonly #onTime: () => void
  #timer: NodeJS.Timeout | undefined
  #at = Number.POSITIVE_INFINITY
  #isStopped = false

  constructor(onTime: () => void) {
    this.#onTime = onTime
  }

  in(milliseconds: number): void {
    const at = performance.now() + milliseconds
    if (this.#isStopped || at >= this.#at) return
    this.#at = at
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#at = Number.POSITIVE_INFINITY
      this.#onTime()
    }, milliseconds)
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }
}
