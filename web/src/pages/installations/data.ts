// What the page reads, and how mailboxes are written again.
import type { Installation, InstallationProgress, Integration } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { api, readAgain } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { type FailureReason, reasonOfCode } from '#records/installations/reasons.ts'

export const useSignatures = () =>
  useQuery({ queryKey: ['signatures', 'all-names'], queryFn: () => api.signatures.list({ limit: 100 }) })

/** Those who may not read integrations see the channel alone. */
export function useIntegrations(): readonly Integration[] {
  const mayRead = useCan()('integrations:read')
  const { data = [] } = useQuery({
    queryKey: ['integrations', 'list'],
    queryFn: () => api.integrations.list({ limit: 100 }),
    enabled: mayRead,
  })
  return data
}

const isRunning = (progress: InstallationProgress | undefined): boolean =>
  progress !== undefined && progress.pending > 0 && progress.rate > 0

/** Asked every 3 seconds while something is on its way. */
export const useProgress = (signatureId: string) =>
  useQuery({
    queryKey: ['installations', 'progress', signatureId],
    queryFn: () => api.signatures.installationProgress(signatureId),
    refetchInterval: ({ state: { data } }) => (isRunning(data) ? 3_000 : 30_000),
  })

export interface FailureGroup {
  readonly reason: FailureReason
  readonly installations: readonly Installation[]
}

export interface Failures {
  readonly total: number
  /** The largest first. */
  readonly groups: readonly FailureGroup[]
}

export type ProblemStatus = 'failed' | 'drifted'

/** More are not read: the groups are the same, and the total is known. */
const maxFailures = 500

async function loadFailures(status: ProblemStatus): Promise<Failures> {
  const call = api.installations.list({ status, limit: 100 })
  const { total_count: total } = (await call.raw()).body.pagination
  const groups = new Map<FailureReason, Installation[]>()
  let count = 0
  for await (const installation of call) {
    const reason = reasonOfCode(installation.error_code)
    groups.set(reason, [...(groups.get(reason) ?? []), installation])
    count += 1
    if (count >= maxFailures) break
  }
  const sorted = [...groups].map(([reason, installations]) => ({ reason, installations }))
  return { total, groups: sorted.sort((a, b) => b.installations.length - a.installations.length) }
}

export const useFailures = (status: ProblemStatus) =>
  useQuery({
    queryKey: ['installations', 'failures', status],
    queryFn: () => loadFailures(status),
    refetchInterval: 30_000,
  })

/** One request per address, a few at a time. Answers how many were refused. */
export async function installAgain(addressIds: readonly string[]): Promise<number> {
  const waiting = [...new Set(addressIds)]
  let refused = 0
  const work = async () => {
    for (let id = waiting.pop(); id; id = waiting.pop())
      await api.emails.install(id).catch(() => {
        refused += 1
      })
  }
  await Promise.all([work(), work(), work(), work()])
  void readAgain('installations')
  return refused
}
