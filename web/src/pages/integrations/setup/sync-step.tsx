// The dry run, which shows what would happen, and then the first run.
import type { Integration } from '@signoff/sdk'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { Button, LinkButton } from '#ui/base/button.tsx'
import { Card, Notice } from '#ui/layout/page.tsx'
import { Actions } from '#ui/overlay/dialog.tsx'
import { refreshDirectories, useRun } from '../data.ts'
import { PreviewLists } from '../runs/preview-lists.tsx'
import { RunCounts, useRunSummary } from '../runs/run-counts.tsx'
import { RunProgress } from '../runs/run-progress.tsx'

/** Begins a run by request, and follows it to its end. */
function useStartedRun(integrationId: string, isDry: boolean) {
  const start = useMutation({
    mutationFn: () => api.teammates.sync({ integration_id: integrationId, dry_run: isDry }),
    onSuccess: () => void refreshDirectories(),
  })
  const { data: followed } = useRun(start.data?.id ?? null)
  return { start, run: followed ?? start.data }
}

type StartedRun = ReturnType<typeof useStartedRun>

const FailedRun = ({ started, onRetry }: { readonly started: StartedRun; readonly onRetry: () => void }) => {
  const t = useTranslations('integrations.setup')
  const messageOf = useMessageOf()
  const { start, run } = started
  return (
    <div role="alert" className="grid gap-3">
      <Notice kind="bad">
        <p className="font-medium">{t('notRead')}</p>
        <p>{start.error ? messageOf(start.error) : (run?.error_message ?? '')}</p>
      </Notice>
      <div>
        <Button isSmall icon="refresh-cw" onPress={onRetry}>
          {t('tryAgain')}
        </Button>
      </div>
    </div>
  )
}

const hasFailed = ({ start, run }: StartedRun): boolean => start.isError || run?.status === 'failed'

export function SyncStep({
  integration,
  onBack,
}: {
  readonly integration: Integration
  readonly onBack: () => void
}) {
  const t = useTranslations('integrations.setup')
  const dry = useStartedRun(integration.id, true)
  const real = useStartedRun(integration.id, false)
  const { mutate: startDry } = dry.start
  useEffect(() => startDry(), [startDry])
  const isPreviewed = dry.run?.status === 'succeeded'
  if (real.start.status !== 'idle')
    return <FirstSync started={real} integration={integration} expected={expectedOf(dry)} />
  return (
    <div className="grid gap-4">
      {hasFailed(dry) ? (
        <Card title={t('previewTitle')}>
          <FailedRun started={dry} onRetry={() => startDry()} />
        </Card>
      ) : isPreviewed && dry.run ? (
        <PreviewLists run={dry.run} />
      ) : (
        <Card title={t('previewTitle')} about={t('previewAbout')}>
          {dry.run && <RunProgress run={dry.run} />}
        </Card>
      )}
      <Actions>
        <Button onPress={onBack}>{t('back')}</Button>
        <Button variant="primary" isDisabled={!isPreviewed} onPress={() => real.start.mutate()}>
          {t(integration.last_synced_at === null ? 'startFirst' : 'start')}
        </Button>
      </Actions>
    </div>
  )
}

const expectedOf = ({ run }: StartedRun): number =>
  run ? run.people_added + run.people_changed + run.people_reactivated : 0

interface FirstSyncProps {
  readonly started: StartedRun
  readonly integration: Integration
  readonly expected: number
}

function FirstSync({ started, integration, expected }: FirstSyncProps) {
  const t = useTranslations('integrations.setup')
  const summaryOf = useRunSummary()
  const { run, start } = started
  if (hasFailed(started))
    return (
      <Card title={t('syncTitle')}>
        <FailedRun started={started} onRetry={() => start.mutate()} />
      </Card>
    )
  if (!run || run.status === 'running')
    return (
      <Card title={t('syncTitle')} about={t('syncAbout')}>
        {run && <RunProgress run={run} expected={expected} />}
      </Card>
    )
  return (
    <Card
      title={t('doneTitle')}
      about={t(integration.settings.sync_minutes === null ? 'doneByHand' : 'doneAbout')}
    >
      <p role="status" className="sr-only">
        {summaryOf(run)}
      </p>
      <RunCounts run={run} />
      {(run.problem_count > 0 || run.status === 'held') && (
        <div className="mt-5">
          <Notice kind="warn">
            <p>{run.status === 'held' ? t('doneHeld') : t('doneProblems', { count: run.problem_count })}</p>
            <LinkButton to={`/integrations/${integration.id}/runs/${run.id}`} isSmall className="mt-2.5">
              {t('look')}
            </LinkButton>
          </Notice>
        </div>
      )}
      <Actions>
        <LinkButton to="/people">{t('toPeople')}</LinkButton>
        <LinkButton to={`/integrations/${integration.id}`} variant="primary">
          {t('finish')}
        </LinkButton>
      </Actions>
    </Card>
  )
}
