import type { Integration } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { isDirectory } from '#api/integrations.ts'
import { useCan } from '#api/session.ts'
import { TextLink } from '#ui/base/text-link.tsx'
import { DetailList } from '#ui/layout/detail-list.tsx'
import { Card } from '#ui/layout/page.tsx'
import { useIntegrationFacts } from './connected-card.tsx'
import { useNewestRun } from './data.ts'
import { isAddInOnly, kindOf } from './kinds.ts'
import { OutlookCards } from './outlook/outlook-cards.tsx'
import { ConnectionTest, useConnectionTest } from './parts/connection-test.tsx'
import { CsvCard } from './parts/csv-card.tsx'
import { IntegrationFrame, LoadedIntegration } from './parts/integration-frame.tsx'
import { GuideLink, OuterLink } from './parts/outer-link.tsx'
import { ScimCard } from './parts/scim-card.tsx'
import { StateNotice } from './parts/state-notice.tsx'
import { SyncButton } from './parts/sync-button.tsx'
import { RelayMessages } from './relay/relay-messages.tsx'
import { RelayNotice } from './relay/relay-notice.tsx'
import { RunProgress } from './runs/run-progress.tsx'
import { RunTable, useRuns } from './runs/run-table.tsx'

function NowCard({ integration }: { readonly integration: Integration }) {
  const t = useTranslations('integrations')
  const facts = useIntegrationFacts(integration)
  const newest = useNewestRun(integration.id)
  const isAddIn = isAddInOnly(integration)
  const hasOwnCard = isAddIn || ['csv', 'scim'].includes(integration.kind)
  const guide = hasOwnCard ? undefined : kindOf(integration.kind)?.guide
  return (
    <Card title={t('now')}>
      {newest?.status === 'running' && (
        <div className="mb-5">
          <RunProgress run={newest} />
        </div>
      )}
      <DetailList rows={facts} />
      <p className="mt-4 flex flex-wrap gap-x-4 gap-y-1 text-[0.8125rem]">
        {isDirectory(integration) && (
          <TextLink to="/people" search={{ source: 'directory' }}>
            {t('toPeople')}
          </TextLink>
        )}
        {integration.capabilities.includes('channel') && (
          <TextLink to="/installations" search={{ integration: integration.id }}>
            {t('toInstallations')}
          </TextLink>
        )}
        {integration.dashboard_url !== null && !isAddIn && (
          <OuterLink href={integration.dashboard_url}>{t('itsConsole')}</OuterLink>
        )}
        {guide !== undefined && <GuideLink href={guide} />}
      </p>
    </Card>
  )
}

function TestCard({ integration }: { readonly integration: Integration }) {
  const t = useTranslations('integrations')
  const test = useConnectionTest(integration.id, false)
  return (
    <Card title={t('setup.testTitle')} about={t('setup.testAbout')}>
      <ConnectionTest test={test} />
    </Card>
  )
}

function LastRuns({ integration }: { readonly integration: Integration }) {
  const t = useTranslations('integrations')
  const { data = [] } = useRuns(integration.id, 5)
  if (data.length === 0) return null
  return (
    <section>
      <header className="mb-3 flex items-baseline justify-between gap-3">
        <h2 className="text-base font-semibold">{t('runs.last')}</h2>
        <TextLink to={`/integrations/${integration.id}/runs`} className="text-[0.8125rem]">
          {t('runs.all')}
        </TextLink>
      </header>
      <RunTable integrationId={integration.id} runs={data} />
    </section>
  )
}

export default function IntegrationPage() {
  const can = useCan()
  const isTestable = ({ kind }: Integration) => can('integrations:write') && kind !== 'csv'
  return (
    <LoadedIntegration>
      {integration => (
        <IntegrationFrame integration={integration} actions={<SyncButton integration={integration} />}>
          <div className="grid grid-cols-1 gap-4">
            <StateNotice integration={integration} />
            {integration.kind === 'smtp_relay' && <RelayNotice integration={integration} />}
            <div className="grid items-start gap-4 lg:grid-cols-2">
              <NowCard integration={integration} />
              {isTestable(integration) && <TestCard integration={integration} />}
              {integration.kind === 'csv' && <CsvCard />}
              {integration.kind === 'scim' && <ScimCard name={integration.name} />}
              {integration.kind === 'microsoft_365' && integration.capabilities.includes('channel') && (
                <OutlookCards integration={integration} />
              )}
            </div>
            {isDirectory(integration) && <LastRuns integration={integration} />}
            {integration.kind === 'smtp_relay' && <RelayMessages integrationId={integration.id} />}
          </div>
        </IntegrationFrame>
      )}
    </LoadedIntegration>
  )
}
