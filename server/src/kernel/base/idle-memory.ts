// V8 keeps the memory that its young generation needed at the busiest moment, such as 64 MB for a start, until a full
// garbage collection. A process that has nothing to do allocates too little to reach one, so this forces it.
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const everyMilliseconds = 5_000
/** Processor time in that span, of all threads. A collection blocks requests for 30 to 60 ms, so it waits for quiet. */
const idleMicroseconds = 150_000
/** What the heap holds beyond its objects; below that a collection is not worth its time. */
const worthwhileBytes = 12e6
/** The time of a collection grows with the objects. */
const maxObjectBytes = 200e6

type Collect = (options?: { readonly type: 'minor' | 'major' }) => void

let collector: Collect | undefined

function collectorOf(): Collect {
  if (collector) return collector
  setFlagsFromString('--expose-gc')
  collector = runInNewContext('gc') as Collect
  return collector
}

/** After a start, whose garbage nothing else would collect soon. It blocks for 30 to 60 ms. */
export const collectGarbage = (): void => collectorOf()({ type: 'major' })

/**
 * Frees what has just become garbage, in about a millisecond. V8 counts the bytes of buffers only from 64 MB on, which a
 * stream of large chunks reaches again and again.
 */
export const collectYoungGarbage = (): void => collectorOf()({ type: 'minor' })

/** For the rest of the life of the process, which it does not keep alive. */
export function releaseMemoryWhenIdle(): void {
  const collect = collectorOf()
  let before = process.cpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    before = process.cpuUsage()
    const { total_physical_size: held, used_heap_size: used } = getHeapStatistics()
    if (user + system > idleMicroseconds || used > maxObjectBytes || held - used < worthwhileBytes) return
    collect({ type: 'major' })
    before = process.cpuUsage()
  }, everyMilliseconds)
  timer.unref()
}
