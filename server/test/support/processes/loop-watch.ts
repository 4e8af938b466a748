// Measures how long one piece of work blocks the event loop: the CPU time that the main thread uses between two ticks
// of a timer. Other programs on the machine slow a test down, but do not increase this number.
import { availableParallelism, loadavg } from 'node:os'

/** The limit for every request, on a machine with a free core. */
const maxHeldMilliseconds = 200

/** Raises the limit under load: threads that share a core use more CPU time for the same work. */
export const loopLimit = (): number =>
  maxHeldMilliseconds * Math.min(3, Math.max(1, (loadavg()[0] ?? 0) / availableParallelism()))

const cpuMilliseconds = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Runs some work. Returns its result and the longest time in milliseconds that it blocked the loop. */
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
