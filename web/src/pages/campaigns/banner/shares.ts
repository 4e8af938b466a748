// Weights of the API as shares in percent, which people add up to 100.

/** Whole percents that add up to 100; those with the largest rests are rounded up. */
export function percentsOf(weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  if (sum === 0) return weights.map(() => 0)
  const exact = weights.map(weight => (weight / sum) * 100)
  const percents = exact.map(Math.floor)
  const missing = 100 - percents.reduce((total, percent) => total + percent, 0)
  const byRest = exact.map((value, index) => ({ index, rest: value % 1 })).sort((a, b) => b.rest - a.rest)
  for (const { index } of byRest.slice(0, missing)) percents[index] = (percents[index] ?? 0) + 1
  return percents
}

/** Equal shares for so many banners. */
export const equalShares = (count: number): number[] => percentsOf(Array.from({ length: count }, () => 1))
