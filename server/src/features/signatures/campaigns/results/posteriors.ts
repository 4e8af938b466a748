// The rates of compared banners as Beta distributions, on one grid of points for all of them: probabilities are sums
// over the grid, the same for the same counts, and exact to about ten digits from no view to billions.

/** Counts of one banner. */
export interface Trials {
  readonly views: number
  readonly clicks: number
}

/** Gauss-Legendre points and weights for eight points on [0, 1]. */
const gauss = [
  [0.0198550717512319, 0.0506142681451881],
  [0.1016667612931866, 0.1111905172266872],
  [0.2372337950418355, 0.1568533229389436],
  [0.4082826787521751, 0.1813418916891809],
  [0.5917173212478249, 0.1813418916891809],
  [0.7627662049581645, 0.1568533229389436],
  [0.8983332387068134, 0.1111905172266872],
  [0.9801449282487681, 0.0506142681451881],
] as const

/** The value at `at` of the polynomial that is 1 at the point `k` and 0 at the others. */
const lagrange = (k: number, at: number): number =>
  gauss.reduce(
    (product, [point], other) =>
      other === k ? product : (product * (at - point)) / ((gauss[k]?.[0] ?? 0) - point),
    1,
  )

/** The share of the mass of point `k` that lies before point `m`: the integral of the polynomial through all points. */
const shareBefore = gauss.map(([end]) =>
  gauss.map(
    ([, weightOfK], k) =>
      gauss.reduce((sum, [at, weight]) => sum + weight * end * lagrange(k, at * end), 0) / weightOfK,
  ),
)

/** Standard deviations from the mean at which the grid has its borders. The tails reach far: a rate near 0 is skewed. */
const steps = [
  ...Array.from({ length: 25 }, (_, step) => (step - 12) / 2),
  ...[7, 8, 10, 12, 15, 19, 24, 30, 40].flatMap(step => [-step, step]),
]

/** Mail clients can block the picture that counts views, so there can be more clicks than views. */
const failuresOf = ({ views, clicks }: Trials): number => Math.max(0, views - clicks)

function meanAndDeviation(trials: Trials): { readonly mean: number; readonly deviation: number } {
  const a = trials.clicks + 1
  const b = failuresOf(trials) + 1
  const mean = a / (a + b)
  return { mean, deviation: Math.sqrt((mean * (1 - mean)) / (a + b + 1)) }
}

interface Grid {
  readonly points: readonly number[]
  readonly weights: readonly number[]
}

function gridFor(all: readonly Trials[]): Grid {
  const borders = new Set([0, 1])
  for (const trials of all) {
    const { mean, deviation } = meanAndDeviation(trials)
    for (const step of steps) borders.add(Math.min(1, Math.max(0, mean + step * deviation)))
  }
  const sorted = [...borders].sort((a, b) => a - b)
  const points: number[] = []
  const weights: number[] = []
  for (const [index, from] of sorted.slice(0, -1).entries()) {
    const width = (sorted[index + 1] ?? from) - from
    for (const [at, weight] of gauss) {
      points.push(from + at * width)
      weights.push(weight * width)
    }
  }
  return { points, weights }
}

/** The density at a point against that at the mode. The difference to the mode keeps its digits for billions of views. */
function relativeDensity(trials: Trials, point: number): number {
  const { clicks } = trials
  const failures = failuresOf(trials)
  const mode = clicks + failures === 0 ? 0.5 : clicks / (clicks + failures)
  const shift = point - mode
  const ofClicks = clicks === 0 ? 0 : clicks * Math.log1p(shift / mode)
  const ofFailures = failures === 0 ? 0 : failures * Math.log1p(-shift / (1 - mode))
  return Math.exp(ofClicks + ofFailures)
}

/** A rate as masses on the points of the grid, which add up to 1. */
export interface Posterior {
  readonly points: readonly number[]
  readonly masses: readonly number[]
  /** The probability of a rate below each point. */
  readonly below: readonly number[]
}

export function posteriorsOf(all: readonly Trials[]): Posterior[] {
  const { points, weights } = gridFor(all)
  return all.map(trials => {
    const raw = points.map((point, index) => (weights[index] ?? 0) * relativeDensity(trials, point))
    const sum = raw.reduce((total, mass) => total + mass, 0)
    const masses = raw.map(mass => mass / sum)
    return { points, masses, below: cumulated(masses) }
  })
}

/** Panel by panel, as the grid was made. */
function cumulated(masses: readonly number[]): number[] {
  const below: number[] = []
  let before = 0
  for (let start = 0; start < masses.length; start += gauss.length) {
    const panel = masses.slice(start, start + gauss.length)
    for (const shares of shareBefore) {
      const inPanel = panel.reduce((sum, mass, k) => sum + mass * (shares[k] ?? 0), 0)
      below.push(Math.min(1, Math.max(0, before + inPanel)))
    }
    before += panel.reduce((sum, mass) => sum + mass, 0)
  }
  return below
}

/** Probability of each rate that it is the highest of all. They add up to 1. */
export function probabilitiesBest(all: readonly Posterior[]): number[] {
  const wins = all.map(({ masses }, own) =>
    masses.reduce((total, mass, index) => {
      if (mass === 0) return total
      let isHighest = mass
      for (const [other, { below }] of all.entries()) if (other !== own) isHighest *= below[index] ?? 0
      return total + isHighest
    }, 0),
  )
  const sum = wins.reduce((total, win) => total + win, 0)
  return wins.map(win => win / sum)
}

/** The probability of a rate below `rate`. */
function probabilityBelow({ points, below }: Posterior, rate: number): number {
  let [low, high] = [0, points.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((points[middle] ?? 1) < rate) low = middle + 1
    else high = middle
  }
  const [before, after] = [points[low - 1] ?? 0, points[low] ?? 1]
  const [start, end] = [below[low - 1] ?? 0, below[low] ?? 1]
  return after === before ? end : start + ((end - start) * Math.min(1, rate - before)) / (after - before)
}

/** Finds where a growing function of [low, high] reaches `target`. */
function solve(low: number, high: number, target: number, valueAt: (at: number) => number): number {
  let [from, to] = [low, high]
  for (let round = 0; round < 45; round++) {
    const middle = (from + to) / 2
    if (valueAt(middle) < target) from = middle
    else to = middle
  }
  return (from + to) / 2
}

/** The rate that the true one is below with this probability. */
export const quantileOf = (posterior: Posterior, probability: number): number =>
  solve(0, 1, probability, rate => probabilityBelow(posterior, rate))

const largestRatio = 1e6

/** The relative difference of two rates, `one / other - 1`, that the true one is below with this probability. */
export function upliftQuantile(leader: Posterior, runnerUp: Posterior, probability: number): number {
  const others = runnerUp.points.flatMap((point, index) => {
    const mass = runnerUp.masses[index] ?? 0
    return mass > 1e-9 ? [{ point, mass }] : []
  })
  const isBelow = (logRatio: number) =>
    others.reduce(
      (total, { point, mass }) =>
        total + mass * probabilityBelow(leader, Math.min(1, point * Math.exp(logRatio))),
      0,
    )
  const bound = Math.log(largestRatio)
  return Math.exp(solve(-bound, bound, probability, isBelow)) - 1
}
