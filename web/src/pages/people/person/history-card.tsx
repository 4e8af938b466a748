// What was changed of a person, and by whom.
import type { Teammate } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useActorOf, usePhraseOf } from '#records/audit/audit-texts.ts'
import { searchOf } from '#state/search-of.ts'
import { LinkButton } from '#ui/button.tsx'
import { Card, LoadError, Skeleton } from '#ui/page.tsx'

export function HistoryCard({ person }: { readonly person: Teammate }) {
  const t = useTranslations('people.history')
  const format = useFormatter()
  const actorOf = useActorOf()
  const { data, error, refetch } = useQuery({
    queryKey: ['teammates', person.id, 'history'],
    queryFn: () => api.auditLog.list({ resource_id: person.id, limit: 10 }),
  })
  const phraseOf = usePhraseOf()
  return (
    <Card
      title={t('title')}
      actions={
        <LinkButton to="/settings/audit" search={searchOf({ id: person.id })} isSmall look="quiet">
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
            <span className="font-medium">{actorOf(entry)}</span> {phraseOf(entry.action)}
            <span className="block text-muted">
              {format.dateTime(new Date(entry.created_at), { dateStyle: 'medium', timeStyle: 'short' })}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}
