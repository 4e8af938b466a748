import type { Integration } from '@signoff/sdk'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { isDirectory } from '#api/integrations.ts'
import { useCan } from '#api/session.ts'
import { Button } from '#ui/base/button.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { useAction } from '#ui/feedback/use-action.ts'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { Card, Skeleton } from '#ui/layout/page.tsx'
import { ConfirmDialog } from '#ui/overlay/dialog.tsx'
import {
  areFilesRight,
  controlOfField,
  fieldsOf,
  KindFields,
  type KindValues,
  partOf,
} from './connect/kind-fields.tsx'
import { refreshDirectories } from './data.ts'
import { type Kind, kindOf, type SecretWay } from './kinds.ts'
import { IntegrationFrame, LoadedIntegration } from './parts/integration-frame.tsx'
import { IntegrationSettingsForm } from './settings/settings-form.tsx'

interface SecretChangeProps {
  readonly integration: Integration
  readonly kind: Kind
  readonly onClose: () => void
}

/** A new key or password for an integration. The stored one is never shown. */
function SecretChange({ integration, kind, onClose }: SecretChangeProps) {
  const t = useTranslations('integrations.secret')
  const form = useTranslations('integrations.form')
  const [values, setValues] = useState<KindValues>({})
  const [way, setWay] = useState<SecretWay['id'] | undefined>(kind.secretWays?.[0]?.id)
  const fields = fieldsOf(kind, way, kind.capabilities).filter(({ part }) => part === 'secret')
  return (
    <FormDialog
      title={t('title')}
      onClose={onClose}
      isModalOnly
      controlOf={controlOfField}
      onSubmit={async () => {
        if (!areFilesRight(fields, values)) throw new Error(form('wrongFile'))
        return api.integrations.update(integration.id, { secret: partOf(fields, 'secret', values) })
      }}
      onDone={() => {
        toast(t('saved'))
        void refreshDirectories()
        onClose()
      }}
      action={t('save')}
    >
      <p className="text-muted">{t('about')}</p>
      <KindFields {...{ kind, fields, values, way }} onChange={setValues} onWay={setWay} />
    </FormDialog>
  )
}

function DisconnectCard({ integration }: { readonly integration: Integration }) {
  const t = useTranslations('integrations.disconnect')
  const can = useCan()
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const disconnect = useAction(refreshDirectories, {
    run: () => api.integrations.delete(integration.id),
    done: () => t('done', { name: integration.name }),
    after: () => navigate({ to: '/integrations' as string }),
  })
  if (!can('integrations:delete')) return null
  const isRelay = integration.kind === 'smtp_relay'
  const what = (
    <ul className="grid list-disc gap-1 ps-5">
      {isDirectory(integration) && <li>{t('people', { count: integration.people_count })}</li>}
      {isDirectory(integration) && <li>{t('fields')}</li>}
      {isRelay && <li>{t('relayRule')}</li>}
      {isRelay && <li>{t('relayMessages')}</li>}
      {integration.capabilities.includes('channel') && !isRelay && <li>{t('signatures')}</li>}
      {!isRelay && <li>{t('secret')}</li>}
    </ul>
  )
  return (
    <Card title={t('title')} about={t(isRelay ? 'relayAbout' : 'about')}>
      <Button onPress={() => setAsking(true)}>{t('action')}</Button>
      <ConfirmDialog
        title={t('question', { name: integration.name })}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        action={t('action')}
        mutation={disconnect}
      >
        {what}
      </ConfirmDialog>
    </Card>
  )
}

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
