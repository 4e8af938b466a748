import { useTranslations } from 'use-intl'
import { useCan, useMe } from '#api/session.ts'
import { LinkButton } from '#ui/base/button.tsx'
import { EmptyState, LoadError, Page, Skeleton } from '#ui/layout/page.tsx'
import { useMyTeammate } from './my-data.ts'
import { MyDetails } from './my-details.tsx'
import { MySignature } from './my-signature.tsx'

export default function MePage() {
  const t = useTranslations('me')
  const me = useMe()
  const can = useCan()
  const { data: teammate, error, refetch } = useMyTeammate()
  return (
    <Page title={t('title')} about={t('about')}>
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {teammate === undefined && !error && <Skeleton lines={8} />}
      {teammate === null && (
        <EmptyState
          icon="id-card"
          title={t('unknownTitle')}
          action={
            can('teammates:write') && (
              <LinkButton to="/people" variant="primary" icon="user-plus">
                {t('toPeople')}
              </LinkButton>
            )
          }
        >
          {t(can('teammates:write') ? 'unknownTextManager' : 'unknownText', { email: me.account.email })}
        </EmptyState>
      )}
      {teammate && (
        <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
          <div className="grid min-w-0 grid-cols-1 gap-5">
            {teammate.emails.map(email => (
              <MySignature key={email.id} email={email} />
            ))}
          </div>
          <MyDetails key={teammate.id} teammate={teammate} />
        </div>
      )}
    </Page>
  )
}
