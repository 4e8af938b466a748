import type { InstallationProgress, Signature } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { ProgressBar } from 'react-aria-components/ProgressBar'
import { useFormatter, useTranslations } from 'use-intl'
import { useChecklist } from '#api/checklist.ts'
import { api } from '#api/client.ts'
import { isPushed } from '#api/installation-progress.ts'
import { useCan } from '#api/session.ts'
import { Button } from '#ui/base/button.tsx'
import { LoadState, Notice } from '#ui/layout/page.tsx'
import { Actions } from '#ui/overlay/dialog.tsx'
import { reasonOfCode } from '../installations/reasons.ts'
import { LinkListButton } from '../people/personal-links.tsx'
import { useSignatureAction } from '../signatures/signature-data.ts'
import { useIsConnected } from './channels-line.tsx'
import { keptCount } from './reach.tsx'

const pollMilliseconds = 1_500

interface PublishProgressProps {
  readonly signature: Signature
  readonly onClose: () => void
}

export function PublishProgress({ signature, onClose }: PublishProgressProps) {
  const { id: signatureId } = signature
  // The mailboxes are not counted before the work on them has begun.
  const isConnected = useIsConnected() ?? false
  const t = useTranslations('signatures')
  const { data, error, refetch } = useQuery({
    queryKey: ['signatures', 'progress', signatureId],
    queryFn: () => api.signatures.installationProgress(signatureId),
    refetchInterval: query =>
      query.state.data && (isPushed(query.state.data) ? query.state.data.pending === 0 : !isConnected)
        ? false
        : pollMilliseconds,
    staleTime: 0,
  })
  return (
    <>
      <ReachNow signature={signature} />
      <LoadState query={{ data, error, refetch }} lines={3} />
      {data && isPushed(data) && <Pushed progress={data} />}
      {data && !isPushed(data) && isConnected && (
        <p role="status" className="text-muted">
          {t('waysPushed', { count: 0 })}
        </p>
      )}
      {data && !isPushed(data) && !isConnected && <ByHand signatureId={signatureId} />}
      <Actions>
        <Button variant="primary" onPress={onClose}>
          {t('done')}
        </Button>
      </Actions>
    </>
  )
}

/** Number of addresses that really get it: the others keep a signature that comes first. */
function ReachNow({ signature }: { readonly signature: Signature }) {
  const t = useTranslations('signatures')
  const { data } = useQuery({
    queryKey: ['signatures', 'reach', signature.id],
    queryFn: () => api.signatures.check(signature.id),
    staleTime: 0,
  })
  if (!data) return null
  const unreachedCount = keptCount(data)
  return (
    <p role="status" className="mb-3 font-medium">
      {unreachedCount === 0
        ? t('getsIt', { count: data.recipients })
        : t('getsItOf', { count: data.recipients - unreachedCount, total: data.recipients })}
    </p>
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
