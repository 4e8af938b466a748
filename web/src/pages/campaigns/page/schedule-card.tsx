import type { MarketingCampaign } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { refreshCampaigns } from '#records/campaigns/campaign-data.ts'
import { Button } from '#ui/base/button.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Switch } from '#ui/form/choice.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { Card } from '#ui/layout/page.tsx'
import { changesOfSchedule, isScheduleWrong, scheduleOf } from '../schedule-draft.ts'
import { ScheduleFields } from '../schedule-fields.tsx'
import { useCampaignEdit } from '../use-campaign.ts'
import type { CampaignCardProps } from './audience-card.tsx'

export function ScheduleCard(props: CampaignCardProps) {
  const { campaign, isEditable } = props
  const t = useTranslations('campaigns')
  const format = useFormatter()
  const [isEditing, setIsEditing] = useState(false)
  const { status, start_time: start, end_time: end, time_zone: timeZone, send_email: sendsMail } = campaign
  const time = (instant: string) =>
    format.dateTime(new Date(instant), {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'short',
      timeZone,
    })
  const begun = useBeginning(campaign)
  const lines = [
    [
      t('schedule.begins'),
      start ? time(start) : begun ? time(begun) : t(status === 'draft' ? 'schedule.now' : 'schedule.begun'),
    ],
    [t('schedule.ends'), end ? time(end) : t('schedule.never')],
    [t('schedule.timeZone'), timeZone.replaceAll('_', ' ')],
    ...(sendsMail ? [[t('schedule.mail'), t('schedule.mailOn')]] : []),
  ]
  return (
    <Card
      title={t('schedule.title')}
      actions={
        isEditable && (
          <Button isSmall onPress={() => setIsEditing(true)}>
            {t('change')}
          </Button>
        )
      }
    >
      <dl className="grid gap-3">
        {lines.map(([label, value]) => (
          <div key={label}>
            <dt className="text-[0.8125rem] text-muted">{label}</dt>
            <dd className="font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      {isEditing && <ScheduleDialog {...props} onClose={() => setIsEditing(false)} />}
    </Card>
  )
}

/** A campaign without a start time began when a person started it: the audit log knows when. */
function useBeginning({ id, status, start_time: start }: MarketingCampaign): string | undefined {
  const can = useCan()
  const { data } = useQuery({
    queryKey: ['campaigns', 'beginning', id, status],
    queryFn: async () => {
      const [entry] = await api.auditLog.list({
        resource_id: id,
        action: 'marketing_campaign.started',
        limit: 1,
      })
      return entry?.created_at ?? null
    },
    enabled: start === null && status !== 'draft' && can('audit_log:read'),
    staleTime: 5 * 60_000,
  })
  return data ?? undefined
}

interface ScheduleDialogProps extends CampaignCardProps {
  readonly onClose: () => void
}

/** The times belong to the time zone, so it is compared even where it stays. */
const schedulePartsOf = (values: object) => values as Readonly<Record<string, unknown>>

function ScheduleDialog({ campaign: newest, onClose }: ScheduleDialogProps) {
  const t = useTranslations('campaigns')
  // A refresh in the background must not change what the dialog began with.
  const [campaign] = useState(newest)
  const save = useCampaignEdit(campaign, { partsOf: schedulePartsOf, onDiscard: onClose })
  const [schedule, setSchedule] = useState(() => scheduleOf(campaign))
  const [sendsMail, setSendsMail] = useState(campaign.send_email)
  return (
    <FormDialog
      title={t('schedule.title')}
      onClose={onClose}
      isModalOnly
      onSubmit={() =>
        save({
          ...changesOfSchedule(campaign, schedule),
          ...(sendsMail !== campaign.send_email && { send_email: sendsMail }),
        })
      }
      onDone={() => {
        toast(t('saved'))
        onClose()
        void refreshCampaigns()
      }}
      action={t('save')}
      isDisabled={isScheduleWrong(schedule)}
    >
      <ScheduleFields value={schedule} onChange={setSchedule} hasBegun={campaign.status === 'active'} />
      <Switch
        label={t('schedule.sendEmail')}
        hint={t('schedule.sendEmailHint')}
        isSelected={sendsMail}
        onChange={setSendsMail}
      />
    </FormDialog>
  )
}
