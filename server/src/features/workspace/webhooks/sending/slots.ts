// The number of requests that are under way at once, shared fairly: a webhook that waits gets the next free slot.

interface Waiting {
  readonly most: number
  readonly resolve: (count: number) => void
}

export class Slots {
  #free: number
  readonly #waiting: Waiting[] = []

  constructor(count: number) {
    this.#free = count
  }

  /** Takes up to so many without waiting: 0 while others wait. */
  tryTake(most: number): number {
    if (this.#waiting.length > 0) return 0
    const count = Math.min(most, this.#free)
    this.#free -= count
    return count
  }

  /** Takes at least one. Callers are served in order. */
  take(most: number): Promise<number> {
    const count = this.tryTake(most)
    if (count > 0) return Promise.resolve(count)
    return new Promise(resolve => this.#waiting.push({ most, resolve }))
  }

  /** Each free slot goes to the caller that has waited longest. */
  release(count = 1): void {
    this.#free += count
    while (this.#free > 0) {
      const next = this.#waiting.shift()
      if (!next) return
      this.#free--
      next.resolve(1)
    }
  }
}
