// How fast a sender sends a message: a slow one would hold its connection and its memory for long.

/** In each minute. A line of 70 kbit/s is fast enough. */
const leastBytes = 512 * 1024

export class MessagePace {
  #began = performance.now()
  #bytes = 0

  note(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes < leastBytes) return
    this.#bytes = 0
    this.#began = performance.now()
  }

  /** Less than the least has come in these milliseconds. */
  isSlow(milliseconds: number): boolean {
    return performance.now() - this.#began > milliseconds
  }
}
