import type { AuditEntry } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useFormatter, useNow, useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { pageOfEntry, useActorOf, usePhraseOf } from '#records/audit/audit-messages.ts'
import { PathLink, TextLink } from '#ui/base/text-link.tsx'
import { Card, LoadState } from '#ui/layout/page.tsx'
import { Avatar } from '#ui/picture/avatar.tsx'

interface ChangeGroup {
  /** The newest entry of the group. */
  readonly entry: AuditEntry
  readonly count: number
  readonly to: string | undefined
}

const hidden = /^(session|account|second_factor|installation)\.|personal_page_(created|renewed|rotated)/

const isSameActor = (entry: AuditEntry, other: AuditEntry): boolean =>
  entry.member_id === other.member_id && entry.api_key_id === other.api_key_id && entry.via === other.via

/** The audit log in short: sign-ins left out, the same action many times in a row as one entry. */
function groupChanges(entries: readonly AuditEntry[], limit: number): readonly ChangeGroup[] {
  const groups: ChangeGroup[] = []
  for (const entry of entries.filter(({ action }) => !hidden.test(action))) {
    const last = groups.at(-1)
    if (last?.entry.action === entry.action && isSameActor(last.entry, entry))
      groups[groups.length - 1] = { ...last, count: last.count + 1, to: undefined }
    else groups.push({ entry, count: 1, to: pageOfEntry(entry) })
  }
  return groups.slice(0, limit)
}

const Row = ({ change }: { readonly change: ChangeGroup }) => {
  const format = useFormatter()
  const now = useNow()
  const { entry, count, to } = change
  const at = entry.created_at
  const actor = useActorOf()(entry)
  const words = usePhraseOf()(entry.action, count)
  return (
    <li className="flex items-center gap-3 py-1.5">
      <Avatar name={actor} size={28} />
      <p className="min-w-0 flex-1">
        <strong className="font-medium">{actor}</strong>{' '}
        {to === undefined ? (
          <span className="text-muted">{words}</span>
        ) : (
          <PathLink
            to={to}
            className="text-muted underline decoration-line underline-offset-2 hover:text-ink"
          >
            {words}
          </PathLink>
        )}
      </p>
      <time dateTime={at} className="text-xs whitespace-nowrap text-muted">
        {format.relativeTime(new Date(at), now)}
      </time>
    </li>
  )
}

export function ChangesCard() {
  const t = useTranslations('home.changes')
  const { data, error, refetch } = useQuery({
    queryKey: ['audit-log', 'home'],
    queryFn: () => api.auditLog.list({ limit: 100 }),
  })
  const changes = groupChanges(data ?? [], 7)
  return (
    <Card title={t('title')} actions={<TextLink to="/settings/audit">{t('all')}</TextLink>}>
      <LoadState query={{ data, error, refetch }} lines={5} />
      {data && changes.length === 0 && <p className="text-muted">{t('none')}</p>}
      <ul className="-my-1 grid">
        {changes.map(change => (
          <Row key={change.entry.id} change={change} />
        ))}
      </ul>
    </Card>
  )
}
