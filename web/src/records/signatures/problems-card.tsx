import type { CheckProblem, Signature } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { hasBannerSlot } from '#api/banner-slots.ts'
import { api } from '#api/client.ts'
import { classes } from '#ui/base/classes.ts'
import { Icon, type IconName } from '#ui/base/icon.tsx'
import { Card, LoadState } from '#ui/layout/page.tsx'
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

/** The check has one problem for each pair of colours: people see one for light mails, and one for dark ones. */
export function withOneContrast(problems: readonly CheckProblem[]): readonly CheckProblem[] {
  const first = new Map<CheckProblem['severity'], CheckProblem>()
  return problems.flatMap(problem => {
    if (problem.code !== 'low_contrast') return [problem]
    const previous = first.get(problem.severity)
    const ids = previous?.blocks.map(({ id }) => id) ?? []
    previous?.blocks.push(...problem.blocks.filter(({ id }) => !ids.includes(id)))
    if (previous) return []
    const copy = { ...problem, blocks: [...problem.blocks] }
    first.set(problem.severity, copy)
    return [copy]
  })
}

/** A note about colours is about dark mails. */
const noteTexts = { low_contrast: 'dark_mail' } as const

export const problemTextOf = <Code extends CheckProblem['code']>(
  code: Code,
  severity: CheckProblem['severity'],
) => (severity === 'note' && code in noteTexts ? noteTexts[code as keyof typeof noteTexts] : code)

interface ProblemListProps {
  readonly problems: readonly CheckProblem[]
  readonly recipients: number
}

/** Each problem with where it is and what to do. */
export function ProblemList({ problems, recipients }: ProblemListProps) {
  return (
    <ul className="grid gap-4">
      {withOneContrast(problems).map((problem, index) => (
        <ProblemItem key={`${problem.code}-${index}`} problem={problem} recipients={recipients} />
      ))}
    </ul>
  )
}

interface ProblemItemProps {
  readonly problem: CheckProblem
  readonly recipients: number
}

function ProblemItem({ problem, recipients: total }: ProblemItemProps) {
  const t = useTranslations('signatures')
  const { severity, blocks, recipients_affected: count, smart_field: field } = problem
  const text = problemTextOf(problem.code, severity)
  return (
    <li className="flex gap-2.5 text-[0.8125rem]">
      <Icon name={icons[severity]} className={classes('mt-0.5', colors[severity])} />
      <div className="min-w-0">
        <p className="font-medium">
          <span className="sr-only">{t(`severities.${severity}`)}: </span>
          {field === undefined
            ? t(`problems.${text}.title`, { count, total })
            : t('fieldMissing', { field, count, total })}
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
        <p className="mt-0.5 text-muted">{t(`problems.${text}.remedy`)}</p>
      </div>
    </li>
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
      <LoadState query={{ data, error, refetch }} />
      {data?.problems.length === 0 && (
        <p className="flex items-center gap-2 text-[0.8125rem] text-good">
          <Icon name="circle-check" />
          {t('noProblems')}
        </p>
      )}
      {data && <ProblemList problems={data.problems} recipients={data.recipients} />}
      {kind === 'new' && !hasBannerSlot(signature.draft_content ?? signature.content) && (
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
