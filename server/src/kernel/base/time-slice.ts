// Divides long work into pieces. All long work of the process shares one queue of pieces, and each iteration of the event
// loop runs one piece. Between two pieces Node answers other requests, however long the queue is.

const waiting: (() => void)[] = []
let isRunning = false

function next(): void {
  const resume = waiting.shift()
  isRunning = resume !== undefined
  // The resumed piece runs right after this callback. The next one runs in the next iteration, after Node has served
  // sockets.
  if (resume) {
    setImmediate(next)
    resume()
  }
}

/** Await it before a piece of work that can take more than some milliseconds. */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise(resolve => {
    waiting.push(resolve)
    if (isRunning) return
    isRunning = true
    setImmediate(next)
  })

const sliceMilliseconds = 10

/** For long loops. */
export class TimeSlice {
  #began = performance.now()

  /** Await it in every iteration of the loop: mostly it returns at once. */
  async pause(): Promise<void> {
    if (performance.now() - this.#began < sliceMilliseconds) return
    await yieldToEventLoop()
    this.#began = performance.now()
  }
}
