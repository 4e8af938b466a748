// Work that takes long, in turns: one piece of it in each turn of the event loop, so that other requests are answered in
// between, however many such pieces wait.

const waiting: (() => void)[] = []
let isRunning = false

function next(): void {
  const resume = waiting.shift()
  isRunning = resume !== undefined
  // What has waited runs right after this callback; the one after it in the next turn, when sockets have been looked at.
  if (resume) {
    setImmediate(next)
    resume()
  }
}

/** To be awaited before a piece of work that may take more than some milliseconds. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise(resolve => {
    waiting.push(resolve)
    if (isRunning) return
    isRunning = true
    setImmediate(next)
  })
}

const sliceMilliseconds = 10

/** For long loops. */
export class TimeSlice {
  #began = performance.now()

  /** To be awaited in every round of the loop: mostly it returns at once. */
  async pause(): Promise<void> {
    if (performance.now() - this.#began < sliceMilliseconds) return
    await yieldToEventLoop()
    this.#began = performance.now()
  }
}
