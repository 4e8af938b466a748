import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { clientOf, decide, isAtHome, type Kind, stepsWith, type Visit } from './pipeline.ts'

interface Row {
  readonly who: string
  /** `proxied` is counted, without a country. */
  readonly view: string
  readonly click: string
  readonly agent: string
}

const rows: readonly Row[] = JSON.parse(readFileSync(new URL('./user-agents.json', import.meta.url), 'utf8'))
const steps = stepsWith(() => false)

function judged(kind: Kind, userAgent: string): string {
  const visit: Visit = {
    kind,
    userAgent,
    client: clientOf(kind, userAgent),
    token: '',
    method: 'GET',
    ip: '203.0.113.7',
    isAhead: false,
    isOwn: false,
    isTracking: true,
  }
  const decision = decide(steps, visit)
  return decision === 'counted' && !isAtHome(visit) ? 'proxied' : decision
}

describe('the table of user agents', () => {
  it('holds 150 and more, each once, of every kind', () => {
    expect(rows.length).toBeGreaterThanOrEqual(150)
    expect(new Set(rows.map(row => row.agent)).size).toBe(rows.length)
    expect(new Set(rows.map(row => row.view))).toEqual(
      new Set(['counted', 'proxied', 'prefetch', 'scanner', 'bot']),
    )
  })

  it.each(rows)('$who: a view is $view, a click is $click', ({ view, click, agent }) => {
    expect([judged('view', agent), judged('click', agent)]).toEqual([view, click])
  })
})
