// What can be connected, and what comes later.
import type { Integration } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { useCan } from '../../api/session.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Badge } from '../../ui/page.tsx'
import { comingIcons, type comingKinds, type KindName, kinds } from './kinds.ts'
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

export function OfferCard(props: OfferCardProps) {
  const t = useTranslations('integrations')
  const { kind } = props
  return (
    <li className="flex items-start gap-3 rounded-2xl border border-line bg-card p-5">
      <KindIcon kind={kind} />
      <div className="flex min-w-0 flex-1 flex-col items-start self-stretch">
        <h3 className="font-semibold">{t(`kinds.${kind}.title`)}</h3>
        <p className="mt-0.5 mb-3 text-[0.8125rem] text-muted">{t(`kinds.${kind}.does`)}</p>
        <OfferButton {...props} />
      </div>
    </li>
  )
}

/** A kind that cannot be connected yet. */
export function ComingCard({ kind }: { readonly kind: (typeof comingKinds)[number] }) {
  const t = useTranslations('integrations')
  return (
    <li className="flex items-start gap-3 rounded-2xl border border-dashed border-edge/50 p-5">
      <span className="grid size-10 shrink-0 place-items-center rounded-xl bg-sunken text-muted">
        <Icon name={comingIcons[kind]} size={20} />
      </span>
      <div className="grid min-w-0 flex-1 justify-items-start gap-0.5">
        <h3 className="font-semibold">{t(`coming.${kind}.title`)}</h3>
        <p className="mb-2 text-[0.8125rem] text-muted">{t(`coming.${kind}.about`)}</p>
        <Badge>{t('notYet')}</Badge>
      </div>
    </li>
  )
}
