// @module-tag random
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '#test/support/runs.ts'
import { ConnectionShares } from './connection-shares.ts'

const limits = { connections: 12, unknownPerNetwork: 2 }

/** Connections as objects, and the rules as sentences about them. */
interface Held {
  readonly network: number
  isUnknown: boolean
  isBusy: boolean
  hasLeft: boolean
}

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('enter'), network: fc.nat(3), isUnknown: fc.boolean() }),
  },
  fc.record({ kind: fc.constantFrom('leave', 'work', 'rest', 'identify'), which: fc.nat(30) }),
)

it('keeps its limits, ends only idle connections, and lets a network in that has none', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), steps => {
      const shares = new ConnectionShares(limits)
      const all: Held[] = []
      const open = () => all.filter(({ hasLeft }) => !hasLeft)
      for (const action of steps) {
        const chosen = 'which' in action ? open()[action.which % Math.max(1, open().length)] : undefined
        if ('network' in action) {
          const held: Held = {
            network: action.network,
            isUnknown: action.isUnknown,
            isBusy: false,
            hasLeft: true,
          }
          const before = open()
          const isEntered = shares.enter(held, `10.0.${action.network}.9`, action.isUnknown, {
            isBusy: () => held.isBusy,
            giveWay: () => {
              expect(held.isBusy).toBe(false)
              held.hasLeft = true
            },
          })
          held.hasLeft = !isEntered
          all.push(held)
          // At most one gives way, and only when half are in use.
          const gone = before.filter(({ hasLeft }) => hasLeft).length
          expect(gone).toBeLessThanOrEqual(before.length >= 6 ? 1 : 0)
          const isNew = before.every(({ network }) => network !== action.network)
          const hasRoom = before.length < 12 || before.some(({ isBusy }) => !isBusy)
          if (isNew && hasRoom) expect(isEntered).toBe(true)
        } else if (chosen && action.kind === 'leave') {
          chosen.hasLeft = true
          shares.leave(chosen)
        } else if (chosen && action.kind === 'identify') {
          chosen.isUnknown = false
          shares.identify(chosen)
        } else if (chosen) chosen.isBusy = action.kind === 'work'
        expect(open().length).toBeLessThanOrEqual(12)
        for (const network of [0, 1, 2, 3]) {
          const ofNetwork = open().filter(held => held.network === network)
          expect(ofNetwork.length).toBeLessThanOrEqual(6)
          expect(ofNetwork.filter(({ isUnknown }) => isUnknown).length).toBeLessThanOrEqual(2)
        }
      }
    }),
    { numRuns: runs(300) },
  )
})
