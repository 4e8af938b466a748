// What was changed of a person, and by whom.
import type { AuditEntry, Teammate } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { api } from '../../../api/client.ts'
import { LinkButton } from '../../../ui/button.tsx'
import { Card, LoadError, Skeleton } from '../../../ui/page.tsx'

function useActorOf() {
  const t = useTranslations('people.history')
  return ({ member_name, api_key_name, via }: AuditEntry): string => {
    if (via === 'personal_page') return t('themselves')
    return member_name ?? api_key_name ?? t('service')
  }
}

export function HistoryCard({ person }: { readonly person: Teammate }) {
  const t = useTranslations('people.history')
  const format = useFormatter()
  const actorOf = useActorOf()
  const { data, error, refetch } = useQuery({
    queryKey: ['teammates', person.id, 'history'],
    queryFn: () => api.auditLog.list({ resource_id: person.id, limit: 10 }),
  })
  const textOf = (action: string) => {
    const key = action.replaceAll('.', '_') as Parameters<typeof t.has>[0]
    return t.has(key) ? t(key as Parameters<typeof t>[0]) : action
  }
  return (
    <Card
      title={t('title')}
      actions={
        <LinkButton to="/settings/audit" search={{ resource_id: person.id } as never} isSmall look="quiet">
          {t('all')}
        </LinkButton>
      }
    >
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={3} />}
      {data?.length === 0 && <p className="text-[0.8125rem] text-muted">{t('empty')}</p>}
      <ol className="grid gap-2.5">
        {data?.map(entry => (
          <li key={entry.id} className="text-[0.8125rem]">
            <span className="font-medium">{textOf(entry.action)}</span>
            <span className="block text-muted">
              {actorOf(entry)} ·{' '}
              {format.dateTime(new Date(entry.created_at), { dateStyle: 'medium', timeStyle: 'short' })}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}
