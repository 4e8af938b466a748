import type { Integration } from '@signoff/sdk'
import { Suspense, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useCan } from '#api/session.tsx'
import { Button } from '#ui/button.tsx'
import { Card, Skeleton } from '#ui/page.tsx'
import { kindOf } from './kinds.ts'
import { IntegrationFrame, LoadedIntegration } from './parts/integration-frame.tsx'
import { DisconnectCard } from './settings/disconnect-card.tsx'
import { SecretChange } from './settings/secret-change.tsx'
import { IntegrationSettingsForm } from './settings/settings-form.tsx'

/** Kinds without a secret of the customer's have no card. */
function SecretCard({ integration }: { readonly integration: Integration }) {
  const t = useTranslations('integrations.secret')
  const can = useCan()
  const [isOpen, setOpen] = useState(false)
  const kind = kindOf(integration.kind)
  const hasSecret = kind?.fields.some(({ part }) => part === 'secret')
  if (!kind || !hasSecret || !can('integrations:write')) return null
  return (
    <Card title={t('title')} about={t('card')}>
      <Button icon="key" onPress={() => setOpen(true)}>
        {t('change')}
      </Button>
      {isOpen && <SecretChange integration={integration} kind={kind} onClose={() => setOpen(false)} />}
    </Card>
  )
}

export default function IntegrationSettingsPage() {
  return (
    <LoadedIntegration>
      {integration => (
        <IntegrationFrame integration={integration}>
          <div className="grid grid-cols-1 gap-5">
            <Suspense fallback={<Skeleton lines={8} />}>
              <IntegrationSettingsForm key={integration.id} integration={integration} />
            </Suspense>
            <SecretCard integration={integration} />
            <DisconnectCard integration={integration} />
          </div>
        </IntegrationFrame>
      )}
    </LoadedIntegration>
  )
}
