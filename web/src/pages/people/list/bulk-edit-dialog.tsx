// The same value for many people: first what would happen, then the change.

import type { SmartField } from '@signoff/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { queryClient } from '#api/client.ts'
import { isComputedField, type PeopleFilters, peopleKey } from '#records/people/people-data.ts'
import { Button } from '#ui/base/button.tsx'
import { ErrorNotice } from '#ui/feedback/error-notice.tsx'
import { ProgressBar } from '#ui/feedback/progress-bar.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Checkbox } from '#ui/form/choice.tsx'
import { TextField } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { Notice } from '#ui/layout/page.tsx'
import { Actions, Dialog } from '#ui/overlay/dialog.tsx'
import { type ChangePlan, planChange, runChange } from './bulk-work.ts'
import type { PeopleSelection } from './use-people-selection.ts'

interface BulkEditProps {
  readonly selection: PeopleSelection
  readonly filters: PeopleFilters
  readonly fields: readonly SmartField[]
  readonly onClose: () => void
}

const PlanNotice = ({ plan }: { readonly plan: ChangePlan }) => {
  const t = useTranslations('people.bulk')
  return (
    <div role="status" className="grid gap-2">
      <Notice kind={plan.changed > 0 ? 'good' : 'info'}>
        {t('willChange', { count: plan.changed })}
        {plan.unchanged > 0 && ` ${t('stayAsTheyAre', { count: plan.unchanged })}`}
      </Notice>
      {plan.failed > 0 && <Notice kind="warn">{t('refused', { count: plan.failed })}</Notice>}
      {plan.isIgnored && <Notice kind="warn">{t('fromDirectory')}</Notice>}
    </div>
  )
}

export default function BulkEditDialog({ selection, filters, fields, onClose }: BulkEditProps) {
  const t = useTranslations('people.bulk')
  const shell = useTranslations('shell')
  const [fieldId, setFieldId] = useState<string | null>(null)
  const [value, setValue] = useState('')
  const [isCleared, setCleared] = useState(false)
  const [progress, setProgress] = useState({ done: 0, total: 0 })
  const plan = useMutation({
    mutationFn: () =>
      planChange(filters, selection, {
        smart_field_id: fieldId ?? '',
        value: isCleared ? null : value.trim(),
      }),
  })
  const run = useMutation({
    mutationFn: (planned: ChangePlan) =>
      runChange(filters, planned, (done, total) => setProgress({ done, total })),
    onSuccess: count => {
      toast(t('changed', { count }))
      selection.clear()
      onClose()
    },
    onSettled: () => void queryClient.invalidateQueries({ queryKey: peopleKey }),
  })
  const change = (set: () => void) => {
    set()
    plan.reset()
  }
  const error = plan.error ?? run.error
  const isReady = fieldId !== null && (isCleared || value.trim() !== '')
  const options = fields.filter(field => field.kind !== 'image' && !isComputedField(field))
  return (
    <Dialog title={t('editTitle', { count: selection.count })} onClose={onClose} size="small" isModalOnly>
      <div className="grid gap-4">
        <Select
          label={t('field')}
          placeholder={t('chooseField')}
          value={fieldId}
          onChange={id => change(() => setFieldId(id))}
          options={options.map(({ id, label }) => ({ id, label }))}
        />
        <TextField
          label={t('newValue')}
          value={isCleared ? '' : value}
          isDisabled={isCleared}
          onChange={text => change(() => setValue(text))}
        />
        <Checkbox isSelected={isCleared} onChange={is => change(() => setCleared(is))}>
          {t('clearValue')}
        </Checkbox>
        {plan.data && <PlanNotice plan={plan.data} />}
        {run.isPending && progress.total > 0 && (
          <ProgressBar label={t('progress')} value={progress.done} max={progress.total} />
        )}
        <ErrorNotice error={error} />
      </div>
      <Actions>
        <Button onPress={onClose}>{shell('cancel')}</Button>
        {plan.data ? (
          <Button
            variant="primary"
            isDisabled={plan.data.changed === 0}
            isPending={run.isPending}
            onPress={() => run.mutate(plan.data)}
          >
            {t('change', { count: plan.data.changed })}
          </Button>
        ) : (
          <Button
            variant="primary"
            isDisabled={!isReady}
            isPending={plan.isPending}
            onPress={() => plan.mutate()}
          >
            {t('check')}
          </Button>
        )}
      </Actions>
    </Dialog>
  )
}
