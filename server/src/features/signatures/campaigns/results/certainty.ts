// What the counts of compared banners allow to say: which one is best, how certain that is, and what is still needed.
import {
  type Posterior,
  posteriorsOf,
  probabilitiesBest,
  quantileOf,
  type Trials,
  upliftQuantile,
} from './posteriors.ts'

export const verdicts = ['too_early', 'leading', 'certain'] as const
type Verdict = (typeof verdicts)[number]

interface CredibleInterval {
  readonly low: number
  readonly high: number
}

interface VariantCertainty {
  readonly probabilityBest: number
  /** The true rate is in it with a probability of 95 %. */
  readonly rateInterval: CredibleInterval
  readonly viewsNeeded: number
}

interface Uplift extends CredibleInterval {
  /** The positions of the best banner and of the second. */
  readonly leader: number
  readonly runnerUp: number
  /** The median: as likely too high as too low. */
  readonly expected: number
}

export interface Certainty {
  readonly verdict: Verdict
  readonly variants: readonly VariantCertainty[]
  /** Null unless there are two variants. */
  readonly uplift: Uplift | null
}

const certainFrom = 0.95
const leadingFrom = 0.8
/** Below these, chance decides: a few clicks can make any banner look best. */
const leastViews = 100
const leastClicks = 10

/** A common rate of banners, for a comparison before the first click. */
const presumedRate = 0.01
const presumedDifference = 0.2
const mostViews = 1e12

/** Quantiles of the normal distribution: two-sided 5 %, and 80 % power. */
const [significance, power] = [1.959964, 0.841621]

const rateOf = ({ views, clicks }: Trials): number => (views === 0 ? 0 : Math.min(1, clicks / views))

/** Views of each of two banners that a test needs to find the difference of their rates. */
function sampleSize(higher: number, lower: number): number {
  const middle = (higher + lower) / 2
  const noise =
    significance * Math.sqrt(2 * middle * (1 - middle)) +
    power * Math.sqrt(higher * (1 - higher) + lower * (1 - lower))
  return Math.min(mostViews, Math.ceil((noise / (higher - lower)) ** 2))
}

/** Counts the views for the observed difference of the two best; where there is none, for one of 20 %. */
function viewsForDifference(leader: Trials, runnerUp: Trials): number {
  const [leaderRate, otherRate] = [rateOf(leader), rateOf(runnerUp)]
  if (leaderRate > otherRate && otherRate > 0) return sampleSize(leaderRate, otherRate)
  const rate = Math.max(leaderRate, otherRate) || presumedRate
  return sampleSize(rate, rate * (1 - presumedDifference))
}

/** Views of each banner until all have the least number of clicks together, at the rate so far. */
function viewsForClicks(all: readonly Trials[]): number {
  const sum = (part: keyof Trials) => all.reduce((total, trials) => total + trials[part], 0)
  const rate = rateOf({ views: sum('views'), clicks: sum('clicks') }) || presumedRate
  return Math.ceil(leastClicks / rate / all.length)
}

/** Views that each banner needs before the verdict can be certain: more than at least one of them has now. */
function viewsToTell(all: readonly Trials[], leader: Trials, runnerUp: Trials): number {
  const needed = Math.max(viewsForDifference(leader, runnerUp), viewsForClicks(all), leastViews)
  const fewest = Math.min(...all.map(({ views }) => views))
  // The banners are more alike than presumed: half of the difference needs four times the views.
  return needed > fewest ? needed : Math.min(mostViews, 4 * fewest)
}

const verdictOf = (all: readonly Trials[], best: number): Verdict => {
  const clicks = all.reduce((sum, trials) => sum + trials.clicks, 0)
  const isTooSmall = clicks < leastClicks || all.some(({ views }) => views < leastViews)
  if (isTooSmall || best < leadingFrom) return 'too_early'
  return best >= certainFrom ? 'certain' : 'leading'
}

export function certaintyOf(all: readonly Trials[]): Certainty {
  const posteriors = posteriorsOf(all)
  const best = probabilitiesBest(posteriors)
  // Of equal probabilities the first variant leads, so the answer is the same every time.
  const ranked = [...best.keys()].sort((a, b) => (best[b] ?? 0) - (best[a] ?? 0) || a - b)
  const [leader = 0, runnerUp] = ranked
  const [leading, second] = [all[leader], runnerUp === undefined ? undefined : all[runnerUp]]
  const verdict = second ? verdictOf(all, best[leader] ?? 0) : 'too_early'
  const needed = verdict !== 'certain' && leading && second ? viewsToTell(all, leading, second) : 0
  const variants = all.map(({ views }, index) => {
    const posterior = posteriors[index] as Posterior
    return {
      probabilityBest: best[index] ?? 0,
      rateInterval: { low: quantileOf(posterior, 0.025), high: quantileOf(posterior, 0.975) },
      viewsNeeded: Math.max(0, needed - views),
    }
  })
  if (!leading || !second || runnerUp === undefined) return { verdict, variants, uplift: null }
  return { verdict, variants, uplift: { leader, runnerUp, ...upliftOf(leading, second) } }
}

function upliftOf(leading: Trials, second: Trials): Pick<Uplift, 'low' | 'expected' | 'high'> {
  // A grid of these two alone has fewer points than that of all.
  const [leader, runnerUp] = posteriorsOf([leading, second]) as [Posterior, Posterior]
  const at = (share: number) => upliftQuantile(leader, runnerUp, share)
  return { low: at(0.025), expected: at(0.5), high: at(0.975) }
}
