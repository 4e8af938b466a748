import { useTranslations } from 'use-intl'
import { useProfile, useSecondFactors } from '#api/account.ts'
import { LoadError, Page, Skeleton } from '#ui/layout/page.tsx'
import { AppCard } from './app-card.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { CompanyProfileCard, ProfileCard } from './profile-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { WorkspacesCard } from './workspaces-card.tsx'

/** Null answers: the person came through single sign-on, and can change nothing about the account. */
function OwnCards() {
  const profile = useProfile()
  const factors = useSecondFactors()
  const error = profile.error ?? factors.error
  if (error)
    return (
      <LoadError error={error} onRetry={() => void Promise.all([profile.refetch(), factors.refetch()])} />
    )
  if (profile.data === undefined || factors.data === undefined) return <Skeleton lines={8} />
  if (profile.data === null || factors.data === null) return <CompanyProfileCard />
  return (
    <>
      <ProfileCard key={`${profile.data.name} ${profile.data.locale}`} profile={profile.data} />
      <PasswordCard email={profile.data.email} hasPassword={factors.data.has_password} />
      <AppCard factors={factors.data} email={profile.data.email} />
      <PasskeysCard passkeys={factors.data.passkeys} email={profile.data.email} />
    </>
  )
}

export default function AccountPage() {
  const t = useTranslations('account')
  return (
    <Page title={t('title')} about={t('about')}>
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 grid-cols-1 gap-5">
          <OwnCards />
        </div>
        <div className="grid min-w-0 grid-cols-1 gap-5">
          <WorkspacesCard />
          <SessionsCard />
        </div>
      </div>
    </Page>
  )
}
