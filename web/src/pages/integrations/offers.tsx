// What can be connected.
import type { Integration } from '@signoff/sdk'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useCan } from '#api/session.tsx'
import { LinkButton } from '#ui/button.tsx'
import { isAddInOnly, type KindName, kinds } from './kinds.ts'
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

export function OfferCard(props: OfferCardProps) {
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
export function OutlookOffer({ connected }: { readonly connected: readonly Integration[] }) {
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
