// Measures how long one piece of work blocks the event loop: the CPU time that the main thread uses between two ticks
// of a timer. Other programs on the machine slow a test down, but hardly increase this number.

/** The limit for every request, in milliseconds of a usual machine. */
export const loopLimit = 200

const cpuMilliseconds = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

const people = JSON.stringify(
  Array.from({ length: 2_000 }, (_, n) => ({ name: `person ${n}`, title: 'x'.repeat(20), n })),
)
/** What the reference work takes on a usual machine. */
const referenceMilliseconds = 40

/** How much slower this machine is now than a usual one: threads that share a core use more CPU time for the same work. */
function slowness(): number {
  let most = 0
  for (let round = 0; round < 3; round++) {
    const began = cpuMilliseconds()
    for (let n = 0; n < 20; n++)
      JSON.stringify(
        JSON.parse(people).map((row: { name: string }) => ({ ...row, name: row.name.toUpperCase() })),
      )
    most = Math.max(most, cpuMilliseconds() - began)
  }
  return Math.min(6, Math.max(1, most / referenceMilliseconds))
}

/** Runs some work. Returns its result and the longest time that it blocked the loop, in milliseconds of a usual machine. */
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
    return { result, held: held < loopLimit ? held : held / slowness() }
  } finally {
    clearInterval(timer)
  }
}
