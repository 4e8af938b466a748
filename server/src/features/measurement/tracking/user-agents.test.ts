import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  classifyClient,
  createSteps,
  decide,
  revealsCountry,
  type TrackedKind,
  type TrackedRequest,
} from './pipeline.ts'

interface Row {
  readonly who: string
  /** `proxied` means counted, but without a country. */
  readonly view: string
  readonly click: string
  readonly agent: string
  /** Source of the user agent: a page, or one of the lists named in docs/use/tracking.md. */
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
const steps = createSteps(
  () => false,
  () => false,
)

function decisionFor(kind: TrackedKind, userAgent: string): string {
  const request: TrackedRequest = {
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
  const decision = decide(steps, request)
  return decision === 'counted' && !revealsCountry(request) ? 'proxied' : decision
}

describe('the table of user agents', () => {
  it('has at least 150 different user agents, with every outcome', () => {
    expect(rows.length).toBeGreaterThanOrEqual(150)
    expect(new Set(rows.map(row => row.agent)).size).toBe(rows.length)
    expect(new Set(rows.map(row => row.view))).toEqual(
      new Set(['counted', 'proxied', 'prefetch', 'scanner', 'bot']),
    )
  })

  it('names the source of each user agent', () => {
    const unknown = rows.filter(({ source }) => !lists.includes(source) && !/^https?:/.test(source))
    expect(unknown).toEqual([])
  })

  it.each(rows)('$who: a view is $view, a click is $click', ({ view, click, agent }) => {
    expect([decisionFor('view', agent), decisionFor('click', agent)]).toEqual([view, click])
  })
})
