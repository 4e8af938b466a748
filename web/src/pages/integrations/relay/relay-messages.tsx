// What a relay did with the mails of the last days.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useAddressState } from '#state/address-state.ts'
import { Button } from '#ui/button.tsx'
import { FilterSelect } from '#ui/filter-select.tsx'
import { EmptyState, LoadError, Skeleton } from '#ui/page.tsx'
import { type MessageOutcome, outcomes, RelayMessageTable } from './message-table.tsx'

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
