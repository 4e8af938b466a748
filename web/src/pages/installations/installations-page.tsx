import { useTranslations } from 'use-intl'
import { useConnected } from '#api/integrations.ts'
import MailboxWays from '#records/installations/mailbox-ways.tsx'
import { isLiveSignature } from '#records/signatures/signature-data.ts'
import { buttonClasses } from '#ui/base/button.tsx'
import { PathLink } from '#ui/base/text-link.tsx'
import { EmptyState, LoadError, Page, Skeleton } from '#ui/layout/page.tsx'
import { useSignatures } from './data.ts'
import { FailureGroups } from './failure-groups.tsx'
import { InstallationTable } from './installation-table.tsx'
import { SignatureProgress } from './signature-progress.tsx'

export default function InstallationsPage() {
  const t = useTranslations('installations')
  const { data: signatures, error, refetch } = useSignatures()
  const live = signatures?.filter(isLiveSignature) ?? []
  const [first] = live
  const isDelivered = useConnected().some(({ capabilities }) => capabilities.includes('channel'))
  return (
    <Page title={t('title')} about={t('about')}>
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!signatures && !error && <Skeleton lines={6} />}
      {signatures && live.length === 0 && (
        <EmptyState
          icon="layers"
          title={t('emptyTitle')}
          action={
            <PathLink to="/signatures" className={buttonClasses('primary')}>
              {t('toSignatures')}
            </PathLink>
          }
        >
          {t('emptyText')}
        </EmptyState>
      )}
      {live.length > 0 && (
        <div className="grid gap-6">
          {first && !isDelivered && <MailboxWays signature={first} />}
          <FailureGroups status="failed" />
          <FailureGroups status="drifted" />
          <section aria-labelledby="by-signature">
            <h2 id="by-signature" className="mb-3 text-base font-semibold">
              {t('bySignature')}
            </h2>
            <ul className="divide-y divide-line rounded-2xl border border-line bg-card">
              {live.map(signature => (
                <SignatureProgress key={signature.id} signature={signature} />
              ))}
            </ul>
          </section>
          <InstallationTable />
        </div>
      )}
    </Page>
  )
}
