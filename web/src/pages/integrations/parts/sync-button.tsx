import type { Integration } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { Button, LinkButton } from '#ui/base/button.tsx'
import { useAction } from '#ui/feedback/use-action.ts'
import { isReadByService, refreshDirectories, stateOf, useNewestRun } from '../data.ts'

/** “Sync now”, or the file that is a run, or the rest of the set-up. */
export function SyncButton({ integration }: { readonly integration: Integration }) {
  const t = useTranslations('integrations')
  const can = useCan()
  const isRunning = useNewestRun(integration.id)?.status === 'running'
  const sync = useAction(refreshDirectories, {
    run: () => api.teammates.sync({ integration_id: integration.id }),
  })
  if (integration.kind === 'csv' && can('teammates:write'))
    return (
      <LinkButton to="/people/import" variant="primary" icon="upload">
        {t('csv.upload')}
      </LinkButton>
    )
  if (!isReadByService(integration) || !can('integrations:write')) return null
  if (stateOf(integration) === 'unfinished') return null
  return (
    <>
      <LinkButton to={`/integrations/${integration.id}/setup`} search={{ step: 'sync' } as never}>
        {t('previewFirst')}
      </LinkButton>
      <Button
        variant="primary"
        icon="refresh-cw"
        isPending={sync.isPending || isRunning}
        onPress={() => sync.mutate()}
      >
        {t('syncNow')}
      </Button>
    </>
  )
}
