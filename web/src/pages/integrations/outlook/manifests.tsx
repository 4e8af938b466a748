// The manifests of the add-in, one per token: where they are, whether an Outlook uses them, and how they end.
import type { DeploymentToken } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { api, queryClient } from '#api/client.ts'
import { Button } from '#ui/base/button.tsx'
import { CopyField } from '#ui/base/copy-field.tsx'
import { useAction } from '#ui/feedback/use-action.ts'
import { Card, LoadError, Notice, Skeleton } from '#ui/layout/page.tsx'
import { ConfirmDialog } from '#ui/overlay/dialog.tsx'

const moment = { dateStyle: 'medium', timeStyle: 'short' } as const
/** One that is in use, and one that replaces it. */
const maxTokens = 2

const tokensKey = (integrationId: string) => ['deployment_tokens', integrationId]

/** The newest first. */
export const useManifests = (integrationId: string, isEnabled = true) =>
  useQuery({
    queryKey: tokensKey(integrationId),
    queryFn: () => api.deploymentTokens.list(integrationId),
    enabled: isEnabled,
  })

interface ManifestRowProps {
  readonly integrationId: string
  readonly token: DeploymentToken
  readonly isLast: boolean
}

function ManifestRow({ integrationId, token, isLast }: ManifestRowProps) {
  const t = useTranslations('integrations.outlook')
  const format = useFormatter()
  const [isAsking, setAsking] = useState(false)
  const revoke = useAction(() => queryClient.invalidateQueries({ queryKey: tokensKey(integrationId) }), {
    run: () => api.deploymentTokens.delete(integrationId, token.id),
    done: () => t('revoked'),
    after: () => setAsking(false),
  })
  const used =
    token.last_used_at === null
      ? t('neverUsed')
      : t('lastUsed', { at: format.dateTime(new Date(token.last_used_at), moment) })
  return (
    <li className="grid gap-2">
      <CopyField label={t('manifest', { number: token.number })} value={token.manifest_url} isSecret />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-[0.8125rem]">
        <span className="text-muted">{used}</span>
        <Button isSmall onPress={() => setAsking(true)}>
          {t('revoke')}
          <span className="sr-only">: {t('manifest', { number: token.number })}</span>
        </Button>
      </div>
      <ConfirmDialog
        title={t('revokeQuestion', { number: token.number })}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        action={t('revoke')}
        isPending={revoke.isPending}
        onConfirm={() => revoke.mutate()}
      >
        {t(isLast ? 'revokeLastAbout' : 'revokeAbout')}
      </ConfirmDialog>
    </li>
  )
}

function Manifests({ integrationId }: { readonly integrationId: string }) {
  const t = useTranslations('integrations.outlook')
  const { data: tokens, error, refetch } = useManifests(integrationId)
  const create = useAction(() => queryClient.invalidateQueries({ queryKey: tokensKey(integrationId) }), {
    run: () => api.deploymentTokens.create(integrationId),
    done: ({ number }: DeploymentToken) => t('created', { number }),
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (!tokens) return <Skeleton lines={3} />
  return (
    <div className="grid justify-items-start gap-4">
      {tokens.length === 0 && <Notice kind="warn">{t('noManifest')}</Notice>}
      <ul className="grid w-full gap-5">
        {tokens.map(token => (
          <ManifestRow
            key={token.id}
            integrationId={integrationId}
            token={token}
            isLast={tokens.length === 1}
          />
        ))}
      </ul>
      {tokens.length === maxTokens && <Notice>{t('replacing')}</Notice>}
      {tokens.length < maxTokens && (
        <Button icon="key" isPending={create.isPending} onPress={() => create.mutate()}>
          {t('newToken')}
        </Button>
      )}
    </div>
  )
}

export function ManifestsCard({ integrationId }: { readonly integrationId: string }) {
  const t = useTranslations('integrations.outlook')
  return (
    <Card title={t('manifests')} about={t('manifestsAbout')}>
      <Manifests integrationId={integrationId} />
    </Card>
  )
}
