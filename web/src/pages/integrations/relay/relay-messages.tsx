// What a relay did with the mails of the last days.

import type { RelayMessage } from '@signoff/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useAddressState } from '#state/address-state.ts'
import { Button } from '#ui/base/button.tsx'
import { FilterSelect } from '#ui/form/filter-select.tsx'
import { Badge, type BadgeVariant, EmptyState, LoadError, Skeleton } from '#ui/layout/page.tsx'
import { type Column, Table } from '#ui/table/table.tsx'

type MessageOutcome = RelayMessage['outcome']
const outcomes: readonly MessageOutcome[] = ['stamped', 'passed', 'deferred', 'rejected']

const variants: Readonly<Record<MessageOutcome, BadgeVariant>> = {
  stamped: 'good',
  passed: 'neutral',
  deferred: 'warn',
  rejected: 'bad',
}

/** A mail can have 100 recipients. */
const maxNames = 3

/** Addresses where the workspace keeps them, else domains. */
function useRouteOf(): (message: RelayMessage) => { readonly from: string; readonly to: string } {
  const t = useTranslations('integrations.relay')
  const format = useFormatter()
  return ({ sender_address, sender_domain, recipient_addresses, recipient_domains }) => {
    const names = recipient_addresses ?? recipient_domains
    const more = names.length - maxNames
    const recipients = [...names.slice(0, maxNames), ...(more > 0 ? [t('moreNames', { count: more })] : [])]
    return {
      from: sender_address ?? sender_domain ?? t('noSender'),
      to: recipients.length === 0 ? '–' : format.list(recipients, { type: 'unit' }),
    }
  }
}

/** Reasons without an own text are shown as they are. */
function useReasonText(): (message: RelayMessage) => string {
  const t = useTranslations('integrations.relay')
  return ({ reason, status }) => {
    if (reason === null) return ''
    const key = `reasons.${reason}` as Parameters<typeof t.has>[0]
    return t.has(key) ? t(key as 'reasons.next_hop', { status: String(status) }) : reason
  }
}

function useMessageColumns(): readonly Column<RelayMessage>[] {
  const t = useTranslations('integrations.relay')
  const format = useFormatter()
  const routeOf = useRouteOf()
  const reasonOf = useReasonText()
  const timeOf = ({ milliseconds }: RelayMessage) => t('milliseconds', { count: milliseconds })
  return [
    {
      id: 'when',
      title: t('columns.when'),
      cell: message => (
        <time dateTime={message.created_at} className="whitespace-nowrap">
          {format.dateTime(new Date(message.created_at), { dateStyle: 'medium', timeStyle: 'short' })}
        </time>
      ),
      isSecondary: true,
    },
    {
      id: 'route',
      title: t('columns.route'),
      cell: message => {
        const { from, to } = routeOf(message)
        return (
          <>
            <span className="block break-words">{from}</span>
            <span className="block text-[0.8125rem] break-words text-muted">{t('to', { to })}</span>
            <span className="block text-[0.8125rem] text-muted sm:hidden">
              {format.dateTime(new Date(message.created_at), { dateStyle: 'short', timeStyle: 'short' })},{' '}
              {timeOf(message)}
            </span>
          </>
        )
      },
    },
    {
      id: 'outcome',
      title: t('columns.outcome'),
      cell: message => (
        <>
          <Badge variant={variants[message.outcome]}>{t(`outcomes.${message.outcome}`)}</Badge>
          {message.reason !== null && (
            <span className="mt-1 block text-[0.8125rem] text-muted">{reasonOf(message)}</span>
          )}
        </>
      ),
    },
    { id: 'time', title: t('columns.time'), cell: timeOf, isNumber: true, isSecondary: true },
  ]
}

function RelayMessageTable({ messages }: { readonly messages: readonly RelayMessage[] }) {
  const t = useTranslations('integrations.relay')
  return <Table label={t('title')} columns={useMessageColumns()} rows={messages} keyOf={({ id }) => id} />
}

const [few, many] = [25, 100]

const useRelayMessages = (integrationId: string, outcome: MessageOutcome | undefined, limit: number) =>
  useQuery({
    queryKey: ['relay_messages', integrationId, outcome, limit],
    queryFn: () =>
      api.relayMessages.list({ integration_id: integrationId, limit, ...(outcome && { outcome }) }),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  })

function MessageList(props: {
  readonly integrationId: string
  readonly outcome: MessageOutcome | undefined
}) {
  const t = useTranslations('integrations.relay')
  const [limit, setLimit] = useState(few)
  const { data, error, refetch } = useRelayMessages(props.integrationId, props.outcome, limit)
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={5} />
  if (data.length === 0)
    return props.outcome ? (
      <EmptyState icon="send" title={t('noneFit')} />
    ) : (
      <EmptyState icon="send" title={t('emptyTitle')}>
        {t('emptyText')}
      </EmptyState>
    )
  return (
    <div className="grid gap-3">
      <RelayMessageTable messages={data} />
      {data.length === few && limit === few && (
        <div>
          <Button isSmall onPress={() => setLimit(many)}>
            {t('older')}
          </Button>
        </div>
      )}
    </div>
  )
}

export function RelayMessages({ integrationId }: { readonly integrationId: string }) {
  const t = useTranslations('integrations.relay')
  const [address, setAddress] = useAddressState<'outcome'>()
  const outcome = outcomes.find(each => each === address.outcome)
  return (
    <section>
      <header className="mb-3 flex flex-wrap items-end justify-between gap-3">
        <div>
          <h2 className="text-base font-semibold">{t('title')}</h2>
          <p className="text-[0.8125rem] text-muted">{t('about')}</p>
        </div>
        <FilterSelect
          label={t('filter')}
          value={outcome ?? 'all'}
          onChange={id => setAddress({ outcome: id === 'all' ? undefined : id })}
          options={(['all', ...outcomes] as const).map(id => ({ id, label: t(`outcomes.${id}`) }))}
          className="w-52"
        />
      </header>
      <MessageList integrationId={integrationId} outcome={outcome} />
    </section>
  )
}
