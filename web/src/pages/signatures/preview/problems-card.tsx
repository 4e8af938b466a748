import type { CheckProblem, Signature } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { hasBannerPlace } from '../../../api/banner-places.ts'
import { api } from '../../../api/client.ts'
import { classes } from '../../../ui/classes.ts'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { Card, LoadError, Skeleton } from '../../../ui/page.tsx'
import { type PreviewKind, variantsQuery } from './preview-state.ts'

export const checkQuery = (signature: Signature, variant?: 'reply' | 'internal') => ({
  queryKey: ['signatures', 'check', signature.id, signature.updated_at, variant ?? 'primary'] as const,
  queryFn: () => api.signatures.check(signature.id, variant ? { variant } : {}),
})

const icons: Readonly<Record<CheckProblem['severity'], IconName>> = {
  error: 'circle-x',
  warning: 'triangle-alert',
  note: 'info',
}
const colors: Readonly<Record<CheckProblem['severity'], string>> = {
  error: 'text-bad',
  warning: 'text-warn',
  note: 'text-muted',
}

interface ProblemListProps {
  readonly problems: readonly CheckProblem[]
  readonly recipients: number
}

/** Each problem with where it is and what to do. */
export function ProblemList({ problems, recipients }: ProblemListProps) {
  const t = useTranslations('signatures')
  return (
    <ul className="grid gap-4">
      {problems.map(({ code, severity, blocks, recipients_affected, smart_field }, index) => (
        <li key={`${code}-${index}`} className="flex gap-2.5 text-[0.8125rem]">
          <Icon name={icons[severity]} className={classes('mt-0.5', colors[severity])} />
          <div className="min-w-0">
            <p className="font-medium">
              <span className="sr-only">{t(`severities.${severity}`)}: </span>
              {smart_field === undefined
                ? t(`problems.${code}.title`, { count: recipients_affected, total: recipients })
                : t('fieldMissing', { field: smart_field, count: recipients_affected, total: recipients })}
            </p>
            {blocks.length > 0 && (
              <p className="mt-0.5 text-muted">
                {t('problemBlocks', {
                  names: blocks
                    .slice(0, 4)
                    .map(({ name }) => name)
                    .join(', '),
                  more: Math.max(blocks.length - 4, 0),
                })}
              </p>
            )}
            <p className="mt-0.5 text-muted">{t(`problems.${code}.remedy`)}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}

export function ProblemsCard({
  signature,
  kind,
}: {
  readonly signature: Signature
  readonly kind: PreviewKind
}) {
  const t = useTranslations('signatures')
  const { data: variants } = useQuery(variantsQuery(signature.id))
  const exists = variants?.data.some(variant => variant.kind === kind && variant.exists)
  const { data, error, refetch } = useQuery(
    checkQuery(signature, kind !== 'new' && exists ? kind : undefined),
  )
  return (
    <Card title={t('problemsTitle')}>
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton />}
      {data?.problems.length === 0 && (
        <p className="flex items-center gap-2 text-[0.8125rem] text-good">
          <Icon name="circle-check" />
          {t('noProblems')}
        </p>
      )}
      {data && <ProblemList problems={data.problems} recipients={data.recipients} />}
      {kind === 'new' && !hasBannerPlace(signature.draft_content ?? signature.content) && (
        <div className="mt-4 flex gap-2.5 text-[0.8125rem]">
          <Icon name="info" className="mt-0.5 text-muted" />
          <div>
            <p className="font-medium">{t('noBannerPlace')}</p>
            <p className="mt-0.5 text-muted">{t('noBannerPlaceText')}</p>
          </div>
        </div>
      )}
    </Card>
  )
}
