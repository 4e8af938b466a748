import type { SyncRunSummary } from '@signoff/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { TextLink } from '#ui/base/text-link.tsx'
import { type Column, Table } from '#ui/table/table.tsx'
import { RunBadge } from './run-badge.tsx'
import { useRunSummary } from './run-counts.tsx'

export const useRuns = (integrationId: string, limit: number) =>
  useQuery({
    queryKey: ['sync_runs', 'list', integrationId, limit],
    queryFn: () => api.syncRuns.list({ integration_id: integrationId, limit }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  })

interface RunTableProps {
  readonly integrationId: string
  readonly runs: readonly SyncRunSummary[]
}

export function RunTable({ integrationId, runs }: RunTableProps) {
  const t = useTranslations('integrations.runs')
  const format = useFormatter()
  const summaryOf = useRunSummary()
  const textOf = (run: SyncRunSummary) => {
    if (run.status === 'failed') return t(`errors.${errorCodeOf(run)}`)
    if (run.status === 'running') return '…'
    return run.kind === 'dry' ? t('dry') : summaryOf(run)
  }
  const columns: readonly Column<SyncRunSummary>[] = [
    {
      id: 'when',
      title: t('when'),
      cell: run => (
        <>
          <TextLink to={`/integrations/${integrationId}/runs/${run.id}`}>
            {format.dateTime(new Date(run.created_at), { dateStyle: 'medium', timeStyle: 'short' })}
          </TextLink>
          <span className="block text-[0.8125rem] text-muted sm:hidden">{textOf(run)}</span>
        </>
      ),
    },
    { id: 'status', title: t('result'), cell: run => <RunBadge run={run} /> },
    { id: 'changes', title: t('changes'), cell: textOf, isSecondary: true },
    { id: 'trigger', title: t('trigger'), cell: run => t(`triggers.${run.trigger}`), isSecondary: true },
    {
      id: 'problems',
      title: t('problems'),
      isNumber: true,
      isSecondary: true,
      cell: ({ problem_count }) =>
        problem_count > 0 ? format.number(problem_count) : <span className="text-muted">–</span>,
    },
  ]
  return <Table label={t('title')} columns={columns} rows={runs} keyOf={({ id }) => id} />
}

const errorCodes = ['access_lost', 'unavailable', 'invalid_answer', 'disconnected'] as const

/** Codes without an own text say that the run did not end. */
export const errorCodeOf = ({ error_code }: Pick<SyncRunSummary, 'error_code'>) =>
  errorCodes.find(code => code === error_code) ?? 'other'
