// Views, clicks and rate of each banner, and how certain it is which one is better.
import type { MarketingCampaign, MarketingCampaignResults } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCampaignAction } from '#records/campaigns/campaign-data.ts'
import { Button } from '#ui/base/button.tsx'
import { TextLink } from '#ui/base/text-link.tsx'
import { Card, LoadState, Notice } from '#ui/layout/page.tsx'
import { ConfirmDialog } from '#ui/overlay/dialog.tsx'
import { isTooEarly, VariantTable } from './variant-table.tsx'

interface ResultsCardProps {
  readonly campaign: MarketingCampaign
  readonly isEditable: boolean
}

/** A campaign that was moved from another system began before it was created here. */
const periodOf = ({ start_time: start, created_at }: MarketingCampaign) =>
  start !== null && start < created_at ? { start_date: start } : {}

export function ResultsCard({ campaign, isEditable }: ResultsCardProps) {
  const t = useTranslations('campaigns.results')
  const format = useFormatter()
  const { data, error, refetch } = useQuery({
    queryKey: ['campaigns', 'results', campaign.id, campaign.updated_at],
    queryFn: () => api.marketingCampaigns.results(campaign.id, periodOf(campaign)),
  })
  const numbers = data && [
    [t('views'), format.number(data.totals.views)],
    [t('clicks'), format.number(data.totals.clicks)],
    [t('rate'), format.number(data.totals.clickthrough_rate, { style: 'percent', maximumFractionDigits: 1 })],
  ]
  return (
    <Card
      title={t('title')}
      about={t('about')}
      actions={
        <TextLink to="/analytics" search={{ campaign: campaign.id, range: 'year' }}>
          {t('toAnalytics')}
        </TextLink>
      }
    >
      <LoadState query={{ data, error, refetch }} lines={4} />
      {data?.totals.views === 0 && <p className="text-muted">{t('empty')}</p>}
      {data && data.totals.views > 0 && (
        <div className="grid grid-cols-1 gap-5">
          <dl className="grid grid-cols-3 gap-4">
            {numbers?.map(([label, value]) => (
              <div key={label}>
                <dt className="text-[0.8125rem] text-muted">{label}</dt>
                <dd className="text-xl font-semibold tracking-tight tabular-nums">{value}</dd>
              </div>
            ))}
          </dl>
          {data.verdict && <Verdict campaign={campaign} results={data} isEditable={isEditable} />}
          {data.variants.length > 0 && <VariantTable results={data} />}
        </div>
      )}
    </Card>
  )
}

interface VerdictProps extends ResultsCardProps {
  readonly results: MarketingCampaignResults
}

/** The answer of the API is in English: the same is said here in the language of the dashboard. */
function useStatement(results: MarketingCampaignResults): string {
  const t = useTranslations('campaigns.results')
  const format = useFormatter()
  const percent = (value: number) => format.number(value, { style: 'percent', maximumFractionDigits: 0 })
  const { verdict, leader_id, variants, uplift } = results
  const leader = variants.find(({ id }) => id === leader_id)
  const second = variants.find(({ id }) => id === uplift?.compared_with_id)
  if (!leader || verdict === null) return ''
  // 99.97 % is not “100 % sure”.
  const chance = percent(Math.min(leader.probability_best ?? 0, 0.99))
  // The number is an estimate: two digits say as much as it knows.
  const most = Math.max(...variants.map(({ views_needed }) => views_needed ?? 0))
  const needed = most > 0 ? t('needed', { count: Number(most.toPrecision(2)) }) : ''
  if (isTooEarly(results)) return [t('too_early'), needed].join(' ').trim()
  if (verdict === 'leading') return [t('leading', { name: leader.name, chance }), needed].join(' ').trim()
  return uplift && second
    ? t('certain', { name: leader.name, chance, uplift: percent(uplift.expected), second: second.name })
    : t('certainOnly', { name: leader.name, chance })
}

function Verdict({ campaign, results, isEditable }: VerdictProps) {
  const t = useTranslations('campaigns.results')
  const [isAsking, setIsAsking] = useState(false)
  const statement = useStatement(results)
  const leader = results.variants.find(({ id }) => id === results.leader_id)
  const isAlone = campaign.variants.every(({ id, weight }) => id === leader?.id || weight === 0)
  const promote = useCampaignAction({
    run: () => api.marketingCampaigns.promote(campaign.id, { variant_id: leader?.id ?? '' }),
    done: () => t('promoted', { name: leader?.name ?? '' }),
    after: () => setIsAsking(false),
  })
  return (
    <div className="grid justify-items-start gap-3">
      <Notice kind={results.verdict === 'certain' && !isTooEarly(results) ? 'good' : 'info'}>
        <p className="text-sm">{statement}</p>
      </Notice>
      {isEditable && leader && !isTooEarly(results) && !isAlone && (
        <Button
          variant={results.verdict === 'certain' ? 'primary' : 'secondary'}
          icon="trophy"
          onPress={() => setIsAsking(true)}
        >
          {t('promote', { name: leader.name })}
        </Button>
      )}
      {leader && (
        <ConfirmDialog
          title={t('promoteTitle', { name: leader.name })}
          action={t('promote', { name: leader.name })}
          isDangerous={false}
          isOpen={isAsking}
          onClose={() => setIsAsking(false)}
          mutation={promote}
        >
          {t('promoteText')}
        </ConfirmDialog>
      )}
    </div>
  )
}
