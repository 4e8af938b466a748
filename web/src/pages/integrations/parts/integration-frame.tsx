// The frame of the pages of one integration: its name, its state, and the tabs.
import type { Integration } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { isDirectory } from '#api/integrations.ts'
import { NotFoundPage } from '#records/failures.tsx'
import { codeOf } from '#state/errors.ts'
import { LoadError, Page, Skeleton } from '#ui/layout/page.tsx'
import { TabLinks } from '#ui/layout/tabs.tsx'
import { integrationQuery, useNewestRun } from '../data.ts'
import { isKnownKind } from '../kinds.ts'
import { StateBadge } from './state-badge.tsx'

/** Reads the integration of the address, and shows what is wrong where it cannot. */
export function LoadedIntegration({
  children,
}: {
  readonly children: (integration: Integration) => ReactNode
}) {
  const t = useTranslations('integrations')
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string }
  const { data, error, refetch } = useQuery(integrationQuery(id))
  if (error && ['not_found', 'invalid'].includes(codeOf(error))) return <NotFoundPage />
  // The state of a page belongs to one integration.
  if (data) return <Fragment key={id}>{children(data)}</Fragment>
  return (
    <Page title={t('one')} parent={{ to: '/integrations', label: t('title') }}>
      {error ? <LoadError error={error} onRetry={() => void refetch()} /> : <Skeleton lines={8} />}
    </Page>
  )
}

interface IntegrationFrameProps {
  readonly integration: Integration
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export function IntegrationFrame({ integration, actions, children }: IntegrationFrameProps) {
  const t = useTranslations('integrations')
  const { id, kind, name } = integration
  const isRunning = useNewestRun(id)?.status === 'running'
  const tabs = ['', ...(isDirectory(integration) ? ['values', 'runs'] : []), 'settings'] as const
  return (
    <Page
      title={name}
      parent={{ to: '/integrations', label: t('title') }}
      about={
        <span className="flex flex-wrap items-center gap-2">
          {isKnownKind(kind) ? t(`kinds.${kind}.title`) : kind}
          <StateBadge integration={integration} isRunning={isRunning} />
        </span>
      }
      actions={actions}
    >
      <TabLinks
        label={name}
        links={tabs.map(tab => ({
          to: `/integrations/${id}${tab === '' ? '' : `/${tab}`}`,
          label: t(`tabs.${(tab || 'overview') as 'overview'}`),
          isExact: tab !== 'runs',
        }))}
      />
      {children}
    </Page>
  )
}
