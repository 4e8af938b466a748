// A connected system: whether it works, what it brings, and what it waits for.
import type { Integration } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useFormatter, useNow, useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { isDirectory } from '#api/integrations.ts'
import { totalOf } from '#api/lists.ts'
import { PathLink, TextLink } from '#ui/base/text-link.tsx'
import { isReadByService } from './data.ts'
import { isKnownKind } from './kinds.ts'
import { KindIcon } from './parts/kind-icon.tsx'
import { StateBadge } from './parts/state-badge.tsx'
import { StateNotice } from './parts/state-notice.tsx'
import { useRelayDomains } from './relay/relay-notice.tsx'

async function loadMailboxes(id: string) {
  const count = (status: 'installed' | 'pending' | 'failed') =>
    totalOf(api.installations.list({ integration_id: id, status, limit: 1 }))
  const [installed, pending, failed] = await Promise.all([
    count('installed'),
    count('pending'),
    count('failed'),
  ])
  return { installed, pending, failed, total: installed + pending + failed }
}

/** Outlook and the relay take a signature when a person writes a mail: until then, nothing is late or wrong. */
const countsTextOf = (kind: string) =>
  kind === 'microsoft_365' || kind === 'smtp_relay' ? (`fetched.${kind}` as const) : 'mailboxCounts'

export function useIntegrationFacts(integration: Integration) {
  const t = useTranslations('integrations')
  const format = useFormatter()
  const now = useNow({ updateInterval: 30_000 })
  const isChannel = integration.capabilities.includes('channel')
  const { data: mailboxes, isError } = useQuery({
    queryKey: ['integrations', integration.id, 'mailboxes'],
    queryFn: () => loadMailboxes(integration.id),
    enabled: isChannel,
  })
  const relayDomains = useRelayDomains(integration)
  const nextHop = integration.kind === 'smtp_relay' ? integration.settings.next_hop : undefined
  const { last_synced_at: last, next_sync_at: next } = integration
  const nextText = () => {
    if (next === null) return t('byRequest')
    return Date.parse(next) <= now.getTime() ? t('anyMoment') : format.relativeTime(new Date(next), now)
  }
  return [
    isDirectory(integration) && { label: t('people'), value: format.number(integration.people_count) },
    isDirectory(integration) && {
      label: t('lastSync'),
      value: last === null ? t('never') : format.relativeTime(new Date(last), now),
    },
    isReadByService(integration) && last !== null && { label: t('nextSync'), value: nextText() },
    typeof nextHop === 'string' && { label: t('fields.next_hop.label'), value: nextHop },
    nextHop !== undefined &&
      relayDomains.length > 0 && { label: t('fields.domains.label'), value: relayDomains.join(', ') },
    isChannel && {
      label: t('mailboxes'),
      value: mailboxes ? t(countsTextOf(integration.kind), mailboxes) : isError ? t('unknown') : '…',
    },
  ].filter(fact => fact !== false)
}

export function ConnectedCard({
  integration,
  isRunning,
}: {
  readonly integration: Integration
  readonly isRunning: boolean
}) {
  const t = useTranslations('integrations')
  const facts = useIntegrationFacts(integration)
  const { id, kind, name } = integration
  return (
    <li className="grid content-start gap-4 rounded-2xl border border-line bg-card p-5">
      <div className="flex items-start gap-3">
        <KindIcon kind={kind} isOn />
        <div className="min-w-0 flex-1">
          <h3 className="font-semibold">
            <PathLink to={`/integrations/${id}`} className="rounded hover:text-accent hover:underline">
              {name}
            </PathLink>
          </h3>
          <p className="text-[0.8125rem] text-muted">{isKnownKind(kind) ? t(`kinds.${kind}.title`) : kind}</p>
        </div>
        <StateBadge integration={integration} isRunning={isRunning} />
      </div>
      <StateNotice integration={integration} />
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-[0.8125rem]">
        {facts.map(({ label, value }) => (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-auto flex flex-wrap gap-x-4 gap-y-1 border-t border-line pt-3 text-[0.8125rem]">
        <TextLink to={`/integrations/${id}`}>
          {t('open')}
          <span className="sr-only">: {name}</span>
        </TextLink>
        {integration.capabilities.includes('channel') && (
          <TextLink to="/installations" search={{ integration: id }}>
            {t('toInstallations')}
          </TextLink>
        )}
      </p>
    </li>
  )
}
