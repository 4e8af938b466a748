// The requests of the growth bench, to a service of its own, at several fills of the same database.

import { type Fixture, median, startSignoff, waitUntilReady } from '../bench.ts'
import { yearEnd, yearStart } from './events.ts'
import type { FleetWorkspace } from './fleet.ts'

const dateOf = (moment: Date): string => moment.toISOString().slice(0, 10)
const lastDay = dateOf(new Date(yearEnd.getTime() - 24 * 3600_000))

/** `to` is the last day with events. */
function pathsUntil(to: string, signatureId: string) {
  const month = `start_date=${dateOf(new Date(Date.parse(to) - 29 * 24 * 3600_000))}&end_date=${to}`
  const year = `start_date=${dateOf(yearStart)}&end_date=${lastDay}`
  return {
    // Depends on nothing that grows: the measure of how busy the machine is.
    'empty list of folders': '/v1/folders?limit=50',
    'list of teammates': '/v1/teammates?limit=50',
    'list of installations': '/v1/installations?limit=50',
    'overview, 30 days': `/v1/analytics/overview?${month}&interval=day`,
    'overview, the year': `/v1/analytics/overview?${year}&interval=week`,
    'teammates by clicks, 30 days': `/v1/analytics/breakdown?${month}&dimension=teammate&order_by=clicks`,
    'teammates by clicks, the year': `/v1/analytics/breakdown?${year}&dimension=teammate&order_by=clicks`,
    'newest views, the year': `/v1/analytics/events?${year}&name=$view&limit=50`,
    'newest own events, the year': `/v1/analytics/events?${year}&limit=50`,
    'countries of a signature, 30 days': `/v1/analytics/breakdown?${month}&dimension=country&signature_template_id=${signatureId}`,
    'countries of a signature, the year': `/v1/analytics/breakdown?${year}&dimension=country&signature_template_id=${signatureId}`,
  }
}

export type RequestKind = keyof ReturnType<typeof pathsUntil>

const rounds = { warmUp: 5, measured: 25 }

/**
 * The median time of each request, in ms, in each workspace when `share` of the year is recorded. The requests are sent
 * in turns, so that a busy machine slows all of them.
 */
export async function requestTimes(
  { dataDir }: Fixture,
  workspaces: readonly FleetWorkspace[],
  share: number,
): Promise<ReadonlyMap<RequestKind, number>[]> {
  const to = dateOf(new Date(yearStart.getTime() + (yearEnd.getTime() - yearStart.getTime()) * share - 1))
  const service = await startSignoff(dataDir, { SIGNOFF_DASHBOARD: 'off', SIGNOFF_JOB_CONCURRENCY: '0' })
  try {
    await waitUntilReady(service.url)
    const all: Map<RequestKind, number>[] = []
    for (const { key, signatureId } of workspaces) {
      const paths = Object.entries(pathsUntil(to, signatureId)) as [RequestKind, string][]
      const times = new Map<RequestKind, number[]>(paths.map(([kind]) => [kind, []]))
      for (let round = -rounds.warmUp; round < rounds.measured; round++)
        for (const [kind, path] of paths) {
          const time = await timeRequest(`${service.url}${path}`, key)
          if (round >= 0) times.get(kind)?.push(time)
        }
      all.push(new Map([...times].map(([kind, list]) => [kind, median(list)])))
    }
    return all
  } finally {
    await service.stop()
  }
}

async function timeRequest(url: string, key: string): Promise<number> {
  const began = performance.now()
  const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
  await answer.arrayBuffer()
  if (answer.status !== 200) throw new Error(`${answer.status} for ${url}`)
  return performance.now() - began
}
