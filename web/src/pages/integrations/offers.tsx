// What can be connected, and what comes later.
import { useTranslations } from 'use-intl'
import { useCan } from '../../api/session.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Badge } from '../../ui/page.tsx'
import { comingIcons, type comingKinds, type KindName } from './kinds.ts'
import { KindIcon } from './parts/kind-icon.tsx'

export function OfferCard({ kind, isConnected }: { readonly kind: KindName; readonly isConnected: boolean }) {
  const t = useTranslations('integrations')
  const can = useCan()
  return (
    <li className="flex items-start gap-3 rounded-2xl border border-line bg-card p-5">
      <KindIcon kind={kind} />
      <div className="flex min-w-0 flex-1 flex-col items-start self-stretch">
        <h3 className="font-semibold">{t(`kinds.${kind}.title`)}</h3>
        <p className="mt-0.5 mb-3 text-[0.8125rem] text-muted">{t(`kinds.${kind}.does`)}</p>
        {can('integrations:write') && (
          <LinkButton to={`/integrations/new/${kind}`} isSmall className="mt-auto">
            {isConnected ? t('connectAnother') : t('connect')}
            <span className="sr-only">: {t(`kinds.${kind}.title`)}</span>
          </LinkButton>
        )}
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
