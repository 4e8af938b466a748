// Which column is which value, what would change, and the import itself.
import type { Import, ImportPlan, ImportPreview } from '@signoff/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useConnected, useDrivingDirectory } from '#api/integrations.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { Button } from '#ui/base/button.tsx'
import { RadioChoice } from '#ui/form/choice.tsx'
import { TextField } from '#ui/form/field.tsx'
import { Card, Notice } from '#ui/layout/page.tsx'
import { Actions } from '#ui/overlay/dialog.tsx'
import { ColumnMapping, type Mapping } from './column-mapping.tsx'
import { PreviewCard } from './preview-card.tsx'
import { ImportProblems } from './problem-list.tsx'

interface PlanStepProps {
  readonly file: Import
  readonly onApplied: () => void
  readonly onRestart: () => void
}

type Mode = NonNullable<ImportPlan['mode']>

const ConfirmCount = ({
  preview,
  value,
  onChange,
}: {
  readonly preview: ImportPreview
  readonly value: string
  readonly onChange: (value: string) => void
}) => {
  const t = useTranslations('people.import')
  return (
    <div className="mt-4 grid gap-3">
      <Notice kind="warn">{t('confirmText', { count: preview.deactivated_count })}</Notice>
      <TextField
        label={t('confirmLabel', { count: preview.deactivated_count })}
        value={value}
        onChange={onChange}
        inputMode="numeric"
        className="max-w-64"
      />
    </div>
  )
}

function useImport(id: string, plan: ImportPlan, onApplied: () => void) {
  const preview = useMutation({ mutationFn: () => api.imports.preview(id, plan, { timeoutMs: 180_000 }) })
  const apply = useMutation({
    mutationFn: (confirm: number | undefined) =>
      api.imports.apply(id, { ...plan, ...(confirm !== undefined && { confirm }) }),
    onSuccess: onApplied,
  })
  return { preview, apply }
}

/** Files of a connected CSV directory are its syncs. Beside another directory, no file says who there is. */
function useImportModes() {
  const csv = useConnected().find(({ kind }) => kind === 'csv')
  const driver = useDrivingDirectory()
  const modes: readonly Mode[] = driver && driver.kind !== 'csv' ? ['upsert'] : ['upsert', 'directory']
  return { csv, modes }
}

export function ImportPlanStep({ file, onApplied, onRestart }: PlanStepProps) {
  const t = useTranslations('people.import')
  const format = useFormatter()
  const messageOf = useMessageOf()
  const [mapping, setMapping] = useState<Mapping>(file.mapping ?? file.guessed_mapping)
  const [chosen, setMode] = useState<Mode | null>(file.mode)
  const { csv, modes } = useImportModes()
  const mode = chosen ?? (csv ? 'directory' : 'upsert')
  const [confirmed, setConfirmed] = useState('')
  const { preview, apply } = useImport(file.id, { mapping: { ...mapping }, mode }, onApplied)
  const change = (set: () => void) => {
    set()
    preview.reset()
    apply.reset()
  }
  const hasAddress = Object.values(mapping).includes('email')
  const needed = preview.data?.confirmation_required ? preview.data.deactivated_count : undefined
  const isConfirmed = needed === undefined || confirmed.replaceAll(/\D/g, '') === String(needed)
  const error = preview.error ?? apply.error
  const people = preview.data ? preview.data.created_count + preview.data.updated_count : 0
  const leaving = preview.data ? preview.data.deactivated_count + preview.data.held_count : 0
  const work = preview.data ? people + leaving + preview.data.reactivated_count : 0
  return (
    <div className="grid gap-4">
      {file.state === 'failed' && <Notice kind="bad">{t('failed', { reason: file.error ?? '' })}</Notice>}
      <Card
        title={t('mapping')}
        about={t('mappingHint', { file: file.file_name ?? t('table'), count: file.row_count })}
      >
        <ColumnMapping file={file} mapping={mapping} onChange={next => change(() => setMapping(next))} />
        {!hasAddress && <p className="mt-3 text-[0.8125rem] text-bad">{t('needsAddress')}</p>}
      </Card>
      {file.problem_count > 0 && !preview.data && (
        <ImportProblems title={t('problems', { count: file.problem_count })} problems={file.problems} />
      )}
      <Card>
        <RadioChoice
          label={t('mode')}
          value={mode}
          onChange={next => change(() => setMode(next))}
          options={modes.map(id => ({
            id,
            label: t(`modes.${id}`),
            hint: id === 'directory' && csv ? t('modeHints.csv', { name: csv.name }) : t(`modeHints.${id}`),
          }))}
        />
      </Card>
      {preview.data && <PreviewCard preview={preview.data} />}
      {preview.data && preview.data.held_count > 0 && (
        <Notice kind="warn">{t('heldText', { count: preview.data.held_count })}</Notice>
      )}
      {preview.data && needed !== undefined && (
        <ConfirmCount preview={preview.data} value={confirmed} onChange={setConfirmed} />
      )}
      {error && (
        <div role="alert">
          <Notice kind="bad">{messageOf(error)}</Notice>
        </div>
      )}
      <Actions>
        <Button onPress={onRestart}>{t('again')}</Button>
        {preview.data ? (
          <Button
            variant="primary"
            isDisabled={!isConfirmed || work === 0}
            isPending={apply.isPending}
            onPress={() => apply.mutate(needed)}
          >
            {preview.data.deactivated_count > 0
              ? t('applyBoth', { count: people, gone: preview.data.deactivated_count })
              : t('apply', { count: people, shown: format.number(people) })}
          </Button>
        ) : (
          <Button
            variant="primary"
            isDisabled={!hasAddress}
            isPending={preview.isPending}
            onPress={() => preview.mutate()}
          >
            {t('preview')}
          </Button>
        )}
      </Actions>
    </div>
  )
}
