import type { Workspace, WorkspacePatch } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { api, queryClient } from '#api/client.ts'
import { meQuery, useCan } from '#api/session.ts'
import { useResource } from '#state/use-resource.ts'
import { RadioChoice, Switch } from '#ui/form/choice.tsx'
import { TextField } from '#ui/form/field.tsx'
import { ResourceForm } from '#ui/form/resource-form.tsx'
import { Card, Notice } from '#ui/layout/page.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import { CompanyCard } from './workspace/company-card.tsx'
import type { WorkspacePartProps } from './workspace/parts.ts'

interface DaysFieldProps {
  readonly label: string
  readonly name: string
  readonly value: number | null
  readonly onChange: (days: number | null) => void
  readonly foreverLabel: string
  readonly foreverHint: string
  readonly daysLabel: string
  readonly daysHint: string
  /** Set when the choice of a number is made. */
  readonly initial: number
  readonly isReadOnly: boolean
}

/** A number of days, or without an end. */
function DaysField(props: DaysFieldProps) {
  const {
    label,
    name,
    value,
    onChange,
    foreverLabel,
    foreverHint,
    daysLabel,
    daysHint,
    initial,
    isReadOnly,
  } = props
  const t = useTranslations('settings.workspace')
  return (
    <div className="grid gap-3">
      <RadioChoice
        label={label}
        value={value === null ? 'forever' : 'days'}
        onChange={id => onChange(id === 'forever' ? null : initial)}
        options={[
          { id: 'forever', label: foreverLabel, hint: foreverHint },
          { id: 'days', label: daysLabel, hint: daysHint },
        ]}
        isDisabled={isReadOnly}
      />
      {value !== null && (
        <TextField
          label={t('days')}
          name={name}
          type="number"
          inputMode="numeric"
          value={String(value)}
          onChange={text => onChange(Math.trunc(Number(text)) || 1)}
          isReadOnly={isReadOnly}
          className="max-w-40"
        />
      )}
    </div>
  )
}

function PagesCard({ draft, change, isReadOnly }: WorkspacePartProps) {
  const t = useTranslations('settings.workspace')
  return (
    <>
      <Card title={t('pagesTitle')} about={t('pagesAbout')}>
        <div className="grid gap-5">
          <Switch
            label={t('fields.personal_page_enabled')}
            hint={t('pageHint')}
            isSelected={draft.personal_page_enabled}
            onChange={personal_page_enabled => change({ personal_page_enabled })}
            isDisabled={isReadOnly}
          />
          {draft.personal_page_enabled && (
            <DaysField
              label={t('fields.personal_page_link_days')}
              name="personal_page_link_days"
              value={draft.personal_page_link_days}
              onChange={personal_page_link_days => change({ personal_page_link_days })}
              foreverLabel={t('linkForever')}
              foreverHint={t('linkForeverHint')}
              daysLabel={t('linkDays')}
              daysHint={t('linkDaysHint')}
              initial={180}
              isReadOnly={isReadOnly}
            />
          )}
        </div>
      </Card>
      <Card title={t('approvalTitle')} about={t('approvalAbout')}>
        <RadioChoice
          label={t('fields.publish_approval')}
          value={draft.publish_approval}
          onChange={publish_approval => change({ publish_approval })}
          options={[
            { id: 'none', label: t('approvalNone'), hint: t('approvalNoneHint') },
            { id: 'required', label: t('approvalRequired'), hint: t('approvalRequiredHint') },
          ]}
          isDisabled={isReadOnly}
        />
      </Card>
      <Card title={t('memberTitle')} about={t('memberAbout')}>
        <RadioChoice
          label={t('fields.member_access')}
          value={draft.member_access}
          onChange={member_access => change({ member_access })}
          options={[
            { id: 'own', label: t('memberOwn'), hint: t('memberOwnHint') },
            { id: 'read', label: t('memberRead'), hint: t('memberReadHint') },
          ]}
          isDisabled={isReadOnly}
        />
      </Card>
    </>
  )
}

function TrackingCard({ draft, change, isReadOnly }: WorkspacePartProps) {
  const t = useTranslations('settings.workspace')
  const { event_tracking: tracking } = draft
  return (
    <Card title={t('trackingTitle')} about={t('trackingAbout')}>
      <div className="grid gap-5">
        <Switch
          label={t('fields.event_tracking')}
          hint={t('trackingHint')}
          isSelected={tracking.enabled}
          onChange={enabled => change({ event_tracking: { ...tracking, enabled } })}
          isDisabled={isReadOnly}
        />
        {!tracking.enabled && <Notice>{t('trackingOff')}</Notice>}
        <TextField
          label={t('fields.click_parameter')}
          name="click_parameter"
          value={draft.click_parameter}
          onChange={click_parameter => change({ click_parameter })}
          hint={t('clickHint', { example: `https://example.com/?${draft.click_parameter || 'sid'}=…` })}
          maxLength={64}
          isReadOnly={isReadOnly}
          className="max-w-md"
        />
        <DaysField
          label={t('fields.event_retention_days')}
          name="event_retention_days"
          value={draft.event_retention_days}
          onChange={event_retention_days => change({ event_retention_days })}
          foreverLabel={t('retentionForever')}
          foreverHint={t('retentionForeverHint')}
          daysLabel={t('retentionDays')}
          daysHint={t('retentionDaysHint')}
          initial={400}
          isReadOnly={isReadOnly}
        />
      </div>
    </Card>
  )
}

type Changes = Partial<Workspace>

/** The switch of tracking is an object in the answer and in the request; only what can be changed is sent. */
const patchOf = ({ event_tracking, ...rest }: Changes): WorkspacePatch => ({
  ...(rest as WorkspacePatch),
  ...(event_tracking && { event_tracking: { enabled: event_tracking.enabled } }),
})

function WorkspaceForm() {
  const t = useTranslations('settings.workspace')
  const can = useCan()
  const isReadOnly = !can('workspace:write')
  const resource = useResource({
    queryKey: ['workspace'],
    read: () => api.workspace.get(),
    save: (patch: WorkspacePatch, options) => api.workspace.update(patch, options),
    onSaved: () => void queryClient.invalidateQueries({ queryKey: meQuery.queryKey }),
    valuesOf: (workspace: Workspace) => workspace,
    toPatch: patchOf,
    labelOf: key => t(`fields.${key as 'name'}`),
    textOf: value => {
      if (Array.isArray(value)) return value.join(', ') || t('none')
      if (typeof value === 'boolean') return value ? t('on') : t('off')
      if (typeof value === 'object' && value !== null && 'enabled' in value)
        return value.enabled ? t('on') : t('off')
      if (value === 'required') return t('approvalRequired')
      return value === null || value === '' ? t('none') : String(value)
    },
  })
  const parts = { draft: resource.draft, change: resource.change, isReadOnly }
  return (
    <ResourceForm resource={resource}>
      {isReadOnly && <Notice>{t('readOnly')}</Notice>}
      <CompanyCard {...parts} />
      <TrackingCard {...parts} />
      <PagesCard {...parts} />
    </ResourceForm>
  )
}

export default function WorkspaceSettingsPage() {
  return (
    <SettingsFrame section="workspace">
      <WorkspaceForm />
    </SettingsFrame>
  )
}
