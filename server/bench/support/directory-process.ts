// Reads a directory twice in a process of its own, and prints seconds and the most memory as JSON: see directories.bench.ts.
import { createFixture } from './bench.ts'
import { connectMadeUp } from './made-up-directory.ts'
import { memoryOf } from './memory.ts'

const fixture = await createFixture()
try {
  const sync = await connectMadeUp(fixture, { people: Number(process.argv[2]), groups: 300 })
  const [first, second] = [await sync(), await sync()]
  console.log(JSON.stringify({ first, second, most: memoryOf(process.pid, 'VmHWM') }))
} finally {
  await fixture.end()
}
