// The Outlook add-in: how an admin installs it, its manifests, and what Outlooks report.
import type { DeploymentToken, Installation, Integration } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useFormatter, useNow, useTranslations } from 'use-intl'
import { api, queryClient } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { troubleOfCode } from '#records/installations/reasons.ts'
import { Button, buttonClasses } from '#ui/base/button.tsx'
import { CopyField } from '#ui/base/copy-field.tsx'
import { Icon } from '#ui/base/icon.tsx'
import { TextLink } from '#ui/base/text-link.tsx'
import { useAction } from '#ui/feedback/use-action.ts'
import { Card, LoadError, Notice, Skeleton } from '#ui/layout/page.tsx'
import { ConfirmDialog } from '#ui/overlay/dialog.tsx'
import { GuideLink, OuterLink } from '../parts/outer-link.tsx'
import { StepList } from '../parts/step-list.tsx'
import { outlookGuide } from './outlook-guide.ts'

// The manifests of the add-in, one per token: where they are, whether an Outlook uses them, and how they end.

const moment = { dateStyle: 'medium', timeStyle: 'short' } as const
/** One that is in use, and one that replaces it. */
const maxTokens = 2

const tokensKey = (integrationId: string) => ['deployment_tokens', integrationId]

/** The newest first. */
const useManifests = (integrationId: string, isEnabled = true) =>
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
        mutation={revoke}
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

function ManifestsCard({ integrationId }: { readonly integrationId: string }) {
  const t = useTranslations('integrations.outlook')
  return (
    <Card title={t('manifests')} about={t('manifestsAbout')}>
      <Manifests integrationId={integrationId} />
    </Card>
  )
}

const maxTroubles = 5

type Trouble = NonNullable<Installation['trouble']>

function TroubleRow({ address, trouble }: { readonly address: string; readonly trouble: Trouble }) {
  const t = useTranslations('installations.troubles')
  const outlook = useTranslations('integrations.outlook')
  const format = useFormatter()
  const now = useNow({ updateInterval: 30_000 })
  return (
    <li className="flex gap-3 py-3 first:pt-0 last:pb-0">
      <Icon name="triangle-alert" size={18} className="mt-px text-warn" />
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words">{t(`${troubleOfCode(trouble.code)}.title`)}</p>
        <p className="text-[0.8125rem]">{t(`${troubleOfCode(trouble.code)}.remedy`)}</p>
        <p className="mt-0.5 text-[0.8125rem] break-words text-muted">
          {outlook('reportedBy', {
            address,
            host: trouble.host,
            platform: trouble.platform,
            when: format.relativeTime(new Date(trouble.at), now),
          })}
        </p>
      </div>
    </li>
  )
}

function Troubles({ integrationId }: { readonly integrationId: string }) {
  const t = useTranslations('integrations.outlook')
  const filters = { integration_id: integrationId, trouble: 'any', limit: maxTroubles + 1 } as const
  const { data, error, refetch } = useQuery({
    queryKey: ['installations', 'troubles', filters],
    queryFn: () => api.installations.list(filters),
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={3} />
  if (data.length === 0) return <p className="text-[0.8125rem] text-muted">{t('noTroubles')}</p>
  return (
    <>
      <ul className="divide-y divide-line">
        {data
          .slice(0, maxTroubles)
          .map(
            ({ id, email_address, trouble }) =>
              trouble && <TroubleRow key={id} address={email_address} trouble={trouble} />,
          )}
      </ul>
      {data.length > maxTroubles && (
        <p className="mt-3 text-[0.8125rem]">
          <TextLink to="/installations" search={{ integration: integrationId }}>
            {t('moreTroubles')}
          </TextLink>
        </p>
      )}
    </>
  )
}

/** Reports of Outlooks about signatures that they could not set, each with what to do about it. */
function TroublesCard({ integrationId }: { readonly integrationId: string }) {
  const t = useTranslations('integrations.outlook')
  return (
    <Card title={t('troubles')} about={t('troublesAbout')}>
      <Troubles integrationId={integrationId} />
    </Card>
  )
}

const adminCentre = 'https://admin.microsoft.com/#/Settings/IntegratedApps'
const noRoamingSignatures = 'Set-OrganizationConfig -PostponeRoamingSignaturesUntilLater $true'
const steps = ['download', 'upload', 'assign', 'check', 'everyone'] as const

function DownloadButton({ integrationId }: { readonly integrationId: string }) {
  const t = useTranslations('integrations.outlook')
  const mayWrite = useCan()('integrations:write')
  const [newest] = useManifests(integrationId, mayWrite).data ?? []
  if (!mayWrite) return <Notice>{t('forAdmins')}</Notice>
  if (!newest) return null
  return (
    <a href={newest.manifest_url} download="signoff-manifest.xml" className={buttonClasses('primary', true)}>
      <Icon name="download" />
      {t('download')}
    </a>
  )
}

function InstallCard({ integration: { id } }: { readonly integration: Integration }) {
  const t = useTranslations('integrations.outlook')
  const extras: Readonly<Partial<Record<(typeof steps)[number], ReactNode>>> = {
    download: <DownloadButton integrationId={id} />,
    upload: <OuterLink href={adminCentre}>{t('openAdminCentre')}</OuterLink>,
    check: (
      <TextLink to="/installations" search={{ integration: id }}>
        {t('whoFetched')}
      </TextLink>
    ),
    everyone: <CopyField label={t('roaming')} value={noRoamingSignatures} />,
  }
  return (
    <Card title={t('title')} about={t('about')} actions={<GuideLink href={outlookGuide} />}>
      <div className="grid gap-5">
        {location.protocol !== 'https:' && <Notice kind="warn">{t('needsHttps')}</Notice>}
        <StepList steps={steps.map(id => ({ id, text: t(`steps.${id}`), extra: extras[id] }))} />
      </div>
    </Card>
  )
}

export function OutlookCards({ integration }: { readonly integration: Integration }) {
  const mayWrite = useCan()('integrations:write')
  return (
    <>
      <InstallCard integration={integration} />
      <div className="grid grid-cols-1 gap-4">
        {mayWrite && <ManifestsCard integrationId={integration.id} />}
        <TroublesCard integrationId={integration.id} />
      </div>
    </>
  )
}
