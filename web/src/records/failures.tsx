import type { ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { goToSignIn, needsSignIn } from '#api/client.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { codeOf } from '#state/errors.ts'
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

/** A page that threw: a session that ended leads to the sign-in, a missing resource says so. */
export function CrashPage({ error, reset }: ErrorComponentProps) {
  const t = useTranslations('shell')
  const messageOf = useMessageOf()
  const isSignedOut = needsSignIn(error)
  useEffect(() => {
    if (isSignedOut) goToSignIn()
  }, [isSignedOut])
  if (isSignedOut) return null
  if (codeOf(error) === 'not_found') return <NotFoundPage />
  if (['insufficient_role', 'insufficient_scope'].includes(codeOf(error))) return <NoAccessPage />
  return (
    <Page title={t('crashTitle')} about={t('crashText')}>
      <EmptyState
        icon="triangle-alert"
        title={messageOf(error)}
        action={<Button onPress={reset}>{t('tryAgain')}</Button>}
      />
    </Page>
  )
}
