// `npm run bench` runs all benchmarks one after the other. Most figures are ratios measured in one run, with a limit.
// `npm run bench -- relay` runs those with this word in their name; `npm run bench -- list` prints the names.
import { benches as render } from '../../render/bench/render.bench.ts'
import { benches as analytics } from './analytics.bench.ts'
import { benches as bounds } from './bounds.bench.ts'
import { benches as directories } from './directories.bench.ts'
import { benches as editor } from './editor.bench.ts'
import { benches as hostileMail } from './hostile-mail.bench.ts'
import { benches as installations } from './installations.bench.ts'
import { benches as recording } from './recording.bench.ts'
import { benches as relay } from './relay.bench.ts'
import { benches as startup } from './startup.bench.ts'
import type { Bench } from './support/bench.ts'
import { benches as teammates } from './teammates.bench.ts'
import { benches as web } from './web.bench.ts'

const words = process.argv.slice(2)
const all: readonly Bench[] = [
  ...startup,
  ...teammates,
  ...render,
  ...directories,
  ...installations,
  ...relay,
  ...recording,
  ...analytics,
  ...bounds,
  ...hostileMail,
  ...web,
  ...editor,
]
if (words.includes('list')) {
  for (const { name } of all) console.log(name)
  process.exit(0)
}
let missedCount = 0
let measuredCount = 0
for (const { name, run } of all) {
  if (words.length > 0 && !words.some(word => name.split(/\W+/).includes(word))) continue
  console.log(`\n${name}`)
  for (const { what, value, limit, note } of await run()) {
    const ok = limit === undefined || (limit.least === undefined ? value <= limit.most : value >= limit.least)
    measuredCount++
    if (!ok) missedCount++
    const bound = limit && (limit.least === undefined ? `  (≤ ${limit.most})` : `  (≥ ${limit.least})`)
    console.log(`  ${ok ? '✓' : '✗'} ${what}: ${value.toFixed(2)}${bound ?? ''}${note ? `  ${note}` : ''}`)
  }
}
if (measuredCount === 0) console.log('\nNothing was measured.')
else console.log(missedCount === 0 ? '\nAll figures are reached.' : `\n${missedCount} figures are missed.`)
process.exit(missedCount === 0 ? 0 : 1)
