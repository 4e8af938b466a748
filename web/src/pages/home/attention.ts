// What needs a person: each part is one question to the API, and only those that the role may ask.
import { useQueries } from '@tanstack/react-query'
import { api, type Scope } from '../../api/client.ts'
import { totalOf } from '../../api/counts.ts'
import { useCan } from '../../api/session.tsx'
import type { IconName } from '../../ui/icon.tsx'

export interface AttentionItem {
  readonly id: string
  readonly kind: 'failed' | 'integration' | 'profiles' | 'publications' | 'webhook' | 'missing'
  readonly icon: IconName
  readonly isSevere: boolean
  readonly values: Readonly<Record<string, string | number>>
  readonly to: string
  readonly search?: Readonly<Record<string, string>>
}

/** Checking a signature reads all its recipients: the first ones are enough for this page. */
const maxChecked = 5

const counted = (item: Omit<AttentionItem, 'values'>, count: number): readonly AttentionItem[] =>
  count > 0 ? [{ ...item, values: { count } }] : []

async function failedInstallations(): Promise<readonly AttentionItem[]> {
  const count = await totalOf(api.installations.list({ status: 'failed', limit: 1 }))
  const to = { to: '/installations', search: { status: 'failed' } }
  return counted({ id: 'failed', kind: 'failed', icon: 'circle-alert', isSevere: true, ...to }, count)
}

async function brokenIntegrations(): Promise<readonly AttentionItem[]> {
  const all = await api.integrations.list({ limit: 100 })
  return all
    .filter(({ status }) => status === 'error')
    .map(({ id, name, error_message: message }) => ({
      id,
      kind: 'integration' as const,
      icon: 'plug' as const,
      isSevere: true,
      values: { name, message: message ?? '' },
      to: '/integrations',
    }))
}

async function waitingProfiles(): Promise<readonly AttentionItem[]> {
  const count = await totalOf(api.profileChanges.list({ status: 'pending', limit: 1 }))
  return counted(
    { id: 'profiles', kind: 'profiles', icon: 'id-card', isSevere: false, to: '/approvals' },
    count,
  )
}

async function waitingPublications(): Promise<readonly AttentionItem[]> {
  const count = await totalOf(api.publicationRequests.list({ status: 'pending', limit: 1 }))
  const item = { id: 'publications', kind: 'publications', icon: 'clipboard-check', isSevere: false } as const
  return counted({ ...item, to: '/approvals' }, count)
}

async function failingWebhooks(): Promise<readonly AttentionItem[]> {
  const all = await api.webhooks.list({ limit: 100 })
  return all
    .filter(hook => hook.disabled_reason !== null || (hook.active && hook.failing_since !== null))
    .map(({ id, url, disabled_reason: reason }) => ({
      id,
      kind: 'webhook' as const,
      icon: 'webhook' as const,
      isSevere: reason !== null,
      values: { host: new URL(url).host, state: reason === null ? 'failing' : 'off' },
      to: '/settings/webhooks',
    }))
}

async function missingValues(): Promise<readonly AttentionItem[]> {
  const all = await api.signatures.list({ limit: 100 })
  const live = all.filter(each => each.signature_installation_activated && each.last_published_at !== null)
  const checked = await Promise.all(
    live.slice(0, maxChecked).map(async ({ id, name }) => {
      const { problems } = await api.signatures.check(id)
      const missing = problems.filter(({ code }) => code === 'missing_values')
      return { id, name, count: Math.max(0, ...missing.map(each => each.recipients_affected)) }
    }),
  )
  return checked
    .filter(({ count }) => count > 0)
    .map(({ id, name, count }) => ({
      id,
      kind: 'missing' as const,
      icon: 'users' as const,
      isSevere: false,
      values: { name, count },
      to: `/signatures/${id}`,
    }))
}

const questions: readonly {
  readonly key: readonly string[]
  readonly needs: Scope
  readonly ask: () => Promise<readonly AttentionItem[]>
  readonly staleTime?: number
}[] = [
  { key: ['installations', 'failed'], needs: 'installations:read', ask: failedInstallations },
  { key: ['integrations', 'broken'], needs: 'integrations:read', ask: brokenIntegrations },
  { key: ['profile-changes', 'waiting'], needs: 'teammates:write', ask: waitingProfiles },
  { key: ['publication-requests', 'waiting'], needs: 'signatures:write', ask: waitingPublications },
  { key: ['webhooks', 'failing'], needs: 'webhooks:read', ask: failingWebhooks },
  { key: ['signatures', 'missing-values'], needs: 'signatures:read', ask: missingValues, staleTime: 300_000 },
]

export function useAttention() {
  const can = useCan()
  const results = useQueries({
    queries: questions
      .filter(({ needs }) => can(needs))
      .map(({ key, ask, staleTime = 30_000 }) => ({
        queryKey: [...key, 'attention'],
        queryFn: ask,
        staleTime,
      })),
  })
  const failed = results.find(({ isError }) => isError)
  const items = results.flatMap(({ data = [] }) => data)
  return {
    items: [...items].sort((one, other) => Number(other.isSevere) - Number(one.isSevere)),
    isLoading: results.some(({ isPending }) => isPending),
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
  }
}
