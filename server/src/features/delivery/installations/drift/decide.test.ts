// @module-tag random
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '#test/support/runs.ts'
import { type DriftState, decideDrift, storedFingerprint } from './decide.ts'

const ours = storedFingerprint('<p>Ours</p>')
const intact: DriftState = { written: ours, foreign: null, foreignWrites: 0, wasRestoredToday: false }

/** `write`: another tool or the user writes this text. `publish`: a change here causes a delivery. */
const event = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('check' as const), hours: fc.integer({ min: 1, max: 40 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      text: fc.constantFrom('', 'a', 'b', '<p>Ours</p>'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('publish' as const) }) },
)

describe('the decision about a mailbox that was read back', () => {
  it('restores at most once a day, and never twice in a row against another tool', () => {
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 40 }),
        fc.constantFrom('report' as const, 'restore' as const),
        (events, repair) => {
          let [hour, content, restoredAt]: [number, string, number] = [0, ours, Number.NEGATIVE_INFINITY]
          let state = intact
          /** True if a restore was the last thing that made the mailbox right. */
          let isAnswered = false
          /** The texts of others that checks saw since the last write of the service. */
          let seen: string[] = []
          for (const event of events) {
            if (event.kind === 'write') content = storedFingerprint(event.text)
            if (event.kind === 'publish') {
              ;[content, state, isAnswered, seen] = [ours, { ...intact, wasRestoredToday: false }, false, []]
            }
            if (event.kind !== 'check') continue
            hour += event.hours
            const wasRestoredToday = hour - restoredAt < 24
            const decision = decideDrift({ ...state, wasRestoredToday }, content, repair)
            if (content === ours) {
              expect(decision).toEqual({ action: 'none' })
              ;[state, isAnswered, seen] = [intact, false, []]
              continue
            }
            if (decision.action === 'none' || decision.action === 'learn')
              throw new Error('drift is overlooked')
            expect(decision.isNew).toBe(seen.at(-1) !== content)
            seen = [...seen, content]
            if (decision.action === 'restore') {
              expect([repair, wasRestoredToday, isAnswered, new Set(seen).size]).toEqual([
                'restore',
                false,
                false,
                1,
              ])
              ;[content, isAnswered, restoredAt, seen] = [ours, true, hour, []]
              state = { ...state, foreign: null, foreignWrites: decision.foreignWrites }
            } else {
              // A single write of others is restored as soon as the day is over.
              if (repair === 'restore') expect(wasRestoredToday || decision.foreignWrites > 1).toBe(true)
              state = { ...state, foreign: content, foreignWrites: decision.foreignWrites }
            }
          }
        },
      ),
      { numRuns: runs(300) },
    )
  })

  it('learns what is there when it is not known what was stored', () => {
    expect(decideDrift({ ...intact, written: null }, storedFingerprint('x'), 'restore')).toEqual({
      action: 'learn',
    })
  })

  it('names a signature that was removed, and does not mind other ends of lines', () => {
    expect(decideDrift(intact, storedFingerprint(' '), 'report')).toMatchObject({
      action: 'report',
      code: 'removed',
    })
    expect(storedFingerprint('a\r\nb\n')).toBe(storedFingerprint('a\nb'))
  })
})
