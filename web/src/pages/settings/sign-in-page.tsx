import type { SsoConnection } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { allRows } from '#api/all-pages.ts'
import { api } from '#api/client.ts'
import { Button } from '#ui/base/button.tsx'
import { TextLink } from '#ui/base/text-link.tsx'
import { EmptyState, LoadError, Skeleton } from '#ui/layout/page.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import { ConnectionCard } from './sign-in/connection-card.tsx'
import { ConnectionDialog } from './sign-in/connection-dialog.tsx'
import { PolicyCard } from './sign-in/policy-card.tsx'
import { TestDialog } from './sign-in/test-dialog.tsx'

/** `create`, or the connection that is edited. */
type Edited = 'create' | SsoConnection

function Connections() {
  const t = useTranslations('settings.signIn')
  const [edited, setEdited] = useState<Edited>()
  const [tested, setTested] = useState<SsoConnection>()
  const { data, error, refetch } = useQuery({
    queryKey: ['sso_connections', 'all'],
    queryFn: () => allRows(page => api.ssoConnections.list(page)),
  })
  const create = (
    <Button
      icon="plus"
      variant={data?.length === 0 ? 'primary' : 'secondary'}
      onPress={() => setEdited('create')}
    >
      {t('connect')}
    </Button>
  )
  return (
    <section aria-label={t('connections')} className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-base font-semibold">{t('connections')}</h2>
        {data && data.length > 0 && create}
      </div>
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton lines={4} />}
      {data?.length === 0 && (
        <EmptyState icon="shield-check" title={t('emptyTitle')} action={create}>
          {t('emptyText')}
        </EmptyState>
      )}
      {data?.map(connection => (
        <ConnectionCard
          key={connection.id}
          connection={connection}
          onEdit={() => setEdited(connection)}
          onTest={() => setTested(connection)}
        />
      ))}
      {edited && (
        <ConnectionDialog
          {...(edited !== 'create' && { stored: edited })}
          onClose={() => setEdited(undefined)}
          onSaved={setTested}
        />
      )}
      {tested && <TestDialog connection={tested} onClose={() => setTested(undefined)} />}
    </section>
  )
}

export default function SignInSettingsPage() {
  const t = useTranslations('settings.signIn')
  return (
    <SettingsFrame section="sign-in">
      <div className="grid grid-cols-1 gap-8">
        <PolicyCard />
        <Connections />
        <p className="text-[0.8125rem] text-muted">
          {t.rich('docs', {
            sso: text => (
              <a href="/docs/guides/sso" className="text-accent underline underline-offset-2">
                {text}
              </a>
            ),
            account: text => <TextLink to="/account">{text}</TextLink>,
          })}
        </p>
      </div>
    </SettingsFrame>
  )
}
