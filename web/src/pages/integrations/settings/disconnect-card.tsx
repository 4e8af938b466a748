import type { Integration } from '@signoff/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { isDirectory } from '#api/integrations.ts'
import { useCan } from '#api/session.tsx'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { Card } from '#ui/page.tsx'
import { useAction } from '#ui/use-action.ts'
import { refreshDirectories } from '../data.ts'

export function DisconnectCard({ integration }: { readonly integration: Integration }) {
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
        isPending={disconnect.isPending}
        onConfirm={() => disconnect.mutate()}
      >
        {what}
      </ConfirmDialog>
    </Card>
  )
}
