import { useFormatter, useTranslations } from 'use-intl'
import { onDemand } from '#ui/on-demand.tsx'
import { BreakdownCard, type BreakdownCardProps } from './breakdown-card.tsx'
import { useRowLabel } from './use-row-label.ts'

const WorldMap = onDemand(() => import('#ui/chart/world-map.tsx'), <div className="aspect-2/1" />)

export function CountryCard(props: Omit<BreakdownCardProps, 'name' | 'picture'>) {
  const t = useTranslations('analytics')
  const format = useFormatter()
  const labelOf = useRowLabel('country')
  const metric = props.state.metric === 'clicks' ? 'clicks' : 'views'
  return (
    <BreakdownCard
      {...props}
      name="country"
      picture={rows => (
        <WorldMap
          label={t('map')}
          onOpen={code => props.state.change({ country: code })}
          values={rows.map(row => ({
            code: row.id,
            value: row[metric],
            text: `${labelOf(row)}: ${format.number(row[metric])} ${t(metric)}`,
          }))}
        />
      )}
    />
  )
}
