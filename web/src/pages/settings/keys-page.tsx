import type { NewApiKey } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { allRows } from '#api/lists.ts'
import { useCan } from '#api/session.ts'
import { Button } from '#ui/base/button.tsx'
import { onDemand } from '#ui/base/on-demand.tsx'
import { EmptyState, LoadError, Skeleton } from '#ui/layout/page.tsx'
import { SecretDialog } from '#ui/overlay/secret-dialog.tsx'
import { KeyList } from './keys/key-list.tsx'
import { SettingsFrame } from './settings-frame.tsx'

const KeyDialog = onDemand(() => import('./keys/key-dialog.tsx'))

interface KeysProps {
  readonly create: ReactNode
  readonly onCreated: (created: NewApiKey) => void
}

function Keys({ create, onCreated }: KeysProps) {
  const t = useTranslations('settings.keys')
  const { data, error, refetch } = useQuery({
    queryKey: ['api_keys', 'all'],
    queryFn: () => allRows(page => api.apiKeys.list(page)),
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={5} />
  if (data.length === 0)
    return (
      <EmptyState icon="key" title={t('emptyTitle')} action={create}>
        {t('emptyText')}
      </EmptyState>
    )
  return (
    <div className="grid grid-cols-1 gap-4">
      <KeyList keys={data} onCreated={onCreated} />
      <p className="text-[0.8125rem] text-muted">
        {t.rich('docs', {
          link: text => (
            <a href="/docs" className="text-accent underline underline-offset-2">
              {text}
            </a>
          ),
        })}
      </p>
    </div>
  )
}

export default function KeysSettingsPage() {
  const t = useTranslations('settings.keys')
  const can = useCan()
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState<NewApiKey>()
  const create = can('api_keys:write') && (
    <Button variant="primary" icon="plus" onPress={() => setCreating(true)}>
      {t('create')}
    </Button>
  )
  return (
    <SettingsFrame section="keys" actions={create}>
      <Keys create={create} onCreated={setCreated} />
      {isCreating && <KeyDialog onClose={() => setCreating(false)} onCreated={setCreated} />}
      {created && (
        <SecretDialog
          title={t('createdTitle', { name: created.name })}
          label={t('key')}
          secret={created.key}
          onClose={() => setCreated(undefined)}
        >
          {t('createdText')}
        </SecretDialog>
      )}
    </SettingsFrame>
  )
}
