import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createTracking } from '#features/measurement/tracking/index.ts'
import { createTokens } from '#features/measurement/tracking/token.ts'
import { tokenKeyBytes } from '#kernel/base/sealed-tokens.ts'
import { sql } from '#kernel/db/db.ts'
import { createVault } from '#platform/secrets.ts'
import {
  type Bench,
  compare,
  createFixture,
  type Figure,
  startServer,
  startSignoff,
} from './support/bench.ts'
import { seed } from './teammates.bench.ts'

const bareServer = join(import.meta.dirname, 'support/baseline-pixel.ts')
const connections = 128
const people = 100

async function measureTokens(): Promise<Figure[]> {
  const { make, open } = createTokens([randomBytes(tokenKeyBytes)])
  const fields = { workspace: 1, signature: 2, campaign: 0, link: 3 }
  const rateOf = (work: (n: number) => unknown): number => {
    const began = performance.now()
    const count = 300_000
    for (let n = 0; n < count; n++) work(n)
    return (count / (performance.now() - began)) * 1_000
  }
  const token = make({ ...fields, email: 1 })
  const bestRate = (work: (n: number) => unknown) => Math.max(...[1, 2, 3].map(() => rateOf(work)))
  return [
    {
      what: 'tokens made per second',
      value: bestRate(email => make({ ...fields, email })),
      limit: { least: 200_000 },
    },
    { what: 'tokens opened per second', value: bestRate(() => open(token)) },
  ]
}

async function measureViews(): Promise<Figure[]> {
  const { db, dataDir, workspaceId, embedded, end } = await createFixture()
  await seed(db, workspaceId, people)
  const vault = createVault({ dataDir, secretKeys: null })
  const tracker = await createTracking({ publicUrl: '', keys: vault }).trackerOf(db, workspaceId)
  if (!tracker) throw new Error('the workspace does not track')
  const signature = await tracker.linkSetOf(
    db,
    { kind: 'signature', signatureId: workspaceId },
    { type: 'stack', children: [] },
  )
  const emails = await db.query<{ number: number }>(
    sql`select number from emails where workspace_id = ${workspaceId}`,
  )
  const paths = emails.map(({ number }) => tracker.fillFor(number, signature).pixel([]))
  await embedded.release()
  const service = await startSignoff(dataDir)
  const baseline = await startServer([bareServer], {})
  try {
    const headers = {
      'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0',
    }
    const load = { path: '/', connections, headers, requests: paths.map(path => ({ path, headers })) }
    const pair = await compare({ url: service.url, load }, { url: baseline.url, load }, 5)
    return [
      {
        what: 'pixels, each answered after its view is recorded, against a bare server',
        value: pair.ratio,
        limit: { least: 0.4 },
        note: `${Math.round(pair.service)}/s against ${Math.round(pair.baseline)}/s`,
      },
    ]
  } finally {
    await service.stop()
    await baseline.stop()
    await end()
  }
}

export const benches: readonly Bench[] = [
  { name: 'tracking: tokens', run: measureTokens },
  { name: 'tracking: views', run: measureViews },
]
