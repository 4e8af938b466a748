// What can be connected, and what comes later.
import { useTranslations } from 'use-intl'
import { useCan } from '../../api/session.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Badge } from '../../ui/page.tsx'
import { comingIcons, comingKinds, type KindName } from './kinds.ts'
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

export function ComingList() {
  const t = useTranslations('integrations')
  return (
    <ul className="rounded-2xl border border-dashed border-edge/50 px-5 py-2">
      {comingKinds.map(kind => (
        <li key={kind} className="flex items-center gap-3 py-2.5">
          <Icon name={comingIcons[kind]} size={18} className="text-muted" />
          <div className="min-w-0 flex-1">
            <h3 className="font-medium">{t(`coming.${kind}.title`)}</h3>
            <p className="text-[0.8125rem] text-muted">{t(`coming.${kind}.about`)}</p>
          </div>
          <Badge>{t('notYet')}</Badge>
        </li>
      ))}
    </ul>
  )
}
