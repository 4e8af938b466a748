// How long one piece of work holds the event loop, measured by the loop itself: the processor time that the main thread uses
// between two turns of a timer. Other programs on the machine make a test wait, and do not make this number larger.
import { availableParallelism, loadavg } from 'node:os'

/** What no request may exceed, on a machine that has a core to spare for it. */
const heldMilliseconds = 200

/** Threads that share a core take more processor time for the same work. */
export const loopLimit = (): number =>
  heldMilliseconds * Math.min(3, Math.max(1, (loadavg()[0] ?? 0) / availableParallelism()))

const cpuMilliseconds = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** The result of some work, and for how many milliseconds it held the loop at most. */
export async function watchLoop<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly held: number }> {
  let held = 0
  let last = cpuMilliseconds()
  const tick = () => {
    const now = cpuMilliseconds()
    held = Math.max(held, now - last)
    last = now
  }
  const timer = setInterval(tick, 5)
  try {
    const result = await work()
    tick()
    return { result, held }
  } finally {
    clearInterval(timer)
  }
}
