import { useQueries } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api, queryClient, type Scope } from '#api/client.ts'
import { totalOf } from '#api/lists.ts'
import { useCan } from '#api/session.ts'
import { smartFieldsQuery } from '#api/smart-fields.ts'
import { isLiveSignature } from '#records/signatures/signature-data.ts'
import { classes } from '#ui/base/classes.ts'
import { Icon, type IconName } from '#ui/base/icon.tsx'
import { PathLink } from '#ui/base/text-link.tsx'
import { Card, LoadError, Skeleton } from '#ui/layout/page.tsx'

interface AttentionItem {
  readonly id: string
  readonly kind: 'failed' | 'unreached' | 'integration' | 'profiles' | 'publications' | 'webhook' | 'missing'
  readonly icon: IconName
  readonly isSevere: boolean
  readonly values: Readonly<Record<string, string | number>>
  readonly to: string
  readonly search?: Readonly<Record<string, string>>
}

const counted = (item: Omit<AttentionItem, 'values'>, count: number): readonly AttentionItem[] =>
  count > 0 ? [{ ...item, values: { count } }] : []

async function failedInstallations(): Promise<readonly AttentionItem[]> {
  const count = await totalOf(api.installations.list({ status: 'failed', limit: 1 }))
  const to = { to: '/installations', search: { status: 'failed' } }
  return counted({ id: 'failed', kind: 'failed', icon: 'circle-alert', isSevere: true, ...to }, count)
}

/** Live signatures that people do not have yet. More are on the page. */
const maxUnreached = 3

async function unreachedPeople(): Promise<readonly AttentionItem[]> {
  const live = (await api.signatures.list({ limit: 100 })).filter(isLiveSignature).slice(0, 20)
  const all = await Promise.all(
    live.map(async ({ id, name }) => ({ name, ...(await api.signatures.installationProgress(id)) })),
  )
  const item = { kind: 'unreached', icon: 'inbox', isSevere: false, to: '/installations' } as const
  return all
    .filter(({ pending }) => pending > 0)
    .slice(0, maxUnreached)
    .map(({ signature_id: id, name, pending }) => ({ ...item, id, values: { count: pending, name } }))
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
      to: `/integrations/${id}`,
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

/** Only fields that everyone should have: the others may stay empty. One line for each names the field. */
async function missingValues(): Promise<readonly AttentionItem[]> {
  const fields = await queryClient.fetchQuery(smartFieldsQuery)
  const required = fields.filter(field => field.required && !field.fallback)
  const counts = await Promise.all(
    required.map(async field => ({
      field,
      count: await totalOf(api.teammates.list({ missing_smart_field: field.key, active: true, limit: 1 })),
    })),
  )
  return counts
    .filter(({ count }) => count > 0)
    .map(({ field: { id, key, label }, count }) => ({
      id,
      kind: 'missing' as const,
      icon: 'users' as const,
      isSevere: false,
      values: { count, field: label },
      to: '/people',
      search: { missing: key, active: 'yes' },
    }))
}

const questions: readonly {
  readonly key: readonly string[]
  readonly needs: Scope
  readonly ask: () => Promise<readonly AttentionItem[]>
}[] = [
  { key: ['installations', 'failed'], needs: 'installations:read', ask: failedInstallations },
  { key: ['installations', 'unreached'], needs: 'installations:read', ask: unreachedPeople },
  { key: ['integrations', 'broken'], needs: 'integrations:read', ask: brokenIntegrations },
  { key: ['profile_changes', 'waiting'], needs: 'teammates:write', ask: waitingProfiles },
  // Owners and admins alone decide about publications.
  { key: ['publication_requests', 'waiting'], needs: 'workspace:write', ask: waitingPublications },
  { key: ['webhooks', 'failing'], needs: 'webhooks:read', ask: failingWebhooks },
  { key: ['teammates', 'missing-values'], needs: 'teammates:read', ask: missingValues },
]

/** The work that needs a person: each part is one question to the API, and only those that the role may ask. */
function useAttention() {
  const can = useCan()
  const results = useQueries({
    queries: questions
      .filter(({ needs }) => can(needs))
      .map(({ key, ask }) => ({
        queryKey: [...key, 'attention'],
        queryFn: ask,
        staleTime: 30_000,
      })),
  })
  const failed = results.find(({ isError }) => isError)
  const items = results.flatMap(({ data = [] }) => data)
  return {
    items: [...items].sort((a, b) => Number(b.isSevere) - Number(a.isSevere)),
    isLoading: results.some(({ isPending }) => isPending),
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
  }
}

const Item = ({ item }: { readonly item: AttentionItem }) => {
  const t = useTranslations('home.attention')
  return (
    <li>
      <PathLink
        to={item.to}
        search={item.search}
        className="-mx-2 flex items-start gap-3 rounded-xl px-2 py-2.5 hover:bg-sunken"
      >
        <span
          className={classes(
            'grid size-8 shrink-0 place-items-center rounded-lg',
            item.isSevere ? 'bg-bad-soft text-bad' : 'bg-warn-soft text-warn',
          )}
        >
          <Icon name={item.icon} />
        </span>
        <span className="min-w-0 flex-1">
          <span className="block font-medium">{t(`${item.kind}.title`, item.values)}</span>
          <span className="block text-[0.8125rem] text-muted">{t(`${item.kind}.about`, item.values)}</span>
        </span>
        <Icon name="chevron-right" className="mt-2 text-muted rtl:rotate-180" />
      </PathLink>
    </li>
  )
}

export function AttentionCard() {
  const t = useTranslations('home.attention')
  const { items, isLoading, error, retry } = useAttention()
  return (
    <Card title={t('title')}>
      {error && <LoadError error={error} onRetry={retry} />}
      {items.length > 0 && (
        <ul className="-my-1 grid">
          {items.map(item => (
            <Item key={item.id} item={item} />
          ))}
        </ul>
      )}
      {items.length === 0 && isLoading && <Skeleton lines={3} />}
      {items.length === 0 && !isLoading && !error && (
        <p className="flex items-center gap-2.5 text-muted">
          <Icon name="circle-check" size={20} className="text-good" />
          {t('nothing')}
        </p>
      )}
    </Card>
  )
}
