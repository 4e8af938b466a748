import type { NewWebhook } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { allRows } from '#api/lists.ts'
import { useCan } from '#api/session.ts'
import { Button } from '#ui/base/button.tsx'
import { EmptyState, LoadError, Skeleton } from '#ui/layout/page.tsx'
import { SecretDialog } from '#ui/overlay/secret-dialog.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import { Deliveries } from './webhooks/deliveries.tsx'
import { WebhookDialog } from './webhooks/webhook-dialog.tsx'
import { WebhookList } from './webhooks/webhook-list.tsx'

interface WebhooksProps {
  readonly create: ReactNode
  readonly onCreated: (created: NewWebhook) => void
}

function Webhooks({ create, onCreated }: WebhooksProps) {
  const t = useTranslations('settings.webhooks')
  const { data, error, refetch } = useQuery({
    queryKey: ['webhooks', 'all'],
    queryFn: () => allRows(page => api.webhooks.list(page)),
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={5} />
  if (data.length === 0)
    return (
      <EmptyState icon="webhook" title={t('emptyTitle')} action={create}>
        {t('emptyText')}
      </EmptyState>
    )
  return (
    <div className="grid grid-cols-1 gap-8">
      <WebhookList webhooks={data} onCreated={onCreated} />
      <Deliveries webhooks={data} />
    </div>
  )
}

export default function WebhooksSettingsPage() {
  const t = useTranslations('settings.webhooks')
  const can = useCan()
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState<NewWebhook>()
  const create = can('webhooks:write') && (
    <Button variant="primary" icon="plus" onPress={() => setCreating(true)}>
      {t('create')}
    </Button>
  )
  return (
    <SettingsFrame section="webhooks" actions={create}>
      <Webhooks create={create} onCreated={setCreated} />
      {isCreating && <WebhookDialog onClose={() => setCreating(false)} onCreated={setCreated} />}
      {created && (
        <SecretDialog
          title={t('secretTitle')}
          label={t('secret')}
          secret={created.secret}
          onClose={() => setCreated(undefined)}
        >
          {t.rich('secretText', {
            link: text => (
              <a href="/docs/guides/event-webhooks" className="text-accent underline underline-offset-2">
                {text}
              </a>
            ),
          })}
        </SecretDialog>
      )}
    </SettingsFrame>
  )
}
