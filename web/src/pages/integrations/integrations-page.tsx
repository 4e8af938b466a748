import type { Integration } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { integrationListQuery } from '#api/integrations.ts'
import { useCan } from '#api/session.ts'
import { LinkButton } from '#ui/base/button.tsx'
import { LoadState, Page } from '#ui/layout/page.tsx'
import { ConnectedCard } from './connected-card.tsx'
import { useRunningRuns } from './data.ts'
import { isAddInOnly, type KindName, kindNames, kinds } from './kinds.ts'
import { KindIcon } from './parts/kind-icon.tsx'

interface OfferCardProps {
  readonly kind: KindName
  /** The first one of this kind. */
  readonly connected: Integration | undefined
}

function OfferButton({ kind, connected }: OfferCardProps) {
  const t = useTranslations('integrations')
  const can = useCan()
  if (connected && kinds[kind].isSingle)
    return (
      <LinkButton to={`/integrations/${connected.id}`} isSmall className="mt-auto">
        {t('open')}
        <span className="sr-only">: {connected.name}</span>
      </LinkButton>
    )
  if (!can('integrations:write')) return null
  return (
    <LinkButton to={`/integrations/new/${kind}`} isSmall className="mt-auto">
      {connected ? t('connectAnother') : t('connect')}
      <span className="sr-only">: {t(`kinds.${kind}.title`)}</span>
    </LinkButton>
  )
}

interface OfferFrameProps {
  readonly icon: ReactNode
  readonly title: string
  readonly about: string
  readonly children: ReactNode
}

const OfferFrame = ({ icon, title, about, children }: OfferFrameProps) => (
  <li className="flex items-start gap-3 rounded-2xl border border-line bg-card p-5">
    {icon}
    <div className="flex min-w-0 flex-1 flex-col items-start self-stretch">
      <h3 className="font-semibold">{title}</h3>
      <p className="mt-0.5 mb-3 text-[0.8125rem] text-muted">{about}</p>
      {children}
    </div>
  </li>
)

function OfferCard(props: OfferCardProps) {
  const t = useTranslations('integrations')
  const { kind } = props
  return (
    <OfferFrame
      icon={<KindIcon kind={kind} />}
      title={t(`kinds.${kind}.title`)}
      about={t(`kinds.${kind}.does`)}
    >
      <OfferButton {...props} />
    </OfferFrame>
  )
}

/** A part of Microsoft 365 that needs nothing of the rest. */
function OutlookOffer({ connected }: { readonly connected: readonly Integration[] }) {
  const t = useTranslations('integrations')
  const can = useCan()
  const title = t('offers.outlook.title')
  return (
    <OfferFrame icon={<KindIcon kind="microsoft_365" />} title={title} about={t('offers.outlook.does')}>
      {can('integrations:write') && (
        <LinkButton
          to="/integrations/new/microsoft_365"
          search={{ for: 'channel' } as never}
          isSmall
          className="mt-auto"
        >
          {t(connected.some(isAddInOnly) ? 'connectAnother' : 'connect')}
          <span className="sr-only">: {title}</span>
        </LinkButton>
      )}
    </OfferFrame>
  )
}

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
        <LoadState query={{ data, error, refetch }} lines={5} />
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
