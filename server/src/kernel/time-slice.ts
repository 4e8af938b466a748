// Long loops in small pieces, so that other requests are answered in between.
import { setImmediate as nextTurn } from 'node:timers/promises'

const sliceMilliseconds = 10

export class TimeSlice {
  #began = performance.now()

  /** To be awaited in every turn of a long loop: mostly it returns at once. */
  async pause(): Promise<void> {
    if (!this.isOver) return
    await nextTurn()
    this.#began = performance.now()
  }

  get isOver(): boolean {
    return performance.now() - this.#began > sliceMilliseconds
  }
}
