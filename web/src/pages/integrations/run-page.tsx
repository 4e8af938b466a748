// One run: what it changed, what it holds, and the people with problems.
import type { Integration, SyncRun } from '@signoff/sdk'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { NotFoundPage } from '#records/failures.tsx'
import { codeOf } from '#state/errors.ts'
import { Button } from '#ui/base/button.tsx'
import { useAction } from '#ui/feedback/use-action.ts'
import { DetailList } from '#ui/layout/detail-list.tsx'
import { Card, LoadState, Notice, Page } from '#ui/layout/page.tsx'
import { ConfirmDialog } from '#ui/overlay/dialog.tsx'
import { refreshDirectories, useRun } from './data.ts'
import { LoadedIntegration } from './parts/integration-frame.tsx'
import { PreviewLists } from './runs/preview-lists.tsx'
import { RunBadge } from './runs/run-badge.tsx'
import { RunCounts } from './runs/run-counts.tsx'
import { RunProblems } from './runs/run-problems.tsx'
import { RunProgress } from './runs/run-progress.tsx'
import { errorCodeOf } from './runs/run-table.tsx'
import { directoryValuesOf } from './settings/settings-values.ts'

interface ApproveButtonProps {
  readonly run: SyncRun
  readonly integration: Integration
}

/** Lets the people of a held run leave, after a question that says how many. */
function ApproveButton({ run, integration }: ApproveButtonProps) {
  const t = useTranslations('integrations.held')
  const can = useCan()
  const [isAsking, setAsking] = useState(false)
  const approve = useAction(refreshDirectories, {
    run: () => api.syncRuns.approve(run.id),
    done: () => t('approved'),
  })
  if (!can('integrations:write')) return null
  const counts = { people: run.people_held, members: run.members_held }
  return (
    <>
      <Button variant="primary" onPress={() => setAsking(true)}>
        {t('approve', counts)}
      </Button>
      <ConfirmDialog
        title={t('question', counts)}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        action={t('confirm', counts)}
        isPending={approve.isPending}
        onConfirm={() => approve.mutate(undefined, { onSettled: () => setAsking(false) })}
      >
        <p>{t('questionText', { days: directoryValuesOf(integration).grace_days })}</p>
        <p className="mt-2">{t('questionHint')}</p>
      </ConfirmDialog>
    </>
  )
}

function HeldCard({ run, integration }: { readonly run: SyncRun; readonly integration: Integration }) {
  const t = useTranslations('integrations.held')
  return (
    <Notice kind="warn">
      <p className="font-medium">{t('title', { people: run.people_held, members: run.members_held })}</p>
      <p className="mt-1">{t('why')}</p>
      <p className="mt-1">{t('choices')}</p>
      <div className="mt-3">
        <ApproveButton run={run} integration={integration} />
      </div>
    </Notice>
  )
}

function Outcome({ run }: { readonly run: SyncRun }) {
  const t = useTranslations('integrations.runs')
  if (run.status === 'failed')
    return (
      <Notice kind="bad">
        <p className="font-medium">{t(`errors.${errorCodeOf(run)}`)}</p>
        <p>{t('nobodyLeft')}</p>
        {run.error_message !== null && <p className="mt-1 opacity-90">{run.error_message}</p>}
      </Notice>
    )
  if (run.status === 'superseded') return <Notice>{t('superseded')}</Notice>
  if (run.status === 'approved') return <Notice kind="good">{t('approvedText')}</Notice>
  return null
}

function RunFacts({ run }: { readonly run: SyncRun }) {
  const t = useTranslations('integrations.runs')
  const format = useFormatter()
  const at = (time: string | null) =>
    time === null ? null : format.dateTime(new Date(time), { dateStyle: 'medium', timeStyle: 'medium' })
  return (
    <Card title={t('facts')}>
      <DetailList
        rows={[
          { label: t('trigger'), value: t(`triggers.${run.trigger}`) },
          { label: t('kind'), value: t(`kinds.${run.kind}`) },
          { label: t('started'), value: at(run.started_at) },
          { label: t('ended'), value: at(run.ended_at) },
          { label: t('decided'), value: at(run.decided_at) },
        ]}
      />
    </Card>
  )
}

function RunContent({ run, integration }: { readonly run: SyncRun; readonly integration: Integration }) {
  const t = useTranslations('integrations.runs')
  if (run.status === 'running')
    return (
      <Card>
        <RunProgress run={run} />
      </Card>
    )
  return (
    <div className="grid grid-cols-1 gap-4">
      {run.status === 'held' && <HeldCard run={run} integration={integration} />}
      <Outcome run={run} />
      {run.kind === 'dry' ? (
        run.status === 'succeeded' && <PreviewLists run={run} />
      ) : (
        <>
          <Card title={t('changed')}>
            <RunCounts run={run} />
          </Card>
          <RunProblems run={run} />
        </>
      )}
      <RunFacts run={run} />
    </div>
  )
}

function RunFrame({ integration }: { readonly integration: Integration }) {
  const t = useTranslations('integrations')
  const format = useFormatter()
  const { run: runId = '' } = useParams({ strict: false }) as { readonly run?: string }
  const { data: run, error, refetch } = useRun(runId)
  if (error && ['not_found', 'invalid'].includes(codeOf(error))) return <NotFoundPage />
  const when = run && format.dateTime(new Date(run.created_at), { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <Page
      title={when === undefined ? t('runs.one') : t('runs.oneAt', { when })}
      parent={{ to: `/integrations/${integration.id}/runs`, label: integration.name }}
      about={run && <RunBadge run={run} />}
    >
      <LoadState query={{ data: run, error, refetch }} lines={8} />
      {run && <RunContent run={run} integration={integration} />}
    </Page>
  )
}

export default function RunPage() {
  return <LoadedIntegration>{integration => <RunFrame integration={integration} />}</LoadedIntegration>
}
