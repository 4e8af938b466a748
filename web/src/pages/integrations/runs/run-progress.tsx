import type { SyncRunSummary } from '@signoff/sdk'
import { useFormatter, useTranslations } from 'use-intl'
import { Spinner } from '#ui/base/button.tsx'
import { ProgressBar } from '#ui/feedback/progress-bar.tsx'

interface RunProgressProps {
  readonly run: SyncRunSummary
  /** Number of people that will be written, where a preview has counted them. */
  readonly expected?: number
}

/** A run tells how many people it has written; how many it has read is known at its end. */
export const RunProgress = ({ run, expected = 0 }: RunProgressProps) => {
  const t = useTranslations('integrations.runs')
  const format = useFormatter()
  const written = run.people_added + run.people_changed + run.people_reactivated
  const isPreview = run.kind === 'dry'
  return (
    <div className="grid gap-2">
      <p role="status" className="flex items-center gap-2 font-medium">
        <Spinner />
        {isPreview ? t('readingDry') : t('reading')}
      </p>
      {expected > 0 && <ProgressBar label={t('reading')} value={written} max={expected} />}
      <p className="text-[0.8125rem] text-muted">
        {isPreview
          ? t('readingDryHint')
          : written > 0
            ? t('written', { count: format.number(written) })
            : t('readingHint')}
      </p>
    </div>
  )
}
