// What the pages of integrations read, and when they read it again.
import type { Integration, SyncRun, SyncRunSummary } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api, readAgain } from '#api/client.ts'
import { isDirectory } from '#api/integrations.ts'
import { kindOf } from './kinds.ts'

export const integrationQuery = (id: string) => ({
  queryKey: ['integrations', id],
  queryFn: () => api.integrations.get(id),
  refetchInterval: 60_000,
})

/** Everything that a run of a directory can change. */
export const refreshDirectories = () =>
  readAgain('integrations', 'sync_runs', 'smart_fields', 'teammates', 'workspace')

/** `quiet`: a directory that sends its people itself, and has sent none yet. */
type IntegrationState = 'active' | 'error' | 'held' | 'unfinished' | 'quiet'

/** True if the service begins the runs: by the schedule, and by “Sync now”. */
export const isReadByService = (integration: Integration): boolean =>
  isDirectory(integration) && (kindOf(integration.kind)?.isRead ?? true)

export function stateOf(integration: Integration): IntegrationState {
  if (integration.held_run_id !== null) return 'held'
  if (integration.status === 'error') return 'error'
  if (!isDirectory(integration) || integration.last_synced_at !== null) return 'active'
  return isReadByService(integration) ? 'unfinished' : 'quiet'
}

export const stateLooks = {
  active: 'good',
  error: 'bad',
  held: 'warn',
  unfinished: 'accent',
  quiet: 'neutral',
} as const

/** Runs that are running now, of all directories. */
export function useRunningRuns(): readonly SyncRunSummary[] {
  const { data = [] } = useQuery({
    queryKey: ['sync_runs', 'running'],
    queryFn: () => api.syncRuns.list({ status: 'running', limit: 100 }),
    refetchInterval: ({ state }) => (state.data && state.data.length > 0 ? 2_000 : 30_000),
  })
  return data
}

const isWorking = ({ status }: Pick<SyncRun, 'status'>): boolean => status === 'running'

/** The background work after an approval counts up while the page is open. */
const isSettling = (run: SyncRun): boolean =>
  run.status === 'approved' &&
  run.people_missing + run.people_deactivated + run.people_removed < run.people_held &&
  run.decided_at !== null &&
  Date.now() - Date.parse(run.decided_at) < 60_000

/** A run with its problems, read again until it has ended. Other pages are read again at its end. */
export function useRun(id: string | null) {
  const query = useQuery({
    queryKey: ['sync_runs', 'one', id],
    queryFn: () => api.syncRuns.get(id ?? ''),
    enabled: id !== null,
    refetchInterval: ({ state: { data } }) => (data && (isWorking(data) || isSettling(data)) ? 1_000 : false),
  })
  useRefreshAtEnd(query.data)
  return query
}

/** The newest run of a directory; undefined while it loads, null when there is none. */
export function useNewestRun(integrationId: string): SyncRunSummary | null | undefined {
  const { data } = useQuery({
    queryKey: ['sync_runs', 'newest', integrationId],
    queryFn: async () => (await api.syncRuns.list({ integration_id: integrationId, limit: 1 }))[0] ?? null,
    refetchInterval: ({ state: { data } }) => (data && isWorking(data) ? 1_000 : 30_000),
  })
  useRefreshAtEnd(data ?? undefined)
  return data
}

function useRefreshAtEnd(run: Pick<SyncRun, 'id' | 'status'> | undefined): void {
  const running = useRef<string | null>(null)
  useEffect(() => {
    if (!run) return
    if (isWorking(run)) running.current = run.id
    else if (running.current === run.id) {
      running.current = null
      void refreshDirectories()
    }
  }, [run])
}
