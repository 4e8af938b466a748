// The steps after an integration was connected: test, map, preview, first run. They can be left and resumed.
import type { Integration } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { useCan } from '#api/session.ts'
import { NoAccessPage } from '#records/failures.tsx'
import { useAddressState } from '#state/address-state.ts'
import { Button, LinkButton } from '#ui/base/button.tsx'
import { Card, Page } from '#ui/layout/page.tsx'
import { Actions } from '#ui/overlay/dialog.tsx'
import { isReadByService } from './data.ts'
import { MappingList } from './mapping/mapping-list.tsx'
import { ConnectionTest, useConnectionTest } from './parts/connection-test.tsx'
import { CsvCard } from './parts/csv-card.tsx'
import { LoadedIntegration } from './parts/integration-frame.tsx'
import { ScimCard } from './parts/scim-card.tsx'
import { SetupSteps } from './parts/setup-steps.tsx'
import { SyncStep } from './setup/sync-step.tsx'

function TestStep({
  integration,
  onDone,
}: {
  readonly integration: Integration
  readonly onDone: () => void
}) {
  const t = useTranslations('integrations.setup')
  const test = useConnectionTest(integration.id, true)
  const isGood = test.data?.steps.every(({ ok }) => ok) ?? false
  return (
    <Card title={t('testTitle')} about={t('testAbout')}>
      <ConnectionTest test={test} />
      <Actions>
        <LinkButton to={`/integrations/${integration.id}/settings`}>{t('changeEntered')}</LinkButton>
        <Button
          variant={isGood ? 'primary' : 'secondary'}
          isDisabled={test.isPending || !test.data}
          onPress={onDone}
        >
          {t(isGood || test.isPending ? 'continue' : 'continueAnyway')}
        </Button>
      </Actions>
    </Card>
  )
}

function ReadSetup({ integration }: { readonly integration: Integration }) {
  const t = useTranslations('integrations')
  const [{ step = 'test' }, setAddress] = useAddressState<'step'>()
  const go = (to: 'test' | 'map' | 'sync') => setAddress({ step: to }, 'push')
  const current = step === 'map' || step === 'sync' ? step : 'test'
  return (
    <>
      <SetupSteps current={current} />
      {current === 'test' && <TestStep integration={integration} onDone={() => go('map')} />}
      {current === 'map' && (
        <Card title={t('mapping.title')} about={t('mapping.about')}>
          <MappingList integration={integration} />
          <Actions>
            <Button onPress={() => go('test')}>{t('setup.back')}</Button>
            <Button variant="primary" onPress={() => go('sync')}>
              {t('setup.toPreview')}
            </Button>
          </Actions>
        </Card>
      )}
      {current === 'sync' && <SyncStep integration={integration} onBack={() => go('map')} />}
    </>
  )
}

/** A system that sends its changes itself, or only gets signatures: nothing is read. */
function OtherSetup({ integration }: { readonly integration: Integration }) {
  const t = useTranslations('integrations')
  const test = useConnectionTest(integration.id, integration.kind !== 'scim' && integration.kind !== 'csv')
  return (
    <div className="grid gap-4">
      {integration.kind === 'scim' && <ScimCard name={integration.name} />}
      {integration.kind === 'csv' && <CsvCard hasButton />}
      {integration.kind !== 'scim' && integration.kind !== 'csv' && (
        <Card title={t('setup.testTitle')} about={t('setup.testAbout')}>
          <ConnectionTest test={test} />
        </Card>
      )}
      <Actions>
        <LinkButton
          to={`/integrations/${integration.id}`}
          variant={integration.kind === 'csv' ? 'secondary' : 'primary'}
        >
          {t('setup.finish')}
        </LinkButton>
      </Actions>
    </div>
  )
}

export default function SetupPage() {
  const t = useTranslations('integrations')
  const can = useCan()
  if (!can('integrations:write')) return <NoAccessPage />
  return (
    <LoadedIntegration>
      {integration => (
        <Page
          title={t('setup.title', { name: integration.name })}
          about={t('setup.about')}
          parent={{ to: `/integrations/${integration.id}`, label: integration.name }}
        >
          <div className="max-w-4xl">
            {isReadByService(integration) ? (
              <ReadSetup integration={integration} />
            ) : (
              <OtherSetup integration={integration} />
            )}
          </div>
        </Page>
      )}
    </LoadedIntegration>
  )
}
