import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { integrationListQuery } from '#api/integrations.ts'
import { LoadError, Page, Skeleton } from '#ui/page.tsx'
import { ConnectedCard } from './connected-card.tsx'
import { useRunningRuns } from './data.ts'
import { isAddInOnly, type KindName, kindNames, kinds } from './kinds.ts'
import { OfferCard, OutlookOffer } from './offers.tsx'

interface PartProps {
  readonly title: string
  readonly about?: string
  readonly children: ReactNode
}

const Part = ({ title, about, children }: PartProps) => (
  <section>
    <h2 className="text-base font-semibold">{title}</h2>
    {about && <p className="text-[0.8125rem] text-muted">{about}</p>}
    <div className="mt-3">{children}</div>
  </section>
)

const directories = kindNames.filter(kind => kinds[kind].capabilities.includes('directory'))
const channels = kindNames.filter(kind => !kinds[kind].capabilities.includes('directory'))

export default function IntegrationsPage() {
  const t = useTranslations('integrations')
  const { data, error, refetch } = useQuery(integrationListQuery)
  const running = new Set(useRunningRuns().map(({ integration_id }) => integration_id))
  const offers = (names: readonly KindName[], first?: ReactNode) => (
    <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {first}
      {names.map(kind => (
        <OfferCard
          key={kind}
          kind={kind}
          connected={data?.find(each => each.kind === kind && !isAddInOnly(each))}
        />
      ))}
    </ul>
  )
  return (
    <Page title={t('title')} about={t('about')}>
      <div className="grid gap-8">
        {error && <LoadError error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton lines={5} />}
        {data && data.length > 0 && (
          <Part title={t('connected')}>
            <ul className="grid gap-4 lg:grid-cols-2">
              {data.map(integration => (
                <ConnectedCard
                  key={integration.id}
                  integration={integration}
                  isRunning={running.has(integration.id)}
                />
              ))}
            </ul>
          </Part>
        )}
        {data && (
          <>
            <Part title={t('directories')} about={t('directoriesAbout')}>
              {offers(directories)}
            </Part>
            <Part title={t('channels')} about={t('channelsAbout')}>
              {offers(channels, <OutlookOffer connected={data} />)}
            </Part>
          </>
        )}
      </div>
    </Page>
  )
}
