import { Type } from 'typebox'
import { Nullable, OneOf, Uuid } from '#kernel/api/validation.ts'
import { ClosedObject, NamedObject } from '#kernel/base/closed.ts'
import { verdicts } from './certainty.ts'

const interval = {
  low: Type.Number(),
  high: Type.Number(),
}
const counts = {
  views: Type.Integer(),
  clicks: Type.Integer(),
  clickthrough_rate: Type.Number({ description: 'Clicks per view, rounded to six decimals.' }),
}

const VariantResult = ClosedObject({
  id: Uuid(),
  name: Type.String(),
  weight: Type.Integer({ description: 'Its share now.' }),
  ...counts,
  rate_interval: Nullable<{ low: number; high: number }>(
    ClosedObject(interval, {
      description:
        'The true rate is between these with a probability of 95 %. Null for a control group without a banner.',
    }),
  ),
  probability_best: Nullable<number>(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'How probable it is that this banner has the highest true rate. Null for a control group.',
    }),
  ),
  views_needed: Nullable<number>(
    Type.Integer({
      minimum: 0,
      description:
        'Views that this variant still lacks to tell the two best apart (95 % confidence, 80 % power), and to have at least 100. 0 when it is certain, and for a variant that has enough while another one lacks views.',
    }),
  ),
})

export const CampaignResults = NamedObject('MarketingCampaignResults', {
  start_date: Type.String(),
  end_date: Type.String(),
  totals: ClosedObject(counts),
  verdict: Nullable<string>(
    OneOf(verdicts, {
      description:
        '`certain`: the leader is best with a probability of at least 95 %. `leading`: of at least 80 %. `too_early`: less, or fewer than 100 views of a banner or 10 clicks in all. Null when there are not two banners to compare.',
    }),
  ),
  leader_id: Nullable<string>(Uuid({ description: 'The variant that is most probably the best.' })),
  uplift: Nullable<object>(
    ClosedObject(
      {
        ...interval,
        expected: Type.Number(),
        compared_with_id: Uuid({ description: 'The second best.' }),
      },
      {
        description:
          'By how much the rate of the leader is higher than that of the second, relative to it (0.2: 20 % more clicks per view): the median, and the interval of 95 %.',
      },
    ),
  ),
  statement: Nullable<string>(
    Type.String({
      description: 'The same in words.',
      examples: ['“Blue” is best with a probability of 97 %: 24 % more clicks per view than “Red”.'],
    }),
  ),
  variants: Type.Array(VariantResult),
})

export const PromotionInput = NamedObject('MarketingCampaignPromotion', {
  variant_id: Uuid({ description: 'The variant that all addresses see from now on.' }),
})
