import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  classifyClient,
  decide,
  revealsCountry,
  stepsWith,
  type TrackedKind,
  type TrackedRequest,
} from './pipeline.ts'

interface Row {
  readonly who: string
  /** `proxied` is counted, without a country. */
  readonly view: string
  readonly click: string
  readonly agent: string
  /** Where it was seen: a page, or one of the lists that docs/tracking.md names. */
  readonly source: string
}

const lists = [
  'crawler-user-agents',
  'device-detector',
  'Crawler-Detect',
  'isbot',
  'user-agents',
  'top-user-agents',
]

const rows: readonly Row[] = JSON.parse(readFileSync(new URL('./user-agents.json', import.meta.url), 'utf8'))
const steps = stepsWith(
  () => false,
  () => false,
)

function judged(kind: TrackedKind, userAgent: string): string {
  const visit: TrackedRequest = {
    kind,
    userAgent,
    client: classifyClient(kind, userAgent),
    token: '',
    method: 'GET',
    ip: '203.0.113.7',
    isPrefetch: false,
    isSameOrigin: false,
    isTracking: true,
  }
  const decision = decide(steps, visit)
  return decision === 'counted' && !revealsCountry(visit) ? 'proxied' : decision
}

describe('the table of user agents', () => {
  it('holds 150 and more, each once, of every kind', () => {
    expect(rows.length).toBeGreaterThanOrEqual(150)
    expect(new Set(rows.map(row => row.agent)).size).toBe(rows.length)
    expect(new Set(rows.map(row => row.view))).toEqual(
      new Set(['counted', 'proxied', 'prefetch', 'scanner', 'bot']),
    )
  })

  it('says of each where it was seen', () => {
    const unknown = rows.filter(({ source }) => !lists.includes(source) && !/^https?:/.test(source))
    expect(unknown).toEqual([])
  })

  it.each(rows)('$who: a view is $view, a click is $click', ({ view, click, agent }) => {
    expect([judged('view', agent), judged('click', agent)]).toEqual([view, click])
  })
})
