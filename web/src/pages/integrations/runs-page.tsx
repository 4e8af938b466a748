import type { Integration } from '@signoff/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#ui/base/button.tsx'
import { EmptyState, LoadError, Skeleton } from '#ui/layout/page.tsx'
import { IntegrationFrame, LoadedIntegration } from './parts/integration-frame.tsx'
import { SyncButton } from './parts/sync-button.tsx'
import { RunTable, useRuns } from './runs/run-table.tsx'

const [few, many] = [25, 100]

function RunList({ integration }: { readonly integration: Integration }) {
  const t = useTranslations('integrations.runs')
  const [limit, setLimit] = useState(few)
  const { data, error, refetch } = useRuns(integration.id, limit)
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={6} />
  if (data.length === 0)
    return (
      <EmptyState icon="history" title={t('emptyTitle')}>
        {t('emptyText')}
      </EmptyState>
    )
  return (
    <div className="grid gap-3">
      <p className="max-w-2xl text-[0.8125rem] text-muted">{t('about')}</p>
      <RunTable integrationId={integration.id} runs={data} />
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

export default function RunsPage() {
  return (
    <LoadedIntegration>
      {integration => (
        <IntegrationFrame integration={integration} actions={<SyncButton integration={integration} />}>
          <RunList integration={integration} />
        </IntegrationFrame>
      )}
    </LoadedIntegration>
  )
}
