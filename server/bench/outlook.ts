// What Outlook waits for: the signature of an address, at 100 requests a second.
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '#config.ts'
import { changeRules } from '#features/signatures/recipients/index.ts'
import { createSignature, publishSignature } from '#features/signatures/signatures/index.ts'
import { createIntegration } from '#features/workspace/integrations/index.ts'
import { smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { operator } from '#kernel/api/scopes.ts'
import { sql } from '#kernel/db/db.ts'
import { buildParts } from '#parts.ts'
import { processorTime } from './access.bench.ts'
import { contentWith } from './installations.bench.ts'
import {
  type Bench,
  createFixture,
  type Figure,
  type Fixture,
  p95,
  startSignoff,
  waitUntilReady,
} from './support/bench.ts'
import { seed } from './teammates.bench.ts'

const people = 1_000
const perSecond = 100

/** Everybody gets the signature of the renderer's benchmark. Returns the token of the add-in. */
async function prepare({ db, dataDir, workspaceId }: Fixture): Promise<string> {
  const by = operator(workspaceId)
  const {
    integrations,
    rendering,
    signatures: { onChange },
  } = buildParts(readConfig({ SIGNOFF_DATA_DIR: dataDir }))
  await seed(db, workspaceId, people)
  const fields = await smartFieldsOf(db, workspaceId)
  const id = (key: string) => fields.find(field => field.key === key)?.id ?? ''
  const ids = {
    first: id('first_name'),
    last: id('last_name'),
    title: id('job_title'),
    company: id('company'),
    phone: id('work_phone'),
    email: id('email'),
  }
  const signature = await createSignature(db, by, { name: 'All', draft_content: contentWith(ids) as never })
  const everybody = [[{ smart_field_id: ids.first, operator: 'is_set' as const }]]
  await changeRules(db, by, signature.id, { conditions: everybody }, onChange)
  await publishSignature(db, by, signature.id, { ...rendering, onChange })
  const { reveals } = await createIntegration(db, by, { kind: 'microsoft_365' }, integrations)
  return (reveals as { readonly deployment_token: string }).deployment_token
}

/** Sends at fixed times, however long the answers take. Milliseconds from the planned time to the end of each answer. */
async function measure(url: string, addresses: readonly string[]): Promise<number[]> {
  const began = performance.now()
  const running = addresses.map(async (address, n) => {
    const planned = (n * 1_000) / perSecond
    await sleep(Math.max(1, planned - (performance.now() - began)))
    const sentAt = performance.now()
    const response = await fetch(`${url}/signature?from=${encodeURIComponent(address)}`)
    const { data } = (await response.json()) as { data: { new: object | null } }
    if (data.new === null) throw new Error(`${address} got no signature`)
    return performance.now() - sentAt
  })
  return Promise.all(running)
}

/** The reconcile job of the publication has ended. */
async function untilIdle({ db }: Fixture): Promise<void> {
  while ((await db.query(sql`select from graphile_worker.jobs where run_at <= now() limit 1`)).length > 0)
    await sleep(50)
}

async function run(): Promise<Figure[]> {
  const fixture = await createFixture()
  const token = await prepare(fixture)
  const emails = await fixture.db.query<{ address: string }>(
    sql`select address from emails where workspace_id = ${fixture.workspaceId} and deleted_at is null`,
  )
  const addresses = emails.map(({ address }) => address)
  // The build of the dashboard would take a processor for half a minute.
  const service = await startSignoff(fixture.dataDir, { SIGNOFF_DASHBOARD: 'off' })
  try {
    await waitUntilReady(service.url)
    const url = `${service.url}/outlook/${token}`
    await untilIdle(fixture)
    await measure(url, addresses.slice(0, 2 * perSecond))
    const first = await measure(url, addresses.slice(2 * perSecond))
    const before = processorTime(service)
    const again = await measure(url, addresses)
    const cost = (processorTime(service) - before) / addresses.length
    return [
      {
        what: `p95 of the first signature of an address at ${perSecond}/s, in ms`,
        value: p95(first),
        note: 'rendered and recorded; the process is a few seconds old',
      },
      {
        what: `p95 of GET /outlook/…/signature at ${perSecond}/s, in ms`,
        value: p95(again),
        limit: { most: 20 },
        note: `${cost.toFixed(2)} ms of processor time each`,
      },
    ]
  } finally {
    await service.stop()
    await fixture.end()
  }
}

export const benches: readonly Bench[] = [{ name: 'outlook (relay): signatures for the add-in', run }]
