// The Outlook add-in: its manifest for the admin centre, its tokens, and what Outlooks report.
import type { DeploymentToken, Integration } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { api, queryClient } from '../../../api/client.ts'
import { useCan } from '../../../api/session.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyField } from '../../../ui/copy-field.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { Card, Notice } from '../../../ui/page.tsx'
import { TextLink } from '../../../ui/text-link.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { GuideLink, OuterLink } from './outer-link.tsx'

const guide = '/docs/guides/outlook'
const adminCentre = 'https://admin.microsoft.com/#/Settings/IntegratedApps'
const steps = ['one', 'two', 'three'] as const
const moment = { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' } as const
/** One that is in use, and one that replaces it. */
const maxTokens = 2
const maxTroubles = 5

const tokensKey = (integrationId: string) => ['deployment_tokens', integrationId]

interface TokenRowProps {
  readonly integration: Integration
  readonly token: DeploymentToken
}

function TokenRow({ integration, token }: TokenRowProps) {
  const t = useTranslations('integrations.outlook')
  const format = useFormatter()
  const [isAsking, setAsking] = useState(false)
  const revoke = useAction(() => queryClient.invalidateQueries({ queryKey: tokensKey(integration.id) }), {
    run: () => api.deploymentTokens.delete(integration.id, token.id),
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
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-[0.8125rem]">
        <a
          href={token.manifest_url}
          download="signoff-manifest.xml"
          className="rounded font-medium text-accent hover:underline"
        >
          {t('download')}
        </a>
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
        {t('revokeAbout')}
      </ConfirmDialog>
    </li>
  )
}

function Tokens({ integration }: { readonly integration: Integration }) {
  const t = useTranslations('integrations.outlook')
  const queryKey = tokensKey(integration.id)
  const { data: tokens = [] } = useQuery({
    queryKey,
    queryFn: () => api.deploymentTokens.list(integration.id),
  })
  const create = useAction(() => queryClient.invalidateQueries({ queryKey }), {
    run: () => api.deploymentTokens.create(integration.id),
    done: () => t('created'),
  })
  return (
    <div className="grid justify-items-start gap-3">
      <ul className="grid w-full gap-5">
        {tokens.map(token => (
          <TokenRow key={token.id} integration={integration} token={token} />
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

function Troubles({ integration }: { readonly integration: Integration }) {
  const t = useTranslations('integrations.outlook')
  const filters = { integration_id: integration.id, trouble: 'any', limit: maxTroubles } as const
  const { data = [] } = useQuery({
    queryKey: ['installations', 'troubles', filters],
    queryFn: () => api.installations.list(filters),
  })
  const troubled = data.filter(({ trouble }) => trouble !== null)
  if (troubled.length === 0) return <p className="text-[0.8125rem] text-muted">{t('noTroubles')}</p>
  return (
    <ul className="grid gap-1.5 text-[0.8125rem]">
      {troubled.map(({ id, email_address, trouble }) => (
        <li key={id}>
          <span className="font-medium">{email_address}</span>{' '}
          <span className="text-muted" title={trouble?.message ?? ''}>
            {trouble?.code} ({trouble?.host})
          </span>
        </li>
      ))}
    </ul>
  )
}

export function OutlookCard({ integration }: { readonly integration: Integration }) {
  const t = useTranslations('integrations.outlook')
  const mayWrite = useCan()('integrations:write')
  return (
    <Card title={t('title')} about={t('about')} actions={<GuideLink href={guide} />}>
      <div className="grid gap-5">
        {location.protocol !== 'https:' && <Notice kind="warn">{t('needsHttps')}</Notice>}
        {mayWrite ? <Tokens integration={integration} /> : <Notice>{t('forAdmins')}</Notice>}
        <ol className="grid list-decimal gap-2 ps-5">
          {steps.map(step => (
            <li key={step}>
              {t(`steps.${step}`)}
              {step === 'two' && (
                <>
                  {' '}
                  <OuterLink href={adminCentre}>{t('openAdminCentre')}</OuterLink>
                </>
              )}
            </li>
          ))}
        </ol>
        <section aria-label={t('troubles')} className="grid gap-2">
          <h3 className="text-[0.8125rem] font-medium">{t('troubles')}</h3>
          <Troubles integration={integration} />
          <TextLink to="/installations" search={{ integration: integration.id }} className="text-[0.8125rem]">
            {t('whoFetched')}
          </TextLink>
        </section>
      </div>
    </Card>
  )
}
