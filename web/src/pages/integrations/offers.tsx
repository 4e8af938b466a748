// What can be connected.
import type { Integration } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { useCan } from '../../api/session.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { type KindName, kinds } from './kinds.ts'
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
