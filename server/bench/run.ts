// `npm run bench`: everything that has a figure to reach, one after the other, as ratios measured in one run.
// `npm run bench -- folders` runs those whose name holds the word.

import { benches as render } from '../../render/bench/render.bench.ts'
import { benches as analytics } from './analytics.bench.ts'
import { benches as bounds } from './bounds.bench.ts'
import { benches as campaigns } from './campaigns.bench.ts'
import { benches as folders } from './folders.bench.ts'
import { benches as installations } from './installations.bench.ts'
import { benches as recording } from './recording.bench.ts'
import { benches as startup } from './startup.bench.ts'
import type { Bench } from './support/bench.ts'
import { benches as teammates } from './teammates.bench.ts'
import { benches as tracking } from './tracking.bench.ts'

const wanted = process.argv.slice(2)
const all: readonly Bench[] = [
  ...startup,
  ...folders,
  ...teammates,
  ...render,
  ...installations,
  ...campaigns,
  ...tracking,
  ...recording,
  ...analytics,
  ...bounds,
]
let missed = 0
for (const { name, run } of all) {
  if (wanted.length > 0 && !wanted.some(word => name.includes(word))) continue
  console.log(`\n${name}`)
  for (const { what, value, limit, note } of await run()) {
    const ok = limit === undefined || (limit.least === undefined ? value <= limit.most : value >= limit.least)
    if (!ok) missed++
    const bound =
      limit === undefined ? '' : limit.least === undefined ? `  (≤ ${limit.most})` : `  (≥ ${limit.least})`
    console.log(`  ${ok ? '✓' : '✗'} ${what}: ${value.toFixed(2)}${bound}${note ? `  ${note}` : ''}`)
  }
}
console.log(missed === 0 ? '\nAll figures are reached.' : `\n${missed} figures are missed.`)
process.exit(missed === 0 ? 0 : 1)
