import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useConnected } from '#api/integrations.ts'
import { useCan } from '#api/session.ts'
import MailboxWays from '#records/installations/mailbox-ways.tsx'
import { remedyPageOf, remedyPages } from '#records/installations/reasons.ts'
import { isLiveSignature } from '#records/signatures/signature-data.ts'
import { Button, buttonClasses } from '#ui/base/button.tsx'
import { Icon } from '#ui/base/icon.tsx'
import { PathLink, TextLink } from '#ui/base/text-link.tsx'
import { toast, toastError } from '#ui/feedback/toast.tsx'
import { Card, EmptyState, LoadError, LoadState, Page } from '#ui/layout/page.tsx'
import { type FailureGroup, installAgain, type ProblemStatus, useFailures, useSignatures } from './data.ts'
import { InstallationTable } from './installation-table.tsx'
import { SignatureProgress } from './signature-progress.tsx'

// Mailboxes that failed or were changed, by their reason, each with what to do about it.

const shownAddresses = 5

interface GroupProps {
  readonly group: FailureGroup
  readonly status: ProblemStatus
}

function Group({ group, status }: GroupProps) {
  const t = useTranslations('installations')
  const mayInstall = useCan()('signatures:write')
  const { reason, installations } = group
  const isFailed = status === 'failed'
  const page = remedyPageOf[reason]
  const { mutate, isPending } = useMutation({
    mutationFn: () => installAgain(installations.map(({ email_id: id }) => id)),
    onSuccess: refused =>
      refused > 0
        ? toastError(t('someRefused', { count: refused }))
        : toast(t('queued', { count: installations.length })),
  })
  const addresses = [...new Set(installations.map(({ email_address: address }) => address))]
  // The words about a change are ours, and say the same as the title.
  const words = isFailed && installations.find(({ error_message: message }) => message)?.error_message
  return (
    <li className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-2 py-4 first:pt-0 last:pb-0 sm:grid-cols-[auto_1fr_auto]">
      <Icon
        name={isFailed ? 'circle-alert' : 'triangle-alert'}
        size={18}
        className={isFailed ? 'mt-0.5 text-bad' : 'mt-0.5 text-warn'}
      />
      <div className="min-w-0">
        <h3 className="font-medium">
          {t(`reasons.${reason}.title`)}{' '}
          <span className="text-muted">· {t('mailboxes', { count: installations.length })}</span>
        </h3>
        <p className="mt-0.5">
          {t(`reasons.${reason}.remedy`)}{' '}
          {page !== undefined && <TextLink to={remedyPages[page]}>{t(`links.${page}`)}</TextLink>}
        </p>
        <p className="mt-1 text-[0.8125rem] text-muted">
          {addresses.slice(0, shownAddresses).join(', ')}
          {addresses.length > shownAddresses &&
            ` ${t('andMore', { count: addresses.length - shownAddresses })}`}
        </p>
        {words && (
          <details className="group mt-1 text-[0.8125rem] text-muted">
            <summary className="inline-flex min-h-6 cursor-default items-center gap-1 rounded hover:text-ink">
              <Icon name="chevron-right" size={13} className="group-open:rotate-90 rtl:rotate-180" />
              {t('original')}
            </summary>
            <p className="mt-1 rounded-lg bg-sunken p-2 font-mono text-xs">{words}</p>
          </details>
        )}
      </div>
      {mayInstall && (
        <Button
          isSmall
          icon="refresh-cw"
          isPending={isPending}
          onPress={() => mutate()}
          className="self-start justify-self-start max-sm:col-start-2"
        >
          {t(isFailed ? 'retry' : 'restore')}
          <span className="sr-only">: {t(`reasons.${reason}.title`)}</span>
        </Button>
      )}
    </li>
  )
}

const cardTexts = {
  failed: { title: 'failures', about: 'failuresAbout' },
  drifted: { title: 'drifts', about: 'driftsAbout' },
} as const

function FailureGroups({ status }: { readonly status: ProblemStatus }) {
  const t = useTranslations('installations')
  const { data, error, refetch } = useFailures(status)
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (!data || data.total === 0) return null
  const { title, about } = cardTexts[status]
  return (
    <Card title={t(title, { count: data.total })} about={t(about)}>
      <ul className="divide-y divide-line">
        {data.groups.map(group => (
          <Group key={group.reason} group={group} status={status} />
        ))}
      </ul>
    </Card>
  )
}

export default function InstallationsPage() {
  const t = useTranslations('installations')
  const { data: signatures, error, refetch } = useSignatures()
  const live = signatures?.filter(isLiveSignature) ?? []
  const [first] = live
  const isDelivered = useConnected().some(({ capabilities }) => capabilities.includes('channel'))
  return (
    <Page title={t('title')} about={t('about')}>
      <LoadState query={{ data: signatures, error, refetch }} lines={6} />
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
