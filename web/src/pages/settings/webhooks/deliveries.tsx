import type { Webhook, WebhookDelivery } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { api, readAgain } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { useAddressState } from '#state/address-state.ts'
import { Button } from '#ui/base/button.tsx'
import { CopyButton } from '#ui/base/copy-field.tsx'
import { useAction } from '#ui/feedback/use-action.ts'
import { FilterSelect } from '#ui/form/filter-select.tsx'
import { DetailList } from '#ui/layout/detail-list.tsx'
import { EmptyState, LoadError, Skeleton } from '#ui/layout/page.tsx'
import { Actions, Dialog } from '#ui/overlay/dialog.tsx'
import { listPageOf } from '#ui/table/list-page.ts'
import { RowButton } from '#ui/table/row-button.tsx'
import { type VirtualColumn, VirtualTable } from '#ui/table/virtual-table.tsx'
import { allEvents, type WebhookEvent } from './events.ts'
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

function DeliveryDialog({ delivery, url, onClose }: DeliveryDialogProps) {
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
    <Dialog title={names(delivery.event)} onClose={onClose}>
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

const states = ['pending', 'delivered', 'failed'] as const
type FilterName = 'webhook' | 'event' | 'state'

function Filters({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  const t = useTranslations('settings.webhooks')
  const names = useTranslations('settings.webhooks.events')
  const [{ webhook = '', event = '', state = '' }, setState] = useAddressState<FilterName>()
  return (
    <div className="mb-3 grid gap-2 sm:grid-cols-3">
      <FilterSelect
        label={t('filterWebhook')}
        value={webhook || 'all'}
        onChange={id => setState({ webhook: id === 'all' ? '' : id })}
        options={[
          { id: 'all', label: t('allWebhooks') },
          ...webhooks.map(({ id, url }) => ({ id, label: url.replace(/^https?:\/\//, '') })),
        ]}
      />
      <FilterSelect
        label={t('filterEvent')}
        value={event || 'all'}
        onChange={id => setState({ event: id === 'all' ? '' : id })}
        options={[
          { id: 'all', label: t('allEvents') },
          ...[...allEvents, 'webhook.test' as const].map(id => ({ id: id as string, label: names(id) })),
        ]}
      />
      <FilterSelect
        label={t('filterState')}
        value={state || 'all'}
        onChange={id => setState({ state: id === 'all' ? '' : id })}
        options={[
          { id: 'all', label: t('allStates') },
          ...states.map(id => ({ id: id as string, label: t(`states.${id}`) })),
        ]}
      />
    </div>
  )
}

function useDeliveryColumns(
  urlOf: (id: string) => string,
  onOpen: (delivery: WebhookDelivery) => void,
): readonly VirtualColumn<WebhookDelivery>[] {
  const t = useTranslations('settings.webhooks')
  const names = useTranslations('settings.webhooks.events')
  const format = useFormatter()
  return [
    {
      id: 'event',
      title: t('event'),
      width: 'minmax(9rem, 2fr)',
      cell: delivery => <RowButton onOpen={() => onOpen(delivery)}>{names(delivery.event)}</RowButton>,
    },
    {
      id: 'webhook',
      title: t('filterWebhook'),
      width: 'minmax(0, 2fr)',
      isSecondary: true,
      cell: ({ webhook_id }) => <span className="text-muted">{urlOf(webhook_id)}</span>,
    },
    {
      id: 'state',
      title: t('state'),
      width: 'minmax(6.5rem, 1fr)',
      cell: ({ state }) => <DeliveryBadge state={state} />,
    },
    {
      id: 'created',
      title: t('created'),
      width: '11.5rem',
      isSecondary: true,
      cell: ({ created_at }) => (
        <span className="text-muted tabular-nums">
          {format.dateTime(new Date(created_at), { dateStyle: 'medium', timeStyle: 'medium' })}
        </span>
      ),
    },
  ]
}

export function Deliveries({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  const t = useTranslations('settings.webhooks')
  const [{ webhook, event, state }] = useAddressState<FilterName>()
  const [open, setOpen] = useState<WebhookDelivery>()
  const urlOf = (id: string) => webhooks.find(each => each.id === id)?.url.replace(/^https?:\/\//, '') ?? '–'
  const filters = {
    ...(webhook && { webhook_id: webhook }),
    ...(event && { event: event as WebhookEvent }),
    ...(state && { state: state as (typeof states)[number] }),
  }
  const isFiltered = Object.keys(filters).length > 0
  return (
    <section aria-label={t('deliveries')}>
      <h2 className="mb-3 text-base font-semibold">{t('deliveries')}</h2>
      <Filters webhooks={webhooks} />
      <VirtualTable
        label={t('deliveries')}
        columns={useDeliveryColumns(urlOf, setOpen)}
        queryKey={['webhook_deliveries', filters]}
        loadPage={(page, limit, signal) =>
          listPageOf(api.webhookDeliveries.list({ ...filters, page, limit }, { signal }))
        }
        keyOf={({ id }) => id}
        onOpen={setOpen}
        rowHeight={44}
        empty={
          <EmptyState icon="inbox" title={t(isFiltered ? 'noneFound' : 'noDeliveries')}>
            {t(isFiltered ? 'noneFoundText' : 'noDeliveriesText')}
          </EmptyState>
        }
      />
      {open && (
        <DeliveryDialog delivery={open} url={urlOf(open.webhook_id)} onClose={() => setOpen(undefined)} />
      )}
    </section>
  )
}
