import type { MarketingCampaignResults } from '@signoff/sdk'
import { useFormatter, useTranslations } from 'use-intl'
import { type Column, Table } from '../../../ui/table.tsx'
import { percentsOf } from '../banner/shares.ts'

type VariantResult = MarketingCampaignResults['variants'][number]

export function VariantTable({ results }: { readonly results: MarketingCampaignResults }) {
  const t = useTranslations('campaigns.results')
  const format = useFormatter()
  const percent = (value: number, digits = 1) =>
    format.number(value, { style: 'percent', maximumFractionDigits: digits })
  const shares = percentsOf(results.variants.map(({ weight }) => weight))
  const columns: Column<VariantResult>[] = [
    { id: 'name', title: t('banner'), cell: ({ name }) => <span className="font-medium">{name}</span> },
    {
      id: 'share',
      title: t('share'),
      isNumber: true,
      isSecondary: true,
      cell: row => percent((shares[results.variants.indexOf(row)] ?? 0) / 100, 0),
    },
    { id: 'views', title: t('views'), isNumber: true, cell: ({ views }) => format.number(views) },
    { id: 'clicks', title: t('clicks'), isNumber: true, cell: ({ clicks }) => format.number(clicks) },
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
        return interval ? `${percent(interval.low)} – ${percent(interval.high)}` : t('control')
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
  return <Table label={t('title')} columns={columns} rows={results.variants} keyOf={({ id }) => id} />
}
