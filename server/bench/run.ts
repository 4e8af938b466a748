// `npm run bench` runs all benchmarks one after the other. Most figures are ratios measured in one run, with a limit.
// `npm run bench -- folders` runs those with this word in their name.

import { benches as render } from '../../render/bench/render.bench.ts'
import { benches as access } from './access.bench.ts'
import { benches as analytics } from './analytics.bench.ts'
import { benches as bounds } from './bounds.bench.ts'
import { benches as campaigns } from './campaigns.bench.ts'
import { benches as directories } from './directories.bench.ts'
import { benches as editor } from './editor.bench.ts'
import { benches as folders } from './folders.bench.ts'
import { benches as growth } from './growth.bench.ts'
import { benches as hostileMail } from './hostile-mail.bench.ts'
import { benches as imports } from './import.bench.ts'
import { benches as installations } from './installations.bench.ts'
import { benches as mcp } from './mcp.bench.ts'
import { benches as outlook } from './outlook.ts'
import { benches as recording } from './recording.bench.ts'
import { benches as relay } from './relay.bench.ts'
import { benches as relayMessages } from './relay-message.bench.ts'
import { benches as scale } from './scale.bench.ts'
import { benches as scim } from './scim.bench.ts'
import { benches as startup } from './startup.bench.ts'
import type { Bench } from './support/bench.ts'
import { benches as teammates } from './teammates.bench.ts'
import { benches as tracking } from './tracking.bench.ts'
import { benches as web } from './web.bench.ts'
import { benches as webhooks } from './webhooks.bench.ts'

const words = process.argv.slice(2)
const all: readonly Bench[] = [
  ...startup,
  ...folders,
  ...teammates,
  ...render,
  ...imports,
  ...directories,
  ...scim,
  ...installations,
  ...campaigns,
  ...relay,
  ...tracking,
  ...recording,
  ...analytics,
  ...growth,
  ...bounds,
  ...hostileMail,
  ...mcp,
  ...outlook,
  ...webhooks,
  ...relayMessages,
  ...access,
  ...web,
  ...editor,
  ...scale,
]
let missedCount = 0
let measuredCount = 0
for (const { name, run } of all) {
  if (words.length > 0 && !words.some(word => name.split(/\W+/).includes(word))) continue
  console.log(`\n${name}`)
  for (const { what, value, limit, note } of await run()) {
    const ok = limit === undefined || (limit.least === undefined ? value <= limit.most : value >= limit.least)
    measuredCount++
    if (!ok) missedCount++
    const bound =
      limit === undefined ? '' : limit.least === undefined ? `  (≤ ${limit.most})` : `  (≥ ${limit.least})`
    console.log(`  ${ok ? '✓' : '✗'} ${what}: ${value.toFixed(2)}${bound}${note ? `  ${note}` : ''}`)
  }
}
if (measuredCount === 0) console.log('\nNothing was measured.')
else console.log(missedCount === 0 ? '\nAll figures are reached.' : `\n${missedCount} figures are missed.`)
process.exit(missedCount === 0 ? 0 : 1)
