import type { ErrorComponentProps } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { goToSignIn, needsSignIn, queryClient } from '#api/client.ts'
import { askService, useServiceState } from '#state/connection-state.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { codeOf } from '#state/errors.ts'
import { reloadOnce } from '#state/load-part.ts'
import { Button, LinkButton } from '#ui/base/button.tsx'
import { EmptyState, Page } from '#ui/layout/page.tsx'

export function NotFoundPage() {
  const t = useTranslations('shell')
  return (
    <Page title={t('notFoundTitle')} about={t('notFoundText')}>
      <LinkButton to="/" variant="primary">
        {t('toHome')}
      </LinkButton>
    </Page>
  )
}

/** A page that the role does not include. */
export function NoAccessPage() {
  const t = useTranslations('shell')
  return (
    <Page title={t('noAccessTitle')} about={t('noAccessText')}>
      <LinkButton to="/" variant="primary">
        {t('toHome')}
      </LinkButton>
    </Page>
  )
}

/** Comes back by itself as soon as the service answers. */
function AwayPage({ onBack }: { readonly onBack: () => void }) {
  const t = useTranslations('shell')
  const isAway = useServiceState() === 'away'
  useEffect(() => {
    let isLeft = false
    void askService().then(() => isLeft || onBack())
    return () => {
      isLeft = true
    }
  }, [onBack])
  if (!isAway) return null
  return (
    <Page title={t('awayTitle')}>
      <p className="max-w-xl text-muted">{t('awayText')}</p>
    </Page>
  )
}

function FailedPage({ message, onRetry }: { readonly message: string; readonly onRetry: () => void }) {
  const t = useTranslations('shell')
  return (
    <Page title={t('crashTitle')} about={t('crashText')}>
      <EmptyState
        icon="triangle-alert"
        title={message}
        action={<Button onPress={onRetry}>{t('tryAgain')}</Button>}
      />
    </Page>
  )
}

/** A page that threw: a session that ended leads to the sign-in, a missing resource says so. */
export function CrashPage({ error, reset }: ErrorComponentProps) {
  const messageOf = useMessageOf()
  const isAway = useServiceState() === 'away'
  const [cannotReload, setCannotReload] = useState(false)
  const isMissingPart = codeOf(error) === 'missing_part'
  const retry = useCallback(() => {
    if (isMissingPart) setCannotReload(!reloadOnce())
    else {
      queryClient.removeQueries({ predicate: ({ state }) => state.status === 'error' })
      reset()
    }
  }, [isMissingPart, reset])
  const isSignedOut = needsSignIn(error)
  useEffect(() => {
    if (isSignedOut) goToSignIn()
  }, [isSignedOut])
  if (isSignedOut) return null
  if (codeOf(error) === 'not_found') return <NotFoundPage />
  if (['insufficient_role', 'insufficient_scope'].includes(codeOf(error))) return <NoAccessPage />
  if (isAway || (isMissingPart && !cannotReload)) return <AwayPage onBack={retry} />
  return <FailedPage message={messageOf(error)} onRetry={isMissingPart ? () => location.reload() : retry} />
}
