import type { MarketingCampaignResults } from '@signoff/sdk'
import { useFormatter, useTranslations } from 'use-intl'
import { type Column, Table } from '#ui/table/table.tsx'

type VariantResult = MarketingCampaignResults['variants'][number]

/** Digits stay on one line. */
const Amount = ({ children }: { readonly children: string }) => (
  <span className="whitespace-nowrap">{children}</span>
)

/** Below this, rates are chance: the service says the same. */
const leastViews = 100

/** A banner that few people have seen cannot be compared; a control group is not compared at all. */
export const isTooEarly = ({ verdict, variants }: MarketingCampaignResults): boolean =>
  verdict === 'too_early' ||
  variants.some(
    ({ weight, views, probability_best: chance }) => weight > 0 && chance !== null && views < leastViews,
  )

export function VariantTable({ results }: { readonly results: MarketingCampaignResults }) {
  const t = useTranslations('campaigns.results')
  const format = useFormatter()
  const percent = (value: number, digits = 1) =>
    format.number(value, { style: 'percent', maximumFractionDigits: digits })
  const columns: Column<VariantResult>[] = [
    {
      id: 'name',
      title: t('banner'),
      cell: ({ name }) => <span className="block min-w-20 font-medium">{name}</span>,
    },
    {
      id: 'views',
      title: t('views'),
      isNumber: true,
      cell: ({ views }) => <Amount>{format.number(views)}</Amount>,
    },
    {
      id: 'clicks',
      title: t('clicks'),
      isNumber: true,
      cell: ({ clicks }) => <Amount>{format.number(clicks)}</Amount>,
    },
    {
      id: 'rate',
      title: t('rate'),
      isNumber: true,
      cell: ({ clickthrough_rate }) => percent(clickthrough_rate),
    },
    {
      id: 'range',
      title: t('range'),
      isNumber: true,
      isSecondary: true,
      cell: row => {
        const interval = row.rate_interval as VariantResult['rate_interval'] | null
        return (
          <span className="whitespace-nowrap">
            {interval ? `${percent(interval.low)} – ${percent(interval.high)}` : t('control')}
          </span>
        )
      },
    },
    {
      id: 'best',
      title: t('best'),
      isNumber: true,
      isSecondary: true,
      cell: ({ probability_best: chance }) => (chance === null ? '–' : percent(chance, 0)),
    },
  ]
  const early = isTooEarly(results)
  const visibleColumns = early ? columns.filter(({ id }) => id !== 'range' && id !== 'best') : columns
  return (
    <div className="min-w-0">
      <Table label={t('title')} columns={visibleColumns} rows={results.variants} keyOf={({ id }) => id} />
      {!early && <p className="mt-2 text-[0.8125rem] text-muted max-sm:hidden">{t('explained')}</p>}
    </div>
  )
}
