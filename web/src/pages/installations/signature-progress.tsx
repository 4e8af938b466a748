// How far each live signature is: one bar for what is written into mailboxes, one for what people copy themselves.
import type { SignatureListItem } from '@signoff/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useFormatter, useNow, useTranslations } from 'use-intl'
import { api, readAgain } from '#api/client.ts'
import { isPushed } from '#api/installation-progress.ts'
import { useCan } from '#api/session.ts'
import { LinkListButton } from '#records/people/personal-links.tsx'
import { selectionQuery } from '#records/signatures/signature-data.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { Button } from '#ui/base/button.tsx'
import { classes } from '#ui/base/classes.ts'
import { PathLink } from '#ui/base/text-link.tsx'
import { toast, toastError } from '#ui/feedback/toast.tsx'
import { LoadState } from '#ui/layout/page.tsx'
import { useIntegrations, useProgress } from './data.ts'

interface BarShare {
  readonly id: string
  readonly value: number
  readonly tone: keyof typeof barTones
}

const barTones = {
  good: 'bg-good',
  accent: 'bg-accent',
  warn: 'bg-warn',
  bad: 'bg-bad',
  neutral: 'bg-edge/50',
} as const

const barToneClass = (tone: BarShare['tone']): string => barTones[tone]

/** Shares of a whole as one bar. The numbers stand beside it as text, so the bar is decoration. */
function StackedBar({ shares }: { readonly shares: readonly BarShare[] }) {
  const total = shares.reduce((sum, { value }) => sum + value, 0)
  return (
    <div aria-hidden="true" className="flex h-2 gap-0.5 overflow-hidden rounded-full bg-sunken">
      {shares
        .filter(({ value }) => value > 0)
        .map(({ id, value, tone }) => (
          <span
            key={id}
            className={classes('h-full min-w-1 transition-[width]', barTones[tone])}
            style={{ width: `${(value / total) * 100}%` }}
          />
        ))}
    </div>
  )
}

interface Counts {
  readonly installed: number
  readonly drifted: number
  readonly pending: number
  readonly failed: number
}

const sharesOf = ({
  installed,
  drifted,
  pending,
  failed,
}: Counts): readonly (BarShare & { id: keyof Counts })[] => [
  { id: 'installed', value: installed, tone: 'good' },
  { id: 'drifted', value: drifted, tone: 'warn' },
  { id: 'pending', value: pending, tone: 'neutral' },
  { id: 'failed', value: failed, tone: 'bad' },
]

const ChannelBar = ({ title, counts }: { readonly title: string; readonly counts: Counts }) => {
  const t = useTranslations('installations')
  const shares = sharesOf(counts)
  return (
    <div>
      <div className="mb-1.5 flex flex-wrap items-baseline gap-x-4 gap-y-1 text-[0.8125rem]">
        <span className="font-medium max-sm:basis-full sm:flex-1">{title}</span>
        {shares
          .filter(({ id, value }) => value > 0 || id === 'installed')
          .map(({ id, value, tone }) => (
            <span key={id} className="flex items-center gap-1.5 text-muted tabular-nums">
              <span aria-hidden="true" className={`size-2 rounded-full ${barToneClass(tone)}`} />
              {t(`counts.${id}`, { count: value })}
            </span>
          ))}
      </div>
      <StackedBar shares={shares} />
    </div>
  )
}

function InstallButton({ signature }: { readonly signature: SignatureListItem }) {
  const t = useTranslations('installations')
  const messageOf = useMessageOf()
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.signatures.install(signature.id),
    onSuccess: ({ queued }) => {
      void readAgain('installations')
      toast(t('queued', { count: queued }))
    },
    onError: error => toastError(t('notQueued'), messageOf(error)),
  })
  return (
    <Button isSmall icon="refresh-cw" isPending={isPending} onPress={() => mutate()}>
      {t('installAgain')}
      <span className="sr-only">: {signature.name}</span>
    </Button>
  )
}

/** Nothing is installed: without recipients, or because other signatures come first for all of them. */
function NoInstallations({ signatureId }: { readonly signatureId: string }) {
  const t = useTranslations('installations')
  const { data } = useQuery(selectionQuery(signatureId))
  const count = data?.matching_emails_count ?? 0
  return (
    <p className="text-[0.8125rem] text-muted">
      {count === 0 ? t('noRecipients') : t('allKeepOther', { count })}
    </p>
  )
}

export function SignatureProgress({ signature }: { readonly signature: SignatureListItem }) {
  const t = useTranslations('installations')
  const format = useFormatter()
  const now = useNow({ updateInterval: 5_000 })
  const can = useCan()
  const integrations = useIntegrations()
  const { data, error, refetch } = useProgress(signature.id)
  const channel = integrations.length === 1 ? (integrations[0]?.name ?? '') : t('channels.mailboxes')
  const { personal_page: copies } = data ?? {}
  const hasMailboxes = data !== undefined && isPushed(data)
  return (
    <li className="grid gap-3 p-5">
      <div className="flex flex-wrap items-center gap-3">
        <h3 className="min-w-40 flex-1 truncate font-semibold">
          <PathLink to={`/signatures/${signature.id}`} className="hover:underline">
            {signature.name}
          </PathLink>
        </h3>
        {data?.estimated_end && (
          <p role="status" className="text-[0.8125rem] text-muted">
            {t('ready', { when: format.relativeTime(new Date(data.estimated_end), now) })}
          </p>
        )}
        {copies && <LinkListButton signature={signature} />}
        {can('signatures:write') && hasMailboxes && <InstallButton signature={signature} />}
      </div>
      <LoadState query={{ data, error, refetch }} lines={2} />
      {data && hasMailboxes && <ChannelBar title={channel} counts={data} />}
      {copies && copies.installed + copies.pending + copies.failed > 0 && (
        <ChannelBar title={t('copied')} counts={copies} />
      )}
      {data && !hasMailboxes && copies && copies.installed + copies.pending > 0 && (
        <p className="text-[0.8125rem] text-muted">{t('byHand')}</p>
      )}
      {data && !hasMailboxes && copies && copies.installed + copies.pending + copies.failed === 0 && (
        <NoInstallations signatureId={signature.id} />
      )}
    </li>
  )
}
