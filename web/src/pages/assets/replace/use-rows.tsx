// The places of a picture, each with what became of it.
import { useTranslations } from 'use-intl'
import { useMessageOf } from '#state/error-texts.ts'
import { isStale } from '#state/errors.ts'
import { Spinner } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Badge } from '#ui/page.tsx'
import { TextLink } from '#ui/text-link.tsx'
import type { AssetUse } from '../asset-uses.ts'
import type { ReplacementOutcome } from './use-replacement.ts'

interface UseRowsProps {
  readonly uses: readonly AssetUse[]
  readonly outcomes: ReadonlyMap<string, ReplacementOutcome>
  readonly mayChange: (use: AssetUse) => boolean
}

export function UseRows({ uses, outcomes, mayChange }: UseRowsProps) {
  const t = useTranslations('assets.dialog')
  return (
    <ul className="grid gap-1.5">
      {uses.map(use => (
        <li
          key={use.id}
          className="flex flex-wrap items-center gap-x-2 gap-y-1 rounded-lg bg-sunken px-3 py-2 text-sm"
        >
          <span className="min-w-0 flex-1 truncate">
            {use.kind === 'logo' ? t('asLogo') : use.name}{' '}
            {use.kind !== 'logo' && <span className="text-muted">{t(use.kind)}</span>}
          </span>
          <RowState use={use} outcome={outcomes.get(use.id)} isAllowed={mayChange(use)} />
        </li>
      ))}
    </ul>
  )
}

interface RowStateProps {
  readonly use: AssetUse
  readonly outcome: ReplacementOutcome | undefined
  readonly isAllowed: boolean
}

function RowState({ use, outcome, isAllowed }: RowStateProps) {
  const t = useTranslations('assets.replace')
  const messageOf = useMessageOf()
  if (!isAllowed) return <Badge>{t('noRight')}</Badge>
  if (!outcome) return null
  if (outcome.state === 'running') return <Spinner />
  if (outcome.state === 'failed')
    return (
      <span role="alert" className="flex items-center gap-1.5 text-[0.8125rem] text-bad">
        <Icon name="circle-alert" size={15} />
        {isStale(outcome.error) ? t('changedMeanwhile') : messageOf(outcome.error)}
      </span>
    )
  return (
    <span className="flex items-center gap-2">
      {outcome.mustPublish && <TextLink to={use.to}>{t('publish')}</TextLink>}
      <span className="flex items-center gap-1 text-[0.8125rem] text-good">
        <Icon name="circle-check" size={15} />
        {t('done')}
      </span>
    </span>
  )
}
