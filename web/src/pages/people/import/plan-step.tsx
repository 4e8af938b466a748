// Which column is which value, what would change, and the import itself.

import type { Import, ImportPlan, ImportPreview, SmartFieldInput } from '@signoff/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { api, readAgain } from '#api/client.ts'
import { useConnected, useDrivingDirectory } from '#api/integrations.ts'
import { useCan } from '#api/session.ts'
import { isComputedField, useSmartFields } from '#records/people/people-data.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { Button } from '#ui/base/button.tsx'
import { Icon } from '#ui/base/icon.tsx'
import { ErrorNotice } from '#ui/feedback/error-notice.tsx'
import { toast, toastError } from '#ui/feedback/toast.tsx'
import { RadioChoice } from '#ui/form/choice.tsx'
import { TextField } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { Card, Notice } from '#ui/layout/page.tsx'
import { Actions } from '#ui/overlay/dialog.tsx'
import { PreviewCard } from './preview-card.tsx'
import { ImportProblems } from './problem-list.tsx'

/** For each column: `email`, the key of a field, or null for a column that is left out. */
type Mapping = Readonly<Record<string, string | null>>

interface ColumnMappingProps {
  readonly file: Import
  readonly mapping: Mapping
  readonly onChange: (mapping: Mapping) => void
}

const leftOut = '-'
const newField = '+'

type Column = Import['columns'][number]

/** The kind that all examples look like. */
function kindOf({ examples }: Column): SmartFieldInput['kind'] {
  const all = (pattern: RegExp) => examples.length > 0 && examples.every(example => pattern.test(example))
  if (all(/^https?:\/\//)) return 'url'
  if (all(/^\S+@\S+$/)) return 'email'
  return all(/^[+(\d][\d\s()/.-]{5,}$/) ? 'phone' : 'text'
}

/** Makes a field with the name of the column. */
function useNewField(onCreated: (column: string, key: string) => void) {
  const t = useTranslations('people.import')
  const messageOf = useMessageOf()
  return useMutation({
    mutationFn: (column: Column) =>
      api.smartFields.create({ label: column.name.slice(0, 80), kind: kindOf(column) }),
    onSuccess: async ({ key, label }, column) => {
      await readAgain('smart_fields')
      toast(t('fieldMade', { field: label }))
      onCreated(column.name, key)
    },
    onError: error => toastError(t('fieldNotMade'), messageOf(error)),
  })
}

function ColumnMapping({ file, mapping, onChange }: ColumnMappingProps) {
  const t = useTranslations('people.import')
  const fields = useSmartFields().filter(field => !isComputedField(field))
  const canCreate = useCan()('smart_fields:write')
  const options = [
    { id: leftOut, label: t('leaveOut') },
    { id: 'email', label: t('address') },
    ...fields.map(({ key, label }) => ({ id: key, label })),
    ...(canCreate ? [{ id: newField, label: t('newField') }] : []),
  ]
  const create = useNewField((column, key) => onChange({ ...mapping, [column]: key }))
  /** Each value comes from one column: the other one that had it is left out. */
  const choose = (column: string, id: string) => {
    const chosen = file.columns.find(({ name }) => name === column)
    if (id === newField && chosen) return create.mutate(chosen)
    const others = Object.entries(mapping).map(([name, used]) => [name, used === id ? null : used])
    onChange({ ...Object.fromEntries(others), [column]: id === leftOut ? null : id })
  }
  return (
    <ul className="divide-y divide-line">
      {file.columns.map(({ name, examples }) => (
        <li key={name} className="grid items-center gap-x-4 gap-y-2 py-3 sm:grid-cols-[1fr_auto_16rem]">
          <div className="min-w-0">
            <p className="font-medium">{name}</p>
            <p className="truncate text-[0.8125rem] text-muted">{examples.join(' · ') || t('noValues')}</p>
          </div>
          <Icon name="arrow-right" className="text-muted max-sm:hidden rtl:rotate-180" />
          <Select
            label={t('columnTo', { column: name })}
            isLabelHidden
            value={mapping[name] ?? leftOut}
            onChange={id => choose(name, id)}
            isDisabled={create.isPending}
            options={options}
          />
        </li>
      ))}
    </ul>
  )
}

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
      <ErrorNotice error={error} />
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
