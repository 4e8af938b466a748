import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '../../api/client.ts'
import { LoadError, Page, Skeleton } from '../../ui/page.tsx'
import { ConnectedCard } from './connected-card.tsx'
import { availableKinds } from './kinds.ts'
import { ComingList, OfferCard } from './offers.tsx'

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section>
    <h2 className="mb-3 text-base font-semibold">{title}</h2>
    {children}
  </section>
)

export default function IntegrationsPage() {
  const t = useTranslations('integrations')
  const { data, error, refetch } = useQuery({
    queryKey: ['integrations', 'list'],
    queryFn: () => api.integrations.list({ limit: 100 }),
    refetchInterval: 60_000,
  })
  return (
    <Page title={t('title')} about={t('about')}>
      <div className="grid gap-8">
        {error && <LoadError error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton lines={5} />}
        {data && data.length > 0 && (
          <Part title={t('connected')}>
            <ul className="grid gap-4 lg:grid-cols-2">
              {data.map(integration => (
                <ConnectedCard key={integration.id} integration={integration} />
              ))}
            </ul>
          </Part>
        )}
        {data && (
          <Part title={t('available')}>
            <ul className="grid gap-4 lg:grid-cols-2">
              {availableKinds.map(kind => (
                <OfferCard key={kind} kind={kind} isConnected={data.some(each => each.kind === kind)} />
              ))}
            </ul>
          </Part>
        )}
        <Part title={t('later')}>
          <ComingList />
        </Part>
      </div>
    </Page>
  )
}
