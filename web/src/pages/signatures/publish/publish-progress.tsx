import type { InstallationProgress } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { ProgressBar } from 'react-aria-components/ProgressBar'
import { useFormatter, useTranslations } from 'use-intl'
import { useChecklist } from '../../../api/checklist.ts'
import { api } from '../../../api/client.ts'
import { useCan } from '../../../api/session.tsx'
import { Button } from '../../../ui/button.tsx'
import { Actions } from '../../../ui/dialog.tsx'
import { LoadError, Notice, Skeleton } from '../../../ui/page.tsx'
import { LinkListButton } from '../../../ui/personal-links.tsx'
import { reasonOfCode } from '../../installations/reasons.ts'
import { useSignatureAction } from '../signature-data.ts'

const pollMilliseconds = 1_500

const sumOf = (
  counts: Pick<InstallationProgress, 'pending' | 'installed' | 'failed' | 'uninstalled'>,
): number => counts.pending + counts.installed + counts.failed + counts.uninstalled

/** Nothing is pushed: people copy the signature from their personal page. */
const isByHand = (progress: InstallationProgress): boolean =>
  sumOf(progress) === 0 || sumOf(progress) === sumOf(progress.personal_page)

interface PublishProgressProps {
  readonly signatureId: string
  readonly onClose: () => void
}

export function PublishProgress({ signatureId, onClose }: PublishProgressProps) {
  const t = useTranslations('signatures')
  const { data, error, refetch } = useQuery({
    queryKey: ['signatures', 'progress', signatureId],
    queryFn: () => api.signatures.installationProgress(signatureId),
    refetchInterval: query =>
      query.state.data && (query.state.data.pending === 0 || isByHand(query.state.data))
        ? false
        : pollMilliseconds,
    staleTime: 0,
  })
  return (
    <>
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={3} />}
      {data && (isByHand(data) ? <ByHand signatureId={signatureId} /> : <Pushed progress={data} />)}
      <Actions>
        <Button look="primary" onPress={onClose}>
          {t('done')}
        </Button>
      </Actions>
    </>
  )
}

function ByHand({ signatureId }: { readonly signatureId: string }) {
  const t = useTranslations('signatures')
  const can = useCan()
  const hasMail = useChecklist().data?.done.mail ?? true
  const invite = useSignatureAction({
    run: () => api.signatures.invite(signatureId),
    done: ({ queued }) => t('invited', { count: queued }),
  })
  return (
    <div className="grid gap-4">
      <p className="text-muted">{t('byHandText')}</p>
      {can('signatures:write') && (
        <div className="flex flex-wrap gap-2">
          {hasMail && (
            <Button
              icon="mail"
              isDisabled={invite.isSuccess}
              isPending={invite.isPending}
              onPress={() => invite.mutate()}
            >
              {t('invite')}
            </Button>
          )}
          <LinkListButton signature={{ id: signatureId, name: '' }} />
        </div>
      )}
    </div>
  )
}

function Pushed({ progress }: { readonly progress: InstallationProgress }) {
  const t = useTranslations('signatures')
  const format = useFormatter()
  const { pending, installed, failed, estimated_end } = progress
  const total = pending + installed + failed
  return (
    <div className="grid gap-4">
      <ProgressBar aria-label={t('installing')} value={total === 0 ? 100 : ((total - pending) / total) * 100}>
        {({ percentage = 0 }) => (
          <div className="h-2 overflow-hidden rounded-full bg-sunken">
            <div
              className="h-full rounded-full bg-accent transition-[width]"
              style={{ width: `${percentage}%` }}
            />
          </div>
        )}
      </ProgressBar>
      <p role="status">
        {t('installedOf', { installed, total })}{' '}
        {pending > 0 && estimated_end && (
          <span className="text-muted">
            {t('endsAt', { when: format.dateTime(new Date(estimated_end), { timeStyle: 'short' }) })}
          </span>
        )}
      </p>
      {failed > 0 && <Failures progress={progress} />}
    </div>
  )
}

/** The failures grouped by their reason. */
function Failures({ progress: { signature_id: id, failed } }: { readonly progress: InstallationProgress }) {
  const t = useTranslations('signatures')
  const can = useCan()
  const { data = [] } = useQuery({
    queryKey: ['installations', 'failed', id, failed],
    queryFn: () => api.installations.list({ signature_template_id: id, status: 'failed', limit: 100 }),
    enabled: can('installations:read'),
  })
  const texts = useTranslations('installations.reasons')
  const reasons = Map.groupBy(data, ({ error_code }) => reasonOfCode(error_code))
  const retry = useSignatureAction({
    run: () => api.signatures.install(id),
    done: ({ queued }) => t('retried', { count: queued }),
  })
  return (
    <Notice kind="bad">
      <p className="font-medium">{t('failedCount', { count: failed })}</p>
      <ul className="mt-1 list-disc ps-4">
        {[...reasons].map(([reason, rows]) => (
          <li key={reason}>
            <strong className="font-medium">{texts(`${reason}.title`)}</strong> ({rows.length}).{' '}
            {texts(`${reason}.remedy`)}
            {reason === 'other' && rows[0]?.error_message && (
              <span lang="en" className="block">
                {rows[0].error_message}
              </span>
            )}
          </li>
        ))}
      </ul>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button isSmall icon="refresh-cw" onPress={() => retry.mutate()} isPending={retry.isPending}>
          {t('retry')}
        </Button>
      </div>
    </Notice>
  )
}
