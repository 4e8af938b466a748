import { useTranslations } from 'use-intl'
import { Switch } from '#ui/form/choice.tsx'
import { TextField } from '#ui/form/field.tsx'
import { Card, Notice } from '#ui/layout/page.tsx'
import { DaysField } from './days-field.tsx'
import type { WorkspacePartProps } from './parts.ts'

export function TrackingCard({ draft, change, isReadOnly }: WorkspacePartProps) {
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
