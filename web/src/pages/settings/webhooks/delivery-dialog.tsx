import type { WebhookDelivery } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { api, readAgain } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { Button } from '#ui/base/button.tsx'
import { CopyButton } from '#ui/base/copy-field.tsx'
import { useAction } from '#ui/feedback/use-action.ts'
import { DetailList } from '#ui/layout/detail-list.tsx'
import { LoadError, Skeleton } from '#ui/layout/page.tsx'
import { Actions, Dialog } from '#ui/overlay/dialog.tsx'
import { DeliveryBadge } from './state-badge.tsx'

interface DeliveryDialogProps {
  readonly delivery: WebhookDelivery
  readonly url: string
  readonly onClose: () => void
}

function Payload({ id }: { readonly id: string }) {
  const t = useTranslations('settings.webhooks')
  const { data, error, refetch } = useQuery({
    queryKey: ['webhook_deliveries', id],
    queryFn: () => api.webhookDeliveries.get(id),
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={5} />
  const text = JSON.stringify(data.payload, null, 2)
  return (
    <div>
      <div className="mb-1.5 flex items-center justify-between">
        <h3 className="text-[0.8125rem] font-medium">{t('payload')}</h3>
        <CopyButton value={text} label={t('payload')} />
      </div>
      <pre
        tabIndex={0}
        className="max-h-72 overflow-auto rounded-xl bg-sunken p-3 text-xs leading-5 whitespace-pre-wrap"
      >
        {text}
      </pre>
    </div>
  )
}

export function DeliveryDialog({ delivery, url, onClose }: DeliveryDialogProps) {
  const t = useTranslations('settings.webhooks')
  const names = useTranslations('settings.webhooks.events')
  const shell = useTranslations('shell')
  const format = useFormatter()
  const can = useCan()
  const moment = (at: string | null) =>
    at === null ? null : format.dateTime(new Date(at), { dateStyle: 'medium', timeStyle: 'medium' })
  const { mutate, isPending } = useAction(() => readAgain('webhook_deliveries'), {
    run: async () => api.webhookDeliveries.replay(delivery.id),
    done: () => t('replayQueued', { count: 1 }),
    after: onClose,
  })
  return (
    <Dialog title={names(delivery.event)} isOpen onClose={onClose}>
      <div className="grid gap-5">
        <DetailList
          rows={[
            { label: t('state'), value: <DeliveryBadge state={delivery.state} /> },
            { label: t('problem'), value: delivery.problem && t(`problems.${delivery.problem}`) },
            { label: t('url'), value: url },
            { label: t('created'), value: moment(delivery.created_at) },
            { label: t('attempts'), value: String(delivery.attempts) },
            { label: t('lastAttempt'), value: moment(delivery.attempted_at) },
            { label: t('nextAttempt'), value: moment(delivery.next_attempt_at) },
            { label: t('answer'), value: delivery.response_status && String(delivery.response_status) },
            { label: t('duration'), value: delivery.duration_ms !== null && `${delivery.duration_ms} ms` },
            { label: t('messageId'), value: <code className="text-xs">{delivery.message_id}</code> },
          ]}
        />
        <Payload id={delivery.id} />
      </div>
      <Actions>
        <Button onPress={onClose}>{shell('close')}</Button>
        {can('webhooks:write') && (
          <Button variant="primary" icon="rotate-ccw" onPress={() => mutate()} isPending={isPending}>
            {t('sendAgain')}
          </Button>
        )}
      </Actions>
    </Dialog>
  )
}
