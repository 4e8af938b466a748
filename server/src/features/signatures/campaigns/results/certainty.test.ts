import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { certaintyOf } from './certainty.ts'
import { posteriorsOf, probabilitiesBest, quantileOf, type Trials } from './posteriors.ts'

const bestOf = (all: readonly Trials[]) => probabilitiesBest(posteriorsOf(all))
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

/** Any counts, small and huge; now and then more clicks than views. */
const trials = fc
  .tuple(
    fc.integer({ min: 0, max: 9 }),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: 0, max: 1.02, noNaN: true }),
  )
  .map(([size, share, rate]): Trials => {
    const views = Math.round(10 ** size * share)
    return { views, clicks: Math.round(views * rate ** 3) }
  })
const several = fc.array(trials, { minLength: 2, maxLength: 10 })

/** A small generator with a fixed seed (mulberry32), so that the simulation is the same in every run. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Gamma variates after Marsaglia and Tsang, for shapes of at least 1. */
function gamma(shape: number, random: () => number): number {
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    const v = (1 + c * normal) ** 3
    if (v > 0 && Math.log(1 - random()) < (normal * normal) / 2 + d - d * v + d * Math.log(v)) return d * v
  }
}

function simulatedBest(all: readonly Trials[], rounds: number): number[] {
  const random = randomFrom(42)
  const wins = all.map(() => 0)
  for (let round = 0; round < rounds; round++) {
    const rates = all.map(({ views, clicks }) => {
      const hits = gamma(1 + clicks, random)
      return hits / (hits + gamma(1 + Math.max(0, views - clicks), random))
    })
    const winner = rates.indexOf(Math.max(...rates))
    wins[winner] = (wins[winner] ?? 0) + 1
  }
  return wins.map(count => count / rounds)
}

describe('the probability to be best', () => {
  it('adds up to 1, and belongs to the counts, not to the position', () => {
    fc.assert(
      fc.property(several, all => {
        const best = bestOf(all)
        expect(best.every(share => share >= 0 && share <= 1)).toBe(true)
        expect(sum(best)).toBeCloseTo(1, 9)
        const reversed = bestOf(all.toReversed()).toReversed()
        for (const [index, share] of best.entries()) expect(reversed[index]).toBeCloseTo(share, 9)
      }),
      { numRuns: 40 },
    )
  })

  it('is equal for equal counts, also for billions of views', () => {
    for (const same of [
      { views: 0, clicks: 0 },
      { views: 1_000, clicks: 0 },
      { views: 1e9, clicks: 1e7 },
      { views: 1e9, clicks: 1e9 },
      { views: 10, clicks: 40 },
    ])
      for (const count of [2, 3, 10])
        for (const share of bestOf(Array.from({ length: count }, () => same)))
          expect(share, JSON.stringify(same)).toBeCloseTo(1 / count, 7)
  })

  it('grows with each click of the same views', () => {
    fc.assert(
      fc.property(several, fc.nat(9), (all, position) => {
        const index = position % all.length
        const more = all.map((item, at) =>
          at === index ? { ...item, clicks: item.clicks + 1 + Math.round(item.clicks / 100) } : item,
        )
        expect(bestOf(more)[index]).toBeGreaterThanOrEqual((bestOf(all)[index] ?? 0) - 1e-9)
      }),
      { numRuns: 40 },
    )
  })

  it('agrees with known values and with a simulation', () => {
    // P(Beta(2, 1) > Beta(1, 2)) = 5/6
    expect(
      bestOf([
        { views: 1, clicks: 1 },
        { views: 1, clicks: 0 },
      ])[0],
    ).toBeCloseTo(5 / 6, 10)
    const rounds = 20_000
    fc.assert(
      fc.property(fc.array(trials, { minLength: 2, maxLength: 5 }), all => {
        const simulated = simulatedBest(all, rounds)
        for (const [index, share] of bestOf(all).entries())
          expect(Math.abs(share - (simulated[index] ?? 0)), JSON.stringify(all)).toBeLessThan(0.02)
      }),
      { numRuns: 8, seed: 7 },
    )
  })

  it('keeps its digits for billions of views', () => {
    const [first = 0, second = 0] = bestOf([
      { views: 1e9, clicks: 10_000_000 },
      { views: 1e9, clicks: 10_004_450 },
    ])
    // The difference is 4,450 clicks; its standard deviation sqrt(2 × 10⁷ × 0.99) = 4,450: one sigma.
    expect(second).toBeCloseTo(0.8413, 3)
    expect(first + second).toBeCloseTo(1, 9)
    const [posterior] = posteriorsOf([{ views: 1e9, clicks: 1e7 }])
    expect(quantileOf(posterior!, 0.975)).toBeCloseTo(0.01 + 1.96 * Math.sqrt((0.01 * 0.99) / 1e9), 8)
  })
})

describe('the verdict', () => {
  it('waits for enough data, and says how many views are missing', () => {
    const early = certaintyOf([
      { views: 50, clicks: 20 },
      { views: 50, clicks: 1 },
    ])
    expect(early.verdict).toBe('too_early')
    expect(early.variants.map(({ viewsNeeded }) => viewsNeeded)).toEqual([50, 50])
    const nothing = certaintyOf([
      { views: 0, clicks: 0 },
      { views: 0, clicks: 0 },
    ])
    expect(nothing.variants.map(({ viewsNeeded }) => viewsNeeded)).toEqual([35_001, 35_001])
    expect(nothing.uplift?.expected).toBeCloseTo(0, 6)
    const leading = certaintyOf([
      { views: 1_000, clicks: 40 },
      { views: 1_000, clicks: 30 },
    ])
    expect(leading.verdict).toBe('leading')
    expect(leading.variants[0]?.viewsNeeded).toBeGreaterThan(3_000)
  })

  it.each([
    ['few views', [50, 25], [50, 2]],
    ['few clicks', [1_000, 5], [1_000, 4]],
    ['few views of one', [90_000, 900], [40, 1]],
    ['equal rates', [1_000_000, 10_000], [1_000_000, 10_000]],
    ['no clicks', [5_000_000, 0], [5_000_000, 0]],
    ['a leader by its prior', [100, 4], [200_000, 8_100]],
  ] as const)('is never open without views that are missing: %s', (_, first, second) => {
    const { verdict, variants } = certaintyOf([first, second].map(([views, clicks]) => ({ views, clicks })))
    expect(verdict).not.toBe('certain')
    expect(Math.max(...variants.map(({ viewsNeeded }) => viewsNeeded))).toBeGreaterThan(0)
  })

  it('is certain when one is clearly better, with the uplift and its interval', () => {
    const { verdict, variants, uplift } = certaintyOf([
      { views: 10_000, clicks: 100 },
      { views: 10_000, clicks: 200 },
      { views: 10_000, clicks: 90 },
    ])
    expect(verdict).toBe('certain')
    expect(variants[1]?.probabilityBest).toBeGreaterThan(0.999)
    expect(variants.map(({ viewsNeeded }) => viewsNeeded)).toEqual([0, 0, 0])
    expect(uplift).toMatchObject({ leader: 1, runnerUp: 0 })
    expect(uplift?.expected).toBeCloseTo(1, 1)
    expect(uplift?.low).toBeGreaterThan(0.5)
    expect(uplift?.high).toBeLessThan(1.7)
  })
})
