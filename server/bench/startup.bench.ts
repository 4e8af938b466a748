import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, createDataDir, type Figure, startSignoff, waitUntilReady } from './support/bench.ts'
import { residentMemory } from './support/memory.ts'

async function run(): Promise<Figure[]> {
  const dataDir = await createDataDir()
  const seconds: number[] = []
  const stops: number[] = []
  let memory = 0
  for (let n = 0; n < 4; n++) {
    const began = performance.now()
    const server = await startSignoff(dataDir)
    await waitUntilReady(server.url)
    seconds.push((performance.now() - began) / 1000)
    if (n === 3) {
      await sleep(5_000)
      memory = residentMemory(server.child.pid)
    }
    const stopping = performance.now()
    await server.stop()
    stops.push((performance.now() - stopping) / 1000)
  }
  await rm(dataDir, { recursive: true, force: true })
  return [
    { what: 'first start until /readyz answers 200, in s', value: seconds[0] ?? 0, limit: { most: 15 } },
    { what: 'later start, in s (slowest of 3)', value: Math.max(...seconds.slice(1)), limit: { most: 2 } },
    { what: 'stop, in s (slowest of 4)', value: Math.max(...stops), limit: { most: 5 } },
    { what: 'memory of the idle process after 5 s, in MB', value: memory, limit: { most: 220 } },
  ]
}

export const benches: readonly Bench[] = [{ name: 'startup', run }]
