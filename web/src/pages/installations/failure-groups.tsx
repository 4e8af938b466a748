// Mailboxes that failed or were changed, by their reason, each with what to do about it.
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useCan } from '#api/session.ts'
import { remedyPageOf, remedyPages } from '#records/installations/reasons.ts'
import { Button } from '#ui/base/button.tsx'
import { Icon } from '#ui/base/icon.tsx'
import { TextLink } from '#ui/base/text-link.tsx'
import { toast, toastError } from '#ui/feedback/toast.tsx'
import { Card, LoadError } from '#ui/layout/page.tsx'
import { type FailureGroup, installAgain, type ProblemStatus, useFailures } from './data.ts'

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

export function FailureGroups({ status }: { readonly status: ProblemStatus }) {
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
