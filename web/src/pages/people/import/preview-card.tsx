// What an import would change.
import type { ImportPreview } from '@signoff/sdk'
import { useFormatter, useTranslations } from 'use-intl'
import { fieldLabel } from '#api/field-labels.ts'
import { classes } from '#ui/base/classes.ts'
import { Badge, Card } from '#ui/layout/page.tsx'
import { ImportProblems } from './problem-list.tsx'

interface ImportCounts {
  readonly created_count: number
  readonly updated_count: number
  readonly unchanged_count: number
  readonly failed_count: number
  readonly deactivated_count: number
  readonly reactivated_count: number
}

/** A longer list scrolls inside a frame. */
const shownRows = 12

const names = ['created', 'updated', 'unchanged', 'failed', 'deactivated', 'reactivated'] as const
const always: readonly string[] = ['created', 'updated', 'unchanged']

export const ImportCountList = ({ counts }: { readonly counts: ImportCounts }) => {
  const t = useTranslations('people.import.counts')
  const format = useFormatter()
  return (
    <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3">
      {names
        .filter(name => always.includes(name) || counts[`${name}_count`] > 0)
        .map(name => (
          <div key={name}>
            <dt className="text-[0.8125rem] text-muted">{t(name)}</dt>
            <dd className="text-2xl font-semibold tabular-nums">{format.number(counts[`${name}_count`])}</dd>
          </div>
        ))}
    </dl>
  )
}

const ChangedPerson = ({ change }: { readonly change: ImportPreview['changes'][number] }) => {
  const t = useTranslations('people.import')
  return (
    <li className="grid gap-1 py-2.5">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{change.email}</span>
        <Badge variant={change.action === 'create' ? 'good' : 'accent'}>
          {t(`actions.${change.action}`)}
        </Badge>
      </p>
      {change.fields.length > 0 && (
        <p className="text-[0.8125rem] text-muted">
          {change.fields.map(({ smart_field_id, label, before, after }) => (
            <span key={smart_field_id} className="me-3 inline-block">
              {fieldLabel(label)}: {before !== null && <del className="me-1">{before}</del>}
              <span className="text-ink">{after ?? t('cleared')}</span>
            </span>
          ))}
        </p>
      )}
    </li>
  )
}

export const PreviewCard = ({ preview }: { readonly preview: ImportPreview }) => {
  const t = useTranslations('people.import')
  return (
    <>
      <Card title={t('previewTitle')} about={t('previewHint')}>
        <div role="status">
          <ImportCountList counts={preview} />
        </div>
        {preview.changes.length > 0 && (
          <>
            <h3 className="mt-6 text-[0.8125rem] font-medium">{t('firstChanges')}</h3>
            <ul
              className={classes(
                'divide-y divide-line',
                preview.changes.length > shownRows &&
                  'mt-2 max-h-[36rem] overflow-y-auto rounded-xl border border-line px-3',
              )}
              tabIndex={0}
              aria-label={t('firstChanges')}
            >
              {preview.changes.map(change => (
                <ChangedPerson key={change.line} change={change} />
              ))}
            </ul>
          </>
        )}
        {preview.deactivations.length > 0 && (
          <>
            <h3 className="mt-6 text-[0.8125rem] font-medium">
              {preview.held_count > 0 ? t('held') : t('deactivations')}
            </h3>
            <p className="text-[0.8125rem] text-muted">
              {preview.deactivations.map(({ email }) => email).join(', ')}
              {preview.deactivated_count + preview.held_count > preview.deactivations.length && ' …'}
            </p>
          </>
        )}
      </Card>
      {preview.failed_count > 0 && (
        <ImportProblems title={t('problems', { count: preview.failed_count })} problems={preview.failures} />
      )}
    </>
  )
}
