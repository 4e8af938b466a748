import { readCampaignCounts } from '#features/measurement/analytics/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { invalid, orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { assertAllowed } from '../lifecycle/states.ts'
import { findCampaign, lockCampaign } from '../queries.ts'
import { advanceTo, type CampaignDeps, fieldsOf, saveAndNotify } from '../rules.ts'
import type { Campaign } from '../schemas.ts'
import { type Certainty, certaintyOf } from './certainty.ts'

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6
const percent = (share: number): string => `${Math.round(share * 100)} %`

/** 0.9999 is not 100 %. */
const probabilityText = (share: number): string => (share > 0.99 ? 'more than 99 %' : percent(share))

interface NamedCertainty extends Certainty {
  readonly names: readonly string[]
}

function statementOf({ verdict, variants, uplift, names }: NamedCertainty): string | null {
  if (!uplift) return null
  const [leader, second] = [names[uplift.leader], names[uplift.runnerUp]].map(name => `“${name}”`)
  if (verdict === 'too_early') {
    const missing = Math.max(...variants.map(({ viewsNeeded }) => viewsNeeded))
    return `It is too early to say which banner is best: each needs up to ${missing.toLocaleString('en')} more views.`
  }
  const probability = probabilityText(variants[uplift.leader]?.probabilityBest ?? 0)
  const claim = verdict === 'certain' ? 'is best' : 'is leading'
  return `${leader} ${claim} with a probability of ${probability}: ${percent(uplift.expected)} more clicks per view than ${second}.`
}

interface Dates {
  readonly start_date?: string
  readonly end_date?: string
}

export async function readResults(db: Db, workspaceId: string, id: string, dates: Dates): Promise<object> {
  const campaign = orNotFound(await findCampaign(db, workspaceId, id))
  const start_date = dates.start_date ?? dates.end_date ?? campaign.created_at.slice(0, 10)
  const { range, totals, countsOf } = await readCampaignCounts(db, workspaceId, campaign.id, {
    ...dates,
    start_date,
  })
  // A variant without content is a control group: no banner is seen, so there is nothing to count.
  const compared = campaign.variants.filter(({ content }) => content !== null)
  const certainty = certaintyOf(compared.map(variant => countsOf(variant.id)))
  const { uplift } = certainty
  const isComparable = uplift !== null
  return {
    ...range,
    totals,
    verdict: isComparable ? certainty.verdict : null,
    leader_id: (isComparable && compared[uplift.leader]?.id) || null,
    uplift: uplift && {
      low: rounded(uplift.low),
      high: rounded(uplift.high),
      expected: rounded(uplift.expected),
      compared_with_id: compared[uplift.runnerUp]?.id,
    },
    statement: statementOf({ ...certainty, names: compared.map(({ name }) => name) }),
    variants: campaign.variants.map(variant => ({
      id: variant.id,
      name: variant.name,
      weight: variant.weight,
      ...countsOf(variant.id),
      ...certaintyFields(certainty.variants[compared.indexOf(variant)]),
    })),
  }
}

const certaintyFields = (variant: Certainty['variants'][number] | undefined) => ({
  rate_interval: variant
    ? { low: rounded(variant.rateInterval.low), high: rounded(variant.rateInterval.high) }
    : null,
  probability_best: variant ? rounded(variant.probabilityBest) : null,
  views_needed: variant?.viewsNeeded ?? null,
})

/** Shows this variant to all addresses. The others keep their numbers and their content. */
export const promoteVariant = async (
  db: Db,
  by: Caller,
  id: string,
  variantId: string,
  deps: CampaignDeps,
): Promise<Campaign> =>
  db.transaction(async tx => {
    const now = deps.now()
    const before = orNotFound(await lockCampaign(tx, by.workspaceId, id))
    const fields = advanceTo(fieldsOf(before), now)
    assertAllowed('change', fields, now)
    const chosen = fields.variants.find(variant => variant.id === variantId.toLowerCase())
    if (!chosen) throw invalid('variant_id', 'unknown_reference')
    const variants = fields.variants.map(variant => ({ ...variant, weight: variant === chosen ? 1 : 0 }))
    return saveAndNotify(tx, by, before, { ...fields, variants }, 'variant_promoted', deps)
  })
