// Records clicks in an endless loop, like the click redirect, and prints each id after it is recorded.
import type pg from 'pg'
import { createRecorder } from '#features/measurement/events/index.ts'
import { createMetrics } from '#kernel/api/metrics.ts'
import { newRow } from '#kernel/base/ids.ts'
import { createLog } from '#kernel/base/log.ts'
import { openPool } from '#kernel/db/db.ts'

const { connection, dataDir, workspaceId } = JSON.parse(process.argv[2] ?? '{}') as {
  connection: pg.ClientConfig
  dataDir: string
  workspaceId: string
}
const db = openPool({ connection, size: 3, onError: () => undefined })
const recorder = createRecorder({
  db,
  log: createLog('silent'),
  dataDir,
  spoolLimitMb: 1_000,
  metrics: createMetrics(db),
})

/** Records one click after the other. */
async function recordClicks(): Promise<void> {
  for (;;) {
    const { id, now: recordedAt } = newRow()
    await recorder.recordWithin(50, { workspaceId, id, recordedAt, name: '$click', outcome: 'counted' })
    process.stdout.write(`${id}\n`)
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}
for (let n = 0; n < 20; n++) void recordClicks()
