import { lazy, Suspense, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { Button } from '../../../ui/button.tsx'
import { Switch } from '../../../ui/choice.tsx'
import { Actions, Dialog } from '../../../ui/dialog.tsx'
import { Form } from '../../../ui/form.tsx'
import { Card, Skeleton } from '../../../ui/page.tsx'
import { toast } from '../../../ui/toast.tsx'
import { refreshCampaigns } from '../campaign-data.ts'
import { changesOfSchedule, endsTooEarly, scheduleOf } from '../schedule-draft.ts'
import { useCampaignEdit } from '../use-campaign.ts'
import type { CampaignCardProps } from './audience-card.tsx'

const ScheduleFields = lazy(() => import('../schedule-fields.tsx'))

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
    <Dialog title={t('schedule.title')} isOpen onClose={onClose} isModalOnly>
      <Form
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
      >
        {({ isPending }) => (
          <>
            <Suspense fallback={<Skeleton lines={5} />}>
              <ScheduleFields
                value={schedule}
                onChange={setSchedule}
                hasBegun={campaign.status === 'active'}
              />
            </Suspense>
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
