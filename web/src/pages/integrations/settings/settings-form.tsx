import type { Integration, IntegrationPatch, RequestOptions } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { integrationListQuery } from '#api/integrations.ts'
import { useCan } from '#api/session.ts'
import { useResource } from '#state/use-resource.ts'
import { TextField } from '#ui/form/field.tsx'
import { ResourceForm } from '#ui/form/resource-form.tsx'
import { Select } from '#ui/form/select.tsx'
import { Card, Notice } from '#ui/layout/page.tsx'
import { CapabilityChoice, DrivesSwitch, driverAmong } from '../connect/duties.tsx'
import { controlOfField, isNeeded, KindFields } from '../connect/kind-fields.tsx'
import { useRelayProblem } from '../connect/relay-problem.ts'
import { isReadByService, refreshDirectories } from '../data.ts'
import { kindOf } from '../kinds.ts'
import { ownFieldsOf, patchOfIntegration, valuesOfIntegration } from './settings-values.ts'

interface ScheduleFieldProps {
  /** Minutes; null: by request only. */
  readonly value: number | null
  readonly onChange: (minutes: number | null) => void
  readonly isReadOnly: boolean
}

const usual = [5, 15, 30, 60, 360, 1_440]

function ScheduleField({ value, onChange, isReadOnly }: ScheduleFieldProps) {
  const t = useTranslations('integrations.settings')
  const minutes = [...new Set([...usual, ...(value === null ? [] : [value])])].sort((a, b) => a - b)
  const labelOf = (count: number) =>
    count % 60 === 0 ? t('everyHours', { count: count / 60 }) : t('everyMinutes', { count })
  return (
    <Select
      label={t('labels.sync_minutes')}
      hint={t('scheduleHint')}
      value={String(value)}
      onChange={id => onChange(id === 'null' ? null : Number(id))}
      isDisabled={isReadOnly}
      className="max-w-xs"
      options={[
        ...minutes.map(count => ({ id: String(count), label: labelOf(count) })),
        { id: 'null', label: t('byRequest') },
      ]}
    />
  )
}

interface GraceFieldProps {
  readonly value: number
  readonly onChange: (days: number) => void
  readonly isReadOnly: boolean
}

function GraceField({ value, onChange, isReadOnly }: GraceFieldProps) {
  const t = useTranslations('integrations.settings')
  return (
    <TextField
      name="grace_days"
      label={t('labels.grace_days')}
      hint={t('graceHint', { days: value })}
      value={String(value)}
      onChange={text => onChange(Math.min(365, Number(text.replaceAll(/\D/g, '').slice(0, 3))))}
      inputMode="numeric"
      isReadOnly={isReadOnly}
      className="max-w-xs"
    />
  )
}

function useIntegrationForm(id: string) {
  const t = useTranslations('integrations.settings')
  return useResource({
    queryKey: ['integrations', id, 'versioned'],
    read: () => api.integrations.get(id),
    save: (patch: IntegrationPatch, options: RequestOptions) => api.integrations.update(id, patch, options),
    onSaved: () => void refreshDirectories(),
    valuesOf: valuesOfIntegration,
    toPatch: (changes, stored) => patchOfIntegration(stored, changes),
    labelOf: key => t(`labels.${key as 'name'}`),
    textOf: value => {
      if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
      if (value === null || value === '') return '–'
      return typeof value === 'object' ? Object.values(value).flat().join(', ') || '–' : String(value)
    },
  })
}

const problemsByControl = (problems: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(problems).map(([field, text]) => [controlOfField(field), text]))

export function IntegrationSettingsForm({ integration }: { readonly integration: Integration }) {
  const t = useTranslations('integrations.settings')
  const isReadOnly = !useCan()('integrations:write')
  const form = useIntegrationForm(integration.id)
  const { data: connected = [] } = useQuery(integrationListQuery)
  const { draft: values, change } = form
  const relayProblem = useRelayProblem(integration.kind, values.own)
  const kind = kindOf(integration.kind)
  const fields = ownFieldsOf(integration).filter(field => isNeeded(field, values.capabilities))
  const isPeople = values.capabilities.includes('directory')
  return (
    <ResourceForm resource={form} problemsOf={problemsByControl} problemText={relayProblem}>
      {isReadOnly && <Notice>{t('readOnly')}</Notice>}
      <Card title={t('general')}>
        <div className="grid max-w-2xl grid-cols-1 gap-5">
          <TextField
            name="name"
            label={t('labels.name')}
            value={values.name}
            onChange={name => change({ name })}
            isRequired
            maxLength={200}
            isReadOnly={isReadOnly}
          />
          {kind && !isReadOnly && (
            <KindFields kind={kind} fields={fields} values={values.own} onChange={own => change({ own })} />
          )}
          {kind && (
            <CapabilityChoice
              kind={kind}
              value={values.capabilities}
              onChange={capabilities => change({ capabilities: [...capabilities] })}
              isReadOnly={isReadOnly}
            />
          )}
        </div>
      </Card>
      {isPeople && (
        <Card title={t('people')} about={t('peopleAbout')}>
          <div className="grid max-w-2xl gap-6">
            <DrivesSwitch
              value={values.drives_teammates}
              onChange={drives_teammates => change({ drives_teammates })}
              driver={driverAmong(connected, integration.id)}
              isReadOnly={isReadOnly}
            />
            {isReadByService(integration) && (
              <ScheduleField
                value={values.sync_minutes}
                onChange={sync_minutes => change({ sync_minutes })}
                isReadOnly={isReadOnly}
              />
            )}
            <GraceField
              value={values.grace_days}
              onChange={grace_days => change({ grace_days })}
              isReadOnly={isReadOnly}
            />
          </div>
        </Card>
      )}
    </ResourceForm>
  )
}
