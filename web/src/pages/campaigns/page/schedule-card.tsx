import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { Button } from '../../../ui/button.tsx'
import { Switch } from '../../../ui/choice.tsx'
import { Actions, Dialog } from '../../../ui/dialog.tsx'
import { Form } from '../../../ui/form.tsx'
import { onDemand } from '../../../ui/on-demand.tsx'
import { Card, Skeleton } from '../../../ui/page.tsx'
import { toast } from '../../../ui/toast.tsx'
import { endsTooEarly, scheduleOf, timesOfSchedule } from '../schedule-draft.ts'
import type { CampaignCardProps } from './audience-card.tsx'

const ScheduleFields = onDemand(() => import('../schedule-fields.tsx'), <Skeleton lines={5} />)

export function ScheduleCard(props: CampaignCardProps) {
  const { campaign, isEditable } = props
  const t = useTranslations('campaigns')
  const format = useFormatter()
  const [isEditing, setIsEditing] = useState(false)
  const { status, start_time: start, end_time: end, time_zone: timeZone, send_email: sendsMail } = campaign
  const time = (instant: string) =>
    format.dateTime(new Date(instant), { dateStyle: 'medium', timeStyle: 'short', timeZone })
  const lines = [
    [t('schedule.begins'), start ? time(start) : t(status === 'draft' ? 'schedule.now' : 'schedule.begun')],
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

interface ScheduleDialogProps extends CampaignCardProps {
  readonly onClose: () => void
}

function ScheduleDialog({ campaign, save, onClose }: ScheduleDialogProps) {
  const t = useTranslations('campaigns')
  const [schedule, setSchedule] = useState(() => scheduleOf(campaign))
  const [sendsMail, setSendsMail] = useState(campaign.send_email)
  return (
    <Dialog title={t('schedule.title')} isOpen onClose={onClose} isModalOnly>
      <Form
        onSubmit={() => save({ ...timesOfSchedule(schedule), send_email: sendsMail })}
        onDone={() => {
          toast(t('saved'))
          onClose()
        }}
      >
        {({ isPending }) => (
          <>
            <ScheduleFields value={schedule} onChange={setSchedule} hasBegun={campaign.status === 'active'} />
            <Switch
              label={t('schedule.sendEmail')}
              hint={t('schedule.sendEmailHint')}
              isSelected={sendsMail}
              onChange={setSendsMail}
            />
            <Actions>
              <Button onPress={onClose}>{t('cancel')}</Button>
              <Button type="submit" look="primary" isPending={isPending} isDisabled={endsTooEarly(schedule)}>
                {t('save')}
              </Button>
            </Actions>
          </>
        )}
      </Form>
    </Dialog>
  )
}
